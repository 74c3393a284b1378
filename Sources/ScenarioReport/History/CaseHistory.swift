package import Foundations
package import ScenarioEvents

/// What became of one case, run after run.
package struct CaseHistory: Sendable {
  /// What no other case has.
  package struct Identity: Sendable, Hashable, Comparable {
    /// The file that it comes from, or the class that its report gives it.
    package var place: String
    /// Its name.
    package var name: String

    /// Orders by place, then by name.
    package static func < (left: Identity, right: Identity) -> Bool {
      (left.place, left.name) < (right.place, right.name)
    }
  }

  /// How it ended once.
  package struct Observation: Sendable, Hashable {
    /// The number of the run in the history, counted from 0.
    package internal(set) var run = 0
    /// How it ended.
    package let outcome: CaseResult.Outcome
    /// The number of attempts that failed before the one that decided.
    package let failedAttempts: Int
    /// Real time; `nil` where it is not known.
    package let duration: Nanoseconds?
    /// Virtual time; `nil` where there was none or it is not known.
    package let virtualDuration: Nanoseconds?
    /// What was wrong; `nil` if nothing was.
    package let message: String?
    /// True if its run was cut off before it ended.
    package let isCutOff: Bool

    init(_ found: ReportedCase) {
      outcome = found.outcome
      failedAttempts = found.failedAttempts
      duration = found.duration
      virtualDuration = found.virtualDuration
      message = found.message
      isCutOff = found.isCutOff
    }

    /// True if it was run to an end, and so says something of the case.
    package var isDecided: Bool { outcome != .skipped && !isCutOff }

    /// True if the case did not hold, or could not be decided for a reason of its own.
    var isBad: Bool { isDecided && outcome.isBad }
  }

  /// What was the same in runs, and so whether a change may be the reason of another outcome.
  enum Version: Hashable {
    /// The program and the scenarios: a commit.
    case known(String)
    /// The scenarios alone: the program may have changed.
    case planned(String)
    /// Nothing is known; a run is of the same version as itself.
    case unknown(Int)
  }

  /// How it stands at the end of the history.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// It failed when it was last run, and passed before; a change may be the reason.
    case newFailure = "new-failure"
    /// It failed when it was last run, and passed with the same version.
    case flaky
    /// It failed each time, or whenever the history knows it.
    case failing
    /// It passed when it was last run, and failed the time before.
    case fixed
    /// It passed, and so the time before.
    case passing
    /// It was never run to an end.
    case skipped
  }

  /// Its name.
  package let identity: Identity
  /// How it ended, run after run; the same run may stand several times where it repeats the case.
  package let observations: [Observation]
  /// The places, among `observations`, of those that another outcome of the same version contradicts.
  package let flakes: Set<Int>

  init(_ identity: Identity, observations: [Observation], versions: [Version]) {
    self.identity = identity
    self.observations = observations
    flakes = Self.flakes(observations, versions)
  }

  // MARK: - Flakiness

  /// Finds failures that no change explains.
  ///
  /// One that a retry made good; one beside a success of the same run or of the same commit; and, where no commit is
  /// known, one between two successes of the same plan. There the program may have changed, so that failures at an
  /// end of the history may be its own.
  private static func flakes(_ observations: [Observation], _ versions: [Version]) -> Set<Int> {
    var passedRuns: Set<Int> = []
    var firstPass: [Version: Int] = [:]
    var lastPass: [Version: Int] = [:]
    for (place, observation) in observations.enumerated() where observation.outcome == .passed {
      passedRuns.insert(observation.run)
      let version = versions[observation.run]
      firstPass[version] = firstPass[version] ?? place
      lastPass[version] = place
    }
    var flakes: Set<Int> = []
    for (place, observation) in observations.enumerated() where observation.isDecided {
      switch observation.outcome {
      case .passed where observation.failedAttempts > 0: flakes.insert(place)
      case .failed, .errored:
        let version = versions[observation.run]
        guard !passedRuns.contains(observation.run) else {
          flakes.insert(place)
          continue
        }
        guard let first = firstPass[version], let last = lastPass[version] else { continue }
        if case .known = version {
          flakes.insert(place)
        } else if first < place, place < last {
          flakes.insert(place)
        }
      case .passed, .skipped: break
      }
    }
    return flakes
  }

  /// The number of times that it was run to an end.
  package var decidedCount: Int { observations.count { $0.isDecided } }

  /// The number of times that it failed or could not be decided.
  package var badCount: Int { observations.count { $0.isBad } }

  /// The share of the times that it was run in which it failed without a reason, from 0 to 1.
  package var flakyRate: Double {
    decidedCount == 0 ? 0 : Double(flakes.count) / Double(decidedCount)
  }

  // MARK: - State

  /// The places of the observations that count for the state.
  private var decided: [Int] {
    observations.indices.filter { observations[$0].isDecided }
  }

  /// How it stands at the end of the history.
  package var state: State {
    let decided = decided
    guard let last = decided.last else { return .skipped }
    if observations[last].outcome.isBad {
      if flakes.contains(last) { return .flaky }
      return decided.contains { observations[$0].outcome == .passed } ? .newFailure : .failing
    }
    guard let before = decided.dropLast().last, observations[before].outcome.isBad,
      !flakes.contains(before)
    else { return .passing }
    return .fixed
  }

  /// The first bad run of the failures at the end; `nil` if it did not fail when it was last run.
  package var firstBad: Observation? {
    let decided = decided
    guard let last = decided.last, observations[last].outcome.isBad else { return nil }
    let afterPass = decided.lastIndex { observations[$0].outcome == .passed }.map { $0 + 1 } ?? 0
    return observations[decided[afterPass]]
  }

  /// The last run in which it passed; `nil` if there is none.
  package var lastGood: Observation? { observations.last { $0.outcome == .passed } }

  /// The last run in which it failed; `nil` if there is none.
  package var lastBad: Observation? { observations.last { $0.isBad } }

  /// The last time that it was run, or was to be.
  package var latest: Observation? { observations.last }

  // MARK: - Time

  /// Real time of each run to an end, as far as it is known.
  package var times: HistoryTimes {
    HistoryTimes(observations.filter(\.isDecided).compactMap(\.duration))
  }

  /// Virtual time of each run to an end, as far as it is known.
  package var virtualTimes: HistoryTimes {
    HistoryTimes(observations.filter(\.isDecided).compactMap(\.virtualDuration))
  }
}
