package import Foundations
package import MockEngine
internal import NIOCore
internal import NIOPosix
package import ScenarioModel
package import ScenarioPlan
import Synchronization

/// The mock server of a scenario, which answers its target in place of the network.
///
/// One server belongs to one scenario. It has one thread, which does everything and sleeps only when
/// nothing is left to do: an observer of the thread knows whether an answer may still come. All methods
/// may be called from any thread but that one, and block until the thread has done the work.
package final class ScenarioMockServer: Sendable {
  /// The kernel's identifiers of the threads that serve.
  package let threadIdentifiers: [Int32]
  /// Decides about faults of links; `nil` if no entry is about one.
  package let links: LinkFaults?
  /// True if it matters who looks names up: lookups may have faults, or names may be unknown.
  package let wantsNameClients: Bool
  /// Calls to real hosts that are not answered yet.
  package let pendingUpstreamCalls = PendingUpstreamCalls()

  let eventLoop: EventLoopHandle
  let reporter: EventReporter
  let services: NIOLoopBound<LoopServices>
  let names: DNSServer
  private let group: MultiThreadedEventLoopGroup
  private let mayGoLive: Bool
  private let log: ExchangeLog
  private let ports = Mutex<[Destination: UInt16]>([:])
  private let peers = PeerRegistry()
  private let account = UpstreamAccount()

  /// The port on 127.0.0.1 that answers DNS datagrams.
  package var nameServerPort: UInt16 { names.datagramPort }
  /// The port on 127.0.0.1 that answers DNS on streams.
  package var nameServerStreamPort: UInt16 { names.streamPort }

  /// Starts the thread and the DNS ports; `shutdown()` must follow.
  ///
  /// - Throws: If no port can be opened.
  package init(
    network: PlannedNetwork, authority: CertificateAuthority, environment: MockServerEnvironment,
    upstream: UpstreamSettings = UpstreamSettings()
  ) throws(MockServerError) {
    let endpoint = try GraphQLEndpoint(reading: network)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let eventLoop = EventLoopHandle(loop: group.next())
    let log = ExchangeLog(network: network, scope: environment.scope)
    let reporter = EventReporter(
      eventLoop, reportsExchanges: environment.recordsExchanges, record: environment.record)
    links = environment.links
    mayGoLive = network.mayGoLive
    self.reporter = reporter
    self.group = group
    self.eventLoop = eventLoop
    self.log = log
    let nameFaults = NameFaults(links: environment.links, log: log, elapsed: environment.elapsed)
    let resolver = DNSResolver(
      network, hosts: environment.hosts.compactMapValues { IPv4Address($0) },
      reserved: environment.reservedAddresses)
    wantsNameClients = nameFaults != nil || resolver.reportsUnknownNames
    do {
      let start = eventLoop.loop.submit { [peers, pendingUpstreamCalls, account] in
        let exhaustion = Exhaustion(reporter: reporter)
        let client = UpstreamClient(
          loop: eventLoop.loop, settings: upstream, questions: pendingUpstreamCalls,
          account: account, findLoopback: environment.findLoopbackEntrance,
          reportFailure: exhaustion.check)
        let services = LoopServices(
          network: network, authority: authority, environment: environment, log: log,
          eventLoop: eventLoop, reporter: reporter, endpoint: endpoint, peers: peers,
          client: client,
          upstreamCalls: pendingUpstreamCalls, exhaustion: exhaustion)
        let bound = NIOLoopBound(services, eventLoop: eventLoop.loop)
        return (try KernelThread.currentIdentifier(), bound)
      }
      let (thread, services) = try start.wait()
      threadIdentifiers = [thread]
      self.services = services
      var responder = DNSResponder(resolver: resolver)
      if network.mayGoLive {
        responder.realFault = { [hosts = environment.hosts] name in
          hosts[name] == nil && !resolver.hasRecords(of: name)
            ? services.value.upstreamFaults.nameFault(of: name) : nil
        }
      }
      names = try DNSServer(
        responder, faults: nameFaults, quiescence: environment.rest, eventLoop: eventLoop,
        upstreamCalls: pendingUpstreamCalls, reporter: reporter,
        admit: { try services.value.pipelines.beginNameService($0) },
        whenFailed: { services.value.exhaustion.check($0, host: "DNS") })
      if network.names != nil {
        let serve = eventLoop.loop.submit { [names] in
          services.value.serve(names.responder, on: eventLoop.loop)
        }
        try serve.wait()
      }
    } catch {
      try? group.syncShutdownGracefully()
      throw error as? MockServerError ?? Self.cannotListen(for: "DNS", error)
    }
  }

  /// Closes every listener and connection and ends the thread; later calls do nothing.
  package func shutdown() {
    guard eventLoop.close() else { return }
    try? eventLoop.loop.submit { [services] in services.value.close() }.wait()
    // The group reports errors of channels that were closing anyway; what matters is that it ended.
    try? group.syncShutdownGracefully()
  }

  /// Handles what clients have sent so far, also those that have ended since.
  ///
  /// A round of the loop polls every socket first and does its tasks after that; a connection takes
  /// one round to be accepted, and one for each answer that is read before it ends.
  package func catchUp() {
    for _ in 0..<Self.roundsToCatchUp {
      guard
        let round = eventLoop.submit({ [eventLoop] in eventLoop.loop.makeSucceededVoidFuture() }),
        (try? round.wait()) != nil
      else { return }
    }
    let turn = eventLoop.submit { [eventLoop, services, names] in
      services.value.sequencer.admitAll()
      names.admitAll()
      return eventLoop.loop.makeSucceededVoidFuture()
    }
    try? turn?.wait()
  }

  private static let roundsToCatchUp = 8

  // MARK: - Connections

  /// The port on 127.0.0.1 that stands for a destination; opened at the first call.
  ///
  /// - Parameters:
  ///   - host: The name that was looked up, if the address came from a name.
  ///   - address: The address that the target connects to, as text.
  ///   - port: The port that the target connects to.
  /// - Throws: If no listener can be opened, or after `shutdown()`.
  /// - Returns: The port to connect to instead.
  package func port(
    host: String?, address: String, port: UInt16
  ) throws(MockServerError) -> UInt16 {
    let destination = Destination(lookedUp: host, address: address, port: port)
    if eventLoop.isPassable, let known = ports.withLock({ $0[destination] }) { return known }
    let opening = eventLoop.submit { [services] in
      services.value.listeners.port(for: destination)
    }
    guard let opening else {
      throw MockServerError(
        .afterShutdown, message: "no listener for \"\(destination.name):\(port)\" after shutdown",
        help: "this is a bug; please report it")
    }
    do {
      let opened = try opening.wait()
      ports.withLock { $0[destination] = opened }
      return opened
    } catch {
      throw Self.cannotListen(for: "\(destination.name):\(port)", error)
    }
  }

  private static func cannotListen(for purpose: String, _ error: any Error) -> MockServerError {
    MockServerError(
      .listening, message: "no listener for \"\(purpose)\" could be opened on 127.0.0.1: \(error)",
      help: "check that the loopback interface is up, and the open-files limit (ulimit -n)")
  }

  /// The fault that the author gives connect(2); `nil` if it succeeds.
  package func connectionFault(host: String?, address: String, port: UInt16) -> ConnectionFault? {
    let hosts = [host.flatMap { HostName.normalized($0) }, address].compactMap { $0 }
    return log.fault(hosts, port: port, in: .connecting)
  }

  /// Returns whether connect(2) fails because no stub names the host, and the author wants that.
  package func refusesConnection(host: String?, address: String, port: UInt16) -> Bool {
    let hosts = [host.flatMap { HostName.normalized($0) }, address].compactMap { $0 }
    return log.refusesConnection(to: hosts, port: port)
  }

  /// Returns the fault with which connect(2) has to fail because the real host does not answer;
  /// `nil` if it does, or if no real host is behind the destination.
  ///
  /// Waits for the real host, for two seconds at most.
  package func realConnectionFault(
    host: String?, address: String, port: UInt16
  ) -> ConnectionFault? {
    guard mayGoLive else { return nil }
    let destination = Destination(lookedUp: host, address: address, port: port)
    let asking = eventLoop.submit { [services] in
      services.value.upstreamFaults.connectionFault(of: destination)
    }
    return (try? asking?.wait()) ?? nil
  }

  /// Ignores what a real host says before it is asked, as the client goes to it by itself.
  package func endListening(host: String?, address: String, port: UInt16) {
    let destination = Destination(lookedUp: host, address: address, port: port)
    eventLoop.execute { [services] in
      services.value.upstreamFaults.endListening(to: destination)
    }
  }

  // MARK: - Names

  /// The port on 127.0.0.1 that stands for a name server; each has one of its own, so that a client sees which one
  /// has answered.
  ///
  /// - Parameters:
  ///   - address: The name server's address, as text.
  ///   - isStream: Whether it is asked over TCP.
  /// - Throws: If no port can be opened, or after `shutdown()`.
  package func nameServerPort(
    address: String, isStream: Bool
  ) throws(MockServerError) -> UInt16 {
    do {
      return try names.port(address: address, isStream: isStream)
    } catch {
      throw error as? MockServerError ?? Self.cannotListen(for: "DNS", error)
    }
  }

  /// Records who has made a connection, before anything can be sent on it.
  ///
  /// - Parameters:
  ///   - origin: Who.
  ///   - place: Where its maker stands in the tree; `nil` if that is not known, and then its requests are
  ///     answered as they come.
  ///   - sourcePort: The client's port on this machine.
  ///   - port: The mock server's port.
  ///   - ticket: The connection's number that `openLink` has returned.
  package func recordClient(
    _ origin: ClientOrigin, at place: CausalOrder? = nil, sourcePort: UInt16, port: UInt16,
    ticket: Int? = nil
  ) {
    peers.record(
      PeerRegistry.Entry(origin: origin, place: place, ticket: ticket), sourcePort: sourcePort,
      port: port)
    settleLink(sourcePort: sourcePort, port: port, ticket: ticket)
  }

  /// Records that the process which has made a connection ends, before the kernel closes it.
  ///
  /// - Parameters:
  ///   - sourcePort: The client's port on this machine.
  ///   - port: The mock server's port.
  package func recordEndOfClient(sourcePort: UInt16, port: UInt16) {
    peers.recordEnd(sourcePort: sourcePort, port: port)
  }

  /// The name that was looked up when an address was given out, as text: `198.18.0.1`.
  package func hostName(forAddress address: String) -> String? {
    AddressLiteral.bytes(of: address).flatMap { names.resolver.name(ofAddress: $0) }
  }

  /// Enables the stubs of a `responses:` step, counted from 0.
  package func respond(step: Int) {
    log.open(step: step)
  }

  /// Changes the state that the stubs share.
  ///
  /// - Throws: `RunScopeError` if an expression has no value; nothing is changed then.
  package func set(_ changes: [PlannedStateChange]) throws(RunScopeError) {
    try log.set(changes)
  }

  /// Enables the records of a `dns:` step, counted from 0.
  package func resolve(step: Int) {
    names.resolver.open(step: step)
  }

  // MARK: - The account

  /// Returns the changes of the state by steps, each with the number of requests before it.
  package func stepChanges() -> [(requestCount: Int, change: StateChange)] {
    log.stepChanges()
  }

  /// Returns the state that the stubs share, by name; also after `shutdown()`.
  package func caseState() -> Value {
    log.caseState()
  }

  /// Returns every request so far, in order of arrival; also after `shutdown()`.
  package func requests() -> [RecordedRequest] {
    log.requests()
  }

  /// The first messages of WebSockets, in order; also after `shutdown()`.
  ///
  /// There are 10,000 at most, with 16 MiB together: a program may say more than can be kept.
  package func messages() -> [RecordedMessage] {
    log.messages()
  }

  /// Stubs with unused replies; also after `shutdown()`.
  package func unused() -> [UnusedResponse] {
    log.unused()
  }

  /// The pending webhooks; none after `shutdown()`.
  package func pendingWebhooks() -> [PendingWebhook] {
    let asking = eventLoop.submit { [eventLoop, services] in
      eventLoop.loop.makeSucceededFuture(services.value.webhooks.pending)
    }
    return (try? asking?.wait()) ?? []
  }

  // MARK: - Real hosts

  /// Exchanges with real hosts in mode `record`; also after `shutdown()`.
  package func exchanges() -> [RecordedExchange] {
    log.exchanges().map { $0.unpacked() }
  }

  /// Real hosts, with or without a port, to which no connection came about in mode `record`; also after
  /// `shutdown()`.
  package func unreachable() -> [String: RecordedFault] {
    log.unreachable()
  }

  /// The real hosts that were connected to; also after `shutdown()`.
  package var realConnections: RealConnections { account.connections }
}
