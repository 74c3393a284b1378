internal import CSupervisor
internal import Foundations
internal import Glibc

extension TracerLoop {
  /// Does what a stop calls for, and lets the thread go on.
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
    quiescence.sleepWatch.wake(tracee)
    if tracee.process.hasStaleClock { publishClock(to: tracee.process) }
    if !quiescence.admit(stop, of: tracee) { forgetQuiescence() }
    spinners.countStop()
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
      tracee.state = tracee.stateBehindChild
      resume(tracee)
    case SCENARIO_STOP_EXEC:
      startProgram(in: tracee)
    case SCENARIO_STOP_GROUP:
      recordGroupStop(of: tracee)
      // Whoever ends now may make groups orphans, which the kernel sends signals for (setpgid(2)).
      quiescence.sleepWatch.lookAtAll()
      tracee.state = .stoppedWithGroup
      // All threads of the process are to stop, which one that stands in a stop already does not.
      spinners.releaseSpinners(of: tracee.process)
      _ = scenario_trace_listen(thread.number)
    case SCENARIO_STOP_SIGNAL:
      handleSignal(Int32(stop.value), for: tracee)
    default:
      if tree.endUnborn(thread) {
        restoreBirth(of: tracee)
        publishClock(to: tracee.process)
        faults.processes.recordBirth(of: tracee)
        interceptors.find(TimestampCounterGuard.self)?.free(tracee)
      }
      if case .stoppedWithGroup = tracee.state { tracee.state = .running }
      cancelledReads.interruptionEnded(of: tracee)
      sockets.endWait(of: tracee)
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

  /// Lets a thread go on, up to the exit of its call where something is to be done there.
  func resume(_ tracee: Tracee, signal: Int32) {
    quiescence.resumed(tracee)
    if tracee.process.hasStaleClock { publishClock(to: tracee.process) }
    if tracee.pendingFault != nil { faults.advancePendingFault(of: tracee) }
    if leaveRefusedCall(of: tracee) { return }
    if stopsAtExit(tracee) {
      _ = scenario_trace_continue_to_system_call(tracee.identifier.number, signal)
    } else {
      _ = scenario_trace_continue(tracee.identifier.number, signal)
    }
  }

  /// Whether something is to be done at the exit of a thread's call.
  func stopsAtExit(_ tracee: Tracee) -> Bool {
    switch tracee.state {
    case .waiting, .pausing, .restoring, .completing, .repeating, .startingProgram: true
    case .running:
      !cancelledReads.isEmpty || tracee.following != nil || tracee.callObserver != nil
        || tracee.pendingFault != nil || !tracee.exitWatches.isEmpty
    case .stoppedWithGroup, .waitingForChild, .parked: false
    }
  }

  // MARK: - Births and deaths

  private func announce(childOf parent: Tracee, by kind: scenario_stop_kind) {
    var message: UInt64 = 0
    _ = scenario_trace_event_message(parent.identifier.number, &message)
    let thread = ThreadIdentifier(Int32(truncatingIfNeeded: message))
    if kind == SCENARIO_STOP_VFORK {
      parent.stateBehindChild = parent.state
      parent.state = .waitingForChild
    }
    placement.release()
    scenario_copy_place(parent.identifier.number, thread.number)
    if thread.number > 0, tracees[thread] == nil {
      let isThread =
        kind == SCENARIO_STOP_CLONE
        && access("/proc/\(parent.process.identifier.number)/task/\(thread.number)", F_OK) == 0
      let process = isThread ? parent.process : child(thread, of: parent.process)
      let tracee = add(thread, to: process)
      tracee.lineage = parent.lineage.nextChild()
      tracee.birth = parent.birth
      for interceptor in interceptors.all {
        interceptor.threadStarted(thread, by: parent.identifier)
      }
      if !isThread { process.isBorrower = kind == SCENARIO_STOP_VFORK }
      if tree.endUnannounced(thread) {
        restoreBirth(of: tracee)
        publishClock(to: process)
        faults.processes.recordBirth(of: tracee)
        interceptors.find(TimestampCounterGuard.self)?.free(tracee)
        resume(tracee)
      } else {
        tree.recordUnborn(thread)
      }
    }
    resume(parent)
  }

  private func add(_ thread: ThreadIdentifier, to process: TargetProcess) -> Tracee {
    let tracee = Tracee(
      thread, of: process, keepsFilesOpen: tracees.count < openSamplerLimit)
    tree.add(tracee)
    quiescence.sleepWatch.add(tracee)
    configuration.census.record(tracees.count)
    process.threads.insert(thread)
    return tracee
  }

  /// Takes in children of a process that was killed before it could announce them.
  private func adoptOrphans(of process: TargetProcess) {
    for thread in tree.unannounced {
      let stat = SmallFile.read("/proc/\(thread.number)/stat")?.split(separator: ")").last
      let fields = stat?.split(separator: " ") ?? []
      guard fields.count > 1, let parent = Int32(fields[1]),
        processes[ThreadIdentifier(parent)] == nil
      else { continue }
      tree.endUnannounced(thread)
      let tracee = add(thread, to: child(thread, of: process))
      tracee.lineage = .unknown
      publishClock(to: tracee.process)
      if targets[process.target]?.endsNewcomers ?? false { kill(thread.number, SIGKILL) }
      resume(tracee)
    }
  }

  private func child(_ identifier: ThreadIdentifier, of parent: TargetProcess) -> TargetProcess {
    let process = TargetProcess(identifier, arguments: parent.arguments)
    process.ordinal = tree.nextOrdinal()
    process.birth = clock.boot(real: RealClock.monotonic())
    process.target = parent.target
    process.parent = parent.identifier
    process.image = parent.image
    process.hasEntered = parent.hasEntered
    process.dumpableFlag = parent.dumpableFlag
    process.entryBreakpoint = parent.entryBreakpoint
    process.functions = parent.functions
    process.lateFilters = parent.lateFilters
    process.trust = TrustUse(inheriting: parent.trust)
    process.entanglement = parent.entanglement
    tree.add(process)
    reportBirth(of: process, from: parent)
    return process
  }

  private func remove(_ thread: ThreadIdentifier, status: ExitStatus) {
    tree.endUnannounced(thread)
    guard let tracee = forget(thread) else { return }
    quiescence.suspect(after: thread, of: tracee.process)
    guard thread == tracee.process.identifier else { return }
    // The first thread is told of last: its process has ended.
    tree.removeProcess(thread)
    recordEndBeforeEntry(of: tracee.process)
    for other in tracee.process.threads {
      forget(other)
    }
    for interceptor in interceptors.all { interceptor.processEnded(thread) }
    adoptOrphans(of: tracee.process)
    branch?.recordEnd(of: tracee.process, status)
    reportWritten()
    report(.processEnded(process: thread.number, status))
    finishLaunch(of: thread, status: status)
    if let target = targets.begun(by: thread) {
      _ = target.transfer()
      reportOutput()
      if !target.awaitsRestart { target.status = status }
    }
    faults.processes.restartInTime(tracee.process.target)
  }

  /// Forgets a thread that is gone, and all that is known of it; returns what it was.
  @discardableResult
  func forget(_ thread: ThreadIdentifier) -> Tracee? {
    for interceptor in interceptors.all { interceptor.threadEnded(thread) }
    guard let tracee = tree.removeThread(thread) else { return nil }
    quiescence.sleepWatch.remove(thread)
    tracee.leaveProcess()
    spinners.forget(thread)
    placement.remove(thread)
    reportWait(of: tracee, .gone)
    configuration.census.record(tracees.count)
    if case .waiting(let active) = tracee.state { scheduler.cancel(active.ticket) }
    sockets.forgetWait(of: tracee)
    tracee.diskTouch = nil
    endWatches(of: tracee, exit: nil)
    return tracee
  }

  // MARK: - Signals

  private func handleSignal(_ signal: Int32, for tracee: Tracee) {
    if signal == SIGTRAP,
      handleBreakpoint(of: tracee) || faults.functions?.handleTrap(of: tracee) ?? false
    {
      return
    }
    for interceptor in interceptors.all where interceptor.takeSignal(signal, of: tracee) { return }
    if signal == SIGSYS, handleRefusedCall(of: tracee) { return }
    reportSignal(signal, to: tracee.process)
    // It may end them all.
    quiescence.suspect(tracee.process)
    timers.signalDelivered(to: tracee)
    recordSignal(signal, for: tracee)
    repeatPausedCall(of: tracee)
    resume(tracee, signal: signal)
  }

  /// A signal comes before the pause of a call that is delayed: behind its handler the thread makes the call itself
  /// again, with what is left of the delay.
  private func repeatPausedCall(of tracee: Tracee) {
    guard case .pausing(let active) = tracee.state, let decision = tracee.delayed.take(),
      var registers = try? Registers.read(from: tracee.identifier)
    else { return }
    tracee.state = .running
    tracee.settled = DeferredDecision(
      entry: active.wait.entry, decision: decision, deadline: active.wait.deadline)
    registers.result = active.wait.entry.systemCall
    try? registers.write(to: tracee.identifier)
  }

  /// How much virtual time a wait has left.
  func rest(of wait: TimedWait) -> Nanoseconds {
    wait.deadline.instant(on: clock) - clock.monotonic(real: RealClock.monotonic())
  }
}
