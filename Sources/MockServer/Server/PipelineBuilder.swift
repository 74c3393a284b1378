internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2
internal import ScenarioModel
internal import ScenarioPlan

/// Builds the pipelines of clients' connections, handler by handler.
///
/// Lives on the event loop.
final class PipelineBuilder {
  /// Decides how TLS handshakes go.
  let handshakes: Handshakes

  /// Answers DNS by TLS; `nil` until the name server is there, and in scenarios that say nothing
  /// of DNS.
  var names: DNSResponder?

  private let network: PlannedNetwork
  private let eventLoop: EventLoopHandle
  private let findStranger: AdmissionHandler.Lookup?
  private let links: FaultyConnections
  private let upstream: UpstreamClient
  private let upstreamFaults: UpstreamFaults
  private let router: RequestRouter
  private let sender: ReplySender
  private let recorder: RequestRecorder
  private let reporter: ConnectionReporter
  private let clock: VirtualClock
  private let goAwayHooks: GoAwayHooks
  private let conversations: ConversationService
  private let quota = BufferQuota()

  init(
    network: PlannedNetwork, eventLoop: EventLoopHandle, findStranger: AdmissionHandler.Lookup?,
    links: FaultyConnections, upstream: UpstreamClient, upstreamFaults: UpstreamFaults,
    router: RequestRouter, recorder: RequestRecorder, reporter: ConnectionReporter,
    clock: VirtualClock, goAwayHooks: GoAwayHooks, handshakes: Handshakes,
    conversations: ConversationService
  ) {
    self.network = network
    self.eventLoop = eventLoop
    self.findStranger = findStranger
    self.links = links
    self.upstream = upstream
    self.upstreamFaults = upstreamFaults
    self.router = router
    self.recorder = recorder
    self.reporter = reporter
    self.clock = clock
    self.goAwayHooks = goAwayHooks
    self.handshakes = handshakes
    self.conversations = conversations
    sender = ReplySender(clock: clock, recorder: recorder)
  }

  /// Builds the pipeline of a connection that was accepted.
  func begin(_ channel: any Channel, to destination: Destination) throws {
    let connection = connection(of: channel, to: destination)
    let pipeline = channel.pipeline.syncOperations
    let isLive = network.mode(ofHost: destination.name) == .live
    let isScripted = !isLive && conversations.expects(connection)
    try pipeline.addHandler(AcknowledgingHandler())
    try pipeline.addHandler(admission(of: connection, asksAtOnce: isScripted))
    if let link = links.handler(for: connection) { try pipeline.addHandler(link) }
    guard !isLive else {
      return try pipeline.addHandler(
        RelayHandler(
          connection: connection, client: upstream, faults: upstreamFaults,
          to: network.upstream(ofHost: destination.name, port: destination.port)))
    }
    try pipeline.addHandler(firstHandler(for: connection, isScripted: isScripted))
  }

  /// Builds the beginning of the pipeline of a connection to the name server.
  func beginNameService(_ channel: any Channel) throws {
    let connection = connection(
      of: channel, to: Destination(address: "DNS", port: DNSListener.usualPort))
    try channel.pipeline.syncOperations.addHandler(admission(of: connection))
  }

  /// Adds the handler for what comes behind a handshake, if a connection is one to a name server (RFC 7858); false if
  /// it is not.
  func addNameService(
    for connection: ClientConnection, to pipeline: ChannelPipeline.SynchronousOperations
  ) throws -> Bool {
    guard let names, network.answersNames(at: connection.destination) else { return false }
    try pipeline.addHandler(DNSStreamHandler(responder: names))
    return true
  }

  private func connection(of channel: any Channel, to destination: Destination) -> ClientConnection
  {
    let connection = ClientConnection(destination: destination)
    connection.recordPorts(of: channel)
    channel.closeFuture.assumeIsolated().whenComplete { [reporter] _ in
      reporter.forgetPeer(of: connection)
    }
    return connection
  }

  private func admission(
    of connection: ClientConnection, asksAtOnce: Bool = false
  ) -> AdmissionHandler {
    AdmissionHandler(
      connection: connection, reporter: reporter, eventLoop: eventLoop,
      findStranger: findStranger, asksAtOnce: asksAtOnce)
  }

  /// The handler of a connection of which nothing is known but where it leads.
  private func firstHandler(
    for connection: ClientConnection, isScripted: Bool
  ) -> any ChannelHandler {
    guard isScripted else {
      return ProtocolSniffer(connection, pipelines: self, reporter: reporter)
    }
    return ConversationHandler(connection, conversations) { [self] pipeline, handler in
      try TLSOpening(connection, handshakes: handshakes, reporter: reporter).begin(
        in: pipeline, at: .before(handler))
    }
  }

  /// Reports the first byte of a client.
  func reportSpoken(_ connection: ClientConnection) {
    upstreamFaults.endListening(to: connection.destination)
    reporter.reportConnected(connection, hasSpoken: true)
  }

  // MARK: - HTTP

  private func service(for connection: ClientConnection) -> ConnectionContext {
    ConnectionContext(
      connection,
      ConnectionContext.Services(
        router: router, sender: sender, recorder: recorder, connections: reporter, clock: clock,
        quota: quota,
        makeFirstHandler: { [self] in
          firstHandler(for: $0, isScripted: conversations.expects($0))
        }))
  }

  /// Adds the handlers of HTTP/1.
  func addHTTP1(
    for connection: ClientConnection, to pipeline: ChannelPipeline.SynchronousOperations
  ) throws {
    let service = service(for: connection)
    var encoding = HTTPResponseEncoder.Configuration()
    // The framing is chosen where the request's method is known.
    encoding.automaticallySetFramingHeaders = false
    let conversation = HTTP1Handler(service)
    try pipeline.addHandler(SlowHeaderGuard(conversation: conversation, service: service))
    try pipeline.addHandler(HTTPResponseEncoder(configuration: encoding))
    try pipeline.addHandler(
      ByteToMessageHandler(
        HTTPRequestDecoder(
          leftOverBytesStrategy: .forwardBytes,
          limitConfiguration: HTTPLimits.decoderConfiguration)))
    try pipeline.addHandler(conversation)
  }

  /// Adds the handlers of HTTP/2.
  func addHTTP2(
    for connection: ClientConnection, to pipeline: ChannelPipeline.SynchronousOperations
  ) throws {
    let service = service(for: connection)
    let bound = NIOLoopBound(service, eventLoop: pipeline.eventLoop)
    let handler = HTTP2ConnectionHandler(service, goAwayHooks: goAwayHooks)
    let recorder = HTTP2StreamRecorder(
      handler: NIOLoopBound(handler, eventLoop: pipeline.eventLoop))
    _ = try pipeline.configureHTTP2Pipeline(
      mode: .server, connectionConfiguration: HTTP2Limits.connection,
      streamConfiguration: HTTP2Limits.stream, streamDelegate: recorder
    ) { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(HTTP2StreamHandler(bound.value))
      }
    }
    try pipeline.addHandler(handler)
  }
}
