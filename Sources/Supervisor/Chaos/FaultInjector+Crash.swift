internal import Foundations
internal import FaultEngine
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

extension FaultInjector {
  /// Kills processes, and puts files into the state that a crash of the machine would have left.
  func crash(_ crash: PlannedCrash, _ decision: ChaosDecision, of tracee: Tracee) -> String {
    self.crash(crash, of: tracee.process, entry: decision.entry)
  }

  /// Kills a process or all of them, and puts files into the state that a crash of the machine would have left.
  ///
  /// - Parameter entry: the place of the entry that says so.
  func crash(_ crash: PlannedCrash, of process: TargetProcess, entry: Int) -> String {
    let victims = kernel.victims(crash.scope, around: process)
    kernel.endProcesses(crash.scope, around: process)
    let words = "kill \(crash.scope.rawValue)"
    guard let log = disks?.watch.unsynced else { return words }
    let globs = DiskGlobs(
      crash.files, directory: directory.map { DiskWatch.canonical($0) })
    for process in victims { awaitEnd(of: process) }
    log.makeOutsideWritesDurable()
    let loss = log.loss(crash, globs)
    log.crash(crash, globs)
    if let shortcoming = log.shortcoming {
      kernel.report(
        .crashUnknown(entry: rules.table.entries[entry].name, reason: shortcoming))
    }
    var parts = [words, "\(loss.files) \(loss.files == 1 ? "file" : "files") unsynced"]
    if crash.names == .lost { parts.append("\(loss.names) names") }
    return parts.joined(separator: ", ")
  }

  /// Waits until no thread of a process that was killed can write any more.
  ///
  /// They stay in /proc until this thread takes note of their ends: as zombies (proc(5): state Z or X).
  private func awaitEnd(of process: TargetProcess) {
    let folder = "/proc/\(process.identifier.number)/task"
    let deadline = RunnerClock.now() + .seconds(5)
    while RunnerClock.now() < deadline {
      let isAlive = SmallFile.names(in: folder).contains { name in
        let text = SmallFile.read("\(folder)/\(name)/stat") ?? ""
        // The name of the program stands in parentheses, and may hold some.
        guard let mark = text.lastIndex(of: ")") else { return false }
        let state = text[text.index(after: mark)...].first { $0 != " " }
        return state != "Z" && state != "X"
      }
      if !isAlive { return }
      usleep(50)
    }
  }
}
