internal import Foundations
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioTools
internal import Synchronization

/// The number of trials that may begin, and the deadline for that.
final class TrialBudget: Sendable {
  private struct State {
    /// The number of trials that are left; `nil` is no bound.
    var left: Int?
    /// The number of trials that were taken and used in earlier rounds.
    var used = 0
    /// The number of trials that were taken in this round.
    var taken = 0
    /// The time from which no more begin; `nil` is no bound.
    var deadline: Nanoseconds?
  }

  private let state: Mutex<State>
  private let limit: Int?
  private let cancellation: RunCancellation

  /// A budget of runs; `nil` is no bound.
  init(runs: Int?, _ cancellation: RunCancellation) {
    state = Mutex(State(left: runs))
    limit = runs
    self.cancellation = cancellation
  }

  /// Starts a round.
  ///
  /// - Parameter deadline: the real time from which no trial begins; `nil` is no bound.
  func begin(until deadline: Nanoseconds?) {
    state.withLock { state in
      state.deadline = deadline
      state.used += state.taken
      state.taken = 0
    }
  }

  /// Takes one trial from the budget, if there is one left.
  func take() -> Bool {
    if cancellation.isCancelled { return false }
    return state.withLock { state in
      if let deadline = state.deadline, RealTime.monotonic() >= deadline { return false }
      if let left = state.left {
        guard left > 0 else { return false }
        state.left = left - 1
      }
      state.taken += 1
      return true
    }
  }

  /// True if all runs were taken.
  var isUsedUp: Bool { state.withLock { $0.left == 0 } }

  /// Forgets what was taken in this round beyond so many: what was refused is tried in another way.
  func giveBack(to used: Int) {
    state.withLock { state in
      state.taken = used
      guard let limit else { return }
      state.left = max(0, limit - state.used - used)
    }
  }
}

extension FaultTrial {
  /// Describes the result of a trial.
  init(_ result: ExplorationResult) {
    let point = result.trial.point
    self.init(
      number: result.trial.number + 1, call: point.call, occurrence: point.occurrence,
      subject: point.subject, program: point.program, site: point.site,
      fault: result.trial.fault.word, mode: result.trial.fault.mode.rawValue,
      verdict: result.judgement.verdict.rawValue, evidence: result.judgement.evidence,
      engine: result.engine)
  }
}

extension ExplorationAccount {
  /// The points by call.
  static func calls(
    of points: [FaultPoint], _ results: [ExplorationResult]
  ) -> [Call] {
    var order: [String] = []
    var calls: [String: Call] = [:]
    for point in points {
      if calls[point.call] == nil {
        order.append(point.call)
        calls[point.call] = Call(
          name: point.call, reached: 0, fired: 0, unreached: 0, verdicts: [:])
      }
      calls[point.call]?.reached += 1
    }
    var fired: Set<FaultPoint> = []
    var missed: Set<FaultPoint> = []
    for result in results {
      let point = result.trial.point
      let verdict = result.judgement.verdict
      calls[point.call]?.verdicts[verdict.rawValue, default: 0] += 1
      if [.unreached, .unstable].contains(verdict) {
        missed.insert(point)
      } else {
        fired.insert(point)
      }
    }
    for point in fired { calls[point.call]?.fired += 1 }
    for point in missed.subtracting(fired) { calls[point.call]?.unreached += 1 }
    return order.compactMap { calls[$0] }
  }
}
