import MockEngine
import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import MockServer
import Patterns
import ScenarioPlan

/// Real hosts that answer as a test says.
final class FakeUpstream: UpstreamForwarding {
  /// What was passed on.
  private(set) var forwarded: [ReceivedRequest] = []

  func forward(
    _ request: ReceivedRequest, _ incoming: IncomingRequest, feed: RequestFeed?,
    completion: @escaping (Result<Answer, PatternError>) -> Void
  ) {
    forwarded.append(request)
    completion(.success(Answer(reply: PreparedReply(status: 203))))
  }

  func ask(
    _ request: ReceivedRequest, for target: RequestTarget,
    completion: @escaping (RecordedExchange.Outcome) -> Void
  ) {
    forwarded.append(request)
    completion(.fault(.reset))
  }
}

/// A router on an event loop that runs when the test says so, without sockets.
final class RouterHarness {
  let loop = EmbeddedEventLoop()
  let world: ManualWorld
  let upstream = FakeUpstream()
  let log: ExchangeLog
  let peers = PeerRegistry()
  let upstreamCalls = PendingUpstreamCalls()
  let sequencer: RequestSequencer
  let router: RequestRouter

  init(_ network: PlannedNetwork, world: ManualWorld = ManualWorld()) throws {
    self.world = world
    let environment = world.environment
    let eventLoop = EventLoopHandle(loop: loop)
    let clock = environment.clock(eventLoop)
    let reporter = EventReporter(eventLoop, reportsExchanges: true, record: environment.record)
    log = ExchangeLog(network: network, scope: environment.scope)
    sequencer = RequestSequencer(
      quiescence: environment.rest, eventLoop: eventLoop, peers: peers,
      upstreamCalls: upstreamCalls)
    let recorder = RequestRecorder(
      log: log, reporter: reporter, clock: clock, calls: CallTypes(network))
    router = RequestRouter(
      network: network, log: log, sequencer: sequencer,
      endpoint: try GraphQLEndpoint(reading: network),
      upstream: upstream, connections: ConnectionReporter(peers: peers, reporter: reporter),
      recorder: recorder, clock: clock, scope: environment.scope,
      handlers: HandlerClient(
        loop: eventLoop, clock: clock, calls: upstreamCalls, network: network, findEntrance: nil,
        recorder: recorder),
      programs: ProgramHandlers(
        loop: eventLoop, calls: upstreamCalls, askProgram: nil, recorder: recorder))
  }

  /// A connection of a client; with a lineage, its maker is known.
  func connection(
    host: String = "api.test", lineage: [UInt32]? = nil, port: UInt16 = 50_000
  ) throws -> ClientConnection {
    let connection = ClientConnection(
      destination: Destination(host: host, address: "198.18.0.1", port: 80))
    let channel = EmbeddedChannel(loop: loop)
    channel.remoteAddress = try SocketAddress(ipAddress: "127.0.0.1", port: Int(port))
    channel.localAddress = try SocketAddress(ipAddress: "127.0.0.1", port: 8080)
    connection.recordPorts(of: channel)
    if let lineage {
      let origin = ClientOrigin(connection: Int(port), process: 1, arguments: ["a"])
      let place = CausalOrder(lineage: lineage, ordinal: 0)
      peers.record(
        PeerRegistry.Entry(origin: origin, place: place, ticket: nil), sourcePort: port,
        port: 8080)
    }
    return connection
  }

  func request(
    _ method: HTTPMethod = .GET, _ uri: String = "/n", headers: HTTPHeaders = [:],
    body: [UInt8] = [], stream: Int? = nil
  ) -> ReceivedRequest {
    var fields: HTTPHeaders = ["host": "api.test"]
    fields.add(contentsOf: headers)
    let head = HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: fields)
    var request = ReceivedRequest(head: head, stream: stream, budget: BufferQuota())
    var bytes = ByteBuffer(bytes: body)
    request.append(&bytes)
    return request
  }

  /// Routes a request; the answer comes at once or once the world is at rest.
  func route(
    _ request: ReceivedRequest, on connection: ClientConnection? = nil,
    _ completion: @escaping (Result<Answer, PatternError>) -> Void
  ) throws {
    try router.answer(
      request, on: connection ?? self.connection(), completion: completion)
  }

  /// The answer to a request that need not wait.
  func answer(_ request: ReceivedRequest) throws -> Result<Answer, PatternError>? {
    var found: Result<Answer, PatternError>?
    try route(request) { found = $0 }
    return found
  }

  /// Everybody has come to rest.
  func rest() {
    world.rest()
    loop.run()
  }
}

extension Answer {
  /// The body, if it is in memory.
  var text: String? {
    guard case .body(.bytes(let bytes)) = reply.content else { return nil }
    return String(buffer: bytes)
  }
}
