internal import CSupervisor
internal import Glibc
internal import ScenarioModel

// The processor's time stamp counter tells the machine's time, and runtimes seed themselves from it. Nobody can set it,
// but the instructions that read it can be forbidden (prctl(2): PR_SET_TSC). To a target with seeded entropy they are,
// and are carried out here. To others with a clock of their own they are until a program first uses one: then that is
// noted, and they are allowed, as each would cost a stop.

/// What the time stamp counter of one process shows.
struct TimestampCounter: Sendable, Hashable {
  /// How far one reading is behind the one before, so that who waits for the counter gets on: about the
  /// time that a reading takes, at two billion ticks in a second.
  private static let ticksPerReading: UInt64 = 10_000
  private static let ticksPerNanosecond: UInt64 = 2

  private var last: UInt64 = 0

  /// The next reading.
  ///
  /// - Parameter elapsed: the time that has passed by itself; zero where that is not the scenario's.
  mutating func read(elapsed: Nanoseconds) -> UInt64 {
    let time = UInt64(clamping: elapsed.count).multipliedReportingOverflow(
      by: Self.ticksPerNanosecond
    ).partialValue
    last = max(last, time) &+ Self.ticksPerReading
    return last
  }
}

/// What a thread may do with the time stamp counter.
enum CounterAccess {
  /// It reads the processor's.
  case free
  /// The supervisor sees when it reads it, and the thread does not know.
  case watched
  /// It faults, as the program wants.
  case forbiddenByProgram
}

/// The operations of prctl(2) on a thread's access to the counter.
enum CounterFlag {
  /// PR_GET_TSC of `linux/prctl.h`.
  static let get: UInt32 = 25
  /// PR_SET_TSC.
  static let set: UInt32 = 26
  /// PR_TSC_ENABLE.
  static let enabled: UInt64 = 1
  /// PR_TSC_SIGSEGV.
  static let forbidden: UInt64 = 2

  /// The rules that show them, and handlers of the signal by which a forbidden read is told.
  static let filterRules: [Int: FilterRule] = [
    SystemCallNumber.prctl: .traceIfAmong([ArgumentValues(argument: 0, values: [get, set])]),
    SystemCallNumber.rtSigaction: .traceIfAmong([
      ArgumentValues(argument: 0, values: [UInt32(SIGSEGV)])
    ]),
  ]
}

/// Of which programs it is looked whether they read the counter.
struct CounterWatch {
  /// How many command lines are looked at: a look costs several stops, and who starts thousands of programs
  /// starts the same ones again and again.
  private static let limit = 64
  /// How many arguments, and how many letters of each, tell command lines apart.
  private static let argumentLimit = 8
  private static let lengthLimit = 256

  private var commands: Set<[String]> = []

  /// A program is started; true if it is one to look at.
  mutating func begins(_ arguments: [String]) -> Bool {
    // Of long ones the beginning, as lists of arguments may have megabytes.
    let command = arguments.prefix(Self.argumentLimit).map { String($0.prefix(Self.lengthLimit)) }
    return commands.count < Self.limit && commands.insert(command).inserted
  }
}

extension SupervisorLoop {
  /// A program is started: whether its reads of the counter are to be seen.
  ///
  /// Where time flows, the image reads the counter itself, for the target.
  func watchesCounter(of process: TargetProcess) -> Bool {
    guard configuration.clock != nil, !configuration.entropy.isSeeded, !clock.flows,
      branch == nil, configuration.survey == nil
    else { return false }
    return counterWatch.begins(process.arguments)
  }

  /// Forbids or allows a stopped thread to read the counter.
  ///
  /// Its registers are the caller's to put back.
  ///
  /// - Returns: Whether that is so now.
  @discardableResult
  func setCounterAccess(
    _ access: CounterAccess, of tracee: Tracee, _ registers: Registers, at instruction: UInt64
  ) -> Bool {
    guard !configuration.entropy.isSeeded, tracee.counterAccess != .forbiddenByProgram,
      tracee.counterAccess != access
    else { return tracee.counterAccess == access }
    let flag = access == .watched ? CounterFlag.forbidden : CounterFlag.enabled
    let arguments = [UInt64(CounterFlag.set), flag, 0, 0, 0, 0]
    guard
      makeCall(SystemCallNumber.prctl, arguments, in: tracee, registers, at: instruction) == 0
    else { return false }
    tracee.counterAccess = access
    return true
  }

  /// Whether no filter of the program's own stands in the way of a call that its thread is made to make.
  private func mayBeMadeToCall(_ tracee: Tracee) -> Bool {
    DescriptorTransfer.isAllowed(by: tracee.identifier, late: tracee.process.lateFilters.count)
  }

  /// A thread is about to run for the first time: only the first one of a process is watched.
  ///
  /// A fault by a thread that blocks SIGSEGV takes the program's handler away (`force_sig_info_to_task` of
  /// `kernel/signal.c`), and threads that serve others often block all signals.
  func freeCounter(ofThread tracee: Tracee) {
    guard tracee.counterAccess == .watched, !configuration.entropy.isSeeded,
      tracee.identifier != tracee.process.identifier, let image = tracee.process.image,
      mayBeMadeToCall(tracee),
      let registers = try? Registers.read(from: tracee.identifier)
    else { return }
    setCounterAccess(.free, of: tracee, registers, at: image.systemCallInstruction)
    try? registers.write(to: tracee.identifier)
    sendPostponedSignals(to: tracee)
  }

  /// A program is about to handle SIGSEGV, and from then on nobody looks whether it reads the counter, for the same
  /// reason; true if the thread is allowed to first.
  func freeCounter(before registers: Registers, of tracee: Tracee) -> Bool {
    guard registers.systemCall == SystemCallNumber.rtSigaction, registers[argument: 1] != 0,
      Int32(truncatingIfNeeded: registers[argument: 0]) == SIGSEGV,
      tracee.counterAccess == .watched, !configuration.entropy.isSeeded, !tracee.isRefused
    else { return false }
    var changed = registers
    changed.systemCall = SystemCallNumber.prctl
    changed[argument: 0] = UInt64(CounterFlag.set)
    changed[argument: 1] = CounterFlag.enabled
    complete(tracee, original: registers, with: changed) { registers in
      tracee.counterAccess = .free
      registers.restartSystemCall()
      registers.systemCall = -1
    }
    return true
  }

  /// Whether a signal tells of an instruction that reads the counter; then that has been carried out, or will be.
  func handleCounterRead(of tracee: Tracee) -> Bool {
    guard tracee.counterAccess == .watched,
      scenario_fault_of_kernel(tracee.identifier.number) != 0,
      var registers = try? Registers.read(from: tracee.identifier),
      let bytes = tracee.process.memory?.readBytes(3, at: registers.instructionPointer),
      let instruction = CounterInstruction(bytes)
    else { return false }
    var isFree = false
    // The dynamic loader measures itself with it, which is nothing of the program's.
    if !configuration.entropy.isSeeded, tracee.process.hasEntered,
      let image = tracee.process.image
    {
      control.noteCounterReader(tracee.process.programName)
      isFree =
        mayBeMadeToCall(tracee)
        && setCounterAccess(.free, of: tracee, registers, at: image.systemCallInstruction)
    }
    if !isFree {
      // Time that flows at its own pace is another one in each run.
      let elapsed = clock.flows ? .zero : clock.elapsed(real: RealClock.monotonic())
      registers.finish(instruction, reading: tracee.process.counter.read(elapsed: elapsed))
    }
    try? registers.write(to: tracee.identifier)
    sendPostponedSignals(to: tracee)
    resume(tracee)
    return true
  }

  /// A thread asks whether it may read the counter, or says so; false if it does something else.
  func handleCounterFlag(of tracee: Tracee, _ registers: Registers) -> Bool {
    let operation = UInt32(truncatingIfNeeded: registers[argument: 0])
    let value = registers[argument: 1]
    var answered = registers
    switch (operation, value) {
    case (CounterFlag.get, _) where tracee.counterAccess == .watched:
      let flag = Int32(CounterFlag.enabled)
      let isWritten = tracee.process.memory?.writeAsKernel(flag, at: value) ?? false
      answered.skipSystemCall(returning: isWritten ? 0 : -KernelError.badAddress)
    case (CounterFlag.set, CounterFlag.enabled) where tracee.counterAccess == .watched:
      answered.skipSystemCall(returning: 0)
    case (CounterFlag.set, CounterFlag.enabled):
      tracee.counterAccess = configuration.entropy.isSeeded ? .watched : .free
      if configuration.entropy.isSeeded { answered.skipSystemCall(returning: 0) }
    case (CounterFlag.set, CounterFlag.forbidden):
      tracee.counterAccess = .forbiddenByProgram
    default: return false
    }
    finish(tracee, with: answered)
    return true
  }
}
