internal import ScenarioModel

extension SupervisorLoop {
  /// Watches a call that changes files' times; false if it changes none.
  func stampFiles(changedBy registers: Registers, of tracee: Tracee) -> Bool {
    guard let stamper, let memory = tracee.process.memory else { return false }
    let thread = tracee.identifier
    let isWatched = stamper.begin(registers, of: thread, memory)
    tellOfUnstampedFiles(process: tracee.process.identifier)
    guard isWatched else { return false }
    let process = tracee.process.identifier
    // The registers are as the caller left them: there is nothing to write.
    tracee.state = .completing(
      CallCompletion(entry: registers) { loop, registers in
        loop.endStamping(of: thread, in: process, result: registers.result)
      })
    resume(tracee)
    return true
  }

  /// A thread has made a call that changes files' times, or was killed in it, with result −1.
  func endStamping(of thread: ThreadIdentifier, in process: ThreadIdentifier, result: Int) {
    guard let stamper else { return }
    stamper.end(of: thread, result: result, wall: clock.wall(real: RealClock.monotonic()))
    tellOfUnstampedFiles(process: process)
  }

  /// Tells, once, that a file keeps the machine's time.
  private func tellOfUnstampedFiles(process: ThreadIdentifier) {
    guard let failure = stamper?.takeFailure() else { return }
    report(
      .fileNotStamped(
        process: process.number, path: failure.path, errorNumber: failure.errorNumber))
  }
}
