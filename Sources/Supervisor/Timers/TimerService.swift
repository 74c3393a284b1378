internal import CSupervisor
internal import Foundations
internal import Glibc

/// The target's timers: those of timer_create(2), alarms, and timer descriptors.
final class TimerService {
  private unowned let kernel: any TraceKernel
  private unowned let time: any VirtualTime
  /// The event descriptors that represent those of timers.
  let descriptors: TimerDescriptors
  /// Reads of timers that have been called off.
  let cancelledReads: CancelledReads
  private var timers: [TimerName: TargetTimer] = [:]
  /// The timers that repeat, have expired, and whose owners have not read the expiry yet.
  private var unaccepted: [TimerName] = []

  /// Creates the service of a target that has no timers.
  init(
    kernel: any TraceKernel, time: any VirtualTime, descriptors: TimerDescriptors,
    cancelledReads: CancelledReads
  ) {
    self.kernel = kernel
    self.time = time
    self.descriptors = descriptors
    self.cancelledReads = cancelledReads
  }

  /// True if there are none.
  var isEmpty: Bool { timers.isEmpty }

  /// True if a timer has expired whose next expiration waits until its owner has taken note of it.
  var hasUnaccepted: Bool { !unaccepted.isEmpty }

  // MARK: - Setting

  /// A timer that the target has; `nil` if it has none of that name.
  subscript(name: TimerName) -> TargetTimer? { timers[name] }

  /// Returns the setting that a timer shows; `nil` if there is none.
  func setting(of name: TimerName) -> TimerSetting? {
    guard let timer = timers[name]?.timer else { return nil }
    return TimerSetting(interval: timer.interval, rest: timer.rest(at: time.moment))
  }

  /// The target has made a timer, which is not set.
  func add(_ timer: TargetTimer, as name: TimerName) {
    // The kernel gives the names of deleted ones again.
    forget(name)
    timers[name] = timer
    guard case .descriptor = name else { return }
    for event in descriptors.closedEvents(among: timers.count) { forget(.descriptor(event)) }
  }

  /// Sets whether a step of the wall clock is to cancel a timer descriptor (TFD_TIMER_CANCEL_ON_SET).
  func setCancellation(of name: TimerName, _ cancelsOnSet: Bool) {
    timers[name]?.cancelsOnSet = cancelsOnSet
  }

  /// Sets a timer; what is due already expires at once, as the kernel's would.
  func arm(_ name: TimerName, with setting: TimerSetting, isAbsolute: Bool) {
    guard var timer = timers[name] else { return }
    time.cancel(timer.ticket)
    timer.ticket = nil
    timer.isSignalled = false
    timer.overrun = 0
    timer.deliveredOverrun = 0
    unaccepted.removeAll { $0 == name }
    let moment = time.moment
    let first = setting.first.length
    if first > .zero {
      let kind = timer.timer.clock
      let deadline =
        isAbsolute
        ? moment.deadline(at: setting.first, on: kind, wall: timer.timer.wall)
        : moment.deadline(after: first, on: kind)
      timer.length = max(.zero, moment.rest(until: deadline))
      time.recordWait(timer.length, by: timer.owner)
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
    guard let timer = timers[name], case .armed(let deadline) = timer.timer.state else { return }
    if case .silent = timer.delivery { return }
    timers[name]?.ticket = time.file(deadline, for: .timer(name))
  }

  // MARK: - Expiring

  /// Returns whether a deadline is that of a timer as it is set now.
  func isSet(_ name: TimerName, to ticket: Timeline<WaitOwner>.Ticket) -> Bool {
    timers[name]?.ticket == ticket
  }

  /// Fires a timer that comes due: moves the clock there and wakes its owner.
  ///
  /// A timer descriptor that no process has any more moves nothing, and is forgotten.
  func fire(_ name: TimerName, at instant: Nanoseconds) {
    var copy: Int32?
    if case .descriptor(let event) = name {
      copy = descriptors.copy(of: event)
      if copy == nil {
        guard !descriptors.mayBeHadLater(event) else { return file(name) }
        forget(name)
      }
    }
    defer { if let copy { close(copy) } }
    guard let timer = timers[name] else { return }
    time.advance(to: instant, because: .wait(timer.owner))
    time.countWake(of: timer.owner, after: timer.length)
    expire(name, into: copy)
  }

  /// A timer is due: wakes its owner.
  ///
  /// - Parameter copy: a copy of a timer descriptor, if there is one at hand.
  private func expire(_ name: TimerName, into copy: Int32? = nil) {
    guard var timer = timers[name] else { return }
    let moment = time.moment
    time.cancel(timer.ticket)
    timer.ticket = nil
    var count = timer.timer.expire(at: moment)
    if moment.clock.flows {
      // Nothing shows when the owner takes note; so each expiration comes at its own time.
      count += timer.timer.accept(at: moment)
    }
    guard count > 0 else { return }
    switch timer.delivery {
    case .descriptor:
      if let copy {
        _ = scenario_event_add(copy, count)
      } else if case .descriptor(let event) = name {
        descriptors.add(count, to: event)
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
      unaccepted.append(name)
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
    kernel.suspectSleepers(of: kernel.processes[process])
    _ = scenario_queue_timer_signal(
      process.number, signal.thread?.number ?? 0, signal.number, number,
      Int32(clamping: overrun), signal.value)
  }

  // MARK: - Taking note

  /// Rearms the timers whose owners have read the expiry; true if there were any.
  ///
  /// Called while everything sleeps: an owner that is to read its timer has done so by then.
  func accept() -> Bool {
    cancelledReads.prune()
    guard !unaccepted.isEmpty else { return false }
    var hasAccepted = false
    for name in unaccepted where hasTakenNote(of: name) {
      unaccepted.removeAll { $0 == name }
      hasAccepted = true
      guard timers[name] != nil else { continue }
      _ = timers[name]?.timer.accept(at: time.moment)
      timers[name]?.isSignalled = false
      file(name)
    }
    return hasAccepted
  }

  private func hasTakenNote(of name: TimerName) -> Bool {
    guard let timer = timers[name] else { return true }
    switch timer.delivery {
    case .descriptor:
      guard case .descriptor(let event) = name, let isSet = descriptors.isSet(event) else {
        forget(name)
        return true
      }
      return !isSet
    case .signal(let signal):
      return !isPending(signal, of: name)
    case .silent:
      return true
    }
  }

  /// The clocks have changed: timers follow them.
  ///
  /// - Parameter isStep: whether a wall clock was stepped.
  func clocksChanged(isStep: (WallNumber) -> Bool) {
    cancelReads(isStep)
    if time.moment.clock.flows { release() } else { catchUp() }
  }

  private func cancelReads(_ isStep: (WallNumber) -> Bool) {
    let cancelled: [UInt64] = timers.compactMap { name, timer in
      guard timer.cancelsOnSet, case .descriptor(let event) = name, isStep(timer.timer.wall)
      else { return nil }
      return event
    }
    if !cancelled.isEmpty { cancelledReads.cancel(cancelled) }
  }

  /// Adds to unread descriptors the expirations since.
  private func catchUp() {
    for name in unaccepted {
      guard case .descriptor(let event) = name,
        let count = timers[name]?.timer.catchUp(at: time.moment), count > 0
      else { continue }
      descriptors.add(count, to: event)
    }
  }

  /// The clocks begin to flow: from here each expiration comes at its own time.
  private func release() {
    for name in unaccepted {
      _ = timers[name]?.timer.accept(at: time.moment)
      file(name)
    }
    unaccepted = []
  }

  /// A signal is about to be delivered: if it is a timer's, it gets what the kernel would give it.
  func signalDelivered(to tracee: Tracee) {
    guard !timers.isEmpty else { return }
    var number: Int32 = 0
    let thread = tracee.identifier.number
    guard scenario_trace_is_timer_signal(thread, &number) != 0 else { return }
    let process = tracee.process.identifier
    let name: TimerName = number < 0 ? .alarm(process) : .process(process, number: number)
    guard let overrun = takeNote(of: name) else { return }
    if number < 0 {
      _ = scenario_trace_set_alarm_signal(thread)
    } else {
      _ = scenario_trace_set_timer_overrun(thread, Int32(clamping: overrun))
    }
  }

  /// The owner of a timer takes its signal: returns how often it has expired since; `nil` if there is no such timer.
  func takeNote(of name: TimerName) -> UInt64? {
    guard var timer = timers[name] else { return nil }
    timer.overrun += timer.timer.accept(at: time.moment)
    timer.deliveredOverrun = timer.overrun
    timer.isSignalled = false
    timers[name] = timer
    if unaccepted.contains(name) {
      unaccepted.removeAll { $0 == name }
      file(name)
    }
    return timer.overrun
  }

  /// Returns the timer whose signal a thread has taken by a call; `nil` if it is none's.
  ///
  /// - Parameter information: what the call has told of it; `nil` if nothing was asked for.
  func name(
    ofSignal number: Int, _ information: SignalInformation?, of process: ThreadIdentifier
  ) -> TimerName? {
    if let information {
      guard information.isOfTimer else { return nil }
      return information.timer < 0 ? .alarm(process) : .process(process, number: information.timer)
    }
    let names = timers.keys.filter { name in
      switch name {
      case .process(process, _), .alarm(process): break
      default: return false
      }
      guard let timer = timers[name], case .signal(let signal) = timer.delivery else {
        return false
      }
      return timer.isSignalled && Int(signal.number) == number
    }
    // Of several timers with one signal, the same in each run.
    return names.min { "\($0)" < "\($1)" }
  }

  /// Returns whether a signal that was sent still waits to be taken (proc(5): SigPnd, ShdPnd).
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
    unaccepted.removeAll { $0 == name }
    if case .descriptor(let event) = name {
      cancelledReads.forget(event)
      descriptors.forget(event)
    }
    guard let timer = timers.removeValue(forKey: name) else { return }
    time.cancel(timer.ticket)
  }

  /// A process runs a new program: timers of timer_create(2) are gone, alarms stay (execve(2)).
  func programStarted(in process: ThreadIdentifier) {
    for name in timers.keys {
      if case .process(process, _) = name { forget(name) }
    }
  }

  /// A process has ended.
  func processEnded(_ process: ThreadIdentifier) {
    programStarted(in: process)
    forget(.alarm(process))
  }

  /// A thread has ended.
  func threadEnded(_ thread: ThreadIdentifier) {
    descriptors.threadEnded(thread)
    cancelledReads.threadEnded(thread)
  }
}
