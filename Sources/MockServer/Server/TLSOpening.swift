internal import NIOCore
internal import NIOTLS
internal import ScenarioModel

/// Adds the mock server's side of TLS to a connection, once the client's greeting says for which name.
///
/// Lives on the event loop.
final class TLSOpening {
  private let connection: ClientConnection
  private let handshakes: Handshakes
  private let reporter: ConnectionReporter
  private let alerts: CleartextAlertObserver

  init(_ connection: ClientConnection, handshakes: Handshakes, reporter: ConnectionReporter) {
    self.connection = connection
    self.handshakes = handshakes
    self.reporter = reporter
    alerts = CleartextAlertObserver(connection: connection)
  }

  /// Adds the handlers, at the end of a pipeline or at another place.
  func begin(
    in pipeline: ChannelPipeline.SynchronousOperations,
    at position: ChannelPipeline.SynchronousOperations.Position = .last
  ) throws {
    connection.isSecure = true
    let greeting = ByteToMessageHandler(
      SNIHandler { [self] result in
        if case .hostname(let name) = result {
          connection.serverName = HostName.normalized(name)
        }
        return answer(in: pipeline)
      })
    try pipeline.addHandler(greeting, position: position)
    try pipeline.addHandler(alerts, position: position)
    try pipeline.addHandler(
      HandshakeHandler(connection: connection, reporter: reporter), position: position)
  }

  private func answer(
    in pipeline: ChannelPipeline.SynchronousOperations
  ) -> EventLoopFuture<Void> {
    let fault = handshakes.fault(of: connection)
    guard fault == nil, let asking = handshakes.realFault(of: connection) else {
      return answer(fault, in: pipeline)
    }
    let bound = NIOLoopBound((self, pipeline), eventLoop: pipeline.eventLoop)
    return asking.flatMap { fault in bound.value.0.answer(fault, in: bound.value.1) }
  }

  private func answer(
    _ fault: ConnectionFault.HandshakeFault?, in pipeline: ChannelPipeline.SynchronousOperations
  ) -> EventLoopFuture<Void> {
    do {
      if fault != nil { connection.isBroken = true }
      if fault == .stall || fault == .close {
        try pipeline.addHandler(SilentHandler(), position: .after(alerts))
        if fault == .close { try pipeline.context(handler: alerts).close(promise: nil) }
        return pipeline.eventLoop.makeSucceededVoidFuture()
      }
      let handler = try handshakes.serverHandler(for: connection, fault)
      try pipeline.addHandler(handler, position: .after(alerts))
      return pipeline.eventLoop.makeSucceededVoidFuture()
    } catch {
      reporter.reportMalformed(connection, "cannot set up TLS: \(error)")
      return pipeline.eventLoop.makeFailedFuture(error)
    }
  }
}
