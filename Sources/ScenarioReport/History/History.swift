package import Foundations
internal import ScenarioEvents

/// Many runs and what became of each case in them, in the order in which the runs began.
package struct History: Sendable {
  /// One run.
  package struct Run: Sendable, Hashable {
    /// The report that tells of it; its folder, where all reports of one make one run.
    package var source: String
    /// Its beginning; `nil` where no report says it.
    package var begin: WallInstant?
    /// What it was labelled with.
    package var labels: [String: String]
    /// SHA-256 of its plan; `nil` where it is not known, or several reports disagree.
    package var planDigest: String?
    /// Real time that it took, or that its cases took together where no report says it.
    package var duration: Nanoseconds
    /// True if it was cut off before its end.
    package var isCutOff: Bool
    /// The number of cases by how they ended.
    package var passed = 0
    /// Those whose expectation was false.
    package var failed = 0
    /// Those that could not be decided.
    package var errored = 0
    /// Those that were not run.
    package var skipped = 0
    /// Those that passed only when tried again.
    package var retried = 0

    /// The commit that was tested; `nil` where it is not known.
    package var commit: String? { labels["commit"] }

    /// The number of cases that ended in some way.
    package var caseCount: Int { passed + failed + errored + skipped }
  }

  /// The runs, the first one first.
  package private(set) var runs: [Run]
  /// The cases in the order of their places and names.
  package private(set) var cases: [CaseHistory]
  /// The number of runs whose reports say no beginning.
  package var undatedCount: Int { runs.count { $0.begin == nil } }
  /// The number of reports that told only what others had told.
  package let doubleCount: Int

  /// Puts runs in order.
  ///
  /// - Parameters:
  ///   - runs: each with what became of its cases, by the places of these in `cases`.
  ///   - isOneVersion: whether nothing has changed between the runs, whatever they say.
  ///   - order: what decides about the order.
  ///   - last: how many runs count, from the end.
  init(
    _ runs: [GatheredRun], cases: [CaseHistory.Identity], isOneVersion: Bool, order: HistoryOrder,
    last: Int?, doubleCount: Int
  ) {
    self.doubleCount = doubleCount
    let places = order.places(of: runs.map { (begin: $0.run.begin, given: $0.given) })
    let kept = places.suffix(last ?? places.count)
    self.runs = kept.map { runs[$0].run }
    var observations = [[CaseHistory.Observation]](repeating: [], count: cases.count)
    for (number, place) in kept.enumerated() {
      for (index, found) in runs[place].cases {
        var observation = found
        observation.run = number
        observations[index].append(observation)
      }
    }
    let all = self.runs
    let versions = all.enumerated().map { number, run -> CaseHistory.Version in
      if isOneVersion { return .known("") }
      if let commit = run.commit { return .known(commit) }
      return run.planDigest.map { .planned($0) } ?? .unknown(number)
    }
    self.cases = zip(cases, observations).filter { !$0.1.isEmpty }.map {
      CaseHistory($0, observations: $1, versions: versions)
    }.sorted { $0.identity < $1.identity }
  }
}

/// A run whose reports were read.
struct GatheredRun {
  var run: History.Run
  /// The number of its first report, as they were named.
  var given: Int
  /// What became of cases, by their numbers.
  var cases: [(index: Int, observation: CaseHistory.Observation)] = []
}

/// What decides about the order of runs.
package enum HistoryOrder: String, Sendable, CaseIterable {
  /// The beginning that each run says; one that says none stays behind the one that was named before it.
  case begin
  /// The order in which reports are named.
  case given

  /// Returns the places of runs in their order.
  func places(of runs: [(begin: WallInstant?, given: Int)]) -> [Int] {
    let named = runs.indices.sorted { runs[$0].given < runs[$1].given }
    guard self == .begin else { return named }
    var last: WallInstant?
    var keys = [WallInstant?](repeating: nil, count: runs.count)
    for place in named {
      last = runs[place].begin ?? last
      keys[place] = last
    }
    return named.sorted { one, other in
      let (left, right) = (keys[one], keys[other])
      if left != right {
        guard let left else { return true }
        guard let right else { return false }
        return left < right
      }
      return runs[one].given < runs[other].given
    }
  }
}
