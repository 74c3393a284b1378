internal import ScenarioEvents
internal import ScenarioModel

/// What the end of a report for people says about time.
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
    let ended = run.cases.filter { $0.result != nil && $0.outcome != .skipped }
    let sorted = ended.enumerated().sorted { one, other in
      let (first, second) = (duration(one.element), duration(other.element))
      return first == second ? one.offset < other.offset : first > second
    }
    return sorted.prefix(count).map(\.element)
  }

  private static func duration(_ record: CaseRecord) -> Nanoseconds {
    record.result?.duration ?? .zero
  }
}
