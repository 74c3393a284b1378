internal import Cryptography
internal import MockEngine
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
      // A session that is resumed knows it as well.
      if connection.certificateDemand != .none {
        let handler = try? context.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)
        connection.certificate = (try? handler?.peerCertificate?.toDERBytes()).map {
          CertificateDescription(der: $0) ?? CertificateDescription(unreadable: $0)
        }
      }
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
      reporter.reportRejectedCertificate(connection, message, hasAlert: true)
    case .closure(let message):
      hasFailed = true
      // The kernel closes what a process has open when it ends: that says nothing of trust.
      if !reporter.endedOpen(connection) {
        reporter.reportRejectedCertificate(connection, message, hasAlert: false)
      }
    case .missingCertificate:
      hasFailed = true
      reporter.reportMissingCertificate(connection)
    case .breakdown(let message) where !isComplete && error is NIOSSLError:
      hasFailed = true
      reporter.reportMalformed(connection, "the TLS handshake failed: \(message)")
    case .breakdown:
      break
    }
  }
}
