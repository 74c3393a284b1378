internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Synchronization

/// How many trials may begin.
final class TrialBudget: Sendable {
  private let left: Mutex<Int?>
  private let limit: Int?
  private let deadline: Nanoseconds?
  private let cancellation: RunCancellation

  /// A budget of runs and of real time; `nil` is no bound.
  init(runs: Int?, until deadline: Nanoseconds?, _ cancellation: RunCancellation) {
    left = Mutex(runs)
    limit = runs
    self.deadline = deadline
    self.cancellation = cancellation
  }

  /// Takes one, if there is one left.
  func take() -> Bool {
    if cancellation.isCancelled { return false }
    if let deadline, RealTime.monotonic() >= deadline { return false }
    return left.withLock { left in
      guard let count = left else { return true }
      guard count > 0 else { return false }
      left = count - 1
      return true
    }
  }

  /// Forgets what was taken beyond so many: what was refused is tried in another way.
  func giveBack(to used: Int) {
    guard let limit else { return }
    left.withLock { $0 = max(0, limit - used) }
  }
}

extension FaultTrial {
  /// What came of a trial.
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
