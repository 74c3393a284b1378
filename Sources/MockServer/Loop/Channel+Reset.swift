internal import Glibc
internal import NIOCore

extension Channel {
  /// Closes a TCP connection so that the other side reads ECONNRESET, behind what is on its way to it.
  func reset() {
    let first = try? pipeline.syncOperations.handler(type: AcknowledgingHandler.self)
    if let reset = first?.resetBehindLink { reset() } else { resetAtOnce() }
  }

  /// Closes a TCP connection so that the other side reads ECONNRESET.
  func resetAtOnce() {
    // socket(7): with a linger time of zero, close sends RST and drops what is unsent.
    let provider = self as? any SocketOptionProvider
    _ = provider?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    // Past TLS, which would say goodbye first.
    if let first = try? pipeline.syncOperations.context(handlerType: AcknowledgingHandler.self) {
      first.close(promise: nil)
    } else {
      close(promise: nil)
    }
  }
}
