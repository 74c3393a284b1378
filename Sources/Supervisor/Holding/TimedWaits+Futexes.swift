internal import CSupervisor

extension TimedWaits {
  /// Records which threads a call that is about to be made may wake.
  func recordFutexWake(_ registers: Registers, by tracee: Tracee) {
    guard tracee.process.lateFilters.contains(.futexWakes) else { return }
    switch FutexWakes.reach(of: registers) {
    case .nobody: break
    case .address(let address): quiescence.sleepWatch.suspect(at: address)
    case .everybody: quiescence.sleepWatch.suspectAll()
    case .elsewhere:
      quiescence.sleepWatch.suspectAll()
      quiescence.sleepWatch.loseFutexes()
    }
  }

  /// Marks a thread that begins a wait as resting, if it needs no look until it may have been
  /// woken.
  func restIfSeen(_ tracee: Tracee, in wait: TimedWait) {
    if wait.isEndedBySignalsOnly {
      sockets.forgetWait(of: tracee)
      quiescence.sleepWatch.rest(tracee)
    } else if let futex = wait.privateFutex, tracee.process.lateFilters.contains(.futexWakes) {
      sockets.forgetWait(of: tracee)
      quiescence.sleepWatch.rest(tracee, at: futex)
    }
  }

  /// Installs the filter of wakes in a process, where a thread's deadline is due, and it was a wait for a futex, or so many
  /// others of its process wait for one that looks at them cost more than stops at the calls that wake them.
  ///
  /// The thread is at the exit of its call; its registers are the caller's to put back.
  func watchFutexWakes(of tracee: Tracee, after wait: TimedWait, _ registers: Registers) {
    let process = tracee.process
    guard process.dearLooks > FutexWakes.patience,
      !process.lateFilters.contains(.futexWakes), !kernel.isBranch, !kernel.takesTurns
    else { return }
    guard wait.privateFutex != nil || isCrowded(process) else {
      process.dearLooks = 0
      return
    }
    guard
      DescriptorTransfer.isAllowed(by: tracee.identifier, late: process.lateFilters.count),
      let memory = process.memory, let image = process.image
    else { return }
    // Once, whether it succeeds or not.
    process.dearLooks = .min
    let area = image.execArea(process.program.scratch.takeExecArea())
    guard LateFilter.futexWakes.write(to: memory, at: area) else { return }
    let result = kernel.makeCall(
      SystemCallNumber.seccomp, [LateFilter.setFilter, LateFilter.flags, area, 0, 0, 0],
      in: tracee, registers, at: image.systemCallInstruction)
    kernel.sendPostponedSignals(to: tracee)
    guard result == 0 else { return }
    process.lateFilters.insert(.futexWakes)
    for other in process.threads.compactMap({ tracees[$0] }) {
      guard case .waiting(let active) = other.state, !active.isDue else { continue }
      restIfSeen(other, in: active.wait)
    }
  }

  /// Returns whether many threads of a process wait for private futexes, with or without a timeout.
  private func isCrowded(_ process: TargetProcess) -> Bool {
    guard process.threads.count >= FutexWakes.crowd else { return false }
    let waiters = process.threads.count { thread in
      guard let tracee = tracees[thread] else { return false }
      if case .waiting(let active) = tracee.state { return active.wait.privateFutex != nil }
      return !tracee.isHeld && tracee.sampler.blockedCall()?.untimedPrivateFutex != nil
    }
    return waiters >= FutexWakes.crowd
  }
}
