internal import Foundations
internal import ScenarioEvents

/// The events in the environment of one attempt, as the page's timeline reads them.
struct WorldLog {
  /// The maximum number of events of one kind that are kept, and of births, programs and ends of processes.
  static let limit = 2_000
  static let processLimit = 10_000
  /// The maximum number of bytes of a text that are kept, such as a URL.
  private static let textLimit = 500
  /// The maximum number of arguments of a program that are kept.
  private static let argumentLimit = 50

  /// The events so far, as JSON.
  private(set) var events: [String] = []
  private let startedAt: Nanoseconds
  private var firstWall: WallInstant?
  private var ordinals: [Int32: Int] = [:]
  private var hasBirths = false
  private var started = 0
  private var counts: [String: Int] = [:]
  private var unreported = 0

  /// Creates a log of the events from a time of the run on.
  init(startedAt: Nanoseconds) {
    self.startedAt = startedAt
  }

  /// Adds an event, if it is one of the environment.
  mutating func add(_ event: Event) {
    if firstWall == nil { firstWall = event.virtualTime }
    if case .processBorn(let birth) = event.kind, let process = event.process {
      ordinals[process] = birth.ordinal
      hasBirths = true
    }
    // A recording without births counts programs; where births are only not told one by one, a number would be a lie.
    if case .processStarted = event.kind, let process = event.process, !hasBirths,
      ordinals[process] == nil
    {
      started += 1
      ordinals[process] = started
    }
    guard let (kind, members) = WorldLog.members(of: event.kind) else { return }
    let limit = ["born", "exec", "end"].contains(kind) ? WorldLog.processLimit : WorldLog.limit
    guard kind == "untold" || counts[kind, default: 0] < limit else {
      unreported += 1
      return
    }
    counts[kind, default: 0] += 1
    // A process identifier comes again, and whose birth is not told must not be taken for the one before.
    defer {
      if case .processEnded = event.kind, let process = event.process { ordinals[process] = nil }
    }
    // The process that an event names itself is the one that it is about.
    let ordinal = members.contains { $0.0 == "p" } ? nil : event.process.flatMap { ordinals[$0] }
    // What was written may hold the number that the kernel gave it, which is another one in each run.
    let identifier = kind == "born" ? event.process.map { "\($0)" } : nil
    events.append(
      PageJSON.object(
        [("k", "\"\(kind)\"")]
          + (members.contains { $0.0 == "v" } ? [] : [("v", "\(virtual(event).count)")])
          + [
            ("r", "\(real(event).count)"), ("p", ordinal.map { "\($0)" }), ("pid", identifier),
          ] + members))
  }

  /// The events as a JSON list.
  var json: String {
    guard unreported > 0 else { return PageJSON.list(events) }
    let more = PageJSON.object([
      ("k", "\"untold\""), ("others", "\(unreported)"), ("v", "0"), ("r", "0"),
    ])
    return PageJSON.list(events + [more])
  }

  private func real(_ event: Event) -> Nanoseconds { event.realTime - startedAt }

  /// Returns the virtual time since the start: as reported, or by the wall clock, or real time
  /// where there is no other.
  private func virtual(_ event: Event) -> Nanoseconds {
    if let elapsed = event.elapsed { return elapsed }
    if let wall = event.virtualTime, let firstWall { return wall - firstWall }
    return real(event)
  }

  private typealias Members = [(String, String?)]

  private static func text(_ text: String?) -> String? {
    text.map { PageJSON.text($0, limit: textLimit) }
  }

  /// Returns the kind of an event of the environment, and its members; `nil` for any other.
  private static func members(of kind: Event.Kind) -> (String, Members)? {
    switch kind {
    case .stepStarted(let index, let name, let range):
      return (
        "step",
        [
          ("index", "\(index)"), ("name", text(name)), ("file", text(range.file)),
          ("line", "\(range.line)"),
        ]
      )
    case .stepFinished(let index, _):
      return ("stepend", [("index", "\(index)")])
    case .processBorn(let birth):
      return (
        "born",
        [
          ("p", "\(birth.ordinal)"), ("parent", birth.parent.map { "\($0)" }),
          ("program", text(birth.program)), ("host", text(birth.host)),
          ("target", text(birth.target)),
        ]
      )
    case .processStarted(let arguments, let trustVariables):
      let list = arguments.prefix(argumentLimit).map { PageJSON.text($0, limit: textLimit) }
      let variables = trustVariables.joined(separator: " ")
      return (
        "exec",
        [("args", PageJSON.list(list)), ("trust", text(variables.isEmpty ? nil : variables))]
      )
    case .processEnded(let exitCode, let signal):
      return ("end", [("code", exitCode.map { "\($0)" }), ("signal", text(signal))])
    case .waited(let span):
      return (
        "wait",
        [
          ("p", "\(span.processOrdinal)"), ("th", "\(span.threadOrdinal)"),
          ("v", "\(span.from.count)"), ("to", "\(span.to.count)"),
          ("req", "\(span.requested.count)"), ("rl", "\(span.realLength.count)"),
          ("call", text(span.systemCall)), ("end", "\"\(span.end.rawValue)\""),
        ]
      )
    case .clockMoved(let length, let reason):
      return ("move", [("by", "\(length.count)"), ("text", text(reason))])
    case .clockSet(let length, let systemCall, let error):
      return (
        "set", [("by", "\(length.count)"), ("call", text(systemCall)), ("error", text(error))]
      )
    case .requestReceived(let request):
      return (
        "req",
        [
          ("v", "\(request.time.count)"), ("n", request.number.map { "\($0)" }),
          ("method", text(request.method)),
          ("url", text(request.url)), ("op", text(request.operation)),
          ("status", request.status.map { "\($0)" }), ("entry", text(request.entry)),
          ("delay", request.delay.map { "\($0.count)" }),
          ("state", text(request.state?.joined(separator: ", "))),
        ]
      )
    case .faultInjected(let fault):
      return (
        "fault",
        [
          ("p", fault.processOrdinal > 0 ? "\(fault.processOrdinal)" : nil),
          ("th", "\(fault.threadOrdinal)"), ("entry", text(fault.entry)),
          ("occ", "\(fault.occurrence)"), ("action", text(fault.action)),
          ("call", text(fault.systemCall)), ("subject", text(fault.subject)),
          ("error", text(fault.error)),
        ]
      )
    case .signalled(let delivery):
      return ("sig", [("p", "\(delivery.processOrdinal)"), ("signal", text(delivery.signal))])
    case .hostConnection(let connection):
      return (
        "conn",
        [
          ("p", "\(connection.processOrdinal)"), ("n", "\(connection.number)"),
          ("from", text(connection.from)), ("to", text(connection.to)),
          ("port", "\(connection.port)"), ("began", "\(connection.began.count)"),
          ("state", "\"\(connection.state.rawValue)\""), ("error", text(connection.error)),
        ]
      )
    case .partitionChanged(let partition):
      return (
        partition.groups == nil ? "heal" : "cut",
        [
          ("name", text(partition.name)), ("text", text(partition.text)),
          (
            "groups",
            partition.groups.map { groups in
              PageJSON.list(groups.map { PageJSON.list($0.map { PageJSON.text($0) }) })
            }
          ),
        ]
      )
    case .webhookSent(let webhook):
      return (
        "hook",
        [
          ("v", "\(webhook.time.count)"), ("method", text(webhook.method)),
          ("url", text(webhook.url)), ("entry", text(webhook.entry)),
          ("occ", webhook.attempt > 1 ? "\(webhook.attempt)" : nil),
          ("outcome", text(webhook.outcome)),
        ]
      )
    case .message(let message):
      return (
        "msg",
        [
          ("v", "\(message.time.count)"), ("n", "\(message.request)"),
          ("sent", message.isFromTarget ? "true" : nil), ("size", "\(message.byteCount)"),
          ("text", message.isBase64 ? nil : text(message.text)),
        ]
      )
    case .outputWritten(let piece):
      return (
        "out",
        [
          ("p", piece.processOrdinal.map { "\($0)" }), ("stream", text(piece.stream)),
          ("text", text(piece.text)), ("n", "\(piece.byteCount)"),
        ]
      )
    default:
      return remark(kind)
    }
  }

  /// Returns the remark for an event that is reported in words.
  private static func remark(_ kind: Event.Kind) -> (String, Members)? {
    switch kind {
    case .limitStruck(let strike):
      let sentence = "\(strike.resource) limit of \(strike.limit) reached in \(strike.systemCall)"
      return ("limit", [("text", text(sentence))])
    case .waitEscaped(let wait):
      return ("escape", [("text", text("\(wait.program) in \(wait.systemCall): \(wait.reason)"))])
    case .outOfReach(let process):
      return ("reach", [("text", text(process.reason))])
    case .changedOutside(let change):
      return ("outside", [("text", text("\(change.program) \(change.text)"))])
    case .portMoved(let move):
      return ("port", [("text", text("\(move.program) \(move.text)"))])
    case .failed(let failure):
      return ("fail", [("text", text(failure.message))])
    case .warning(let message, _):
      return ("warn", [("text", text(message))])
    case .worldUntold(let unreported):
      return (
        "untold",
        [
          ("waits", "\(unreported.waits)"), ("waited", "\(unreported.waited.count)"),
          ("pieces", "\(unreported.pieces)"), ("bytes", "\(unreported.bytes)"),
          ("births", "\(unreported.births)"), ("signals", unreported.signals.map { "\($0)" }),
          ("connections", unreported.connections.map { "\($0)" }),
          ("messages", unreported.messages.map { "\($0)" }),
        ]
      )
    default:
      return nil
    }
  }
}
