internal import Foundations
internal import ScenarioEvents

/// The texts of events in an environment, each in one line that is read at once.
enum MomentText {
  /// The maximum number of characters that are kept of a text that others have chosen.
  private static let limit = 160

  /// The sort of a thing that happened, and the line; whose it is stands beside it.
  ///
  /// - Parameters:
  ///   - parent: the number of the process that has started one that runs a program.
  ///   - program: whose it is, so that its name need not be said once more.
  static func describe(
    _ kind: Event.Kind, startedBy parent: Int?, of program: String?
  ) -> (kind: WorldMoment.Kind, text: String) {
    switch kind {
    case .stepStarted(let index, let name, _):
      (.step, "step \(index): \(shortened(name))")
    case .processBorn(let birth):
      (.start, birth.parent.map { "forked by process \($0)" } ?? "starts")
    case .processStarted(let arguments, let trustVariables):
      (
        .start,
        "runs \(command(arguments))" + (parent.map { ", started by process \($0)" } ?? "")
          + (trustVariables.isEmpty ? "" : ", with \(trustVariables.joined(separator: ", "))")
      )
    case .processEnded(let exitCode, let signal):
      (.end, signal.map { "is killed by SIG\($0)" } ?? "exits with \(exitCode ?? 0)")
    case .signalled(let delivery):
      (.signal, "gets SIG\(delivery.signal)")
    case .clockMoved(let length, let reason):
      (.clock, "time \(signed(length))\(cause(reason, of: program))")
    case .clockSet(let length, let systemCall, let error):
      (
        .clock,
        error.map { "\(systemCall) fails with \($0): it would set the clock by \(signed(length))" }
          ?? "sets the clock by \(signed(length)), with \(systemCall)"
      )
    case .waited(let span):
      (.wait, wait(span))
    case .requestReceived(let request):
      (.request, self.request(request))
    case .faultInjected(let fault):
      (.fault, self.fault(fault))
    case .hostConnection(let connection):
      (.connection, self.connection(connection))
    case .webhookSent(let webhook):
      (
        .request,
        "webhook \(webhook.method) \(shortened(webhook.url)) → \(shortened(webhook.outcome))"
      )
    case .partitionChanged(let partition):
      (.connection, "partition: \(shortened(partition.text))")
    case .portMoved(let move):
      (.connection, move.text)
    case .limitStruck(let strike):
      (.limit, "\(strike.systemCall) reaches the limit of \(strike.resource)")
    case .outputWritten(let piece):
      (.output, output(piece))
    case .waitEscaped(let wait):
      (.escape, "waits in real time in \(wait.systemCall): \(shortened(wait.reason))")
    case .outOfReach(let process):
      (.escape, "is out of reach: \(shortened(process.reason))")
    case .changedOutside(let change):
      (.escape, shortened(change.text))
    default:
      (.step, kind.name.rawValue)
    }
  }

  private static func command(_ arguments: [String]) -> String {
    var words = arguments
    // Where a program is installed is of no interest here.
    if let name = words.first?.split(separator: "/").last { words[0] = String(name) }
    return shortened(words.map(word).joined(separator: " "))
  }

  private static func cause(_ reason: String, of program: String?) -> String {
    guard let program, reason.hasPrefix("\(program) ") else { return ": \(shortened(reason))" }
    return ", \(shortened(String(reason.dropFirst(program.count + 1))))"
  }

  /// Returns a word that is delimited from its neighbours.
  private static func word(_ text: String) -> String {
    let isPlain = !text.isEmpty && !text.contains { $0.isWhitespace || $0 == "\"" }
    return isPlain ? text : Value.string(shortened(text)).jsonText()
  }

  private static func wait(_ span: WaitSpan) -> String {
    let length = span.to - span.from
    return switch span.end {
    case .due: "has waited \(span.requested) in \(span.systemCall)"
    case .woken: "is woken in \(span.systemCall) after \(length) of \(span.requested)"
    case .interrupted: "is interrupted in \(span.systemCall) after \(length) of \(span.requested)"
    case .gone: "ends in \(span.systemCall) after \(length) of \(span.requested)"
    }
  }

  private static func request(_ request: RequestDescription) -> String {
    let operation = request.operation.map { " (\(shortened($0)))" } ?? ""
    let delay = request.delay.map { " after \($0)" } ?? ""
    let answer: String
    switch (request.entry, request.status) {
    case (.some, nil) where request.url.hasPrefix("tcp://"): answer = "a script"
    case (.some, .some(let status)): answer = "\(status)\(delay)"
    case (.some, nil): answer = "no status\(delay)"
    case (nil, .some(let status)): answer = "\(status), because no response matches"
    case (nil, nil): answer = "no response matches"
    }
    // A connection that follows a script has no status.
    if request.url.hasPrefix("tcp://") {
      return "\(shortened(request.url)) → \(request.entry.map { shortened($0) } ?? "no script")"
    }
    let state = request.state.map { "; \(shortened($0.joined(separator: ", ")))" } ?? ""
    return "\(request.method) \(shortened(request.url))\(operation) → \(answer)\(state)"
  }

  private static func connection(_ connection: HostConnectionDescription) -> String {
    let place = "\(connection.to):\(connection.port)"
    return switch connection.state {
    case .pending: "waits for an answer from \(place)"
    case .established: "is connected to \(place)"
    case .failed: "cannot connect to \(place): \(connection.error ?? "it fails")"
    case .abandoned: "gives up connecting to \(place)"
    case .timedOut: "its connection to \(place) times out"
    case .closed: "its connection to \(place) is closed"
    case .reset: "its connection to \(place) is reset"
    }
  }

  private static func fault(_ fault: FaultDescription) -> String {
    let subject = fault.subject.map { " on \(shortened($0))" } ?? ""
    let entry = shortened(fault.entry)
    return "\(fault.systemCall)\(subject): \(shortened(fault.action)) by chaos entry \"\(entry)\""
  }

  private static func output(_ piece: OutputPiece) -> String {
    let shown = prefix(of: piece.text)
    guard shown.count < piece.text.count || piece.text.utf8.count < piece.byteCount else {
      return "\(piece.stream): \(Value.string(shown).jsonText())"
    }
    return "\(piece.stream): \(Value.string(shown + "…").jsonText()) (\(piece.byteCount) bytes)"
  }

  /// Returns the part of a text that makes a line which is not too long, however much of it must be
  /// escaped.
  private static func prefix(of text: String) -> String {
    var shown = String(text.prefix(limit))
    while true {
      let length = Value.string(shown).jsonText().count - 2
      guard length > limit else { return shown }
      shown = String(shown.prefix(shown.count * limit / length))
    }
  }

  private static func signed(_ length: Nanoseconds) -> String {
    (length < .zero ? "" : "+") + length.description
  }

  private static func shortened(_ text: String) -> String {
    text.count > limit ? text.prefix(limit) + "…" : text
  }
}
