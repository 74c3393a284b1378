internal import Foundations
internal import ScenarioEvents

/// The lines about time at the end of a report for people.
enum TerminalSummary {
  /// The time that a run took, and what its scenarios have seen: `in 3.210s real, 14d virtual`.
  static func time(of run: RunRecord) -> String {
    let virtual = run.cases.reduce(Nanoseconds.zero) { sum, record in
      (record.earlierAttempts + [record]).reduce(sum) { $0 + ($1.result?.virtualDuration ?? .zero) }
    }
    let real = "in \(DurationText.seconds(run.result?.duration ?? run.latest))s"
    return virtual > .zero ? "\(real) real, \(virtual) virtual" : real
  }

  /// The cases that took longest, the slowest first.
  static func slowest(of run: RunRecord, count: Int) -> [CaseRecord] {
    guard count > 0 else { return [] }
    let cases = run.cases
    let ended = cases.indices.filter { cases[$0].result != nil && cases[$0].outcome != .skipped }
    let sorted = ended.sorted { one, other in
      let (first, second) = (duration(cases[one]), duration(cases[other]))
      return first == second ? one < other : first > second
    }
    return sorted.prefix(count).map { cases[$0] }
  }

  private static func duration(_ record: CaseRecord) -> Nanoseconds {
    record.result?.duration ?? .zero
  }
}
