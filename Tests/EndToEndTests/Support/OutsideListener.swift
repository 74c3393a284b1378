import Glibc

/// Listens on a port of this machine that the kernel chooses, or only has it.
final class OutsideListener {
  private let descriptor: Int32
  let port: UInt16

  struct Failed: Error {}

  /// The addresses at which it listens.
  enum Place {
    case loopback, everywhere
  }

  init(at place: Place = .everywhere, listens: Bool = true) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    if place == .loopback { address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian }
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
        bind(descriptor, place, length) == 0 && (!listens || listen(descriptor, 8) == 0)
          && getsockname(descriptor, place, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard result else { throw Failed() }
  }

  deinit { close(descriptor) }
}
