internal import Foundations
internal import ScenarioEvents

/// One case on its way to the page, with all attempts, while events still come.
struct PageCase {
  /// The maximum number of bytes of each output that are kept of an attempt that did not pass, and of one that did.
  static let outputLimit = 256 << 10
  static let passedOutputLimit = 32 << 10
  /// The largest number of failures and warnings of an attempt that are kept.
  private static let messageLimit = 200

  /// The record of the attempt in progress.
  private(set) var record: CaseRecord
  /// True if more is to come of it than the page can show.
  var isRunning = false
  /// The times of its latest event: of the run, and of its own clocks.
  private var latest: Nanoseconds
  private var latestElapsed = Nanoseconds.zero
  private var world: WorldLog
  private var exchanges = PageExchanges()
  /// The attempts that are over, as JSON.
  private var attempts: [String] = []
  /// The lines of warnings to the author, by the renderer.
  private var warnings: [String] = []

  /// Creates the page of a case.
  init(identifier: String, description: CaseDescription, startedAt: Nanoseconds) {
    record = CaseRecord(
      identifier: identifier, description: description, startedAt: startedAt)
    latest = startedAt
    world = WorldLog(startedAt: startedAt)
  }

  /// Starts another attempt.
  mutating func begin(_ description: CaseDescription, startedAt: Nanoseconds) {
    let identifier = record.identifier
    record = CaseRecord(
      identifier: identifier, description: description, startedAt: startedAt)
    latest = startedAt
    latestElapsed = .zero
    world = WorldLog(startedAt: startedAt)
    exchanges = PageExchanges()
    warnings = []
  }

  /// Adds an event of the case.
  mutating func add(_ event: Event, renderer: FailureRenderer) {
    world.add(event)
    latest = max(latest, event.realTime)
    latestElapsed = max(latestElapsed, event.elapsed ?? .zero)
    switch event.kind {
    case .failed(let failure): record.add(failure, reportedBy: event)
    case .warning(let text, let range):
      guard warnings.count < Self.messageLimit else { return }
      warnings.append(renderer.lines(ofWarning: text, at: range).joined(separator: "\n"))
    case .exchanged(let exchange): exchanges.add(exchange)
    case .message(let message): exchanges.add(message)
    case .captured(let capture): record.add(capture)
    case .timeAccount(let account): record.timeAccount = account
    case .networkAccount(let account): record.networkAccount = account
    case .faultInjected(let fault): record.chaos.add(fault)
    case .chaosAccount(let account): record.chaos.take(account)
    case .caseFinished(let result): record.result = result
    default: break
    }
  }

  /// Stores the attempt that has ended, or that was cut off at a time of the run.
  ///
  /// - Parameter folder: the folder of the page, absolute.
  mutating func close(at time: Nanoseconds, renderer: FailureRenderer, folder: String?) {
    let result = record.result
    let outcome = record.outcome
    let failures = isRunning ? record.failures : record.reportedFailures
    let limit = outcome == .passed ? Self.passedOutputLimit : Self.outputLimit
    func output(_ text: String?) -> String {
      PageJSON.text(
        BoundedText(text ?? "", limit: limit).text(fullTextIn: record.result?.directory))
    }
    attempts.append(
      PageJSON.object([
        ("outcome", isRunning ? "\"running\"" : "\"\(outcome.rawValue)\""),
        ("duration", "\(duration(at: time).count)"),
        ("virtual", virtualDuration.map { "\($0.count)" }),
        ("reason", result?.reason.map(PageJSON.text)),
        (
          "failures",
          PageJSON.list(
            failures.prefix(Self.messageLimit).map {
              PageFailure.json($0, renderer: renderer)
            })
        ),
        (
          "circumstances",
          isRunning || record.failureCircumstances.isEmpty
            ? nil : PageJSON.list(record.failureCircumstances.map { PageJSON.text($0) })
        ),
        ("warnings", PageJSON.list(warnings.map { PageJSON.text($0, limit: 4_000) })),
        ("stdout", output(result?.standardOutput)), ("stderr", output(result?.standardError)),
        ("facts", facts), ("files", files(from: folder)), ("world", world.json),
        ("exchanges", exchanges.json(hasPassed: outcome == .passed)),
        ("messages", exchanges.messagesJSON(hasPassed: outcome == .passed)),
      ]))
  }

  /// The length of the attempt; of one that still runs, up to what is known of it.
  private func duration(at time: Nanoseconds) -> Nanoseconds {
    record.result?.duration ?? (isRunning ? latest : time) - record.startedAt
  }

  /// The same on clocks of its own; `nil` where it has none, or they are not known.
  private var virtualDuration: Nanoseconds? {
    guard isRunning, record.result == nil else { return record.result?.virtualDuration }
    return record.description.isVirtual == true ? latestElapsed : nil
  }

  private var facts: String {
    var rows: [(String, String)] = []
    if let account = record.timeAccount { rows.append(("time", account.text)) }
    if let account = record.networkAccount {
      rows.append(("network", account.text))
      rows += (account.refusals ?? []).map { ("refused", $0.text) }
      rows += (account.unknownNames ?? []).map { ("unknown name", $0.text) }
    }
    rows += record.captures.map { ("captured", "\($0.name) = \($0.value)") }
    rows += record.chaos.fired.map { ("chaos", $0) }
    if let purpose = record.description.purpose { rows.append(("description", purpose)) }
    rows += record.chaos.limits.map { ("limits", $0) }
    if let directory = record.result?.directory { rows.append(("directory", directory)) }
    return PageJSON.list(
      rows.map { PageJSON.list([PageJSON.text($0.0), PageJSON.text($0.1, limit: 4_000)]) })
  }

  /// Returns the files that the case has left: the kind, the path as it is shown and the address;
  /// `nil` for none.
  private func files(from folder: String?) -> String? {
    guard let attachments = record.result?.attachments else { return nil }
    return PageJSON.list(
      attachments.map { attachment in
        let link = PageLink(to: attachment, from: folder)
        return PageJSON.list(
          ["\"\(attachment.kind.rawValue)\"", PageJSON.text(link.shown)]
            + (link.address.map { [PageJSON.text($0)] } ?? []))
      })
  }

  /// The case with all its attempts; one line.
  ///
  /// - Parameter runAt: when its run began, where that is to be told.
  func json(reproduces: Bool, runAt: String? = nil) -> String {
    let command = reproduces ? ReproduceCommand.text(for: record.description) : nil
    return PageJSON.object([
      ("seed", PageJSON.text("\(record.description.seed)")),
      ("reproduce", command.map(PageJSON.text)), ("runAt", runAt.map(PageJSON.text)),
      ("attempts", PageJSON.list(attempts)),
    ])
  }

  /// Returns the entry of the list, with the place of the rest.
  func summary(chunk: Int, offset: Int, at time: Nanoseconds) -> String {
    let description = record.description
    let isFlaky = record.outcome == .passed && attempts.count > 1
    let state = isRunning ? "running" : isFlaky ? "flaky" : record.outcome.rawValue
    return PageJSON.object([
      ("id", PageJSON.text(record.identifier)), ("n", PageJSON.text(description.name, limit: 500)),
      ("f", PageJSON.text(description.file)), ("l", "\(description.range.line)"),
      ("t", PageJSON.list(description.tags.map(PageJSON.text))),
      ("e", PageJSON.text("\(description.seed)")),
      ("s", "\"\(state)\""),
      ("d", "\(duration(at: time).count)"),
      ("v", virtualDuration.map { "\($0.count)" }), ("a", "\(attempts.count)"),
      (
        "m",
        (isRunning ? record.failures : record.reportedFailures).first.map {
          PageJSON.text($0.message, limit: 300)
        }
      ),
      ("c", "\(chunk)"), ("o", "\(offset)"),
    ])
  }
}

/// A failure as the page shows it.
enum PageFailure {
  /// The maximum number of bytes of details that are kept.
  private static let detailLimit = 64 << 10

  /// The failure with its source line and caret.
  static func json(_ failure: Failure, renderer: FailureRenderer) -> String {
    var bare = failure
    bare.message = ""
    bare.details = []
    bare.help = nil
    let frame =
      failure.range == nil && failure.actual == nil
      ? [] : Array(renderer.lines(of: bare).dropFirst())
    let details = BoundedText(failure.details.joined(separator: "\n"), limit: detailLimit)
    return PageJSON.object([
      ("category", "\"\(failure.category.rawValue)\""), ("type", PageJSON.text(failure.type)),
      ("message", PageJSON.text(failure.message, limit: 4_000)),
      ("place", failure.range.map { PageJSON.text($0.description) }),
      ("file", failure.range.map { PageJSON.text($0.file) }),
      ("line", failure.range.map { "\($0.line)" }),
      ("comparison", failure.comparison.map(Self.json)),
      ("frame", PageJSON.list(frame.map(PageJSON.text))),
      (
        "details",
        details.isEmpty ? "[]" : PageJSON.list([PageJSON.text(details.text(fullTextIn: nil))])
      ),
      ("help", failure.help.map(PageJSON.text)),
    ])
  }

  private static func json(_ comparison: TextComparison) -> String {
    PageJSON.object([
      ("expected", PageJSON.text(comparison.expected)),
      ("actual", PageJSON.text(comparison.actual)), ("line", "\(comparison.line)"),
      ("relation", comparison.relation.map { "\"\($0.rawValue)\"" }),
    ])
  }
}
