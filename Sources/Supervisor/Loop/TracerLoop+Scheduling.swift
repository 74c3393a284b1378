internal import CSupervisor
internal import FaultEngine
internal import Foundations
internal import ScenarioPlan

/// What the scheduler asks of the target, and has done to it.
extension TracerLoop: SchedulerClient {
  /// How long everything must have slept, with nothing to wake it, to be called stuck.
  private static let stuckAfter = Nanoseconds.seconds(1)
  /// How often it is looked whether somebody outside may still wake something: a look goes through the
  /// descriptors of many processes.
  private static let stuckLookInterval = Nanoseconds.milliseconds(250)

  /// The operation that wants to know when everything sleeps.
  private var operationAtRest: (any PendingWait)? {
    operations.first { $0.wantsQuiescence(self) }
  }

  func allAsleep() -> Bool {
    // A thread that made no call of note has written nothing.
    guard isQuiescent(), !hasOutputToLookAt, quiescence.snapshot?.runner != nil || !takeOutput()
    else {
      stillSince = nil
      return false
    }
    return true
  }

  func continueBesideRunning() -> Bool {
    operationAtRest.map { passTimeBesideComputing(for: $0) } ?? false
      || spinners.releaseSpinnersNowAndThen()
  }

  func settle() -> Bool {
    computing.forget()
    if livelock.isInLivelock(progressReading), let operation = operationAtRest {
      operation.isEndless(waiterReport())
      operations.removeAll { $0 === operation }
      return true
    }
    sockets.recordWaits()
    return timers.accept()
  }

  func resumeAtRest() -> Bool {
    if spinners.releaseSpinnersWithNews(timeMayMove: true) { return true }
    guard !restWaiters.isEmpty else { return false }
    reportRest()
    return true
  }

  func demand() -> TimeDemand {
    guard let operation = operationAtRest else { return .stand }
    let demand = operation.demand(self)
    if demand == .finished {
      operations.removeAll { $0 === operation }
      stillSince = nil
    }
    return demand
  }

  func spinnerGoal(after now: Nanoseconds) -> Nanoseconds? { spinners.goal(after: now) }

  func spinnersReached(_ goal: Nanoseconds) { spinners.reached(goal) }

  func passed(to instant: Nanoseconds) { advance(to: instant, because: .step) }

  func standStill() -> Bool {
    spinners.releaseSpinnersWithNews(timeMayMove: false) || spinners.letSpinnersTurn()
      || recordQuiescence()
  }

  private func recordQuiescence() -> Bool {
    guard let operation = operationAtRest else { return false }
    let real = RealClock.monotonic()
    guard let since = stillSince else {
      stillSince = real
      recordNativeWaits()
      return false
    }
    let patience = branch == nil ? Self.stuckAfter : BranchWatch.stuckAfter
    guard real - since >= patience, real >= nextStuckLook else { return false }
    nextStuckLook = real + Self.stuckLookInterval
    guard operation.isStuck(self) else { return false }
    operations.removeAll { $0 === operation }
    stillSince = nil
    return true
  }

  // MARK: - What has come

  func wake(_ item: Timeline<WaitOwner>.Item) {
    stillSince = nil
    switch item.owner {
    case .thread(let thread):
      guard let tracee = tracees[thread], case .waiting(var active) = tracee.state else { return }
      advance(to: item.instant, because: .wait(tracee.owner(of: active.wait)))
      countWake(of: tracee.owner(of: active.wait), after: active.wait.requested)
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
      externalDeadlines.fire(number)
    }
  }

  func clocksWillChange() { clockPages.announceChange() }

  func clocksChanged(from former: VirtualClock) {
    stillSince = nil
    publishClock()
    timers.clocksChanged(isStep: !clock.agreesOnWall(with: former))
  }
}
