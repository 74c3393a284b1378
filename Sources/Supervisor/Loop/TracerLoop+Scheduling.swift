internal import CSupervisor
internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

// The target's time.

extension TracerLoop {
  /// Writes the scheduler's log beside the stops of threads; `nil` if no log is kept.
  var schedulerTrace: SchedulerTrace? {
    guard branch == nil, let (log, name) = configuration.stopLog else { return nil }
    return { log.record(time: $0, of: name, elapsed: $1) }
  }

  var clock: VirtualClock { scheduler.clock }
  var moment: ClockMoment { scheduler.moment }
  var virtualNow: Nanoseconds { scheduler.now }
  var nextDeadline: Nanoseconds? { scheduler.earliest()?.instant }
  var firstDue: Nanoseconds? { scheduler.firstDue }
  var keepsTime: Bool { configuration.clock != nil }
  var clockGeneration: UInt64 { clocks.pages.generation }

  /// Moves virtual time if it may move now; true if anything was woken or finished.
  func moveTime() -> Bool {
    faults.processes.fireBehindReplies()
    if clock.flows {
      sockets.recordWaitsWhileTimeFlows()
      // Who was woken before may run still.
      if scheduler.wakeWhatIsDue(forgetQuiescence) || spinners.releaseSpinners() { return true }
    }
    let isLookedFor = pending.wantsQuiescence
    if pending.reportRestInTime(isLookedFor: isLookedFor) { return true }
    // While nobody waits for the target, such as during a command outside of its world that waits for it, time does not
    // move: who is held until it does would be held for ever.
    guard isLookedFor else {
      if clock.flows, pending.endIfStuckWhileTimeFlows() { return true }
      return !isStopping && spinners.releaseSpinnersNowAndThen()
    }
    // Where a thread was put on this one's processor, it cannot have run yet.
    guard !hasJustPlaced, !stops.hasJustResumed else { return false }
    return scheduler.turn()
  }

  func moveTime(to limit: Nanoseconds?, passesToLimit: Bool) -> Bool {
    scheduler.moveOn(to: limit, passesToLimit: passesToLimit)
  }

  /// Advances virtual time to `instant`.
  func advance(to instant: Nanoseconds, because reason: ClockMoveReason) {
    guard instant > virtualNow else { return }
    // Output from before is to be reported with the time at which it was written.
    reporter.reportWritten()
    advanceBehindOutput(to: instant, because: reason)
  }

  func advanceBehindOutput(to instant: Nanoseconds, because reason: ClockMoveReason) {
    let before = virtualNow
    guard instant > before else { return }
    pending.livelock.timePassed()
    spinners.timePassed()
    record.recordMove(by: instant - before)
    scheduler.move(to: instant)
    if case .spin(let program, _) = reason {
      turns?.doubt("time was charged for \(program), which polled the clock")
    }
    report(.clockMoved(by: instant - before, reason: reason))
  }

  func passOver(from beginning: Nanoseconds) {
    scheduler.change { $0.passOver(from: beginning, to: $1) }
  }

  func setWall(to instant: WallInstant, of wall: WallNumber) {
    scheduler.change { $0.setWall(to: instant, of: wall, real: $1) }
  }

  func apply(_ change: ClockChange) -> Bool {
    var isPossible = true
    scheduler.change { isPossible = clocks.apply(change, to: &$0, real: $1) }
    return isPossible
  }

  /// Returns the virtual time that a wait has left.
  func rest(of wait: TimedWait) -> Nanoseconds {
    wait.deadline.instant(on: clock) - clock.monotonic(real: RealClock.monotonic())
  }

  func file(
    _ deadline: Deadline, mayBeLate: Bool, for owner: WaitOwner
  ) -> Timeline<WaitOwner>.Ticket? {
    pending.recordDeadline()
    return scheduler.file(deadline, mayBeLate: mayBeLate, for: owner)
  }

  func cancel(_ ticket: Timeline<WaitOwner>.Ticket?) { scheduler.cancel(ticket) }

  @discardableResult
  func schedule(
    after delay: Nanoseconds, _ body: @escaping @Sendable () -> Void
  ) -> FiledTask { clocks.external.schedule(after: delay, body) }

  func callOff(_ scheduledTask: FiledTask) { clocks.external.cancel(scheduledTask) }

  /// Publishes the clocks' values to all targets and readers.
  private func publishClock() {
    configuration.view.update(clock)
    for interceptor in interceptors.all { interceptor.clocksMoved() }
    clocks.pages.publish()
  }

  /// Publishes its clock to one process.
  func publishClock(to process: TargetProcess) { clocks.pages.publish(to: process) }

  func letAskForClock(_ process: TargetProcess) { clocks.pages.letAsk(process) }
}

/// The queries and actions of the scheduler on the target.
extension TracerLoop: SchedulerClient {
  func allAsleep() -> Bool {
    // A thread that made no call of note has written nothing.
    guard isAtRest, !output.isUnseen, quiescence.snapshot?.runner != nil || !takeOutput()
    else {
      somethingMoved()
      return false
    }
    return true
  }

  func continueBesideRunning() -> Bool {
    guard let turns else {
      return pending.passTimeBesideComputing() || spinners.releaseSpinnersNowAndThen()
    }
    if turns.besideHolder({ pending.passTimeBesideComputing() }) { return true }
    // The thread that has the turn may wait for one of them, without a call.
    guard turns.isTurnLong(), spinners.releaseSpinnersNowAndThen() else { return false }
    turns.doubt("polling threads were resumed while another thread computed")
    return true
  }

  func settle() -> Bool {
    if pending.endLivelock() { return true }
    sockets.recordWaits()
    quiescence.restIdleThreads()
    return timers.accept()
  }

  func resumeAtRest() -> Bool {
    if spinners.releaseSpinnersWithNews(timeMayMove: true) { return true }
    guard pending.awaitsRest else { return false }
    pending.reportRest()
    return true
  }

  func demand() -> TimeDemand { pending.demand() }

  func spinnerGoal(after now: Nanoseconds) -> Nanoseconds? { spinners.goal(after: now) }

  func spinnersReached(_ goal: Nanoseconds) { spinners.reached(goal) }

  func passed(to instant: Nanoseconds) { advance(to: instant, because: .step) }

  func standStill() -> Bool {
    spinners.releaseSpinnersWithNews(timeMayMove: false) || spinners.letSpinnersTurn()
      || pending.endIfStuck {
        if keepsTime { record.reportNativeWaits(of: tracees.values) }
      }
  }

  // MARK: - What has come

  func wake(_ item: Timeline<WaitOwner>.Item) {
    somethingMoved()
    turns?.recordWake()
    switch item.owner {
    case .thread(let thread):
      guard let tracee = tracees[thread], case .waiting(var active) = tracee.state else { return }
      let owner = tracee.owner(of: active.wait)
      active.hasMovedClock = item.instant > virtualNow
      advance(to: item.instant, because: .wait(owner))
      countWake(of: owner, after: active.wait.requested)
      active.isDue = true
      quiescence.sleepWatch.wake(tracee)
      tracee.state = .waiting(active)
      quiescence.wakeFromWait(tracee)
      place(tracee)
      _ = scenario_trace_interrupt(thread.number)
    case .timer(let name):
      guard timers.isSet(name, to: item.ticket) else { return }
      forgetQuiescence()
      placeLoneThread()
      timers.fire(name, at: item.instant)
    case .socket(let thread):
      forgetQuiescence()
      sockets.fire(of: thread, item)
    case .processFault(let number):
      forgetQuiescence()
      faults.processes.fire(number, at: item.instant)
    case .externalParticipant(let number):
      forgetQuiescence()
      advance(to: item.instant, because: .delayedReply)
      clocks.external.fire(number)
    }
  }

  func clocksWillChange() { clocks.pages.announceChange() }

  func clocksChanged(from former: VirtualClock) {
    somethingMoved()
    publishClock()
    timers.clocksChanged { !clock.agrees(on: $0, with: former) }
  }
}
