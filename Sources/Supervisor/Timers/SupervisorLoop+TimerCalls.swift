internal import CSupervisor
internal import Glibc
internal import ScenarioModel

extension SupervisorLoop {
  /// A thread makes, sets, reads or deletes a timer.
  func handleTimerCall(of tracee: Tracee, _ registers: Registers) {
    guard configuration.clock != nil, let memory = tracee.process.memory else {
      return resume(tracee)
    }
    switch registers.systemCall {
    case SystemCallNumber.timerCreate: createTimer(for: tracee, registers, memory)
    case SystemCallNumber.timerSettime: setTimer(for: tracee, registers, memory)
    case SystemCallNumber.timerGettime: getTimer(for: tracee, registers, memory)
    case SystemCallNumber.timerGetoverrun: getOverrun(for: tracee, registers)
    case SystemCallNumber.timerDelete: deleteTimer(for: tracee, registers)
    case SystemCallNumber.setitimer: setIntervalTimer(for: tracee, registers, memory)
    case SystemCallNumber.getitimer: getIntervalTimer(for: tracee, registers, memory)
    case SystemCallNumber.alarm: setAlarm(for: tracee, registers)
    default: handleTimerDescriptorCall(of: tracee, registers, memory)
    }
  }

  /// Answers a call without making it.
  func answer(_ tracee: Tracee, _ registers: Registers, with result: Int) {
    var registers = registers
    registers.skipSystemCall(returning: result)
    finish(tracee, with: registers)
  }

  // MARK: - timer_create(2)

  private func createTimer(for tracee: Tracee, _ registers: Registers, _ memory: TargetMemory) {
    // CPU-time clocks stay the kernel's, and so do their timers.
    guard let kind = ClockKind(number: registers[argument: 0]) else { return resume(tracee) }
    // Read now: another thread may change it while the call is made.
    let eventPlace = registers[argument: 1]
    let event = eventPlace == 0 ? nil : memory.read(SignalEvent.self, at: eventPlace)
    let place = registers[argument: 2]
    let process = tracee.process.identifier
    complete(tracee, original: registers, with: registers) { loop, exit in
      guard exit.result == 0, let number = memory.read(Int32.self, at: place) else { return }
      let name = TimerName.process(process, number: number)
      loop.forget(name)
      loop.timers[name] = TargetTimer(
        timer: VirtualTimer(clock: kind),
        delivery: TimerSignal.delivery(of: event, timer: number),
        owner: tracee.owner(ofCall: SystemCallNumber.timerSettime))
    }
  }

  private func name(_ tracee: Tracee, _ registers: Registers) -> TimerName {
    .process(
      tracee.process.identifier, number: Int32(truncatingIfNeeded: registers[argument: 0]))
  }

  private func setTimer(for tracee: Tracee, _ registers: Registers, _ memory: TargetMemory) {
    let name = name(tracee, registers)
    // A wrong setting is the kernel's to refuse.
    guard let timer = timers[name],
      let setting = memory.read(TimerSetting.self, at: registers[argument: 2]), setting.isValid
    else { return resume(tracee) }
    let old = TimerSetting(interval: timer.timer.interval, rest: timer.timer.rest(at: moment))
    arm(name, with: setting, isAbsolute: registers[argument: 1] & 1 != 0, by: tracee)
    let place = registers[argument: 3]
    let isWritten = place == 0 || memory.writeAsKernel(old, at: place)
    answer(tracee, registers, with: isWritten ? 0 : -KernelError.badAddress)
  }

  private func getTimer(for tracee: Tracee, _ registers: Registers, _ memory: TargetMemory) {
    guard let timer = timers[name(tracee, registers)] else { return resume(tracee) }
    let setting = TimerSetting(interval: timer.timer.interval, rest: timer.timer.rest(at: moment))
    let isWritten = memory.writeAsKernel(setting, at: registers[argument: 1])
    answer(tracee, registers, with: isWritten ? 0 : -KernelError.badAddress)
  }

  private func getOverrun(for tracee: Tracee, _ registers: Registers) {
    guard let timer = timers[name(tracee, registers)] else { return resume(tracee) }
    // timer_getoverrun(2): at most DELAYTIMER_MAX, INT_MAX here.
    answer(tracee, registers, with: Int(Int32(clamping: timer.deliveredOverrun)))
  }

  private func deleteTimer(for tracee: Tracee, _ registers: Registers) {
    let name = name(tracee, registers)
    guard timers[name] != nil else { return resume(tracee) }
    complete(tracee, original: registers, with: registers) { loop, exit in
      if exit.result == 0 { loop.forget(name) }
    }
  }

  // MARK: - setitimer(2), alarm(2)

  /// Whether a call is about ITIMER_REAL; the other timers count processor time, which is the kernel's.
  private static func isOfWallTime(_ registers: Registers) -> Bool {
    UInt32(truncatingIfNeeded: registers[argument: 0]) == 0
  }

  private func setIntervalTimer(
    for tracee: Tracee, _ registers: Registers, _ memory: TargetMemory
  ) {
    guard Self.isOfWallTime(registers) else { return resume(tracee) }
    let place = registers[argument: 1]
    var setting = TimerSetting(interval: .zero, rest: .zero)
    if place != 0 {
      // A wrong setting is the kernel's to refuse.
      guard let given = memory.read(TimerSetting.self, at: place),
        given.isValid(unitsPerSecond: 1_000_000)
      else { return resume(tracee) }
      setting = given.inNanoseconds
    }
    let old = setAlarm(of: tracee, setting)
    let oldPlace = registers[argument: 2]
    let isWritten = oldPlace == 0 || memory.writeAsKernel(old.inMicroseconds, at: oldPlace)
    answer(tracee, registers, with: isWritten ? 0 : -KernelError.badAddress)
  }

  private func getIntervalTimer(
    for tracee: Tracee, _ registers: Registers, _ memory: TargetMemory
  ) {
    guard Self.isOfWallTime(registers) else { return resume(tracee) }
    let isWritten = memory.writeAsKernel(
      alarmSetting(of: tracee.process.identifier).inMicroseconds, at: registers[argument: 1])
    answer(tracee, registers, with: isWritten ? 0 : -KernelError.badAddress)
  }

  private func setAlarm(for tracee: Tracee, _ registers: Registers) {
    let seconds = UInt32(truncatingIfNeeded: registers[argument: 0])
    let old = setAlarm(
      of: tracee, TimerSetting(interval: .zero, rest: .seconds(Int64(seconds)))
    ).first
    // The kernel rounds to the nearest second, and never to none (alarm_setitimer).
    let roundsUp = (old.seconds == 0 && old.fraction > 0) || old.fraction >= 500_000_000
    answer(tracee, registers, with: Int(old.seconds) + (roundsUp ? 1 : 0))
  }

  /// Sets the alarm of a process; returns what it showed.
  private func setAlarm(of tracee: Tracee, _ setting: TimerSetting) -> TimerSetting {
    let process = tracee.process.identifier
    let name = TimerName.alarm(process)
    let old = alarmSetting(of: process)
    if timers[name] == nil {
      timers[name] = TargetTimer(
        timer: VirtualTimer(clock: .monotonic),
        delivery: .signal(TimerSignal(number: SIGALRM, thread: nil, value: 0)),
        owner: tracee.owner(ofCall: SystemCallNumber.setitimer))
    }
    arm(name, with: setting, isAbsolute: false, by: tracee)
    return old
  }

  private func alarmSetting(of process: ThreadIdentifier) -> TimerSetting {
    guard let timer = timers[.alarm(process)]?.timer else {
      return TimerSetting(interval: .zero, rest: .zero)
    }
    // The kernel shows a microsecond rather than nothing while the alarm is set (itimer_get_remtime).
    let rest = timer.rest(at: moment)
    return TimerSetting(
      interval: timer.interval, rest: rest == .zero ? .zero : max(rest, .microseconds(1)))
  }
}

extension TimerSignal {
  /// Reads a struct sigevent (sigevent(7)); a null pointer means SIGALRM with the timer's number.
  fileprivate static func delivery(
    of event: SignalEvent?, timer: Int32
  ) -> TargetTimer.Delivery {
    guard let event else {
      return .signal(
        TimerSignal(number: SIGALRM, thread: nil, value: UInt64(UInt32(bitPattern: timer))))
    }
    // SIGEV_NONE is 1, SIGEV_THREAD_ID is a bit of its own, 4; libc's SIGEV_THREAD uses that one.
    // What the kernel has accepted may have been overwritten since.
    guard event.notify != 1, 1...64 ~= event.signal else { return .silent }
    return .signal(
      TimerSignal(
        number: event.signal, thread: event.notify & 4 != 0 ? ThreadIdentifier(event.thread) : nil,
        value: event.value))
  }
}

/// The beginning of a struct sigevent.
private struct SignalEvent: BitwiseCopyable {
  var value: UInt64
  var signal: Int32
  var notify: Int32
  var thread: Int32
}
