internal import NIOCore
internal import NIOHTTP2
internal import NIOTLS

/// Determines the HTTP version of a client, and builds the rest of the pipeline.
///
/// HTTP/2 is what the client chose in its TLS greeting, or what begins with the preface of RFC
/// 9113, section 3.4.
final class HTTPVersionNegotiator: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  private let connection: ClientConnection
  private let pipelines: PipelineBuilder
  private let reporter: ConnectionReporter
  private var awaitsHandshake: Bool
  private var received = ByteBuffer()
  /// True if the rest of the pipeline is built; from then on it handles all events.
  private var hasDecided = false

  init(
    _ connection: ClientConnection, pipelines: PipelineBuilder, reporter: ConnectionReporter,
    isSecure: Bool
  ) {
    self.connection = connection
    self.pipelines = pipelines
    self.reporter = reporter
    awaitsHandshake = isSecure
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasDecided else { return context.fireChannelRead(data) }
    var part = unwrapInboundIn(data)
    received.writeBuffer(&part)
    decide(context: context, isComplete: false)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted(let negotiated) = event, awaitsHandshake {
      awaitsHandshake = false
      if negotiated == ALPN.http2 { hand(over: .http2, context: context) }
    } else if case ChannelEvent.inputClosed = event, !hasDecided {
      decide(context: context, isComplete: true)
      guard received.readableBytes > 0 else { return context.close(promise: nil) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !hasDecided else { return context.fireErrorCaught(error) }
    context.close(promise: nil)
  }

  /// Decides as soon as the bytes are enough.
  private func decide(context: ChannelHandlerContext, isComplete: Bool) {
    let bytes = received.readableBytesView
    guard !bytes.isEmpty else { return }
    if bytes.starts(with: Self.preface) {
      hand(over: .http2, context: context)
    } else if isComplete || !Self.preface.starts(with: bytes) {
      hand(over: .http1, context: context)
    }
  }

  // MARK: - Pipelines

  private enum Version {
    case http1, http2
  }

  private func hand(over version: Version, context: ChannelHandlerContext) {
    guard !hasDecided else { return }
    hasDecided = true
    let pipeline = context.pipeline.syncOperations
    do {
      switch version {
      case .http1: try pipelines.addHTTP1(for: connection, to: pipeline)
      case .http2: try pipelines.addHTTP2(for: connection, to: pipeline)
      }
      if received.readableBytes > 0 {
        context.fireChannelRead(wrapInboundOut(received))
        context.fireChannelReadComplete()
      }
      pipeline.removeHandler(self, promise: nil)
    } catch {
      reporter.reportMalformed(connection, "cannot serve the connection: \(error)")
      context.close(promise: nil)
    }
  }
}
