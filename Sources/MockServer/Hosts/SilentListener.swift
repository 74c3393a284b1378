internal import Glibc

/// An address at which no answer comes, as if every packet that is sent there got lost.
///
/// The kernel keeps who connects to it in the state SYN-SENT. The end that then connects to the client from this very
/// address makes the connection by a simultaneous open (RFC 9293, section 3.5).
///
/// Where no filter of packets may be set, a queue that is full makes the kernel drop who asks (listen(2)).
final class SilentListener {
  private let descriptor: Int32
  /// The descriptor of the connection that fills the accept queue; negative if none is needed.
  private let filler: Int32

  /// Creates a listener; `nil` if the address is not available.
  init?(at end: LoopbackEnd) {
    let listener = Self.makeSocket()
    guard listener >= 0 else { return nil }
    var isOn: Int32 = 1
    for name in [SO_REUSEADDR, SO_REUSEPORT] {
      setsockopt(listener, SOL_SOCKET, name, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
    let isFiltered = PacketFilter.dropAll(on: listener)
    guard Self.apply(bind, to: listener, end), listen(listener, isFiltered ? 1 : 0) == 0 else {
      close(listener)
      return nil
    }
    let filler = isFiltered ? -1 : Self.makeSocket()
    guard isFiltered || filler >= 0 && Self.apply(connect, to: filler, end) else {
      if filler >= 0 { close(filler) }
      close(listener)
      return nil
    }
    descriptor = listener
    self.filler = filler
  }

  deinit {
    if filler >= 0 { close(filler) }
    close(descriptor)
  }

  private static func makeSocket() -> Int32 {
    socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), Int32(IPPROTO_TCP))
  }

  /// Calls bind(2) or connect(2); false if it fails.
  private static func apply(
    _ call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, to socket: Int32,
    _ end: LoopbackEnd
  ) -> Bool {
    var address = end.kernelAddress
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
