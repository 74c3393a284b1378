internal import Glibc
internal import ScenarioModel

extension SupervisorLoop {
  /// The processes that a scope means, in the order of their births.
  func victims(_ scope: KillScope, around process: TargetProcess?) -> [TargetProcess] {
    switch scope {
    case .process: process.map { [$0] } ?? []
    case .tree: processes.values.sorted { $0.ordinal < $1.ordinal }
    }
  }

  /// Kills a process, or the whole tree with all that is being born in it.
  func endProcesses(_ scope: KillScope, around process: TargetProcess?) {
    for victim in victims(scope, around: process) { kill(victim.identifier.number, SIGKILL) }
    if scope == .tree { endNewcomers() }
  }

  /// Kills children whose parents are killed before they could announce them, until the target is started again.
  func endNewcomers() {
    endsNewcomers = true
    for thread in unannounced { kill(thread.number, SIGKILL) }
  }
}
