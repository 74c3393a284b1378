internal import CSupervisor
internal import Foundations

extension TracerLoop {
  /// A thread stands at the entry of a timed wait.
  func handleTimedWait(of tracee: Tracee, _ registers: Registers) {
    guard let decoder = decoder(for: tracee) else {
      recordUnheldWait(of: tracee, registers)
      return resume(tracee)
    }
    switch decoder.decide(registers) {
    case nil, .native?:
      tracee.interruptedWait = nil
      if decoder.isEmptySleep(registers) { return spinners.handleYield(of: tracee, registers) }
      if registers.systemCall == SystemCallNumber.recvmmsg {
        return receiveMessages(for: tracee, registers)
      }
      // Who asks for a wait of no time is no news for others, nor for itself.
      spinners.discountStops(1)
      resume(tracee)
    case .complete(let result)?:
      tracee.interruptedWait = nil
      spinners.discountStops(1)
      var registers = registers
      registers.skipSystemCall(returning: result)
      finish(tracee, with: registers)
    case .replace(let changed)?:
      tracee.interruptedWait = nil
      spinners.discountStops(2)
      replaceArguments(of: tracee, original: registers, with: changed)
    case .wait(var wait, let untimed)?:
      let interrupted = tracee.interruptedWait.take()
      if let interrupted, wait.isRestart(of: interrupted) {
        wait.deadline = interrupted.deadline
        begin(wait, of: tracee, untimed: untimed, isNew: false)
      } else {
        begin(wait, of: tracee, untimed: untimed)
      }
    }
  }

  /// Reads timed waits of a thread; `nil` if it is out of reach.
  func decoder(for tracee: Tracee) -> TimedWaitDecoder? {
    guard let memory = tracee.process.memory, let image = tracee.process.image else { return nil }
    return TimedWaitDecoder(
      memory: memory, moment: moment, longPast: image.longPast, farFuture: image.farFuture)
  }

  /// The filter shows a wait that has begun already, at the entry of a call of a thread that is followed:
  /// a sleep is shown for whatever length.
  func handleBegunWait(_ active: Tracee.ActiveWait, of tracee: Tracee) {
    guard tracee.process.hasEntered, !faults.rules.isEmpty else { return resume(tracee) }
    tracee.state = .running
    if faults.decide(about: active.wait.entry, of: tracee) {
      return scheduler.cancel(active.ticket)
    }
    tracee.state = .waiting(active)
    resume(tracee)
  }

  /// Lets a thread wait without a timeout, and puts its deadline on the timeline.
  ///
  /// - Parameter isNew: whether it has just been asked for, and does not go on after a signal.
  func begin(_ wait: TimedWait, of tracee: Tracee, untimed: Registers, isNew: Bool = true) {
    if isNew, !tracee.isDelayed(at: untimed.instructionPointer) {
      recordWait(wait.requested, by: tracee.owner(of: wait))
    }
    if configuration.sight != nil { recordBeginning(of: wait, by: tracee, untimed) }
    if quiescence.snapshot?.runner !== tracee, sleepAtOnce(wait, tracee) { return }
    if lookAtOnce(for: wait, tracee) { return }
    // The next end of a thread may wake it, and it is not among those who are looked at then.
    if wait.mayBeEndedByEnd { forgetQuiescence() }
    // A wait for ever is on no timeline: nothing but its own event ends it.
    let ticket = scheduler.file(wait.deadline, for: .thread(tracee.identifier))
    tracee.state = .waiting(Tracee.ActiveWait(wait: wait, ticket: ticket))
    finish(tracee, with: untimed)
    // Each process that runs on has one open: there may be more processes than descriptors.
    if tracee.process.isHeld, processes.count > openSamplerLimit { tracee.process.closeMemory() }
    restIfSeen(tracee, in: wait)
  }

  /// Ends a sleep in the stop at its entry where time may move and nobody else is to wake before:
  /// one stop instead of three.
  private func sleepAtOnce(_ wait: TimedWait, _ tracee: Tracee) -> Bool {
    guard case .sleep = wait.kind, let instant = instantToMoveTo(for: wait),
      isQuiescent(but: tracee), !hasUnseenOutput(),
      scenario_has_pending_signal(tracee.identifier.number) == 0
    else { return false }
    if sockets.areInUse {
      sockets.recordWaits(but: tracee)
      if let earliest = scheduler.earliest(), earliest.instant <= instant { return false }
    }
    advance(to: instant, because: .wait(tracee.owner(of: wait)))
    countWake(of: tracee.owner(of: wait), after: wait.requested)
    reportWait(of: tracee, .due)
    placeLoneThread()
    var registers = wait.entry
    registers.skipSystemCall(returning: wait.resultOnExpiry)
    finish(tracee, with: registers)
    return true
  }

  /// When a wait would be over, if time may move by itself and nothing else is due before; `nil` if it
  /// may not, or something is.
  func instantToMoveTo(for wait: TimedWait) -> Nanoseconds? {
    guard spinners.isEmpty, clock.movesByItself, restWaiters.isEmpty,
      // Their next expirations are on no timeline yet.
      !timers.hasUnaccepted, !livelock.hasWokenTooOften,
      let operation = operations.first(where: { $0.wantsQuiescence(self) }),
      operation is AwaitTarget, case .monotonic(let instant) = wait.deadline, instant < .forever
    else { return nil }
    if let earliest = scheduler.earliest(), earliest.instant <= instant { return nil }
    return instant
  }

  /// A thread stands at the exit of a wait that was made untimed.
  func endWait(_ active: Tracee.ActiveWait, of tracee: Tracee) {
    if active.isLook { return endLook(active, of: tracee) }
    if case .delay = active.wait.kind { return faults.endDelay(active, of: tracee) }
    scheduler.cancel(active.ticket)
    tracee.state = .running
    follow(tracee)
    guard let current = try? Registers.read(from: tracee.identifier) else { return }
    let wait = active.wait
    if active.isDue { watchFutexWakes(of: tracee, after: wait, current) }
    if continueReceipt(active, of: tracee, current) { return reportWait(of: tracee, .due) }
    var registers = wait.entry.afterCall(current)
    switch wait.outcome(
      result: sockets.result(current.result, of: tracee), isDue: active.isDue)
    {
    case .finished(let result):
      reportWait(of: tracee, active.isDue ? .due : .woken)
      registers.result = result
      if case .datagrams = wait.kind { replaceTimes(in: registers, of: tracee) }
      if let memory = tracee.process.memory {
        let hasExpired = active.isDue && result == wait.resultOnExpiry
        let isWritten = wait.writeBack(
          to: memory, rest: hasExpired ? .zero : rest(of: wait), hasExpired: hasExpired,
          isInterrupted: false, result: result)
        if !isWritten, let failure = wait.resultIfNotWritten { registers.result = failure }
      }
    case .interrupted(let restart):
      reportWait(of: tracee, .interrupted)
      // The kernel decides, as it delivers the signal, between EINTR and starting again.
      registers.result = restart
      // No filter shows that a wait for an end is made again.
      tracee.interruptedWait = active.isJoin ? nil : wait
    }
    finish(tracee, with: registers)
  }
}

extension TimedWait {
  /// Whether this is the same call, started again by the kernel after a signal without a handler.
  fileprivate func isRestart(of other: TimedWait) -> Bool {
    entry.systemCall == other.entry.systemCall
      && entry.instructionPointer == other.entry.instructionPointer
      && (0..<6).allSatisfy { entry[argument: $0] == other.entry[argument: $0] }
  }
}
