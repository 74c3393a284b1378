internal import Glibc

/// A part of the loopback network that is one case's: 4,096 addresses of 127.64.0.0/10, which nothing uses by itself.
///
/// It is held by a socket with a name that only one of the machine's network namespace can have (unix(7), abstract
/// sockets), and is free again when nobody has this value any more, or the process is gone.
package final class LoopbackBlock: Sendable {
  /// The number of addresses.
  static let count = 1_024

  /// Which of them it is, from 0.
  let number: Int
  private let holder: Int32

  /// Creates a block that no other process has claimed.
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
  ///
  /// Connections of a case that has ended keep their ports for a minute of real time (tcp(7), TIME_WAIT): its block is
  /// taken again only where there is no other.
  ///
  /// - Throws: `LaunchError`, with the errno, where no socket can be had.
  package static func take() throws(LaunchError) -> LoopbackBlock? {
    // Runs that begin at the same time look at different ones first.
    let first = Int(getpid()) &* 61
    let numbers = (0..<count).map { (first + $0) % count }
    let used = usedBlocks(
      in: ["/proc/net/tcp", "/proc/net/tcp6"].compactMap { SmallFile.bytes($0) })
    for number in numbers.filter({ !used.contains($0) }) + numbers.filter({ used.contains($0) }) {
      let holder = socket(
        AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      guard holder >= 0 else { throw .failed(operation: "socket", errorNumber: errno) }
      if bind(holder, toAbstractName: "scenario/127.64.0.0/10/\(number)") {
        return LoopbackBlock(number: number, holder: holder)
      }
      close(holder)
    }
    return nil
  }

  /// Returns the numbers of the blocks in which a connection has its own end.
  ///
  /// - Parameter tables: /proc/net/tcp and tcp6 (proc(5)): the second word of each line is the address in hexadecimal digits,
  ///   each 32 bits of it as a number of the machine's byte order, then a colon and the port.
  static func usedBlocks(in tables: [[UInt8]]) -> Set<Int> {
    var used: Set<Int> = []
    for table in tables {
      for line in table.split(separator: UInt8(ascii: "\n")) {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count > 1, let end = words[1].firstIndex(of: UInt8(ascii: ":")) else {
          continue
        }
        let digits = String(decoding: words[1][..<end].suffix(8), as: UTF8.self)
        guard let number = UInt32(digits, radix: 16) else { continue }
        let address = UInt32(bigEndian: number)
        guard address >> 22 == (127 << 24 | 64 << 16) >> 22 else { continue }
        used.insert(Int(address & 0x3F_FFFF) / addressCount)
      }
    }
    return used
  }

  /// The number of addresses of a block.
  private static let addressCount = 4_096

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
