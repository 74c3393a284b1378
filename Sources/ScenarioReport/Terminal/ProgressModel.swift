package import Foundations
package import ScenarioEvents

/// The running cases and the progress of the run, as lines for a terminal: events and the time go
/// in, lines come out.
package struct ProgressModel: Sendable {
  /// A case that has begun and not ended.
  struct RunningCase: Sendable {
    var identifier: String
    var title: String
    var startedAt: Nanoseconds
    var attempt: Int
    /// The latest step, such as `step 2: run`.
    var step: String?
    var hasFailed = false
    var isSlowReported = false
  }

  /// The maximum number of running cases that are listed.
  static let caseLimit = 8
  /// The narrowest terminal that is drawn on, in columns.
  package static let minimumWidth = 40

  private(set) var running: [RunningCase] = []
  private var planned = 0
  private var finished = 0
  private var failed = 0
  private var flaky = 0

  /// Creates a board without anything.
  package init() {}

  /// Records one event.
  package mutating func record(_ event: Event) {
    switch event.kind {
    case .runStarted(let description):
      planned = max(0, description.caseCount)
    case .caseStarted(let description):
      guard let identifier = event.scenario else { return }
      running.removeAll { $0.identifier == identifier }
      let title = "\(description.file) › \(description.name)"
      running.append(
        RunningCase(
          identifier: identifier, title: TerminalText.line(title), startedAt: event.realTime,
          attempt: description.attempt))
    case .stepStarted(let index, let name, _):
      update(event) { $0.step = "step \(index): \(TerminalText.line(name))" }
    case .failed:
      update(event) { $0.hasFailed = true }
    case .caseFinished(let result):
      finish(event, result)
    default:
      break
    }
  }

  private mutating func finish(_ event: Event, _ result: CaseResult) {
    guard let index = running.firstIndex(where: { $0.identifier == event.scenario }) else { return }
    let ended = running.remove(at: index)
    guard !result.isRetried else { return }
    finished += 1
    if ended.hasFailed || result.outcome == .failed || result.outcome == .errored {
      failed += 1
    } else if ended.attempt > 1, result.outcome == .passed {
      flaky += 1
    }
  }

  private mutating func update(_ event: Event, _ change: (inout RunningCase) -> Void) {
    guard let index = running.firstIndex(where: { $0.identifier == event.scenario }) else { return }
    change(&running[index])
  }

  /// The cases that have run for `limit` by now, each of them once.
  mutating func takeSlow(at now: Nanoseconds, limit: Nanoseconds) -> [RunningCase] {
    var slow: [RunningCase] = []
    for index in running.indices
    where !running[index].isSlowReported && now - running[index].startedAt >= limit {
      running[index].isSlowReported = true
      slow.append(running[index])
    }
    return slow
  }

  // MARK: - Lines

  /// A line per running case, those first that have run longest, and a line with the counts; none is wider
  /// than `width`, and there are at most `height`.
  ///
  /// - Parameters:
  ///   - now: Real time since the run began.
  ///   - width: The columns that a line may take.
  ///   - height: The lines that there may be.
  ///   - virtual: The virtual time that a case has seen so far, by its identifier.
  package func lines(
    at now: Nanoseconds, width: Int, height: Int,
    virtual: (String) -> Nanoseconds? = { _ in nil }
  ) -> [String] {
    guard width > 0, height > 0 else { return [] }
    let room = min(Self.caseLimit, height - 1)
    let isCut = running.count > room
    let shown = running.prefix(isCut ? max(0, room - 1) : running.count)
    var lines = shown.map { Self.line(for: $0, at: now, virtual($0.identifier)) }
    if isCut, room > 0 { lines.append("      … and \(running.count - shown.count) more") }
    lines.append(counts(at: now))
    return lines.map { TerminalText.cut($0, toWidth: width) }
  }

  private static func line(
    for running: RunningCase, at now: Nanoseconds, _ virtual: Nanoseconds?
  ) -> String {
    var parts = [running.title]
    if let step = running.step { parts.append(step) }
    if running.attempt > 1 { parts.append("try \(running.attempt)") }
    let word = running.isSlowReported ? "SLOW " : "RUN  "
    let time = CaseTimes.text(
      real: now - running.startedAt, virtual: virtual.map(CaseTimes.rounded), isAligned: true)
    return "\(word) [\(time)] \(parts.joined(separator: " · "))"
  }

  private func counts(at now: Nanoseconds) -> String {
    let done = planned >= finished ? "\(finished)/\(planned)" : "\(finished)"
    var parts = [done, "\(running.count) running"]
    if failed > 0 { parts.append("\(failed) failed") }
    if flaky > 0 { parts.append("\(flaky) flaky") }
    let tenths = max(.zero, now).count / 100_000_000
    parts.append("\(tenths / 10).\(tenths % 10)s")
    return parts.joined(separator: " · ")
  }
}
