internal import NIOCore
internal import NIOTLS
internal import ScenarioModel

/// Inspects the first byte of a connection: TLS or not.
final class ProtocolSniffer: HalfCloseHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// The first byte of a TLS record that carries a handshake (RFC 8446, section 5.1).
  private static let handshakeRecord: UInt8 = 0x16

  private let connection: ClientConnection
  private let pipelines: PipelineBuilder
  private let reporter: ConnectionReporter
  private var alerts: CleartextAlertObserver?
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
      if first == Self.handshakeRecord { try addTLS(to: context.pipeline.syncOperations) }
      try context.pipeline.syncOperations.addHandler(
        HTTPVersionNegotiator(
          connection, pipelines: pipelines, reporter: reporter,
          isSecure: first == Self.handshakeRecord))
      context.fireChannelRead(wrapInboundOut(buffer))
      context.pipeline.syncOperations.removeHandler(self, promise: nil)
    } catch {
      reporter.reportMalformed(connection, "cannot serve the connection: \(error)")
      context.close(promise: nil)
    }
  }

  // MARK: - Pipelines

  private func addTLS(to pipeline: ChannelPipeline.SynchronousOperations) throws {
    connection.isSecure = true
    let greeting = ByteToMessageHandler(
      SNIHandler { [self] result in
        if case .hostname(let name) = result {
          connection.serverName = HostName.normalized(name)
        }
        return startTLS(in: pipeline)
      })
    let alerts = CleartextAlertObserver(connection: connection)
    try pipeline.addHandler(greeting)
    try pipeline.addHandler(alerts)
    try pipeline.addHandler(HandshakeHandler(connection: connection, reporter: reporter))
    self.alerts = alerts
  }

  private func startTLS(
    in pipeline: ChannelPipeline.SynchronousOperations
  ) -> EventLoopFuture<Void> {
    let fault = pipelines.handshakes.fault(of: connection)
    guard fault == nil, let asking = pipelines.handshakes.realFault(of: connection) else {
      return startTLS(fault, in: pipeline)
    }
    let bound = NIOLoopBound((self, pipeline), eventLoop: pipeline.eventLoop)
    return asking.flatMap { fault in bound.value.0.startTLS(fault, in: bound.value.1) }
  }

  private func startTLS(
    _ fault: ConnectionFault.HandshakeFault?, in pipeline: ChannelPipeline.SynchronousOperations
  ) -> EventLoopFuture<Void> {
    do {
      if fault != nil { connection.isBroken = true }
      if fault == .stall || fault == .close, let alerts {
        try pipeline.addHandler(SilentHandler(), position: .after(alerts))
        if fault == .close { try pipeline.context(handler: alerts).close(promise: nil) }
        return pipeline.eventLoop.makeSucceededVoidFuture()
      }
      let handler = try pipelines.handshakes.serverHandler(for: connection, fault)
      if let alerts { try pipeline.addHandler(handler, position: .after(alerts)) }
      return pipeline.eventLoop.makeSucceededVoidFuture()
    } catch {
      reporter.reportMalformed(connection, "cannot set up TLS: \(error)")
      return pipeline.eventLoop.makeFailedFuture(error)
    }
  }
}
