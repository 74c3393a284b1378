public import ScenarioEvents

/// How many cases ended how: events in, counts and exit code out.
public struct RunTally {
  /// How many cases the run was to have, as its first event said.
  public private(set) var planned = 0
  /// Whether it was a part of a plan, which may have nothing to do.
  private var isShard = false
  private var record = RunRecord()

  /// Creates a tally of nothing.
  public init() {}

  /// Takes in one event.
  public mutating func record(_ event: Event) {
    if case .runStarted(let description) = event.kind {
      planned = max(0, description.caseCount)
      isShard = description.shard != nil
    }
    record.record(event)
    // Only the counts matter here: what a case printed need not be kept a second time.
    if case .caseFinished = event.kind {
      record.updateCase(of: event) { record in
        record.result?.standardOutput = ""
        record.result?.standardError = ""
      }
    }
  }

  /// How many cases count as `outcome`; a case that never ended counts as errored.
  public func count(_ outcome: CaseResult.Outcome) -> Int {
    record.cases.count { $0.outcome == outcome }
  }

  /// How many cases passed after attempts that did not.
  public var flaky: Int { record.cases.count { $0.isFlaky } }

  /// How many cases passed and left processes behind.
  public var leaky: Int { record.cases.count { $0.leak != nil && $0.outcome == .passed } }

  /// How many cases began.
  public var started: Int { record.count - unreached }

  /// How many cases are told of only because the run ended before it got to them.
  private var unreached: Int { record.cases.count { $0.result?.isUnreached ?? false } }

  /// Whether something went wrong that belongs to no case.
  public var hasRunFailure: Bool { !record.failures.isEmpty }

  /// `3 passed, 1 failed`, with `, N errored` and `, N skipped` where there are any.
  public var summary: String {
    var parts = ["\(count(.passed)) passed", "\(count(.failed)) failed"]
    if count(.errored) > 0 { parts.append("\(count(.errored)) errored") }
    let skipped = count(.skipped) - unreached
    if skipped > 0 { parts.append("\(skipped) skipped") }
    if flaky > 0 { parts.append("\(flaky) flaky") }
    if leaky > 0 { parts.append("\(leaky) leaky") }
    if started < planned { parts.append("\(planned - started) not run") }
    return parts.joined(separator: ", ")
  }

  /// What the run says to its caller.
  ///
  /// Success means that every planned case was run and held: a case that is missing makes the run
  /// undecided. Interruption is the caller's to know, and comes before this.
  public var exitCode: ExitCode {
    if count(.failed) > 0 { return .failed }
    if record.failures.contains(where: { $0.category == .expectation }) { return .failed }
    if count(.errored) > 0 || hasRunFailure { return .undecided }
    if started < planned { return .undecided }
    return started == 0 && !isShard ? .nothingSelected : .passed
  }
}
