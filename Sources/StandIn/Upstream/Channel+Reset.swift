internal import Glibc
internal import NIOCore
internal import NIOPosix

extension Channel {
  /// Closes so that the peer gets a reset (socket(7): SO_LINGER with no time to linger).
  func reset() {
    if let provider = self as? any SocketOptionProvider {
      provider.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { [self] _ in
        close(promise: nil)
      }
    } else {
      close(promise: nil)
    }
  }
}
