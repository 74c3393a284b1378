internal import CSupervisor
internal import Foundations
internal import Glibc

extension TracerLoop {
  /// Handles a stop, and resumes the thread.
  func handle(_ stop: scenario_stop) {
    let thread = ThreadIdentifier(stop.thread)
    if let branch, branch.isOfTrunk(stop) { return }
    if let target = configuration.stopLog {
      let elapsed = clock.elapsed(real: RealClock.monotonic())
      target.log.record(stop, of: target.name, elapsed: elapsed)
    }
    if stop.kind == SCENARIO_STOP_EXITED || stop.kind == SCENARIO_STOP_KILLED {
      if !quiescence.takeAwaitedEnd(stop) { forgetQuiescence() }
      remove(thread, status: exitStatus(stop))
      return
    }
    guard let tracee = tracee(of: thread) else {
      // ptrace(2): a new thread's first stop may come before the stop that announces it.
      forgetQuiescence()
      tree.recordUnannounced(thread)
      if endsNewcomers { kill(thread.number, SIGKILL) }
      return
    }
    tracee.stops &+= 1
    if let turns { waits.spinners.discountStops(turns.begin(stop, of: tracee)) }
    quiescence.sleepWatch.wake(tracee)
    if tracee.process.hasStaleClock { publishClock(to: tracee.process) }
    if !quiescence.admit(stop, of: tracee) { forgetQuiescence() }
    waits.spinners.countStop()
    let isExit = stop.kind == SCENARIO_STOP_SYSTEM_CALL
    if isExit || stop.kind == SCENARIO_STOP_SECCOMP || stop.kind == SCENARIO_STOP_SIGNAL {
      let isRunning = if case .running = tracee.state { true } else { false }
      clocks.timers.cancelledReads.interruptionEnded(
        of: tracee, restartsCall: isExit && isRunning)
    }
    switch stop.kind {
    case SCENARIO_STOP_SECCOMP:
      handleCall(of: tracee)
      return recordStop(of: tracee)
    case SCENARIO_STOP_SYSTEM_CALL:
      handleExit(of: tracee)
      return recordStop(of: tracee)
    case SCENARIO_STOP_FORK, SCENARIO_STOP_VFORK, SCENARIO_STOP_CLONE:
      announce(childOf: tracee, by: stop.kind)
    case SCENARIO_STOP_VFORK_DONE:
      if case .waitingForChild(let next) = tracee.state { tracee.state = next }
      resume(tracee)
    case SCENARIO_STOP_EXEC:
      startProgram(in: tracee)
    case SCENARIO_STOP_GROUP:
      waits.recordGroupStop(of: tracee)
      // A process that ends now may make groups orphans, which the kernel sends signals for (setpgid(2)).
      quiescence.sleepWatch.lookAtAll()
      tracee.state = .stoppedWithGroup
      // All threads of the process are to stop, which one that stands in a stop already does not.
      waits.spinners.releaseSpinners(of: tracee.process)
      _ = scenario_trace_listen(thread.number)
    case SCENARIO_STOP_SIGNAL:
      handleSignal(Int32(stop.value), for: tracee)
    default:
      if tree.endUnborn(thread) { beginLife(of: tracee) }
      if case .stoppedWithGroup = tracee.state { tracee.state = .running }
      clocks.timers.cancelledReads.interruptionEnded(of: tracee, restartsCall: true)
      waits.sockets.endWait(of: tracee)
      resume(tracee)
    }
    placement.leave()
  }

  private func recordStop(of tracee: Tracee) {
    placement.recordStop(of: tracee, isGone: tracees[tracee.identifier] !== tracee)
  }

  /// A thread by its number.
  private func tracee(of thread: ThreadIdentifier) -> Tracee? {
    placement.hotThread(thread) ?? tracees[thread]
  }

  private func exitStatus(_ stop: scenario_stop) -> ExitStatus {
    stop.kind == SCENARIO_STOP_EXITED
      ? .exited(code: Int32(stop.value)) : .signaled(number: Int32(stop.value))
  }

  func resume(_ tracee: Tracee) { resume(tracee, signal: 0) }

  /// Resumes a thread, up to the exit of its call where work is to be done there.
  func resume(_ tracee: Tracee, signal: Int32) {
    if let turns, turns.holds(tracee, signal: signal) { return }
    if debugger.holds(tracee, signal: signal) { return }
    quiescence.resumed(tracee)
    if tracee.process.hasStaleClock { publishClock(to: tracee.process) }
    if faults.isInCall(of: tracee) { faults.advancePendingFault(of: tracee) }
    if leaveRefusedCall(of: tracee) { return }
    if stopsAtExit(tracee) {
      _ = scenario_trace_continue_to_system_call(tracee.identifier.number, signal)
    } else if debugger.steps(tracee) {
      _ = scenario_trace_single_step(tracee.identifier.number)
    } else {
      _ = scenario_trace_continue(tracee.identifier.number, signal)
    }
  }

  /// Returns whether something is to be done at the exit of a thread's call.
  func stopsAtExit(_ tracee: Tracee) -> Bool {
    switch tracee.state {
    case .waiting, .pausing, .restoring, .completing, .repeating, .startingProgram: true
    case .running:
      !clocks.timers.cancelledReads.isEmpty || tracee.following != nil
        || !tracee.watches.isEmpty || faults.isInCall(of: tracee)
        || turns?.isInCall(tracee) ?? false
    case .stoppedWithGroup, .waitingForChild, .parked: false
    }
  }

  // MARK: - Signals

  private func handleSignal(_ signal: Int32, for tracee: Tracee) {
    if signal == SIGTRAP,
      launcher.programs.handleBreakpoint(of: tracee)
        || faults.functions?.handleTrap(of: tracee) ?? false
    {
      return
    }
    for interceptor in interceptors.all where interceptor.takeSignal(signal, of: tracee) { return }
    if signal == SIGTRAP, debugger.takeTrap(of: tracee) { return }
    if signal == SIGSYS, handleRefusedCall(of: tracee) { return }
    output.reporter.reportSignal(signal, to: tracee.process)
    // It may end them all.
    quiescence.suspect(tracee.process)
    timers.signalDelivered(to: tracee)
    waits.recordSignal(signal, for: tracee)
    faults.repeatPausedCall(of: tracee)
    resume(tracee, signal: signal)
  }
}
