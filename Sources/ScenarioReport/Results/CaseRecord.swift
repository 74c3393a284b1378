internal import Foundations
internal import OrderedCollections
internal import ScenarioEvents

/// The record of one case in a report.
struct CaseRecord {
  /// The identifier of the case in events.
  let identifier: String
  /// The identity of the scenario.
  let description: CaseDescription
  /// Real time from the run's beginning to the case's.
  let startedAt: Nanoseconds
  /// Every failure, in the order in which they were found.
  private(set) var failures: [Failure] = []
  private var verdict = CaseVerdict()
  /// The time at which each of them was found.
  private var failureTimes: [FailureTime] = []
  /// The warnings of the case.
  var warnings: [String] = []
  /// The account of its time; `nil` where that was left alone, or is not known yet.
  var timeAccount: TimeAccount?
  /// The account of its connections; `nil` where that is not known yet.
  var networkAccount: NetworkAccount?
  private var capturesByName: OrderedDictionary<String, CapturedText> = [:]
  /// The chaos entries that fired, and the limits that were met.
  var chaos = ChaosRecord()
  /// The account of its points, where it was explored.
  var exploration: ExplorationAccount?
  /// The result; `nil` while it runs.
  var result: CaseResult?
  /// The attempts before this one, in order: none of them passed.
  var earlierAttempts: [CaseRecord] = []
  /// The processes that outlived its target; `nil` if none did.
  var leak: Leak?

  init(identifier: String, description: CaseDescription, startedAt: Nanoseconds) {
    self.identifier = identifier
    self.description = description
    self.startedAt = startedAt
  }

  /// Adds the failure of an event.
  mutating func add(_ failure: Failure, reportedBy event: Event) {
    failures.append(failure)
    verdict.add(failure)
    failureTimes.append(FailureTime(event, startedAt: startedAt))
  }

  /// The maximum number of captured values of a case that are reported.
  private static let captureLimit = 100

  /// Adds a captured value; the last one of a name counts.
  mutating func add(_ capture: CapturedText) {
    guard capturesByName[capture.name] != nil || capturesByName.count < Self.captureLimit else {
      return
    }
    capturesByName[capture.name] = capture
  }

  /// The captures, each name once, in the order of the first times.
  var captures: [CapturedText] { Array(capturesByName.values) }

  /// The time of the failure, and the last events in its environment before that, a line each;
  /// empty if it did not fail.
  var failureCircumstances: [String] {
    guard let place = primaryPlace else { return [] }
    return ["failed after: \(failureTimes[place].text)"] + LastEvents.lines(lastEvents)
  }

  /// The last events in its environment before it failed.
  var lastEvents: [WorldMoment] {
    guard let place = primaryPlace else { return [] }
    return failures[...place].last { $0.lastEvents != nil }?.lastEvents ?? []
  }

  /// The index of the failure that is reported first.
  private var primaryPlace: Int? {
    guard outcome == .failed || outcome == .errored else { return nil }
    return failures.firstIndex(where: \.leavesNothingDecided)
      ?? failures.firstIndex { $0.category == .expectation } ?? failures.indices.first
  }

  /// True if it passed after attempts that did not.
  var isFlaky: Bool { outcome == .passed && !earlierAttempts.isEmpty }

  /// The outcome as which the case counts.
  var outcome: CaseResult.Outcome { verdict.outcome(reported: result?.outcome) }

  /// The failures to report, the one that decided the outcome first; never empty for a case that
  /// counts as failed or errored.
  var reportedFailures: [Failure] {
    switch outcome {
    case .passed, .skipped:
      return []
    case .failed, .errored:
      guard !failures.isEmpty else { return [unexplained] }
      let decisive = failures.filter(\.leavesNothingDecided)
      let others = failures.filter { !$0.leavesNothingDecided }
      return
        (decisive + others.filter { $0.category == .expectation }
        + others.filter { $0.category == .error }).withoutRepetitions
    }
  }

  private var unexplained: Failure {
    guard result != nil else {
      return Failure(
        category: .error, type: "Interrupted",
        message: "the scenario was interrupted before it finished",
        range: description.range)
    }
    return Failure(
      category: outcome == .failed ? .expectation : .error, type: "scenario.unexplained",
      message: "the scenario did not pass, for an unknown reason", range: description.range)
  }
}
