internal import Foundations

/// The decision about a timed wait at its entry.
enum WaitDecision {
  /// The kernel decides: the arguments are wrong, or there is nothing to wait for.
  case native
  /// The call returns at once.
  case complete(result: Int)
  /// The call is made with these registers instead, by which it expires at once.
  case replace(Registers)
  /// The call waits without a timeout, with these registers.
  case wait(TimedWait, untimed: Registers)
}

/// Decodes the timed wait of a thread at the entry of a system call.
struct TimedWaitDecoder {
  /// The calls that may be timed waits.
  static let filterRules: [Int: FilterRule] = [
    SystemCallNumber.nanosleep: .trace,
    SystemCallNumber.clockNanosleep: .trace,
    SystemCallNumber.futex: .traceTimedFutex,
    SystemCallNumber.poll: .traceIfPositive(argument: 2),
    SystemCallNumber.ppoll: .traceIfPointer(argument: 2),
    SystemCallNumber.select: .traceIfPointer(argument: 4),
    SystemCallNumber.pselect6: .traceIfPointer(argument: 4),
    SystemCallNumber.epollWait: .traceIfPositive(argument: 3),
    SystemCallNumber.epollPwait: .traceIfPositive(argument: 3),
    SystemCallNumber.epollPwait2: .traceIfPointer(argument: 3),
    SystemCallNumber.futexWaitv: .traceIfPointer(argument: 3),
    SystemCallNumber.futexWait: .traceIfPointer(argument: 4),
    SystemCallNumber.mqTimedsend: .traceIfPointer(argument: 4),
    SystemCallNumber.mqTimedreceive: .traceIfPointer(argument: 4),
    SystemCallNumber.semtimedop: .traceIfPointer(argument: 3),
    SystemCallNumber.rtSigtimedwait: .traceIfPointer(argument: 2),
    SystemCallNumber.recvmmsg: .traceIfPointer(argument: 4),
    SystemCallNumber.ioGetevents: .traceIfPointer(argument: 4),
    SystemCallNumber.ioPgetevents: .traceIfPointer(argument: 4),
  ]

  /// The thread's memory.
  var memory: TargetMemory
  /// The clocks now.
  var moment: ClockMoment
  /// The wall clock that the thread's target has.
  var wall = WallNumber.scenario
  /// The address in the target's memory of a timespec of one nanosecond: past on every clock.
  var longPast: UInt64
  /// The address of a timespec that is longer than any run.
  var farFuture: UInt64

  /// CLOCK_MONOTONIC.
  var now: Nanoseconds { moment.monotonic }

  /// Reads the call that `registers` describe; `nil` if it is not a timed wait.
  func decide(_ registers: Registers) -> WaitDecision? {
    switch registers.systemCall {
    case SystemCallNumber.nanosleep: nanosleep(registers)
    case SystemCallNumber.clockNanosleep: clockNanosleep(registers)
    case SystemCallNumber.futex: futex(registers)
    case SystemCallNumber.poll: poll(registers)
    case SystemCallNumber.epollWait, SystemCallNumber.epollPwait: epoll(registers)
    case SystemCallNumber.ppoll: timedPoll(registers)
    case SystemCallNumber.epollPwait2: relative(.epoll, timeout: 3, registers)
    case SystemCallNumber.select: select(registers, countsMicroseconds: true)
    case SystemCallNumber.pselect6: select(registers, countsMicroseconds: false)
    default: decideOnQueue(registers)
    }
  }

  // MARK: - Sleeps

  private func nanosleep(_ registers: Registers) -> WaitDecision {
    guard let length = timespec(at: registers[argument: 0]), length > .zero else { return .native }
    var untimed = registers
    untimed[argument: 0] = farFuture
    untimed[argument: 1] = 0
    return wait(
      .sleep(remainder: registers[argument: 1]), until: .monotonic(now + length),
      requested: length, registers, untimed)
  }

  private func clockNanosleep(_ registers: Registers) -> WaitDecision {
    guard let clockKind = ClockKind(number: registers[argument: 0]) else { return .native }
    let isAbsolute = registers[argument: 1] & 1 != 0
    guard let time = timespecValue(at: registers[argument: 2]) else { return .native }
    // The same call, relative and for ever: a filter of the target's own may not know another.
    var untimed = registers
    untimed[argument: 1] = 0
    untimed[argument: 2] = farFuture
    untimed[argument: 3] = 0
    guard isAbsolute else {
      let length = time.length
      guard length > .zero else { return .native }
      let deadline = moment.deadline(after: length, on: clockKind)
      return wait(
        .sleep(remainder: registers[argument: 3]), until: deadline, requested: length, registers,
        untimed)
    }
    let (deadline, rest) = absolute(time, on: clockKind)
    guard rest > .zero else { return .complete(result: 0) }
    return wait(.sleep(remainder: 0), until: deadline, requested: rest, registers, untimed)
  }

  /// Returns whether a call that is made as it is waits for descriptors, or for nothing, and is to return at once.
  func asksForNoTime(_ registers: Registers) -> Bool {
    switch registers.systemCall {
    case SystemCallNumber.poll: registers[argument: 2] == 0
    case SystemCallNumber.epollWait, SystemCallNumber.epollPwait: registers[argument: 3] == 0
    case SystemCallNumber.ppoll: timespec(at: registers[argument: 2]) == .zero
    case SystemCallNumber.epollPwait2: timespec(at: registers[argument: 3]) == .zero
    // One that has a length is held, and one that has none waits for ever.
    case SystemCallNumber.select, SystemCallNumber.pselect6: registers[argument: 4] != 0
    default: false
    }
  }

  /// Returns whether such a call is about descriptors.
  func watchesDescriptors(_ registers: Registers) -> Bool {
    switch registers.systemCall {
    case SystemCallNumber.poll, SystemCallNumber.ppoll: registers[argument: 1] != 0
    case SystemCallNumber.select, SystemCallNumber.pselect6: registers[argument: 0] != 0
    default: true
    }
  }

  /// Returns whether the call is a sleep of no length, which gives up the processor and nothing else.
  func isEmptySleep(_ registers: Registers) -> Bool {
    switch registers.systemCall {
    case SystemCallNumber.nanosleep:
      timespec(at: registers[argument: 0]) == .zero
    case SystemCallNumber.clockNanosleep:
      registers[argument: 1] & 1 == 0 && ClockKind(number: registers[argument: 0]) != nil
        && timespec(at: registers[argument: 2]) == .zero
    default: false
    }
  }

  // MARK: - futex

  private func futex(_ registers: Registers) -> WaitDecision {
    let flags = registers[argument: 1]
    let isRealtime = flags & 256 != 0
    let operation: FutexOperation
    let clockKind: ClockKind
    switch flags & 127 {
    case 0: (operation, clockKind) = (.wait, .monotonic)
    case 9: (operation, clockKind) = (.waitBitset, isRealtime ? .realtime : .monotonic)
    case 11: (operation, clockKind) = (.waitRequeue, isRealtime ? .realtime : .monotonic)
    // FUTEX_LOCK_PI measures against CLOCK_REALTIME, whatever the flag says.
    case 6: (operation, clockKind) = (.lock, .realtime)
    case 13: (operation, clockKind) = (.lock, isRealtime ? .realtime : .monotonic)
    default: return .native
    }
    guard let time = timespecValue(at: registers[argument: 3]) else { return .native }
    var untimed = registers
    untimed[argument: 3] = 0
    if case .wait = operation {
      guard time.length > .zero else {
        // The kernel would sleep for the slack of its timers; the same with a time long past does not.
        untimed[argument: 1] = flags & ~127 | 9
        untimed[argument: 3] = longPast
        untimed[argument: 5] = UInt64(UInt32.max)
        return .replace(untimed)
      }
      return wait(
        .futex(.wait), until: .monotonic(now + time.length), requested: time.length, registers,
        untimed)
    }
    let (deadline, rest) = absolute(time, on: clockKind)
    guard rest > .zero else {
      // The value must still be compared, which the kernel does first.
      untimed[argument: 3] = longPast
      return .replace(untimed)
    }
    return wait(.futex(operation), until: deadline, requested: rest, registers, untimed)
  }

  // MARK: - poll, epoll, select

  private func poll(_ registers: Registers) -> WaitDecision {
    milliseconds(.poll, timeout: 2, registers)
  }

  private func epoll(_ registers: Registers) -> WaitDecision {
    milliseconds(.epoll, timeout: 3, registers)
  }

  private func milliseconds(
    _ kind: TimedWait.Kind, timeout index: Int, _ registers: Registers
  ) -> WaitDecision {
    let milliseconds = Int32(truncatingIfNeeded: registers[argument: index])
    guard milliseconds > 0 else { return .native }
    var untimed = registers
    untimed[argument: index] = UInt64(UInt32(bitPattern: -1))
    let length = Nanoseconds.milliseconds(Int64(milliseconds))
    return wait(kind, until: .monotonic(now + length), requested: length, registers, untimed)
  }

  private func timedPoll(_ registers: Registers) -> WaitDecision {
    relative(.timedPoll(timeout: registers[argument: 2]), timeout: 2, registers)
  }

  private func select(_ registers: Registers, countsMicroseconds: Bool) -> WaitDecision {
    let address = registers[argument: 4]
    let length: Nanoseconds
    if countsMicroseconds {
      guard let time = memory.read(TimeValue.self, at: address), time.seconds >= 0,
        time.fraction >= 0
      else { return .native }
      length = .seconds(time.seconds) + .microseconds(time.fraction)
    } else {
      guard let time = timespec(at: address) else { return .native }
      length = time
    }
    guard length > .zero else { return .native }
    let arguments = TimedWait.SelectArguments(
      descriptorCount: Int(Int32(truncatingIfNeeded: registers[argument: 0])),
      sets: (1...3).map { registers[argument: $0] }.filter { $0 != 0 },
      timeout: address, countsMicroseconds: countsMicroseconds)
    var untimed = registers
    untimed[argument: 4] = 0
    return wait(
      .select(arguments), until: .monotonic(now + length), requested: length, registers, untimed)
  }

  // MARK: - Parts

  /// A wait whose timeout is a relative timespec, in the argument `index`.
  ///
  /// - Parameter pauses: whether the kernel sleeps for the slack of its timers where the length is zero
  ///   (prctl(2): PR_SET_TIMERSLACK), so that even such a wait is held until its instant, which is now.
  func relative(
    _ kind: TimedWait.Kind, timeout index: Int, pauses: Bool = false, _ registers: Registers
  ) -> WaitDecision {
    guard let length = timespec(at: registers[argument: index]), length > .zero || pauses else {
      return .native
    }
    var untimed = registers
    untimed[argument: index] = 0
    return wait(kind, until: .monotonic(now + length), requested: length, registers, untimed)
  }

  /// A wait whose timeout is an absolute timespec, in the argument `index`.
  func absolute(
    _ kind: TimedWait.Kind, timeout index: Int, on clockKind: ClockKind, _ registers: Registers
  ) -> WaitDecision {
    guard let time = timespecValue(at: registers[argument: index]) else { return .native }
    var untimed = registers
    let (deadline, rest) = absolute(time, on: clockKind)
    guard rest > .zero else {
      // What else may be said of the call, the kernel says before it looks at the clock.
      untimed[argument: index] = longPast
      return .replace(untimed)
    }
    untimed[argument: index] = 0
    return wait(kind, until: deadline, requested: rest, registers, untimed)
  }

  /// A wait that is put on the timeline.
  func wait(
    _ kind: TimedWait.Kind, until deadline: Deadline,
    requested: Nanoseconds, _ entry: Registers, _ untimed: Registers
  ) -> WaitDecision {
    .wait(
      TimedWait(kind: kind, deadline: deadline, requested: requested, entry: entry),
      untimed: untimed)
  }

  private func timespec(at address: UInt64) -> Nanoseconds? {
    timespecValue(at: address)?.length
  }

  /// A timespec that the kernel would accept.
  private func timespecValue(at address: UInt64) -> TimeValue? {
    guard address != 0, let time = memory.read(TimeValue.self, at: address), time.seconds >= 0,
      0..<1_000_000_000 ~= time.fraction
    else { return nil }
    return time
  }

  /// Returns the deadline for a time on one of the clocks, and the time until then.
  private func absolute(
    _ time: TimeValue, on kind: ClockKind
  ) -> (Deadline, rest: Nanoseconds) {
    let deadline = moment.deadline(at: time, on: kind, wall: wall)
    return (deadline, moment.rest(until: deadline))
  }
}
