internal import CSupervisor
internal import Glibc
internal import ScenarioModel

extension SupervisorLoop {
  /// The clocks now.
  var moment: ClockMoment { ClockMoment(clock: clock, real: RealClock.monotonic()) }

  /// Sets a timer; what is due already expires at once, as the kernel's would.
  func arm(_ name: TimerName, with setting: TimerSetting, isAbsolute: Bool, by tracee: Tracee) {
    guard var timer = timers[name] else { return }
    timeline.cancel(timer.ticket)
    timer.ticket = nil
    timer.isSignalled = false
    timer.overrun = 0
    timer.deliveredOverrun = 0
    unacceptedTimers.removeAll { $0 == name }
    let first = setting.first.length
    if first > .zero {
      let moment = moment
      let kind = timer.timer.clock
      let deadline =
        isAbsolute
        ? moment.deadline(at: setting.first, on: kind) : moment.deadline(after: first, on: kind)
      timer.length = max(.zero, moment.rest(until: deadline))
      recordWait(timer.length, by: timer.owner)
      timer.timer.arm(at: deadline, interval: setting.interval.length)
    } else {
      timer.timer.disarm(interval: setting.interval.length)
    }
    timers[name] = timer
    file(name)
    if case .armed(let deadline) = timer.timer.state, moment.rest(until: deadline) <= .zero {
      expire(name)
    }
  }

  /// Puts an armed timer on the timeline.
  private func file(_ name: TimerName) {
    guard let timer = timers[name], case .armed(let deadline) = timer.timer.state,
      deadline.instant(on: clock) != .forever
    else { return }
    if case .silent = timer.delivery { return }
    timers[name]?.ticket = timeline.file(deadline, for: .timer(name))
  }

  /// A timer comes due: moves the clock there and tells its owner.
  ///
  /// A timer descriptor that nobody has any more moves nothing, and is forgotten.
  func fire(_ name: TimerName, at instant: Nanoseconds) {
    var copy: Int32?
    if case .descriptor(let event) = name {
      copy = copyDescriptor(of: event)
      if copy == nil {
        guard !waitsForTransfer(of: name, event) else { return }
        forget(name)
      }
    }
    defer { if let copy { close(copy) } }
    guard let timer = timers[name] else { return }
    advance(to: instant, because: .wait(timer.owner))
    countWake(of: timer.owner, after: timer.length)
    expire(name, into: copy)
  }

  /// A timer is due: tells its owner.
  ///
  /// - Parameter copy: a copy of a timer descriptor, if there is one at hand.
  private func expire(_ name: TimerName, into copy: Int32? = nil) {
    guard var timer = timers[name] else { return }
    let moment = moment
    timeline.cancel(timer.ticket)
    timer.ticket = nil
    var count = timer.timer.expire(at: moment)
    if clock.flows {
      // Nothing tells when the owner takes note; so each expiration comes at its own time.
      count += timer.timer.accept(at: moment)
    }
    guard count > 0 else { return }
    switch timer.delivery {
    case .descriptor:
      if let copy {
        _ = scenario_event_add(copy, count)
      } else if case .descriptor(let event) = name, let copy = copyDescriptor(of: event) {
        _ = scenario_event_add(copy, count)
        close(copy)
      }
    case .signal(let signal):
      if timer.isSignalled, isPending(signal, of: name) {
        timer.overrun += count
      } else {
        timer.isSignalled = true
        timer.overrun = count - 1
        send(signal, of: name, overrun: timer.overrun)
      }
    case .silent:
      break
    }
    timers[name] = timer
    if case .expired = timer.timer.state {
      unacceptedTimers.append(name)
    } else {
      file(name)
    }
  }

  private func send(_ signal: TimerSignal, of name: TimerName, overrun: UInt64) {
    let process: ThreadIdentifier
    let number: Int32
    switch name {
    case .descriptor: return
    case .process(let owner, let timer): (process, number) = (owner, timer)
    // The kernel numbers timers from zero.
    case .alarm(let owner): (process, number) = (owner, -1)
    }
    suspectSleepers(of: processes[process])
    _ = scenario_queue_timer_signal(
      process.number, signal.thread?.number ?? 0, signal.number, number,
      Int32(clamping: overrun), signal.value)
  }

  // MARK: - Taking note

  /// Lets timers run on whose owners have taken note; true if there were any.
  ///
  /// Asked while everything sleeps: what an owner is to read it has read by then.
  func acceptTimers() -> Bool {
    pruneCancelledTimers()
    guard !unacceptedTimers.isEmpty else { return false }
    var hasAccepted = false
    for name in unacceptedTimers where hasTakenNote(of: name) {
      accept(name)
      hasAccepted = true
    }
    return hasAccepted
  }

  private func accept(_ name: TimerName) {
    unacceptedTimers.removeAll { $0 == name }
    guard timers[name] != nil else { return }
    _ = timers[name]?.timer.accept(at: moment)
    timers[name]?.isSignalled = false
    file(name)
  }

  private func hasTakenNote(of name: TimerName) -> Bool {
    guard let timer = timers[name] else { return true }
    switch timer.delivery {
    case .descriptor:
      if case .descriptor(let event) = name, DescriptorTransfer.isNeeded,
        let holder = holder(of: event)
      {
        return !holder.state.isSet
      }
      guard case .descriptor(let event) = name, let copy = copyDescriptor(of: event) else {
        forget(name)
        return true
      }
      defer { close(copy) }
      return scenario_event_is_set(copy) == 0
    case .signal(let signal):
      return !isPending(signal, of: name)
    case .silent:
      return true
    }
  }

  /// Counts in descriptors that nobody has read what has expired meanwhile.
  func catchUpTimers() {
    for name in unacceptedTimers {
      guard case .descriptor(let event) = name,
        let count = timers[name]?.timer.catchUp(at: moment), count > 0,
        let copy = copyDescriptor(of: event)
      else { continue }
      _ = scenario_event_add(copy, count)
      close(copy)
    }
  }

  /// The clocks begin to flow: from here each expiration comes at its own time.
  func releaseTimers() {
    for name in unacceptedTimers {
      _ = timers[name]?.timer.accept(at: moment)
      file(name)
    }
    unacceptedTimers = []
  }

  /// A signal is about to be delivered: if it is a timer's, it gets what the kernel would give it.
  func noteTimerSignal(for tracee: Tracee) {
    guard !timers.isEmpty else { return }
    var number: Int32 = 0
    let thread = tracee.identifier.number
    guard scenario_trace_is_timer_signal(thread, &number) != 0 else { return }
    let process = tracee.process.identifier
    let name: TimerName = number < 0 ? .alarm(process) : .process(process, number: number)
    guard var timer = timers[name] else { return }
    timer.overrun += timer.timer.accept(at: moment)
    timer.deliveredOverrun = timer.overrun
    timer.isSignalled = false
    timers[name] = timer
    if unacceptedTimers.contains(name) {
      unacceptedTimers.removeAll { $0 == name }
      file(name)
    }
    if number < 0 {
      _ = scenario_trace_set_alarm_signal(thread)
    } else {
      _ = scenario_trace_set_timer_overrun(thread, Int32(clamping: timer.overrun))
    }
  }

  /// Whether a signal that was sent still waits to be taken (proc(5): SigPnd, ShdPnd).
  private func isPending(_ signal: TimerSignal, of name: TimerName) -> Bool {
    let process: ThreadIdentifier
    switch name {
    case .descriptor: return false
    case .process(let owner, _), .alarm(let owner): process = owner
    }
    let path: String
    let field: String
    if let thread = signal.thread {
      (path, field) = ("/proc/\(process.number)/task/\(thread.number)/status", "SigPnd:")
    } else {
      (path, field) = ("/proc/\(process.number)/status", "ShdPnd:")
    }
    guard let mask = SmallFile.signalMask(field, in: path) else { return false }
    return mask & (1 << UInt64(signal.number - 1)) != 0
  }

  // MARK: - The end

  /// Forgets a timer.
  func forget(_ name: TimerName) {
    unacceptedTimers.removeAll { $0 == name }
    if case .descriptor(let event) = name { cancelledTimers.remove(event) }
    guard let timer = timers.removeValue(forKey: name) else { return }
    timeline.cancel(timer.ticket)
  }

  /// A process runs a new program: timers of timer_create(2) are gone, alarms stay (execve(2)).
  func forgetTimersAtExec(of process: ThreadIdentifier) {
    for name in timers.keys {
      if case .process(process, _) = name { forget(name) }
    }
  }

  /// A process has ended.
  func forgetTimersAtExit(of process: ThreadIdentifier) {
    forgetTimersAtExec(of: process)
    forget(.alarm(process))
  }

  // MARK: - Descriptors

  /// A copy of a timer's descriptor, to be closed by the caller; `nil` if no process has it any more.
  func copyDescriptor(of event: UInt64) -> Int32? {
    let name = TimerName.descriptor(event)
    hasTransferFailed = false
    guard case .descriptor(let home, let number)? = timers[name]?.delivery else { return nil }
    if let process = processes[home], let copy = copy(number, of: process, ifEvent: event) {
      return copy
    }
    for process in processes.values {
      for number in process.descriptorHolders.flatMap(EventDescriptor.numbers) {
        guard let copy = copy(number, of: process, ifEvent: event) else { continue }
        timers[name]?.delivery = .descriptor(process.identifier, number: number)
        return copy
      }
    }
    return nil
  }

  /// A process that has a timer's descriptor, and what the kernel tells of it; `nil` if none has it any more.
  func holder(
    of event: UInt64
  ) -> (tracee: Tracee, number: Int32, state: EventDescriptor.State)? {
    func state(
      of number: Int32, in process: TargetProcess
    ) -> (tracee: Tracee, number: Int32, state: EventDescriptor.State)? {
      for holder in process.descriptorHolders {
        guard let state = eventFiles.state(of: number, in: holder), state.event == event,
          let tracee = tracees[holder]
        else { continue }
        return (tracee, number, state)
      }
      return nil
    }
    if case .descriptor(let home, let number)? = timers[.descriptor(event)]?.delivery,
      let process = processes[home], let found = state(of: number, in: process)
    {
      return found
    }
    for process in processes.values {
      for number in process.descriptorHolders.flatMap(EventDescriptor.numbers) {
        if let found = state(of: number, in: process) { return found }
      }
    }
    return nil
  }

  /// Whether a timer stays due, as its descriptor is there and cannot be had now.
  ///
  /// After so many attempts it is out of reach.
  private func waitsForTransfer(of name: TimerName, _ event: UInt64) -> Bool {
    guard hasTransferFailed, let holder = holder(of: event) else { return false }
    refusedTransfers += 1
    guard refusedTransfers < Self.transferLimit else {
      report(
        .outOfReach(
          process: holder.tracee.process.identifier.number,
          reason: "this machine refuses pidfd_getfd, and the program does not send its"
            + " descriptors"))
      return false
    }
    file(name)
    return true
  }

  /// How often in a run a due timer may be out of reach: a thread that computes is so for a while.
  private static let transferLimit = 10_000

  /// Forgets timers whose descriptors are closed, which nothing tells; seldom enough to cost little.
  func sweepDescriptors() {
    guard timers.count >= timerSweepThreshold else { return }
    var held: Set<UInt64> = []
    for holder in processes.values.flatMap(\.descriptorHolders) {
      for number in EventDescriptor.numbers(in: holder) {
        if let event = EventDescriptor.event(number, of: holder) { held.insert(event) }
      }
    }
    for name in timers.keys {
      if case .descriptor(let event) = name, !held.contains(event) { forget(name) }
    }
    timerSweepThreshold = max(Self.leastTimerSweep, timers.count * 2)
  }

  /// How many timers there are at least before any are swept away.
  static let leastTimerSweep = 256

  private func copy(_ number: Int32, of process: TargetProcess, ifEvent event: UInt64) -> Int32? {
    let holder = process.descriptorHolders.first {
      eventFiles.state(of: number, in: $0)?.event == event
    }
    guard let tracee = holder.flatMap({ tracees[$0] }) else { return nil }
    let copy = copyDescriptor(number, of: tracee)
    guard copy >= 0 else {
      hasTransferFailed = DescriptorTransfer.isNeeded
      return nil
    }
    // The kernel gives the number of a closed one again, as a rule to the next that is made.
    guard scenario_event_is_marked(copy) == 1 else {
      close(copy)
      return nil
    }
    return copy
  }
}
