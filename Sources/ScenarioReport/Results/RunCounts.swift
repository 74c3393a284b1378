package import ScenarioEvents

/// Counts the ends of cases: events in, counts and exit code out.
///
/// Of each case a few bytes are kept: a run may have tens of thousands.
package struct RunCounts {
  /// One case: the last of its attempts.
  private struct Case {
    var verdict = CaseVerdict()
    /// Its outcome by its last event; `nil` while it runs.
    var reported: CaseResult.Outcome?
    var hasEarlierAttempts = false
    var hasLeaked = false
    var isUnreached = false

    var outcome: CaseResult.Outcome { verdict.outcome(reported: reported) }
  }

  /// The number of cases that the run was to have, as its first event said.
  package private(set) var planned = 0
  /// True if it was a part of a plan, which may have nothing to do.
  private var isShard = false
  private var cases: [Case] = []
  private var places: [String: Int] = [:]
  /// True if something went wrong that belongs to no case.
  package private(set) var hasRunFailure = false
  /// True if an expectation was false that belongs to no case.
  private var hasFalseRunExpectation = false

  /// Creates a tally of nothing.
  package init() {}

  /// Records one event.
  package mutating func record(_ event: Event) {
    switch event.kind {
    case .runStarted(let description):
      planned = max(0, description.caseCount)
      isShard = description.shard != nil
    case .caseStarted(let description):
      begin(event.scenario ?? "\(description.file)::\(description.name)")
    case .failed(let failure):
      guard let place = place(of: event) else {
        hasRunFailure = true
        if failure.category == .expectation { hasFalseRunExpectation = true }
        return
      }
      cases[place].verdict.add(failure)
    case .leaked:
      guard let place = place(of: event) else { return }
      cases[place].hasLeaked = true
    case .caseFinished(let result):
      guard let place = place(of: event) else { return }
      cases[place].reported = result.outcome
      cases[place].isUnreached = result.isUnreached ?? false
    default: break
    }
  }

  /// A case begins, or another attempt at one.
  private mutating func begin(_ identifier: String) {
    if let place = places[identifier] {
      cases[place] = Case(hasEarlierAttempts: true)
    } else {
      places[identifier] = cases.count
      cases.append(Case())
    }
  }

  private func place(of event: Event) -> Int? { event.scenario.flatMap { places[$0] } }

  // MARK: - Counts

  /// Counts the cases with an outcome; a case that never ended counts as errored.
  package func count(_ outcome: CaseResult.Outcome) -> Int {
    cases.count { $0.outcome == outcome }
  }

  /// The number of cases that passed after attempts that did not.
  package var flaky: Int { cases.count { $0.outcome == .passed && $0.hasEarlierAttempts } }

  /// The number of cases that passed and left processes behind.
  package var leaky: Int { cases.count { $0.hasLeaked && $0.outcome == .passed } }

  /// The number of cases that began.
  package var started: Int { cases.count - unreached }

  /// The number of cases that are reported only because the run ended before it got to them.
  private var unreached: Int { cases.count { $0.isUnreached } }

  /// `3 passed, 1 failed`, with `, N errored` and `, N skipped` where there are any.
  package var summary: String {
    var parts = ["\(count(.passed)) passed", "\(count(.failed)) failed"]
    if count(.errored) > 0 { parts.append("\(count(.errored)) errored") }
    let skipped = count(.skipped) - unreached
    if skipped > 0 { parts.append("\(skipped) skipped") }
    if flaky > 0 { parts.append("\(flaky) flaky") }
    if leaky > 0 { parts.append("\(leaky) leaky") }
    if started < planned { parts.append("\(planned - started) not run") }
    return parts.joined(separator: ", ")
  }

  /// The exit code of the run.
  ///
  /// Success means that every planned case was run and held: a case that is missing makes the run
  /// undecided. Interruption is the caller's to know, and comes before this.
  package var exitCode: ExitCode {
    if count(.failed) > 0 { return .failed }
    if hasFalseRunExpectation { return .failed }
    if count(.errored) > 0 || hasRunFailure { return .undecided }
    if started < planned { return .undecided }
    return started == 0 && !isShard ? .nothingSelected : .passed
  }
}
