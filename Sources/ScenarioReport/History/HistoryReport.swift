internal import Foundations
internal import ScenarioEvents

/// What a history tells, in the order in which it is reported.
package struct HistoryReport: Sendable {
  /// All of it.
  package let history: History
  /// Cases that fail now and passed before, those that began last first.
  package let newFailures: [CaseHistory]
  /// Cases that have failed as long as the history knows them.
  package let failing: [CaseHistory]
  /// Cases of which no change explains all failures, the worst first.
  package let flaky: [CaseHistory]
  /// Cases that pass now and failed the time before.
  package let fixed: [CaseHistory]
  /// Cases that took time, the slowest first.
  package let slowest: [CaseHistory]
  /// Cases that have become slower, the one that became slowest first.
  package let slower: [CaseHistory]

  /// From which factor on a case has become slower.
  package static let slowerFactor = 1.5
  /// What is shorter than this is noise.
  static let slowerFloor = Nanoseconds.milliseconds(20)

  /// Looks through a history.
  package init(_ history: History) {
    self.history = history
    let cases = history.cases
    newFailures = cases.filter { $0.state == .newFailure }.sorted {
      ($1.firstBad?.run ?? 0, $0.identity) < ($0.firstBad?.run ?? 0, $1.identity)
    }
    failing = cases.filter { $0.state == .failing }
    flaky = cases.filter { !$0.flakes.isEmpty }.sorted {
      $0.flakyRate == $1.flakyRate ? $0.identity < $1.identity : $0.flakyRate > $1.flakyRate
    }
    fixed = cases.filter { $0.state == .fixed }
    slowest = Self.sorted(cases) { $0.times.worst > .zero ? $0.times.median : nil }
    slower = Self.sorted(cases) { found in
      let times = found.times
      guard let recent = times.recent, let before = times.before,
        Double(recent.count) >= Double(before.count) * Self.slowerFactor,
        recent - before >= Self.slowerFloor
      else { return nil }
      return recent - before
    }
  }

  /// Cases by a length of time, the longest first, without those that have none.
  private static func sorted(
    _ cases: [CaseHistory], by length: (CaseHistory) -> Nanoseconds?
  ) -> [CaseHistory] {
    cases.compactMap { found in length(found).map { (found, $0) } }.sorted {
      $0.1 == $1.1 ? $0.0.identity < $1.0.identity : $0.1 > $1.1
    }.map(\.0)
  }

  /// The number of runs that say neither their commit nor their plan: of them, only retries show what is flaky.
  package var unversionedCount: Int {
    history.runs.count { $0.commit == nil && $0.planDigest == nil }
  }
}

extension History.Run {
  /// Its beginning, to the second, or the name of its report.
  var title: String { begin.map { Timestamp.text($0) + "Z" } ?? source }

  /// The beginning of its commit, as git shortens it; empty where it is not known.
  var shortCommit: String { String((commit ?? "").prefix(12)) }
}

extension CaseHistory.Observation {
  /// One character for how it ended, as `--ui dots` has them; `?` where its run was cut off before that.
  var dot: Character {
    guard !isCutOff else { return "?" }
    return switch outcome {
    case .passed: failedAttempts > 0 ? "f" : "."
    case .failed: "F"
    case .errored: "E"
    case .skipped: "s"
    }
  }
}

extension Double {
  /// A share from 0 to 1 in per cent: `40%`, `0.5%`.
  var percentText: String {
    let tenths = Int((self * 1000).rounded())
    return tenths < 100 && tenths % 10 != 0
      ? "\(tenths / 10).\(tenths % 10)%" : "\((tenths + 5) / 10)%"
  }
}
