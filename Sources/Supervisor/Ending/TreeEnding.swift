internal import Glibc
internal import ScenarioModel

/// The owner of targets' processes, which can end them.
protocol TreeEnding: AnyObject {
  /// The processes and threads of the targets.
  var tree: ProcessTree { get }
  /// The targets.
  var targets: LaunchedTargets { get }
  /// True if a launch is on its way.
  var isLaunching: Bool { get }
  /// Records that any thread may be woken by what is about to happen.
  func suspectAllSleepers()
}

extension TreeEnding {
  /// The live processes, in start order.
  var liveProcesses: [LiveProcess] {
    tree.ordered.filter { !$0.threads.isEmpty }.map {
      LiveProcess(
        number: $0.identifier.number, ordinal: $0.ordinal, program: $0.programName,
        arguments: $0.program.arguments)
    }
  }

  /// True if no process is alive or starting.
  var isTreeGone: Bool {
    tree.isSettled && !isLaunching && !tree.processes.values.contains { !$0.threads.isEmpty }
  }

  /// Sends each process a signal to end; one that is stopped must run for that (signal(7)).
  func terminateTree(_ signals: [TargetNumber: Int32], others: Int32) {
    // Parents first: a shell that sees its child end would go on with its next line.
    for process in tree.ordered where !process.threads.isEmpty {
      let isFirst = targets[process.target]?.process == process.identifier
      let signal = isFirst ? signals[process.target] ?? others : others
      kill(process.identifier.number, signal)
      kill(process.identifier.number, SIGCONT)
    }
  }

  /// Kills each process that lives; who they were.
  func killTheRest() -> [LiveProcess] {
    let rest = liveProcesses
    endEveryTree()
    return rest
  }

  /// The processes in a scope, in start order; the tree is that of one target.
  func victims(_ scope: KillScope, around process: TargetProcess?) -> [TargetProcess] {
    switch scope {
    case .process: process.map { [$0] } ?? []
    case .tree: tree.ordered.filter { $0.target == process?.target }
    }
  }

  /// Kills a process, or the whole tree including starting processes.
  func endProcesses(_ scope: KillScope, around process: TargetProcess?) {
    suspectAllSleepers()
    for victim in victims(scope, around: process) { kill(victim.identifier.number, SIGKILL) }
    if scope == .tree, let process { endNewcomers(of: process.target) }
  }

  /// Kills the processes of all targets, including starting ones.
  func endEveryTree() {
    suspectAllSleepers()
    for target in targets.all { target.endsNewcomers = true }
    killTree()
  }

  /// Kills whatever lives, or has turned up, now.
  func killTree() {
    // Parents first: none shall see its child die, and act on that.
    for process in tree.ordered { kill(process.identifier.number, SIGKILL) }
    for thread in tree.unannounced { kill(thread.number, SIGKILL) }
  }

  /// Kills children whose parents were killed before their clone events, until the target is
  /// started again.
  ///
  /// The parent of an unannounced process cannot be determined; while another target lives, such a
  /// process is examined again once its parent is gone.
  func endNewcomers(of number: TargetNumber) {
    targets[number]?.endsNewcomers = true
    guard endsNewcomers else { return }
    for thread in tree.unannounced { kill(thread.number, SIGKILL) }
  }

  /// True if every process that turns up belongs to a tree that has been killed.
  var endsNewcomers: Bool {
    targets.all.contains { $0.endsNewcomers }
      && tree.processes.values.allSatisfy { targets[$0.target]?.endsNewcomers ?? false }
  }
}
