internal import Glibc

/// A part of the loopback network that is one case's: 4,096 addresses of 127.64.0.0/10, which nothing uses by itself.
///
/// It is held by a socket with a name that only one of the machine's network namespace can have (unix(7), abstract
/// sockets), and is free again when nobody has this value any more, or the process is gone.
package final class LoopbackBlock: Sendable {
  /// How many there are.
  static let count = 1_024

  /// Which of them it is, from 0.
  let number: Int
  private let holder: Int32

  /// Creates a block that nobody holds.
  init(number: Int) {
    self.number = number
    holder = -1
  }

  private init(number: Int, holder: Int32) {
    self.number = number
    self.holder = holder
  }

  deinit {
    if holder >= 0 { close(holder) }
  }

  /// Takes a block that no other case of this machine has; `nil` if there is none.
  package static func take() -> LoopbackBlock? {
    // Runs that begin at the same time look at different ones first.
    let first = Int(getpid()) &* 61
    for attempt in 0..<count {
      let number = (first + attempt) % count
      let holder = socket(
        AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      guard holder >= 0 else { return nil }
      if bind(holder, toAbstractName: "scenario/127.64.0.0/10/\(number)") {
        return LoopbackBlock(number: number, holder: holder)
      }
      close(holder)
    }
    return nil
  }

  private static func bind(_ descriptor: Int32, toAbstractName name: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.dropFirst().copyBytes(from: name.utf8) }
    let length = MemoryLayout<sa_family_t>.size + 1 + name.utf8.count
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(length)) == 0
      }
    }
  }
}
