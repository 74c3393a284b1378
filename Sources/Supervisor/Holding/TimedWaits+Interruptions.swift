internal import CSupervisor
internal import Glibc

extension TimedWaits {
  /// Ends a wait of a thread before its time.
  func endHold(of tracee: Tracee, _ active: Tracee.ActiveWait) {
    var due = active
    kernel.cancel(active.ticket)
    due.ticket = nil
    due.isDue = true
    tracee.state = .waiting(due)
    kernel.forgetQuiescence()
    quiescence.sleepWatch.wake(tracee)
    kernel.place(tracee)
    _ = scenario_trace_interrupt(tracee.identifier.number)
  }

  /// Settles what a signal that is about to be delivered does to the call that it has disturbed.
  func recordSignal(_ signal: Int32, for tracee: Tracee) {
    if let wait = self[tracee] {
      guard tracee.process.catches(signal) else { return }
      self[tracee] = nil
      writeBack(wait, of: tracee)
    } else if !messages.recordSignal(signal, for: tracee) {
      keepCall(of: tracee, undisturbedBy: signal)
    }
  }

  /// Continues a call that a signal without effect has ended.
  ///
  /// Without a tracer the kernel drops a signal that is ignored, and no thread wakes up. With one it
  /// wakes the thread, for the tracer's sake, and calls fail that fail after any signal
  /// (signal(7)).
  private func keepCall(of tracee: Tracee, undisturbedBy signal: Int32) {
    guard var registers = try? Registers.read(from: tracee.identifier) else { return }
    // The second of two signals finds the call prepared to go on.
    let isPrepared = registers.result == -KernelError.restartNoHandler && isRepeating(tracee)
    // A read from a terminal is started again by the kernel itself.
    let startsAgain =
      registers.result == -KernelError.restartSystemCall && sockets.isWaiting(tracee)
    guard isPrepared || startsAgain || registers.result == -KernelError.interrupted,
      failsAfterAnySignal(registers.systemCall), tracee.process.ignores(signal)
    else {
      sockets.callEnded(of: tracee)
      return
    }
    guard !isPrepared else { return }
    if !startsAgain {
      registers.result = -KernelError.restartNoHandler
      try? registers.write(to: tracee.identifier)
    }
    guard sockets.isWaiting(tracee) else { return }
    sockets.callGoesOn(of: tracee)
    tracee.state = .repeating
  }

  private func failsAfterAnySignal(_ systemCall: Int) -> Bool {
    TimedWait.failsAfterAnySignal(systemCall)
      || (sockets.areInUse && SocketUse.isPossible(systemCall))
  }

  /// Settles what a stop of a thread's process does to the call that it has disturbed.
  func recordGroupStop(of tracee: Tracee) {
    sockets.callEnded(of: tracee)
    guard var registers = try? Registers.read(from: tracee.identifier) else { return }
    if let wait = self[tracee] {
      switch wait.effectOfStop(code: registers.result) {
      case .fails:
        break
      case .startsAnew:
        self[tracee] = nil
        return
      case .startsWithRest:
        // It cannot start again if it could not write down what is left of its time.
        if writeBack(wait, of: tracee) {
          self[tracee] = nil
          return
        }
      case .goesOn:
        return
      }
      self[tracee] = nil
      registers.result = -KernelError.interrupted
    } else {
      guard registers.result == -KernelError.interrupted, failsAfterAnySignal(registers.systemCall)
      else { return }
    }
    // That is its last word: SIGCONT, which is ignored, must not be taken for harmless.
    registers.systemCall = -1
    try? registers.write(to: tracee.identifier)
  }

  @discardableResult
  private func writeBack(_ wait: TimedWait, of tracee: Tracee) -> Bool {
    guard let memory = tracee.process.memory else { return true }
    return wait.writeBack(
      to: memory, rest: kernel.rest(of: wait), hasExpired: false, isInterrupted: true)
  }

  private func isRepeating(_ tracee: Tracee) -> Bool {
    if case .repeating = tracee.state { true } else { false }
  }
}

extension TargetProcess {
  /// Returns whether the process has a handler for a signal (proc(5): SigCgt in /proc/PID/status).
  func catches(_ signal: Int32) -> Bool {
    isMember(signal, of: "SigCgt:")
  }

  /// Returns whether a signal does nothing to the process: it is ignored, or it has no handler and does nothing
  /// by default (signal(7)).
  func ignores(_ signal: Int32) -> Bool {
    if isMember(signal, of: "SigIgn:") { return true }
    let isHarmless = [SIGCHLD, SIGURG, SIGWINCH, SIGCONT].contains(signal)
    return isHarmless && !catches(signal)
  }

  private func isMember(_ signal: Int32, of set: String) -> Bool {
    guard let mask = SmallFile.signalMask(set, in: "/proc/\(identifier.number)/status")
    else { return false }
    return mask & (1 << UInt64(signal - 1)) != 0
  }
}
