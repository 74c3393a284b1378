internal import Glibc

/// An address at which no answer comes, as if every packet that is sent there got lost.
///
/// The kernel keeps who connects to it in the state SYN-SENT. The end that then connects to the client from this very
/// address makes the connection by a simultaneous open (RFC 9293, section 3.5).
final class SilentListener {
  private let descriptor: Int32

  /// Creates one; `nil` if the address cannot be had.
  init?(at end: LoopbackEnd) {
    descriptor = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), Int32(IPPROTO_TCP))
    guard descriptor >= 0 else { return nil }
    var isOn: Int32 = 1
    for name in [SO_REUSEADDR, SO_REUSEPORT] {
      setsockopt(descriptor, SOL_SOCKET, name, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = end.kernelAddress
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isBound, PacketFilter.dropAll(on: descriptor), listen(descriptor, 1) == 0 else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }
}
