internal import FaultEngine
internal import Glibc

/// Which processes of a target a signal has reached.
package enum SignalReach: Sendable, Hashable {
  /// None.
  case none
  /// Others than its first one.
  case others
  /// Its first one, perhaps with others.
  case first
}

extension Supervisor {
  /// The programs that the processes of all targets run, in start order.
  package var runningPrograms: [String] { look { $0.liveProcesses.map(\.program) } }

  /// Sends a signal to each process of a target that runs a program of that name.
  ///
  /// - Parameters:
  ///   - number: the signal.
  ///   - program: a name without its folder: its executable file's, or the one by which it was started.
  ///   - target: whose.
  /// - Returns: which processes there were, and all names of what the target's processes run.
  package func signal(
    _ number: Int32, toProgram program: String, of target: TargetNumber
  ) -> (reach: SignalReach, others: [String]) {
    ask { loop in
      let living = loop.processes.values
        .filter { $0.target == target && !$0.threads.isEmpty }
        .sorted { $0.ordinal < $1.ordinal }
      let first = loop.targets[target]?.process
      var reach = SignalReach.none
      for process in living where process.names.include(program) {
        guard kill(process.identifier.number, number) == 0 else { continue }
        if process.identifier == first { reach = .first } else if reach == .none { reach = .others }
      }
      return (reach, living.flatMap(\.names.plainNames))
    }
  }
}
