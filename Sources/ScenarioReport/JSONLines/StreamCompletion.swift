internal import Foundations
package import ScenarioEvents

/// Detects whether a stream of events reaches the end of its run, and reports where it does not.
///
/// A run that died must not look like one that had nothing to do.
package struct StreamCompletion: Sendable {
  private var description: RunDescription?
  private var hasEnded = false
  private var latest = Nanoseconds.zero
  private var ended: Set<String> = []

  /// Creates the state before the first event.
  package init() {}

  /// True if a run has begun.
  package var hasBegun: Bool { description != nil }

  /// Checks one event; false if it cannot be here: a run begins a stream, and only that.
  package mutating func take(_ event: Event) -> Bool {
    latest = max(latest, event.realTime)
    switch event.kind {
    case .runStarted(let description):
      guard self.description == nil else { return false }
      self.description = description
    case .caseFinished(let result):
      if !result.isRetried, let scenario = event.scenario { ended.insert(scenario) }
    case .runFinished: hasEnded = true
    default: break
    }
    return description != nil
  }

  /// Returns the events to be reported behind the last one; none for a stream that is complete.
  package func rest() -> [Event] {
    guard let description, !hasEnded else { return [] }
    let failure = Failure(
      category: .error, type: "run.truncated",
      message: "the run did not finish: \(ended.count) of \(description.caseCount)"
        + " case\(description.caseCount == 1 ? "" : "s") ended",
      help: "run it again; this report counts the finished cases")
    return [
      Event(realTime: latest, kind: .failed(failure)),
      Event(
        realTime: latest, kind: .runFinished(RunResult(duration: latest, interrupted: true))),
    ]
  }
}
