internal import Foundations
internal import MockServer
internal import ScenarioEvents
internal import ScenarioPlan
internal import Supervisor

extension CaseLog.Inbox {
  /// Records an event of the supervisor.
  ///
  /// - Parameters:
  ///   - allowsEscapes: whether the case holds although something escaped control.
  ///   - range: the place where the target is named.
  ///   - clock: the clocks that the event is stamped with.
  func add(
    _ event: SupervisorEvent, allowsEscapes: Bool, range: @autoclosure () -> SourceRange,
    clock: ClockView
  ) {
    let reading = clock.reading()
    if case .clockMoved(let length, let reason) = event {
      return addMove(by: length, because: reason, to: reading)
    }
    let (time, range) = (reading.wall, range())
    if case .limitsTooSmall(_, let program, let limits) = event {
      return add(
        .failed(Failure(limits: limits, program: program, range: range)), virtualTime: time)
    }
    let (kind, process) = Self.kind(of: event, range: range)
    add(kind, process: process, virtualTime: time)
    if case .chaosUndecided(let entry, let reason) = event {
      add(
        .failed(
          Failure(
            category: .error, type: "chaos.exec",
            message: "no decision was made about a call of \"\(entry)\": \(reason)", range: range)),
        virtualTime: time)
    }
    if case .crashUnknown(let entry, let reason) = event {
      add(.failed(Failure(crash: entry, reason: reason, range: range)), virtualTime: time)
    }
    guard let failure = Failure(escape: event),
      failure.type != Failure.outOfReach || isFirstOutOfReach()
    else { return }
    add(
      allowsEscapes ? .warning(failure.message, range: range) : .failed(failure.at(range)),
      process: process, virtualTime: time)
  }

  private static func kind(
    of event: SupervisorEvent, range: SourceRange
  ) -> (Event.Kind, process: Int32?) {
    switch event {
    case .processStarted(let process, let arguments, let trustVariables):
      (.processStarted(arguments: arguments, trustVariables: trustVariables), process)
    case .processEnded(let process, .exited(let code)):
      (.processEnded(exitCode: code, signal: nil), process)
    case .processEnded(let process, .signaled(let number)):
      (.processEnded(exitCode: nil, signal: SignalNames.name(of: number)), process)
    case .clockMoved(let length, let reason):
      (.clockMoved(by: length, reason: reason.text), reason.process)
    case .clockSet(let process, let length, let systemCall, let error):
      (.clockSet(by: length, systemCall: systemCall, error: error), process)
    case .faultInjected(let fault):
      (.faultInjected(FaultDescription(fault)), fault.process)
    case .limitStruck(let process, let account):
      (.limitStruck(LimitFault(account)), process)
    case .chaosUndecided(let entry, let reason):
      (.warning("\(entry): \(reason)", range: range), nil)
    case .crashUnknown(let entry, let reason):
      (.warning("\(entry): \(reason)", range: range), nil)
    case .outOfReach(let process, let reason):
      (.outOfReach(ProcessOutOfReach(reason: reason)), process)
    case .waitEscaped(let process, let program, let systemCall, let length, let reason):
      (
        .waitEscaped(
          EscapedWait(program: program, systemCall: systemCall, length: length, reason: reason)),
        process
      )
    case .changedOutside(let process, let change, let isRefused):
      (
        .changedOutside(
          OutsideChange(
            program: change.program, systemCall: change.systemCall, path: change.path,
            isRefused: isRefused)), process
      )
    case .fileNotStamped(let process, let path, let error):
      (.warning(FileTree.unstampedWarning(path: path, errorNumber: error), range: range), process)
    case .limitsTooSmall(let process, let program, let limits):
      (.warning("\(program) exited before its first instruction: \(limits)", range: range), process)
    case .portMoved(let process, let move):
      (
        .portMoved(
          PortMoveDescription(
            port: move.port, transport: move.isOfDatagrams ? "UDP" : "TCP",
            holder: move.reason.rawValue, program: move.program)), process
      )
    case .notice(let process, let text):
      (.warning(text, range: range), process)
    }
  }
}

extension PlannedCase {
  /// Returns the place in the scenario that an event belongs to: the chaos entry that it is about,
  /// else the target.
  func range(of event: SupervisorEvent) -> SourceRange {
    switch event {
    case .chaosUndecided(let name, _), .crashUnknown(let name, _):
      chaos.first { $0.name == name }?.range ?? target.commandRange
    default: target.commandRange
    }
  }
}

extension Failure {
  /// A crash of the machine of which it is not known what it leaves.
  init(crash entry: String, reason: String, range: SourceRange) {
    self.init(
      category: .error, type: Self.unknownCrash,
      message: "the files after the crash \"\(entry)\" are not known: \(reason)", range: range,
      help: "name the files that matter next to `lose`, as in `files: data/**`, or let the program"
        + " change less before it")
  }

  private static let escapeHelp =
    "add `clock: { escapes: allow }` to get a warning instead of a failure"

  /// Creates the failure for an event that escaped control; `nil` for any other event.
  init?(escape event: SupervisorEvent) {
    switch event {
    case .outOfReach(let process, let reason):
      self.init(
        category: .error, type: Self.outOfReach,
        message: "process \(process) is out of reach: \(reason)",
        help: Self.escapeHelp + "; run `scenario doctor` to see whether this machine is the reason")
    case .waitEscaped(let process, let program, let systemCall, let length, let reason):
      let time = length.map { "\($0) of real time" } ?? "real time"
      self.init(
        category: .error, type: "WaitEscaped",
        message: "\(program) (process \(process)) waits in \(systemCall) for \(time): \(reason)",
        help: Self.escapeHelp)
    default:
      return nil
    }
  }
}

extension FaultDescription {
  /// Creates the description from the supervisor's record.
  init(_ fault: InjectedFault) {
    self.init(
      entry: fault.entry, occurrence: fault.occurrence, action: fault.action,
      systemCall: fault.systemCall, subject: fault.subject, result: fault.result,
      error: fault.error, processOrdinal: fault.processOrdinal,
      threadOrdinal: fault.threadOrdinal)
    program = fault.program
  }
}

extension LimitFault {
  /// Creates the description from the supervisor's record.
  init(_ account: LimitAccount) {
    self.init(
      resource: account.resource.rawValue, limit: account.limit, systemCall: account.systemCall,
      program: account.program, count: account.struck)
  }
}

extension ChaosAccount {
  /// Creates the account from the supervisor's.
  init(_ accounts: [RuleStatistics], _ seed: Int64, limits: [LimitAccount] = []) {
    self.init(
      seed: seed,
      entries: accounts.map { account in
        Entry(
          name: account.entry, seen: account.seen, matched: account.matched, fired: account.fired,
          processes: account.processes.map {
            Process(ordinal: $0.ordinal, matched: $0.matched, fired: $0.fired)
          })
      }, limits: limits.isEmpty ? nil : limits.map { LimitFault($0) })
  }
}

extension NetworkAccount {
  /// The largest number of hosts reached by the mock server that are listed.
  private static let limit = 100

  /// Creates the account from the supervisor's, and from the connections that the mock server has made
  /// for the target's sake.
  ///
  /// - Parameter unknownNames: the names that were looked up and do not exist.
  init(
    _ account: ConnectionAccount, mockServer connections: RealConnections?,
    unknownNames: [UnknownName]
  ) {
    let places = (connections?.counts.keys.sorted() ?? []).filter { place in
      !account.reached.contains(place)
    }
    self.init(
      connections: account.connections, refused: account.refused,
      reached: account.reached + places.prefix(Self.limit),
      unlisted: account.unlisted + max(0, places.count - Self.limit),
      refusals: account.refusals.isEmpty
        ? nil
        : account.refusals.map {
          Refusal(
            host: $0.host, port: $0.port, isDatagram: $0.transport == .datagram, program: $0.program
          )
        }, unknownNames: unknownNames.isEmpty ? nil : unknownNames)
  }
}

extension OrderAccount {
  /// Creates the account from the supervisor's.
  fileprivate init(_ report: OrderReport) {
    let digits = String(report.digest, radix: 16)
    self.init(
      turns: report.turns, digest: String(repeating: "0", count: 16 - digits.count) + digits,
      doubts: report.doubts)
  }
}

extension TimeAccount {
  /// Creates the account from the supervisor's.
  init(_ account: ControlReport) {
    self.init(
      waits: account.waits, escapedWaits: account.escapedWaits,
      processesOutOfReach: account.processesOutOfReach, moves: account.moves,
      moved: account.moved,
      counterReaders: account.counterReaders.isEmpty ? nil : account.counterReaders,
      computed: account.charges.isEmpty
        ? nil : account.charges.map { Computed(program: $0.program, charged: $0.length) },
      order: account.order.map { OrderAccount($0) })
  }
}
