internal import CSupervisor
internal import Foundations
internal import Glibc

// The processor's time stamp counter tells the machine's time, and runtimes seed themselves from it. It cannot be set,
// but the instructions that read it can be forbidden (prctl(2): PR_SET_TSC), and be carried out here, in the scenario's
// time: libraries measure it against a clock and a sleep, and take it for one from then on. As each reading costs a
// stop, who reads it over and over gets the processor's own, unless numbers are seeded or that one is behind.

/// The access of a thread to the time stamp counter.
enum CounterAccess {
  /// The thread reads the processor's.
  case free
  /// The supervisor sees when it reads it, and the thread does not know.
  case watched
  /// The thread faults, as the program wants.
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

  /// The rules that show them, and the handlers of the signal that a forbidden read raises.
  static let filterRules: [Int: FilterRule] = [
    SystemCallNumber.prctl: .traceIfAmong([ArgumentValues(argument: 0, values: [get, set])]),
    SystemCallNumber.rtSigaction: .traceIfAmong([
      ArgumentValues(argument: 0, values: [UInt32(SIGSEGV)])
    ]),
  ]
}

/// Carries out the readings of the time stamp counter, and detects programs that read the processor's own.
final class TimestampCounterGuard: Interceptor {
  private unowned let kernel: any TraceKernel
  private unowned let time: any VirtualTime
  private let isSeeded: Bool
  private let isVirtual: Bool
  /// The access of threads, where it is not the usual one.
  private var accesses: [ThreadIdentifier: CounterAccess] = [:]
  /// The counters of processes, where numbers are seeded: what others have read is chance.
  private var counters: [ThreadIdentifier: TimestampCounter] = [:]
  /// The counter of all processes, where they are not; `nil` before the first reading.
  private var shared: TimestampCounter?
  /// The processor's counter at the scenario's start, and the time of that.
  private var start = (ticks: scenario_timestamp_counter(), real: RealClock.monotonic())
  private var readings: [ThreadIdentifier: ReadingsAtInstant] = [:]
  /// The dispositions of the signal that reports a forbidden read, by process.
  private var handlers: [ThreadIdentifier: FaultHandler] = [:]

  /// - Parameters:
  ///   - isSeeded: whether random numbers are seeded, so that no thread may read the processor's counter.
  ///   - isVirtual: whether the targets have a clock of their own.
  init(kernel: any TraceKernel, time: any VirtualTime, isSeeded: Bool, isVirtual: Bool) {
    self.kernel = kernel
    self.time = time
    self.isSeeded = isSeeded
    self.isVirtual = isVirtual
  }

  let filterRules = CounterFlag.filterRules
  let calls: Set<Int>? = [SystemCallNumber.rtSigaction]

  // MARK: - Threads and programs

  private func access(of thread: ThreadIdentifier) -> CounterAccess {
    accesses[thread] ?? (isSeeded ? .watched : .free)
  }

  func threadStarted(_ thread: ThreadIdentifier, by maker: ThreadIdentifier) {
    accesses[thread] = accesses[maker]
    guard let process = kernel.tracees[maker]?.process.identifier, kernel.processes[thread] != nil
    else { return }
    counters[thread] = counters[thread] ?? counters[process]
    handlers[thread] = handlers[thread] ?? handlers[process]
  }

  func programStarted(in process: ThreadIdentifier) {
    // What is ignored stays so (execve(2)).
    if handlers[process]?.isIgnored == false { handlers[process] = nil }
    readings[process] = nil
  }

  func threadRenamed(_ former: ThreadIdentifier, to thread: ThreadIdentifier) {
    // What a thread may do with the counter goes with the thread.
    accesses[thread] = accesses[former]
  }

  func threadEnded(_ thread: ThreadIdentifier) { accesses[thread] = nil }

  func processEnded(_ process: ThreadIdentifier) {
    counters[process] = nil
    handlers[process] = nil
    readings[process] = nil
  }

  func inherit(from trunk: any Interceptor) {
    guard let trunk = trunk as? TimestampCounterGuard else { return }
    accesses = trunk.accesses
    counters = trunk.counters
    shared = trunk.shared
    start = trunk.start
    readings = trunk.readings
    handlers = trunk.handlers
  }

  func processCopied(
    _ process: ThreadIdentifier, as copy: ThreadIdentifier, thread: ThreadIdentifier
  ) {
    accesses[copy] = accesses[thread]
    counters[copy] = counters[process]
    handlers[copy] = handlers[process]
  }

  /// Gives the first thread of a new program the access that goes with it.
  ///
  /// Its registers are the caller's to put back.
  func prepare(_ tracee: Tracee, _ registers: Registers, at instruction: UInt64) {
    // Where time flows, the image reads the counter itself, for the target.
    let isWatched = isVirtual && !time.moment.clock.flows
    set(isWatched ? .watched : .free, of: tracee, registers, at: instruction)
  }

  /// Forbids or allows a stopped thread to read the counter; whether that is so now.
  @discardableResult
  private func set(
    _ access: CounterAccess, of tracee: Tracee, _ registers: Registers, at instruction: UInt64
  ) -> Bool {
    let current = self.access(of: tracee.identifier)
    guard !isSeeded, current != .forbiddenByProgram, current != access else {
      return current == access
    }
    let flag = access == .watched ? CounterFlag.forbidden : CounterFlag.enabled
    let arguments = [UInt64(CounterFlag.set), flag, 0, 0, 0, 0]
    guard
      kernel.makeCall(SystemCallNumber.prctl, arguments, in: tracee, registers, at: instruction)
        == 0
    else { return false }
    accesses[tracee.identifier] = access
    return true
  }

  /// Returns whether no filter of the program's own forbids a call that its thread is made to make.
  private func mayBeMadeToCall(_ tracee: Tracee) -> Bool {
    DescriptorTransfer.isAllowed(by: tracee.identifier, late: tracee.process.lateFilters.count)
  }

  // MARK: - Calls and signals

  /// A program is about to handle SIGSEGV.
  ///
  /// A fault by a thread that blocks SIGSEGV takes the handler away (`force_sig_info_to_task` of `kernel/signal.c`), and
  /// threads that serve others often block all signals: it is put back then.
  func enter(_ call: InterceptedCall) -> CallDisposition {
    guard call.registers[argument: 1] != 0, call.integer(0) == SIGSEGV else { return .pass }
    handlers[call.tracee.process.identifier] = FaultHandler(
      at: call.registers[argument: 1], in: call.tracee.process.memory)
    return .pass
  }

  /// Returns whether a signal reports an instruction that reads the counter; that has then been
  /// carried out, or will be.
  func takeSignal(_ signal: Int32, of tracee: Tracee) -> Bool {
    guard signal == SIGSEGV, access(of: tracee.identifier) == .watched,
      scenario_fault_of_kernel(tracee.identifier.number) != 0,
      var registers = try? Registers.read(from: tracee.identifier),
      let instruction = instruction(at: registers.instructionPointer, of: tracee.process)
    else { return false }
    putBackHandler(of: tracee, registers)
    if !letReadItself(tracee, registers) {
      registers.finish(instruction, reading: reading(of: tracee.process.identifier))
    }
    try? registers.write(to: tracee.identifier)
    kernel.sendPostponedSignals(to: tracee)
    kernel.resume(tracee)
    return true
  }

  private func instruction(at address: UInt64, of process: TargetProcess) -> CounterInstruction? {
    // Behind the instruction there may be nothing.
    let bytes =
      process.memory?.readBytes(CounterInstruction.lengthLimit, at: address)
      ?? process.memory?.readBytes(2, at: address)
    return bytes.flatMap { CounterInstruction($0) }
  }

  /// Allows a thread the processor's own counter if its process reads it over and over, and that one is not behind.
  private func letReadItself(_ tracee: Tracee, _ registers: Registers) -> Bool {
    let process = tracee.process.identifier
    guard !isSeeded, let shared, let readings = readings[process],
      readings.isHandedOver
        || readings.areMany(at: elapsed) && shared.last < scenario_timestamp_counter(),
      let image = tracee.process.image, mayBeMadeToCall(tracee),
      set(.free, of: tracee, registers, at: image.systemCallInstruction)
    else { return false }
    self.readings[process]?.isHandedOver = true
    kernel.recordCounterReader(tracee.process.programName)
    return true
  }

  private func reading(of process: ThreadIdentifier) -> UInt64 {
    let elapsed = elapsed
    if isSeeded {
      // Time that flows at its own pace is another one in each run.
      return counters[process, default: TimestampCounter()]
        .read(elapsed: time.moment.clock.flows ? .zero : elapsed)
    }
    readings[process, default: ReadingsAtInstant()].add(at: elapsed)
    // As fast as the processor's own, so that it is not far behind when that one is read instead.
    var counter = shared ?? TimestampCounter(start: start.ticks, rate: measuredRate())
    defer { shared = counter }
    return counter.read(elapsed: elapsed)
  }

  private var elapsed: Nanoseconds {
    let moment = time.moment
    return moment.clock.elapsed(real: moment.real)
  }

  private func measuredRate() -> Double {
    let passed = RealClock.monotonic() - start.real
    guard passed > .zero else { return 2 }
    return Double(scenario_timestamp_counter() &- start.ticks) / Double(passed.count)
  }

  /// Puts back the handler that a fault has taken away, as the thread had blocked its signal, and blocks that again; or
  /// ignores it again.
  private func putBackHandler(of tracee: Tracee, _ registers: Registers) {
    let process = tracee.process
    guard let handler = handlers[process.identifier], handler.isLost(by: process.identifier),
      let image = process.image, mayBeMadeToCall(tracee)
    else { return }
    let slot = process.program.scratch.takeSlot()
    defer { process.program.scratch.releaseSlot(slot) }
    let address = image.slot(slot)
    guard handler.write(to: address, in: process.memory) else { return }
    var mask: UInt64 = 0
    guard scenario_trace_hold_signals(tracee.identifier.number, &mask) == 0 else { return }
    _ = kernel.makeCall(
      SystemCallNumber.rtSigaction, FaultHandler.arguments(structureAt: address), in: tracee,
      registers, at: image.systemCallInstruction)
    // What is ignored is so without being blocked, as a rule.
    scenario_trace_release_signals(
      tracee.identifier.number, handler.isIgnored ? mask : mask | FaultHandler.mask)
  }

  /// A thread asks whether it may read the counter, or says so.
  fileprivate func answerFlag(_ call: InterceptedCall) -> CallDisposition {
    let thread = call.tracee.identifier
    let value = call.registers[argument: 1]
    let access = access(of: thread)
    switch (UInt32(bitPattern: call.integer(0)), value) {
    case (CounterFlag.get, _) where access == .watched:
      let flag = Int32(CounterFlag.enabled)
      let isWritten = call.tracee.process.memory?.writeAsKernel(flag, at: value) ?? false
      return .skip(result: isWritten ? 0 : -KernelError.badAddress)
    case (CounterFlag.set, CounterFlag.enabled) where access == .watched:
      return .skip(result: 0)
    case (CounterFlag.set, CounterFlag.enabled):
      accesses[thread] = isSeeded ? .watched : .free
      return isSeeded ? .skip(result: 0) : .proceed
    case (CounterFlag.set, CounterFlag.forbidden):
      accesses[thread] = .forbiddenByProgram
      return .proceed
    default: return .pass
    }
  }
}

/// The calls by which programs ask for access to the counter, into which faults may be injected
/// before they are answered.
final class TimestampCounterFlags: Interceptor {
  private let counter: TimestampCounterGuard

  init(_ counter: TimestampCounterGuard) {
    self.counter = counter
  }

  let filterRules: [Int: FilterRule] = [:]
  let calls: Set<Int>? = [SystemCallNumber.prctl]

  func enter(_ call: InterceptedCall) -> CallDisposition { counter.answerFlag(call) }
}
