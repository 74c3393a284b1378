internal import CSupervisor

/// Handles waits whose end is the next event.
///
/// Where everybody else sleeps and nothing is due before, a wait has two ends: its condition holds
/// already, or time moves to its deadline. The call is then made with no time at all, which
/// distinguishes the two, and the thread neither falls asleep nor has to be woken.
extension TimedWaits {
  /// Makes a wait with no time, if it is known without examining others that they sleep.
  func lookAtOnce(for wait: TimedWait, _ tracee: Tracee) -> Bool {
    guard !kernel.takesTurns, !sockets.areInUse, timers.cancelledReads.isEmpty,
      instantToMoveTo(for: wait) != nil,
      let look = wait.look(in: tracee.process.memory), othersSleep(but: tracee)
    else { return false }
    tracee.state = .waiting(Tracee.ActiveWait(wait: wait, isDue: true, isLook: true))
    kernel.finish(tracee, with: look)
    return true
  }

  private func othersSleep(but tracee: Tracee) -> Bool {
    // All that it has done since it woke has been looked at, and it has sent itself no signal.
    if let snapshot = quiescence.snapshot, snapshot.runner === tracee {
      return !kernel.hasOutputToLookAt && !snapshot.mayHaveWokenOnlookers
    }
    return tracees.count == 1 && quiescence.externalProbes.isEmpty
      && kernel.isQuiescent(but: tracee)
      && !kernel.hasUnseenOutput() && !maySignalPend(for: tracee)
  }

  /// Ends a wait that was made with no time, at its exit.
  func endLook(_ active: Tracee.ActiveWait, of tracee: Tracee) {
    tracee.state = .running
    guard let current = try? Registers.read(from: tracee.identifier) else { return }
    let wait = active.wait
    var registers = wait.entry.afterCall(current)
    let result = sockets.result(current.result, of: tracee)
    guard wait.mustWait(after: result) else {
      recordEnd(of: tracee, hasExpired: false)
      follow(tracee)
      kernel.reporter.reportWait(of: tracee, .woken)
      switch wait.outcome(result: result, isDue: false) {
      case .finished(let result):
        registers.result = result
      case .interrupted(let restart):
        registers.result = restart
        self[tracee] = wait
      }
      return kernel.finish(tracee, with: registers)
    }
    guard let instant = instantToMoveTo(for: wait), externalParticipantsAreQuiescent(for: tracee)
    else {
      // Something has come up meanwhile: the wait begins once more, and goes its long way.
      kernel.forgetQuiescence()
      registers.restartSystemCall()
      self[tracee] = wait
      return kernel.finish(tracee, with: registers)
    }
    kernel.somethingMoved()
    kernel.advance(to: instant, because: .wait(tracee.owner(of: wait)))
    kernel.countWake(of: tracee.owner(of: wait), after: wait.requested)
    kernel.reporter.reportWait(of: tracee, .due, isTold: true)
    recordEnd(of: tracee, hasExpired: true)
    follow(tracee)
    kernel.place(tracee)
    registers.result = wait.resultOnExpiry
    kernel.finish(tracee, with: registers)
  }

  private func externalParticipantsAreQuiescent(for tracee: Tracee) -> Bool {
    guard let snapshot = quiescence.snapshot, snapshot.runner === tracee else {
      return tracees.count == 1 && quiescence.externalProbes.isEmpty && kernel.isMailboxEmpty
    }
    return quiescence.areExternalsQuiet(since: snapshot)
  }
}
