internal import Glibc
internal import ScenarioModel

extension TracerLoop {
  /// The processes that a scope means, in the order of their births; the tree is that of one target.
  func victims(_ scope: KillScope, around process: TargetProcess?) -> [TargetProcess] {
    switch scope {
    case .process: process.map { [$0] } ?? []
    case .tree:
      processes.values.filter { $0.target == process?.target }
        .sorted { $0.ordinal < $1.ordinal }
    }
  }

  /// Kills a process, or the whole tree with all that is being born in it.
  func endProcesses(_ scope: KillScope, around process: TargetProcess?) {
    quiescence.sleepWatch.suspectAll()
    for victim in victims(scope, around: process) { kill(victim.identifier.number, SIGKILL) }
    if scope == .tree, let process { endNewcomers(of: process.target) }
  }

  /// Kills the processes of all targets, with all that is being born in them.
  func endEveryTree() {
    quiescence.sleepWatch.suspectAll()
    for process in processes.values.sorted(by: { $0.ordinal < $1.ordinal }) {
      kill(process.identifier.number, SIGKILL)
    }
    for target in targets.all { target.endsNewcomers = true }
    for thread in tree.unannounced { kill(thread.number, SIGKILL) }
  }

  /// Kills children whose parents are killed before they could announce them, until the target is started again.
  ///
  /// Whose child it is cannot be told of a process that nobody has announced; while another target lives, such
  /// a one is looked at again once its parent is gone.
  func endNewcomers(of number: TargetNumber) {
    targets[number]?.endsNewcomers = true
    guard endsNewcomers else { return }
    for thread in tree.unannounced { kill(thread.number, SIGKILL) }
  }

  /// Whether every process that turns up belongs to a tree that has been killed.
  var endsNewcomers: Bool {
    targets.all.contains { $0.endsNewcomers }
      && processes.values.allSatisfy { targets[$0.target]?.endsNewcomers ?? false }
  }
}
