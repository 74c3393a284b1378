internal import MockEngine
internal import NIOCore
internal import ScenarioPlan

/// The parts of a mock server that live on its event loop, put together.
final class LoopServices {
  let sequencer: RequestSequencer
  let links: FaultyConnections
  let upstreamFaults: UpstreamFaults
  let exhaustion: Exhaustion
  let listeners: Listeners
  let pipelines: PipelineBuilder
  let webhooks: WebhookSender
  /// The relay between hosts; `nil` where they reach each other directly.
  let relay: HostRelay?
  private let router: RequestRouter
  private let goAwayHooks = GoAwayHooks()

  init(
    network: PlannedNetwork, authority: CertificateAuthority, environment: MockServerEnvironment,
    log: ExchangeLog, eventLoop: EventLoopHandle, reporter: EventReporter,
    endpoint: GraphQLEndpoint,
    peers: PeerRegistry, client: UpstreamClient, upstreamCalls: PendingUpstreamCalls,
    exhaustion: Exhaustion
  ) {
    let clock = environment.clock(eventLoop)
    let connections = ConnectionReporter(peers: peers, reporter: reporter)
    let recorder = RequestRecorder(
      log: log, reporter: reporter, clock: clock, calls: CallTypes(network))
    sequencer = RequestSequencer(
      quiescence: network.dependsOnOrder ? environment.rest : nil, eventLoop: eventLoop,
      peers: peers, upstreamCalls: upstreamCalls)
    links = FaultyConnections(
      faults: environment.links, connections: connections, reporter: reporter,
      quiescence: environment.rest, eventLoop: eventLoop, clock: clock)
    upstreamFaults = UpstreamFaults(
      client: client, network: network, log: log, reporter: reporter)
    self.exhaustion = exhaustion
    relay = environment.relay.map { [links] in
      HostRelay(
        $0, loop: eventLoop.loop, clock: clock, links: links, calls: upstreamCalls,
        exhaustion: exhaustion, reporter: reporter)
    }
    webhooks = WebhookSender(
      loop: eventLoop, clock: clock, calls: upstreamCalls,
      findEntrance: environment.findTargetEntrance, reporter: reporter)
    router = RequestRouter(
      network: network, log: log, sequencer: sequencer, endpoint: endpoint,
      upstream: UpstreamForwarder(
        client: client, network: network, log: log, recorder: recorder),
      connections: connections, recorder: recorder, clock: clock, scope: environment.scope,
      handlers: HandlerClient(
        loop: eventLoop, clock: clock, calls: upstreamCalls, network: network,
        findEntrance: environment.findTargetEntrance, recorder: recorder),
      programs: ProgramHandlers(
        loop: eventLoop, calls: upstreamCalls,
        askProgram: environment.askHandlerProgram, recorder: recorder),
      webhooks: webhooks)
    let handshakes = Handshakes(
      log: log, authority: authority, upstream: upstreamFaults, clock: clock)
    pipelines = PipelineBuilder(
      network: network, eventLoop: eventLoop, findStranger: environment.admission, links: links,
      upstream: client, upstreamFaults: upstreamFaults, router: router, recorder: recorder,
      reporter: connections, clock: clock, goAwayHooks: goAwayHooks, handshakes: handshakes,
      conversations: ConversationService(
        log: log, recorder: recorder, reporter: connections, clock: clock,
        scope: environment.scope))
    listeners = Listeners(loop: eventLoop.loop, pipelines: pipelines, exhaustion: exhaustion)
  }

  /// Answers DNS also by TLS and HTTP, for a scenario that says what names lead to.
  func serve(_ names: DNSResponder, on loop: any EventLoop) {
    pipelines.names = names
    router.names = DNSOverHTTPS(names, loop: loop)
  }

  /// Closes all connections to clients: the mock server closes.
  func close() {
    sequencer.close()
    links.openAll()
    goAwayHooks.run()
  }
}
