internal import CSupervisor
internal import Foundations

/// Holds timed waits of the target in virtual time.
///
/// The thread waits without a timeout, and its deadline is on the timeline.
final class TimedWaits: Interceptor {
  unowned let kernel: any WaitKernel
  /// True if copies of the target are tried, or this is one.
  let mayBranch: Bool
  /// Waits that signals have ended, until it is known whether they start again, by their threads.
  private var interrupted: [ThreadIdentifier: TimedWait] = [:]
  /// The timeouts of the target's sockets.
  let sockets: SocketTimeouts
  /// Calls that receive messages.
  let messages: ReceivedMessages
  /// Holds threads that spin.
  let spinners: SpinDetector
  /// The waits that may be late; `nil` where none may.
  private let polls: IdlePolls?
  /// The longest time by which such a wait may be late.
  private let slack: Nanoseconds
  private let isVirtual: Bool

  // Any call that a filter shows may stand where a wait was that a signal has ended.
  let calls: Set<Int>? = nil

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - isVirtual: whether time is other than the machine's.
  ///   - idleTurn: what an idle turn of a spinner may always take.
  ///   - mayBranch: whether copies of the target are tried, or this is one.
  ///   - slack: by how much the waits of threads may be late that poll without effect.
  init(
    kernel: any WaitKernel, isVirtual: Bool, idleTurn: Nanoseconds, mayBranch: Bool,
    slack: Nanoseconds = .zero
  ) {
    self.kernel = kernel
    self.mayBranch = mayBranch
    self.slack = slack
    self.isVirtual = isVirtual
    polls = slack > .zero ? IdlePolls() : nil
    sockets = SocketTimeouts(kernel: kernel, isVirtual: isVirtual)
    messages = ReceivedMessages(kernel: kernel, sockets: sockets, isVirtual: isVirtual)
    spinners = SpinDetector(kernel: kernel, idleTurn: idleTurn)
  }

  var tracees: [ThreadIdentifier: Tracee] { kernel.tracees }
  var clock: VirtualClock { kernel.clock }
  var quiescence: QuiescenceDetector { kernel.quiescence }
  var timers: TimerService { kernel.timers }
  private var faults: FaultInjector { kernel.faults }

  /// A wait of a thread that a signal has ended, until it is known whether it starts again.
  subscript(tracee: Tracee) -> TimedWait? {
    get { interrupted.isEmpty ? nil : interrupted[tracee.identifier] }
    set {
      // One that has ended meanwhile leaves nothing to the next thread of its number.
      guard newValue == nil || kernel.tracees[tracee.identifier] === tracee else { return }
      if !interrupted.isEmpty || newValue != nil { interrupted[tracee.identifier] = newValue }
    }
  }

  var filterRules: [Int: FilterRule] { isVirtual ? TimedWaitDecoder.filterRules : [:] }

  func threadEnded(_ thread: ThreadIdentifier) { forget(thread) }

  func programStarted(in process: ThreadIdentifier) { forget(process) }

  private func forget(_ thread: ThreadIdentifier) {
    if !interrupted.isEmpty { interrupted[thread] = nil }
    polls?.forget(thread)
  }

  /// Copies a thread's interrupted wait to a copy of the target.
  func copyInterruption(of tracee: Tracee, to copy: Tracee, from trunk: TimedWaits) {
    self[copy] = trunk[tracee]
  }

  /// Decides about a call that may be a timed wait, at its entry.
  func enter(_ call: InterceptedCall) -> CallDisposition {
    guard isVirtual else { return .pass }
    let (tracee, registers) = (call.tracee, call.registers)
    guard let decoder = decoder(for: tracee) else {
      kernel.record.reportUnheldWait(of: tracee, registers)
      return .proceed
    }
    switch decoder.decide(registers) {
    case nil, .native?:
      self[tracee] = nil
      // Without turns, who looks at descriptors while others may run decides about no time.
      if decoder.asksForNoTime(registers),
        kernel.takesTurns || !decoder.watchesDescriptors(registers)
      {
        passMoment(for: tracee, registers)
      }
      if decoder.isEmptySleep(registers) {
        spinners.handleYield(of: tracee, registers)
        return .taken
      }
      if registers.systemCall == SystemCallNumber.recvmmsg {
        messages.receive(for: tracee, registers)
        return .taken
      }
      // A wait of no time does not count as progress for others, nor for the thread itself.
      spinners.discountStops(1)
      return .proceed
    case .complete(let result)?:
      self[tracee] = nil
      passMoment(for: tracee, registers)
      spinners.discountStops(1)
      return .skip(result: result)
    case .replace(let changed)?:
      self[tracee] = nil
      passMoment(for: tracee, registers)
      spinners.discountStops(2)
      kernel.replaceArguments(
        of: tracee, original: registers, with: changed, scratchSlot: nil)
      return .taken
    case .wait(var wait, let untimed)?:
      guard let interrupted = self[tracee] else { return .park(wait, made: untimed) }
      self[tracee] = nil
      guard wait.isRestart(of: interrupted) else { return .park(wait, made: untimed) }
      wait.deadline = interrupted.deadline
      wait.mayBeLate = interrupted.mayBeLate
      begin(wait, of: tracee, untimed: untimed, isNew: false)
      return .taken
    }
  }

  /// Reads timed waits of a thread; `nil` if it is out of reach.
  func decoder(for tracee: Tracee) -> TimedWaitDecoder? {
    guard let memory = tracee.process.memory, let image = tracee.process.image else { return nil }
    let moment = kernel.moment
    return TimedWaitDecoder(
      memory: memory, moment: moment, wall: tracee.process.wall(on: moment.clock),
      longPast: image.longPast, farFuture: image.farFuture)
  }

  /// The filter shows a wait that has begun already, at the entry of a call of a thread that is followed:
  /// a sleep is shown for whatever length.
  func showBegun(_ active: Tracee.ActiveWait, of tracee: Tracee) {
    if tracee.process.hasEntered, !faults.rules.isEmpty {
      tracee.state = .running
      if faults.decide(about: active.wait.entry, of: tracee) {
        return kernel.cancel(active.ticket)
      }
      tracee.state = .waiting(active)
    }
    kernel.resume(tracee)
    // The stop has made it one that must be looked at.
    restIfSeen(tracee, in: active.wait)
  }

  /// The reason why the target cannot be forked; `nil` if there is none.
  var obstacleToFork: String? { polls == nil ? nil : "the clock has slack" }

  /// Records the end of a thread's wait.
  ///
  /// - Parameters:
  ///   - hasExpired: whether its time was up.
  ///   - isAtEntry: whether the thread has not left the call yet.
  func recordEnd(of tracee: Tracee, hasExpired: Bool, isAtEntry: Bool = false) {
    polls?.end(of: tracee, hasExpired: hasExpired, isAtEntry: isAtEntry)
    tracee.expiry = hasExpired ? ExpiredWait(at: kernel.clockGeneration) : nil
  }

  /// Makes a thread wait without a timeout, and files its deadline on the timeline.
  ///
  /// - Parameter isNew: whether the wait has just been requested, and does not continue after a
  ///   signal.
  func begin(_ wait: TimedWait, of tracee: Tracee, untimed: Registers, isNew: Bool = true) {
    let isDelay = faults.functions?.isDelayed(tracee, at: untimed.instructionPointer) ?? false
    if isNew, !isDelay {
      kernel.recordWait(wait.requested, by: tracee.owner(of: wait))
    }
    let hearsOfDueWaits = kernel.reporter.hearsOfDueWaits
    if hearsOfDueWaits {
      kernel.reporter.recordBeginning(of: wait, by: tracee, isDelay: isDelay)
    }
    var wait = wait
    if isNew { wait.mayBeLate = polls?.begin(wait, of: tracee) ?? false }
    if quiescence.snapshot?.runner !== tracee, sleepAtOnce(wait, tracee) { return }
    if !hearsOfDueWaits, kernel.reporter.isHeard {
      kernel.reporter.recordBeginning(of: wait, by: tracee, isDelay: isDelay)
    }
    if lookAtOnce(for: wait, tracee) { return }
    // The next end of a thread may wake it, and it is not among those who are looked at then.
    if wait.mayBeEndedByEnd { kernel.forgetQuiescence() }
    // A wait for ever is on no timeline: nothing but its own event ends it.
    let ticket = kernel.file(
      wait.deadline, mayBeLate: wait.mayBeLate, for: .thread(tracee.identifier))
    tracee.state = .waiting(Tracee.ActiveWait(wait: wait, ticket: ticket))
    kernel.finish(tracee, with: untimed)
    restIfSeen(tracee, in: wait)
  }

  /// Lets a moment pass for a thread that asks again and again at the instant at which its wait was over, if nothing
  /// else can happen meanwhile.
  private func passMoment(for tracee: Tracee, _ registers: Registers) {
    guard
      let length = tracee.expiry?.ask(
        at: kernel.clockGeneration, from: registers.instructionPointer),
      spinners.isEmpty, clock.movesByItself, !timers.hasUnaccepted, kernel.awaitsTargetOnly,
      !quiescence.kernel.awaitsAnswer
    else { return }
    let instant = kernel.virtualNow + length
    if sockets.areInUse { sockets.recordWaits(but: tracee) }
    if let earliest = kernel.firstDue, earliest <= instant { return }
    // Where threads take turns, all others wait for this one.
    guard kernel.takesTurns || kernel.isQuiescent(but: tracee) && !kernel.hasUnseenOutput() else {
      return
    }
    kernel.advance(to: instant, because: .wait(tracee.owner(ofCall: registers.systemCall)))
    tracee.expiry?.timePassed(to: kernel.clockGeneration)
  }

  /// Ends a sleep in the stop at its entry where time may move and no other wait ends before: one
  /// stop instead of three.
  private func sleepAtOnce(_ wait: TimedWait, _ tracee: Tracee) -> Bool {
    guard case .sleep = wait.kind, !kernel.takesTurns, let instant = instantToMoveTo(for: wait),
      kernel.isQuiescent(but: tracee), !kernel.hasUnseenOutput(),
      !maySignalPend(for: tracee)
    else { return false }
    if sockets.areInUse {
      sockets.recordWaits(but: tracee)
      if let earliest = kernel.firstDue, earliest <= instant { return false }
    }
    let owner = tracee.owner(of: wait)
    // Until it is resumed, no thread of its process can read the clock that is published meanwhile.
    tracee.process.heldThreads += 1
    kernel.advanceBehindOutput(to: instant, because: .wait(owner))
    tracee.process.heldThreads -= 1
    kernel.countWake(of: owner, after: wait.requested)
    kernel.reporter.reportWait(of: tracee, .due, isTold: true)
    recordEnd(of: tracee, hasExpired: true, isAtEntry: true)
    kernel.placeLoneThread()
    var registers = wait.entry
    registers.skipSystemCall(returning: wait.resultOnExpiry)
    kernel.finish(tracee, with: registers)
    return true
  }

  /// Returns whether a signal may be pending for a thread in a stop, while all others sleep.
  func maySignalPend(for tracee: Tracee) -> Bool {
    quiescence.sleepWatch.maySignalPend(for: tracee) {
      scenario_has_pending_signal($0.identifier.number) != 0
    }
  }

  /// Returns the instant of a wait's end, if time may move by itself and nothing else is due
  /// before; `nil` otherwise.
  func instantToMoveTo(for wait: TimedWait) -> Nanoseconds? {
    guard spinners.isEmpty, clock.movesByItself,
      // Their next expirations are on no timeline yet.
      !timers.hasUnaccepted, kernel.awaitsTargetOnly,
      case .monotonic(let instant) = wait.deadline, instant < .forever
    else { return nil }
    let end = wait.mayBeLate ? instant + slack : instant
    if let earliest = kernel.firstDue, earliest <= end { return nil }
    return end
  }

  /// Ends a wait that was made untimed, at its exit.
  func end(_ active: Tracee.ActiveWait, of tracee: Tracee) {
    if active.isLook { return endLook(active, of: tracee) }
    if case .delay = active.wait.kind { return faults.endDelay(active, of: tracee) }
    kernel.cancel(active.ticket)
    tracee.state = .running
    follow(tracee)
    guard let current = try? Registers.read(from: tracee.identifier) else { return }
    let wait = active.wait
    recordEnd(of: tracee, hasExpired: active.isDue)
    if messages.goOn(active, of: tracee, current) {
      return kernel.reporter.reportWait(of: tracee, .due)
    }
    if active.isDue { watchFutexWakes(of: tracee, after: wait, current) }
    var registers = wait.entry.afterCall(current)
    switch wait.outcome(
      result: sockets.result(current.result, of: tracee), isDue: active.isDue)
    {
    case .finished(let result):
      kernel.reporter.reportWait(
        of: tracee, active.isDue ? .due : .woken, isTold: active.hasMovedClock)
      registers.result = result
      if case .datagrams = wait.kind { messages.replaceTimes(in: registers, of: tracee) }
      if let memory = tracee.process.memory {
        let hasExpired = active.isDue && result == wait.resultOnExpiry
        let isWritten = wait.writeBack(
          to: memory, rest: hasExpired ? .zero : kernel.rest(of: wait), hasExpired: hasExpired,
          isInterrupted: false, result: result)
        if !isWritten, let failure = wait.resultIfNotWritten { registers.result = failure }
      }
    case .interrupted(let restart):
      kernel.reporter.reportWait(of: tracee, .interrupted)
      // The kernel decides, as it delivers the signal, between EINTR and starting again.
      registers.result = restart
      // No filter shows that a wait for an end is made again.
      self[tracee] = active.isJoin ? nil : wait
    }
    kernel.finish(tracee, with: registers)
  }
}

extension TimedWait {
  /// Returns whether this is the same call, started again by the kernel after a signal without a handler.
  fileprivate func isRestart(of other: TimedWait) -> Bool {
    entry.systemCall == other.entry.systemCall
      && entry.instructionPointer == other.entry.instructionPointer
      && (0..<6).allSatisfy { entry[argument: $0] == other.entry[argument: $0] }
  }
}
