internal import NIOCore
internal import NIOSSL
internal import NIOTLS

/// Reports how a TLS handshake failed.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  private let connection: ClientConnection
  private let reporter: ConnectionReporter
  private var isComplete = false
  private var hasFailed = false

  init(connection: ClientConnection, reporter: ConnectionReporter) {
    self.connection = connection
    self.reporter = reporter
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted = event {
      isComplete = true
    } else if case ChannelEvent.inputClosed = event, !isComplete {
      context.close(promise: nil)
      return
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    defer { context.fireErrorCaught(error) }
    guard !hasFailed else { return }
    switch HandshakeFailure(error, plainAlert: connection.plainAlert) {
    case .refusal(let message):
      hasFailed = true
      reporter.reportRejectedCertificate(connection, message)
    case .breakdown(let message) where !isComplete && error is NIOSSLError:
      hasFailed = true
      reporter.reportMalformed(connection, "the TLS handshake failed: \(message)")
    case .breakdown:
      break
    }
  }
}
