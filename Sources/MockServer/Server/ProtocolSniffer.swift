internal import NIOCore

/// Inspects the first byte of a connection: TLS or not.
final class ProtocolSniffer: HalfCloseHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// The first byte of a TLS record that carries a handshake (RFC 8446, section 5.1).
  private static let handshakeRecord: UInt8 = 0x16

  private let connection: ClientConnection
  private let pipelines: PipelineBuilder
  private let reporter: ConnectionReporter
  /// True if the rest of the pipeline is built; a write that fails within it makes the channel read
  /// once more.
  private var hasOpened = false

  init(
    _ connection: ClientConnection, pipelines: PipelineBuilder, reporter: ConnectionReporter
  ) {
    self.connection = connection
    self.pipelines = pipelines
    self.reporter = reporter
  }

  func channelActive(context: ChannelHandlerContext) {
    reporter.reportConnected(connection, hasSpoken: false)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasOpened else { return context.fireChannelRead(data) }
    let buffer = unwrapInboundIn(data)
    guard let first = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self) else { return }
    hasOpened = true
    pipelines.reportSpoken(connection)
    do {
      if first == Self.handshakeRecord {
        try TLSOpening(connection, handshakes: pipelines.handshakes, reporter: reporter).begin(
          in: context.pipeline.syncOperations)
      }
      let isNameService =
        try first == Self.handshakeRecord
        && pipelines.addNameService(for: connection, to: context.pipeline.syncOperations)
      if !isNameService {
        try context.pipeline.syncOperations.addHandler(
          HTTPVersionNegotiator(
            connection, pipelines: pipelines, reporter: reporter,
            isSecure: first == Self.handshakeRecord))
      }
      context.fireChannelRead(wrapInboundOut(buffer))
      context.pipeline.syncOperations.removeHandler(self, promise: nil)
    } catch {
      reporter.reportMalformed(connection, "cannot serve the connection: \(error)")
      context.close(promise: nil)
    }
  }
}
