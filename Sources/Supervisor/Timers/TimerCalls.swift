internal import Foundations
internal import Glibc

/// Calls that make, set, read and delete timers of virtual time.
final class TimerCalls: Interceptor {
  private unowned let time: any VirtualTime
  private let timers: TimerService
  private let descriptors: TimerDescriptorCalls

  init(time: any VirtualTime, timers: TimerService, descriptors: TimerDescriptorCalls) {
    self.time = time
    self.timers = timers
    self.descriptors = descriptors
  }

  var filterRules: [Int: FilterRule] {
    // ITIMER_REAL; the others count CPU time.
    let ofWallTime = FilterRule.traceIfAmong([ArgumentValues(argument: 0, values: [0])])
    return [
      SystemCallNumber.timerCreate: .trace,
      SystemCallNumber.timerSettime: .trace,
      SystemCallNumber.timerGettime: .trace,
      SystemCallNumber.timerGetoverrun: .trace,
      SystemCallNumber.timerDelete: .trace,
      SystemCallNumber.timerfdCreate: .trace,
      SystemCallNumber.timerfdSettime: .trace,
      SystemCallNumber.timerfdGettime: .trace,
      SystemCallNumber.alarm: .trace,
      SystemCallNumber.setitimer: ofWallTime,
      SystemCallNumber.getitimer: ofWallTime,
      // Also without a timeout: who takes a timer's signal is told how often it has expired.
      SystemCallNumber.rtSigtimedwait: .trace,
    ]
  }

  var obstacleToFork: String? {
    timers.isEmpty ? nil : "the program has timers, which a child does not inherit"
  }

  func threadEnded(_ thread: ThreadIdentifier) { timers.threadEnded(thread) }

  func programStarted(in process: ThreadIdentifier) { timers.programStarted(in: process) }

  func processEnded(_ process: ThreadIdentifier) { timers.processEnded(process) }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    guard let memory = call.tracee.process.memory else { return .proceed }
    return switch call.number {
    case SystemCallNumber.timerCreate: createTimer(call, memory)
    case SystemCallNumber.timerSettime: setTimer(call, memory)
    case SystemCallNumber.timerGettime: getTimer(call, memory)
    case SystemCallNumber.timerGetoverrun: getOverrun(call)
    case SystemCallNumber.timerDelete: deleteTimer(call)
    case SystemCallNumber.setitimer: setIntervalTimer(call, memory)
    case SystemCallNumber.getitimer: getIntervalTimer(call, memory)
    case SystemCallNumber.alarm: setAlarm(call)
    case SystemCallNumber.rtSigtimedwait: takeSignal(call, memory)
    case SystemCallNumber.timerfdCreate: descriptors.create(call)
    case SystemCallNumber.timerfdSettime: descriptors.set(call, memory)
    case SystemCallNumber.timerfdGettime: descriptors.get(call, memory)
    default: .pass
    }
  }

  // MARK: - timer_create(2)

  private func createTimer(_ call: InterceptedCall, _ memory: TargetMemory) -> CallDisposition {
    let registers = call.registers
    // CPU-time clocks stay the kernel's, and so do their timers.
    guard let kind = ClockKind(number: registers[argument: 0]) else { return .proceed }
    // Read now: another thread may change it while the call is made.
    let eventPlace = registers[argument: 1]
    let event = eventPlace == 0 ? nil : memory.read(SignalEvent.self, at: eventPlace)
    let place = registers[argument: 2]
    let process = call.tracee.process.identifier
    let owner = call.tracee.owner(ofCall: SystemCallNumber.timerSettime)
    let wall = call.tracee.process.wall(on: time.clock)
    return .make(registers) { [timers] exit in
      guard exit.result == 0, let number = memory.read(Int32.self, at: place) else { return }
      timers.add(
        TargetTimer(
          timer: VirtualTimer(clock: kind, wall: wall),
          delivery: TimerSignal.delivery(of: event, timer: number), owner: owner),
        as: .process(process, number: number))
    }
  }

  private func name(_ call: InterceptedCall) -> TimerName {
    .process(call.tracee.process.identifier, number: call.integer(0))
  }

  private func setTimer(_ call: InterceptedCall, _ memory: TargetMemory) -> CallDisposition {
    let name = name(call)
    let registers = call.registers
    // A wrong setting is the kernel's to refuse.
    guard let old = timers.setting(of: name),
      let setting = memory.read(TimerSetting.self, at: registers[argument: 2]), setting.isValid
    else { return .proceed }
    timers.arm(name, with: setting, isAbsolute: registers[argument: 1] & 1 != 0)
    let place = registers[argument: 3]
    return .written(place == 0 || memory.writeAsKernel(old, at: place))
  }

  private func getTimer(_ call: InterceptedCall, _ memory: TargetMemory) -> CallDisposition {
    guard let setting = timers.setting(of: name(call)) else { return .proceed }
    return .written(memory.writeAsKernel(setting, at: call.registers[argument: 1]))
  }

  private func getOverrun(_ call: InterceptedCall) -> CallDisposition {
    guard let timer = timers[name(call)] else { return .proceed }
    // timer_getoverrun(2): at most DELAYTIMER_MAX, INT_MAX here.
    return .skip(result: Int(Int32(clamping: timer.deliveredOverrun)))
  }

  /// Handles a thread that takes a signal itself (sigwaitinfo(2)): adds the overrun count to a timer's signal.
  private func takeSignal(_ call: InterceptedCall, _ memory: TargetMemory) -> CallDisposition {
    guard !timers.isEmpty else { return .pass }
    let (process, place) = (call.tracee.process.identifier, call.registers[argument: 1])
    return .watch { [timers] exit in
      guard let exit, exit.result > 0 else { return }
      let information = place == 0 ? nil : memory.read(SignalInformation.self, at: place)
      guard let name = timers.name(ofSignal: exit.result, information, of: process),
        let overrun = timers.takeNote(of: name), var information
      else { return }
      if case .alarm = name {
        // setitimer(2) and alarm(2) send the kernel's own signal.
        (information.code, information.timer) = (SignalInformation.kernel, 0)
        information.overrun = 0
      } else {
        information.overrun = Int32(clamping: overrun)
      }
      _ = memory.writeAsKernel(information, at: place)
    }
  }

  private func deleteTimer(_ call: InterceptedCall) -> CallDisposition {
    let name = name(call)
    guard timers[name] != nil else { return .proceed }
    return .make(call.registers) { [timers] exit in
      if exit.result == 0 { timers.forget(name) }
    }
  }

  // MARK: - setitimer(2), alarm(2)

  /// Returns whether a call is about ITIMER_REAL; the other timers count processor time, which is the kernel's.
  private static func isOfWallTime(_ call: InterceptedCall) -> Bool { call.integer(0) == 0 }

  private func setIntervalTimer(
    _ call: InterceptedCall, _ memory: TargetMemory
  ) -> CallDisposition {
    guard Self.isOfWallTime(call) else { return .proceed }
    let place = call.registers[argument: 1]
    var setting = TimerSetting(interval: .zero, rest: .zero)
    if place != 0 {
      // A wrong setting is the kernel's to refuse.
      guard let given = memory.read(TimerSetting.self, at: place),
        given.isValid(unitsPerSecond: 1_000_000)
      else { return .proceed }
      setting = given.inNanoseconds
    }
    let old = setAlarm(of: call.tracee, setting)
    let oldPlace = call.registers[argument: 2]
    return .written(oldPlace == 0 || memory.writeAsKernel(old.inMicroseconds, at: oldPlace))
  }

  private func getIntervalTimer(
    _ call: InterceptedCall, _ memory: TargetMemory
  ) -> CallDisposition {
    guard Self.isOfWallTime(call) else { return .proceed }
    let setting = alarmSetting(of: call.tracee.process.identifier)
    return .written(memory.writeAsKernel(setting.inMicroseconds, at: call.registers[argument: 1]))
  }

  private func setAlarm(_ call: InterceptedCall) -> CallDisposition {
    let seconds = UInt32(bitPattern: call.integer(0))
    let old = setAlarm(
      of: call.tracee, TimerSetting(interval: .zero, rest: .seconds(Int64(seconds)))
    ).first
    // The kernel rounds to the nearest second, and never to none (alarm_setitimer).
    let roundsUp = (old.seconds == 0 && old.fraction > 0) || old.fraction >= 500_000_000
    return .skip(result: Int(old.seconds) + (roundsUp ? 1 : 0))
  }

  /// Sets the alarm of a process; returns what it showed.
  private func setAlarm(of tracee: Tracee, _ setting: TimerSetting) -> TimerSetting {
    let process = tracee.process.identifier
    let name = TimerName.alarm(process)
    let old = alarmSetting(of: process)
    if timers[name] == nil {
      timers.add(
        TargetTimer(
          timer: VirtualTimer(clock: .monotonic),
          delivery: .signal(TimerSignal(number: SIGALRM, thread: nil, value: 0)),
          owner: tracee.owner(ofCall: SystemCallNumber.setitimer)),
        as: name)
    }
    timers.arm(name, with: setting, isAbsolute: false)
    return old
  }

  private func alarmSetting(of process: ThreadIdentifier) -> TimerSetting {
    guard let timer = timers[.alarm(process)]?.timer else {
      return TimerSetting(interval: .zero, rest: .zero)
    }
    // The kernel shows a microsecond rather than nothing while the alarm is set (itimer_get_remtime).
    let rest = timer.rest(at: time.moment)
    return TimerSetting(
      interval: timer.interval, rest: rest == .zero ? .zero : max(rest, .microseconds(1)))
  }
}

extension CallDisposition {
  /// The call is not made: it has succeeded if what it returns through memory could be written there.
  static func written(_ isWritten: Bool) -> CallDisposition {
    .skip(result: isWritten ? 0 : -KernelError.badAddress)
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

/// The beginning of siginfo_t of a timer's signal (`asm-generic/siginfo.h`).
struct SignalInformation {
  var signal: Int32 = 0
  var error: Int32 = 0
  var code: Int32 = 0
  private var padding: Int32 = 0
  var timer: Int32 = 0
  var overrun: Int32 = 0

  /// SI_KERNEL.
  static let kernel: Int32 = 0x80

  /// True if it is of a timer's signal, also of one that the tracer has sent.
  var isOfTimer: Bool { code == Int32(SI_TIMER) }
}
