internal import Glibc

extension Supervisor {
  /// The programs that the processes of all targets run, in start order.
  package var runningPrograms: [String] { look { $0.liveProcesses.map(\.program) } }

  /// Sends a signal to each process of a target that runs a program of that name.
  ///
  /// - Parameters:
  ///   - number: the signal.
  ///   - program: the program's name without its folder.
  ///   - target: whose.
  /// - Returns: whether there was one, and what the target's processes run.
  package func signal(
    _ number: Int32, toProgram program: String, of target: TargetNumber
  ) -> (hit: Bool, others: [String]) {
    ask { loop in
      let living = loop.processes.values
        .filter { $0.target == target && !$0.threads.isEmpty }
        .sorted { $0.ordinal < $1.ordinal }
      var isHit = false
      for process in living where process.programName == program {
        if kill(process.identifier.number, number) == 0 { isHit = true }
      }
      return (isHit, living.map(\.programName))
    }
  }
}
