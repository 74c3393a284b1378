internal import Foundations
internal import ScenarioEvents

/// One attempt at a case on its way to the trace.
struct TracedCase {
  /// A moment on both clocks.
  private struct Moment {
    var virtual: Nanoseconds
    var real: Nanoseconds
  }

  /// A process that lives.
  private struct Life {
    var ordinal: Int
    var program: String
    var start: Moment
  }

  /// The rows that are no process's.
  private static let stepRow = 0
  private static let networkRow = 1
  private static let outputRow = 2
  /// The number of rows that a process has at most.
  private static let rowsOfProcess = 64

  private let description: CaseDescription
  private let startedAt: Nanoseconds
  private var lives: [Int32: Life] = [:]
  private var steps: [(index: Int, name: String, start: Moment)] = []
  private var named: Set<Int> = []
  private var requests = 0
  private var latest: Moment

  init(_ description: CaseDescription, startedAt: Nanoseconds) {
    self.description = description
    self.startedAt = startedAt
    latest = Moment(virtual: .zero, real: startedAt)
  }

  /// The groups of the two clocks: the same numbers whatever order cases run in.
  private var virtualGroup: Int {
    let attempts = 16
    return (description.index * attempts + min(max(1, description.attempt), attempts - 1)) * 2
  }
  private var realGroup: Int { virtualGroup + 1 }

  /// The names of the case's groups and of their fixed rows.
  mutating func beginning() -> [TraceEvent] {
    let attempt = description.attempt > 1 ? ", attempt \(description.attempt)" : ""
    let groups = [(virtualGroup, "virtual time"), (realGroup, "real time")]
    var events = groups.flatMap { group, clock in
      [
        name("process_name", "\(description.name)\(attempt) (\(clock))", group, 0),
        TraceEvent(
          phase: "M", name: "process_sort_index", group: group, row: 0,
          arguments: [("sort_index", "\(group)")]),
      ]
    }
    for (row, title) in [
      (Self.stepRow, "steps"), (Self.networkRow, "network"), (Self.outputRow, "output"),
    ] {
      events += nameRow(row, title)
    }
    return events
  }

  /// Makes trace events of an event.
  mutating func take(_ event: Event) -> [TraceEvent] {
    let now = Moment(
      virtual: event.elapsed ?? (event.realTime - startedAt), real: event.realTime)
    if case .waited = event.kind {} else { record(now) }
    switch event.kind {
    case .stepStarted(let index, let name, _):
      steps.append((index, name, now))
      return []
    case .stepFinished(let index, _):
      guard let place = steps.lastIndex(where: { $0.index == index }) else { return [] }
      let step = steps.remove(at: place)
      return lasting("\(index) \(step.name)", Self.stepRow, step.start, now, "step")
    case .processBorn(let birth):
      guard let process = event.process else { return [] }
      lives[process] = Life(ordinal: birth.ordinal, program: birth.program, start: now)
      return []
    case .processStarted(let arguments, let trustVariables):
      return start(arguments, trustVariables, of: event.process, at: now)
    case .processEnded(let exitCode, let signal):
      guard let process = event.process, let life = lives.removeValue(forKey: process) else {
        return []
      }
      return close(
        life, at: now, [("exitCode", exitCode.map { "\($0)" }), ("signal", text(signal))])
    case .waited(let span): return wait(span, now)
    case .requestReceived(let request): return exchange(request, now)
    case .caseFinished: return finish()
    default: return moment(event, now)
    }
  }

  /// Ends what still goes on when the run was cut off.
  mutating func end(at time: Nanoseconds) -> [TraceEvent] {
    record(Moment(virtual: latest.virtual, real: time))
    return finish()
  }

  // MARK: - What lasts

  private mutating func record(_ moment: Moment) {
    latest = Moment(
      virtual: max(latest.virtual, moment.virtual), real: max(latest.real, moment.real))
  }

  private mutating func finish() -> [TraceEvent] {
    var events: [TraceEvent] = []
    for life in lives.values.sorted(by: { $0.ordinal < $1.ordinal }) {
      events += close(life, at: latest, [])
    }
    for step in steps {
      events += lasting("\(step.index) \(step.name)", Self.stepRow, step.start, latest, "step")
    }
    lives = [:]
    steps = []
    return events
  }

  private mutating func start(
    _ arguments: [String], _ trustVariables: [String], of process: Int32?, at now: Moment
  ) -> [TraceEvent] {
    guard let process else { return [] }
    let program = arguments.first.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? ""
    let ordinal = lives[process]?.ordinal ?? (lives.values.map(\.ordinal).max() ?? 0) + 1
    if lives[process] == nil {
      lives[process] = Life(ordinal: ordinal, program: program, start: now)
    }
    lives[process]?.program = program
    let list = PageJSON.list(arguments.prefix(50).map { PageJSON.text($0, limit: 500) })
    let variables = PageJSON.list(trustVariables.map { PageJSON.text($0, limit: 500) })
    return nameRow(row(ordinal), "\(program) #\(ordinal)", again: true)
      + instant(
        "exec \(program)", row(ordinal), now, "program",
        [("arguments", list), ("trustVariables", trustVariables.isEmpty ? nil : variables)])
  }

  private mutating func close(
    _ life: Life, at now: Moment, _ arguments: [(String, String?)]
  ) -> [TraceEvent] {
    nameRow(row(life.ordinal), "\(life.program) #\(life.ordinal)")
      + lasting(
        "\(life.program) #\(life.ordinal)", row(life.ordinal), life.start, now, "process", arguments
      )
  }

  private mutating func wait(_ span: WaitSpan, _ now: Moment) -> [TraceEvent] {
    let row = row(span.processOrdinal, thread: span.threadOrdinal)
    let title = "#\(span.processOrdinal) thread \(span.threadOrdinal)"
    record(Moment(virtual: span.to, real: now.real))
    return (span.threadOrdinal > 1 ? nameRow(row, title) : [])
      + lasting(
        span.systemCall, row, Moment(virtual: span.from, real: now.real - span.realLength),
        Moment(virtual: span.to, real: now.real), "wait",
        [
          ("requested", "\(span.requested.count)"), ("end", "\"\(span.end.rawValue)\""),
        ])
  }

  /// A request and its reply, which enclose, as exchanges overlap; a delay is one of virtual time only.
  private mutating func exchange(_ request: RequestDescription, _ now: Moment) -> [TraceEvent] {
    requests += 1
    let title = "\(request.method) \(request.url)"
    let arguments: [(String, String?)] = [
      ("status", request.status.map { "\($0)" }), ("entry", text(request.entry)),
      ("delay", request.delay.map { "\($0.count)" }),
      ("state", text(request.state?.joined(separator: ", "))),
    ]
    let end = request.time + (request.delay ?? .zero)
    record(Moment(virtual: end, real: now.real))
    return [
      (virtualGroup, "b", request.time), (virtualGroup, "e", end), (realGroup, "b", now.real),
      (realGroup, "e", now.real),
    ].map { group, phase, time in
      TraceEvent(
        phase: phase, name: title, group: group, row: Self.networkRow, time: time,
        category: "request", identifier: requests, arguments: phase == "b" ? arguments : [])
    }
  }

  // MARK: - Moments

  private func moment(_ event: Event, _ now: Moment) -> [TraceEvent] {
    let own = event.process.flatMap { lives[$0] }.map { row($0.ordinal) }
    switch event.kind {
    case .outputWritten(let piece):
      return instant(
        piece.stream, piece.processOrdinal.map { row($0) } ?? Self.outputRow, now, "output",
        [("text", text(piece.text)), ("bytes", "\(piece.byteCount)")])
    case .faultInjected(let fault):
      let place = fault.processOrdinal > 0 ? row(fault.processOrdinal) : Self.networkRow
      return instant(
        "\(fault.action) in \(fault.systemCall)", place, now, "fault",
        [("entry", text(fault.entry)), ("subject", text(fault.subject))])
    case .hostConnection(let connection):
      return instant(
        "\(connection.to):\(connection.port) \(connection.state.rawValue)",
        row(connection.processOrdinal), now, "connection",
        [("from", text(connection.from)), ("error", text(connection.error))])
    case .partitionChanged(let partition):
      return instant("partition: \(partition.text)", Self.networkRow, now, "partition", [])
    case .portMoved(let move):
      return instant("\(move.program) \(move.text)", own ?? Self.stepRow, now, "port", [])
    case .webhookSent(let webhook):
      return instant(
        "webhook \(webhook.method) \(webhook.url)", Self.networkRow, now, "webhook",
        [
          ("entry", text(webhook.entry)), ("attempt", "\(webhook.attempt)"),
          ("status", webhook.status.map { "\($0)" }), ("error", text(webhook.error)),
        ])
    case .message(let message):
      return instant(
        message.isFromTarget ? "sent" : "received", Self.networkRow, now, "message",
        [("bytes", "\(message.byteCount)"), ("text", text(message.text))])
    case .clockSet(let length, let systemCall, let error):
      return instant(
        "\(systemCall) \(length)", own ?? Self.stepRow, now, "clock", [("error", text(error))])
    case .failed(let failure):
      return instant(failure.message, Self.stepRow, now, "failure", [("type", text(failure.type))])
    case .warning(let message, _):
      return instant(message, own ?? Self.stepRow, now, "warning", [])
    case .waitEscaped(let wait):
      return instant("\(wait.systemCall) in real time", own ?? Self.stepRow, now, "escape", [])
    case .changedOutside(let change):
      return instant(
        "\(change.systemCall) outside", own ?? Self.stepRow, now, "outside",
        [("path", text(change.path))])
    default:
      return []
    }
  }

  // MARK: - Entries

  private func row(_ ordinal: Int, thread: Int = 1) -> Int {
    Self.rowsOfProcess * ordinal + min(max(1, thread), Self.rowsOfProcess) - 1
  }

  private func text(_ text: String?) -> String? {
    text.map { PageJSON.text($0, limit: 500) }
  }

  private func lasting(
    _ name: String, _ row: Int, _ start: Moment, _ end: Moment, _ category: String,
    _ arguments: [(String, String?)] = []
  ) -> [TraceEvent] {
    [(virtualGroup, start.virtual, end.virtual), (realGroup, start.real, end.real)].map {
      group, start, end in
      TraceEvent(
        phase: "X", name: name, group: group, row: row, time: max(.zero, start),
        duration: max(.zero, end - start), category: category, arguments: arguments)
    }
  }

  private func instant(
    _ name: String, _ row: Int, _ now: Moment, _ category: String,
    _ arguments: [(String, String?)]
  ) -> [TraceEvent] {
    [(virtualGroup, now.virtual), (realGroup, now.real)].map { group, time in
      TraceEvent(
        phase: "i", name: name, group: group, row: row, time: time, category: category,
        arguments: arguments)
    }
  }

  private func name(_ what: String, _ title: String, _ group: Int, _ row: Int) -> TraceEvent {
    TraceEvent(
      phase: "M", name: what, group: group, row: row,
      arguments: [("name", PageJSON.text(title, limit: 200))])
  }

  private mutating func nameRow(_ row: Int, _ title: String, again: Bool = false) -> [TraceEvent] {
    guard named.insert(row).inserted || again else { return [] }
    return [virtualGroup, realGroup].map { name("thread_name", title, $0, row) }
  }
}
