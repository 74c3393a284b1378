internal import Foundations
internal import MockEngine
internal import MockServer
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

/// The parts of a case that its mock server needs, and where its events go.
struct MockServerSurroundings {
  /// The scenario's clocks.
  let view: ClockView
  /// Collects network failures.
  let findings: NetworkFindings
  /// The inbox to which everything is reported.
  let inbox: CaseLog.Inbox
  /// The supervisor, which is made later.
  let link = SupervisorLink()
  /// The number of threads that the target has.
  let census = ThreadCensus()
  /// The replies that have gone out.
  let replies = ReplyCounter()
  /// The programs that answer requests.
  let programs = AnsweringPrograms()
  /// The values that steps have captured.
  let captures: CapturedValues
  /// The hosts on which targets are; `nil` where there are none.
  var hostNetwork: HostNetwork?

  /// Starts the mock server of a case; `nil` where it needs none.
  func mockServer(
    for plannedCase: PlannedCase, in directory: CaseDirectory,
    authority: () throws(Failure) -> RunAuthority, _ options: RunOptions
  ) throws(Failure) -> ScenarioMockServer? {
    guard let network = plannedCase.network, network.needsMockServer else { return nil }
    try MockServerNeeds.require()
    var environment = MockServerEnvironment(
      now: { [view] in view.reading().wall },
      elapsed: { [view] in view.reading().elapsed },
      schedule: { [link] in link.supervisor?.schedule(after: $0, $1) },
      record: recorder(
        redaction: Redaction(adding: network.redact), hosts: TargetNames(plannedCase.targets),
        awaitsReplies: plannedCase.chaos.contains { $0.schedule.event != nil },
        target: plannedCase.target.commandRange),
      directory: directory.work)
    environment.captures = captures
    environment.recordsExchanges = options.reportsExchanges
    environment.appoint = { [link] delay, body in
      guard let scheduledTask = link.supervisor?.appoint(after: delay, body) else { return {} }
      return { scheduledTask.cancel() }
    }
    environment.rest = QuiescenceSignal(
      isLone: { [census] in census.count <= 1 },
      whenReached: { [link] in link.supervisor?.whenAtRest($0) })
    environment.admission = { [link] source, port, completion in
      guard let supervisor = link.supervisor else { return completion(nil) }
      supervisor.findStranger(sourcePort: source, port: port) { isStranger, program in
        completion(isStranger ? Stranger(program: program) : nil)
      }
    }
    environment.links = LinkFaults(
      entries: plannedCase.chaos, seed: plannedCase.seed, elapsed: environment.elapsed,
      now: environment.now, replies: { [replies] in replies.counts })
    let hosts = plannedCase.hosts
    for host in hosts {
      for name in host.names { environment.hosts[name] = host.address }
    }
    environment.askHandlerProgram = { [programs] in programs.ask($0, $1, completion: $2) }
    environment.findTargetEntrance = Self.findTargetEntrance(of: plannedCase.targets, link)
    environment.findLoopbackEntrance = { [link] host, port, completion in
      guard let supervisor = link.supervisor else { return completion(.outside) }
      let address =
        host.contains(":")
        ? InternetAddress.wideLoopback(port: port) : InternetAddress.loopback(port: port)
      supervisor.findEntrance(toLoopback: address) { entrance in
        completion(entrance.map { .open(address: $0.text, port: $0.port) } ?? .outside)
      }
    }
    environment.reservedAddresses = hosts.isEmpty ? 0 : hosts.count + 1
    if plannedCase.relaysHosts, let hostNetwork {
      environment.relay = HostRelaySettings(
        hostNetwork, names: plannedCase.hostNames, link)
    }
    let authority = try authority().authority
    do throws(MockServerError) {
      return try ScenarioMockServer(
        network: network, authority: authority, environment: environment,
        upstream: UpstreamSettings(trustPath: options.trustPath))
    } catch {
      throw Failure(
        category: .error, type: "MockServer", message: error.message, help: error.help)
    }
  }

  /// Returns the finder of where targets take connections of the mock server: at the names and the address of a host,
  /// or at this machine's loopback where a target is none.
  private static func findTargetEntrance(
    of targets: [PlannedTarget], _ link: SupervisorLink
  ) -> FindTargetEntrance {
    var numbers: [String: [TargetNumber]] = [:]
    for (index, target) in targets.enumerated() {
      let hosts = target.host.map { $0.names + [$0.address] } ?? WebhookURL.loopback
      for host in hosts { numbers[host, default: []].append(TargetNumber(index)) }
    }
    return { [numbers] host, port, completion in
      guard let targets = numbers[host] else { return completion(.outside) }
      guard let supervisor = link.supervisor else { return completion(.closed) }
      supervisor.findEntrance(toPort: port, of: targets) { entrance in
        completion(entrance.map { .open(address: $0.text, port: $0.port) } ?? .closed)
      }
    }
  }

  private func recorder(
    redaction: Redaction, hosts: TargetNames, awaitsReplies: Bool, target: SourceRange
  ) -> @Sendable (MockServerEvent) -> Void {
    { [view, findings, inbox, link, replies] event in
      guard !findings.ignores(event) else { return }
      findings.add(event)
      // The client waits for an answer that will never come.
      if case .hostSpokeFirst = event { link.supervisor?.cancel() }
      if case .exhausted(let host, let number) = event {
        inbox.add(
          .failed(Failure(withoutRoomFor: host, errorNumber: number).at(target)),
          virtualTime: view.reading().wall)
        link.supervisor?.cancel()
      }
      if case .exchanged(let request, let reply) = event {
        let description = ExchangeDescription(request, reply, at: view.reading().wall, redaction)
        inbox.add(.exchanged(description), virtualTime: view.reading().wall)
      }
      if let warning = event.warning {
        inbox.add(.warning(warning, range: nil), virtualTime: view.reading().wall)
      }
      if case .linkFault(let fault) = event {
        inbox.add(
          .faultInjected(FaultDescription(fault)), process: fault.process,
          virtualTime: view.reading().wall)
      }
      switch event {
      case .hostConnection(let change):
        inbox.add(
          .hostConnection(HostConnectionDescription(change, hosts)),
          process: change.connection.maker.process, virtualTime: view.reading().wall)
      case .webhook(let attempt):
        inbox.add(
          .webhookSent(WebhookDescription(attempt)), virtualTime: view.reading().wall)
      case .message(let message), .piece(let message):
        inbox.add(
          .message(MessageDescription(message, redaction)), virtualTime: view.reading().wall)
      default: break
      }
      guard case .request(let request) = event else { return }
      if awaitsReplies, let entry = request.entry {
        // Filed before the reply itself, which waits for the same instant.
        if request.delay > .zero {
          link.supervisor?.schedule(after: request.delay) { replies.add(entry) }
        } else {
          replies.add(entry)
        }
      }
      inbox.add(
        .requestReceived(RequestDescription(request)), process: request.origin?.process,
        virtualTime: view.reading().wall)
    }
  }
}

extension Failure {
  /// The runner had nothing left for a client of the mock server.
  fileprivate init(withoutRoomFor host: String, errorNumber: Int32) {
    self.init(
      category: .error, type: Self.exhausted,
      message: "the runner is out of resources for a client of \"\(host)\":"
        + " \(SystemText.error(errorNumber))",
      help: LimitFindings.help(for: errorNumber)?.joined(separator: "; "))
  }
}
