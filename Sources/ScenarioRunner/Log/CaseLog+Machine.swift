internal import ScenarioEvents
internal import ScenarioPlan
internal import Supervisor

extension PlannedCase {
  /// True if the target needs an environment that the runner makes, which a machine may refuse.
  var hasWorld: Bool {
    clock != nil || network != nil || !chaos.isEmpty
  }
}

extension Failure {
  /// The failure as it stands on this machine: where that refuses what the case's world needs, nothing has been
  /// decided.
  ///
  /// - Parameters:
  ///   - hasWorld: whether the case has a world that the runner makes.
  ///   - obstacle: asks what the machine refuses; not asked where nothing has failed.
  func asDecided(hasWorld: Bool, obstacle: () -> MachineObstacle?) -> [Failure] {
    guard category == .expectation, hasWorld, let obstacle = obstacle() else { return [self] }
    var undecided = self
    undecided.category = .error
    var failure = obstacle.failure
    failure.range = range
    return [failure, undecided]
  }
}

extension LaunchError {
  /// True if the machine may be the reason.
  var isRefusal: Bool {
    switch self {
    case .tracingForbidden, .filterForbidden, .failed: true
    case .foreignProgram, .limitsTooSmall, .cannotExecute: false
    }
  }
}
