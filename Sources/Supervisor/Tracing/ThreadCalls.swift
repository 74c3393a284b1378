internal import CSupervisor
internal import Glibc

/// The receiver of threads' stops, those included that come while one makes a call for the
/// supervisor.
protocol StopHandler: AnyObject {
  /// Handles a stop, and resumes the thread.
  func handle(_ stop: scenario_stop)
}

/// The largest number of instructions of a function that a thread is made to call.
private let stepLimit = 100_000

// Calls that a stopped thread is made to make.

extension StopHandler {
  /// Makes a stopped thread make a system call of ours; its result, or `nil` if the thread is gone.
  ///
  /// Its registers are the caller's to put back.
  func makeCall(
    _ number: Int, _ arguments: [UInt64], in tracee: Tracee, _ registers: Registers
  ) -> Int? {
    guard let instruction = tracee.process.program.functions?.systemCallInstruction else {
      return nil
    }
    return makeCall(number, arguments, in: tracee, registers, at: instruction)
  }

  /// The same by the `syscall` instruction at an address.
  func makeCall(
    _ number: Int, _ arguments: [UInt64], in tracee: Tracee, _ registers: Registers,
    at instruction: UInt64
  ) -> Int? {
    var call = registers
    call.prepareCall(number, at: instruction, arguments: arguments)
    guard (try? call.write(to: tracee.identifier)) != nil,
      stepOverCall(tracee, at: instruction)
    else { return nil }
    return try? Registers.read(from: tracee.identifier).result
  }

  /// Makes a stopped thread call a function without arguments; returns its result, or `nil`.
  ///
  /// Its registers are the caller's to put back. The function must not wait for another thread.
  func result(
    of function: UInt64, in tracee: Tracee, _ registers: Registers, _ memory: TargetMemory
  ) -> UInt64? {
    guard let returnPlace = tracee.process.program.functions?.returnPlace, returnPlace != 0 else {
      return nil
    }
    // As at any function's beginning: the stack is aligned but for the place to return to.
    let stackPointer = (registers.stackPointer &- 512) & ~15 &- 8
    var call = registers
    call.call(function, stackPointer: stackPointer)
    guard memory.write(returnPlace, at: stackPointer),
      (try? call.write(to: tracee.identifier)) != nil
    else { return nil }
    for _ in 0..<stepLimit {
      guard scenario_trace_single_step(tracee.identifier.number) == 0 else { return nil }
      let stop = scenario_await_stop(tracee.identifier.number)
      switch stop.kind {
      case SCENARIO_STOP_EXITED, SCENARIO_STOP_KILLED:
        handle(stop)
        return nil
      case SCENARIO_STOP_NONE:
        return nil
      case SCENARIO_STOP_SIGNAL where stop.value == SIGSEGV || stop.value == SIGILL:
        return nil
      case SCENARIO_STOP_SIGNAL where stop.value != SIGTRAP:
        tracee.postponedSignals.append(Int32(stop.value))
      default:
        break
      }
      guard let current = try? Registers.read(from: tracee.identifier) else { return nil }
      if current.instructionPointer == returnPlace { return current.functionResult }
    }
    return nil
  }

  /// Signals that came while a thread did something for the supervisor.
  func sendPostponedSignals(to tracee: Tracee) {
    for signal in tracee.postponedSignals {
      tracee.send(signal)
    }
    tracee.postponedSignals = []
  }

  /// Makes a thread run the one system call instruction at which it is; false if it is gone.
  ///
  /// Other stops may come first: the filter shows the call, a signal has come. Signals wait.
  func stepOverCall(_ tracee: Tracee, at instruction: UInt64) -> Bool {
    let thread = tracee.identifier
    let end = instruction + UInt64(Architecture.systemCallInstruction.count)
    var hasMissedStop = false
    while scenario_trace_single_step(thread.number) == 0 {
      let stop = scenario_await_stop(thread.number)
      switch stop.kind {
      case SCENARIO_STOP_EXITED, SCENARIO_STOP_KILLED:
        handle(stop)
        return false
      case SCENARIO_STOP_NONE:
        return false
      case SCENARIO_STOP_EXEC:
        // Another thread has run a program, and taken this one's number.
        tracee.postponedSignals = []
        handle(stop)
        return false
      case SCENARIO_STOP_EVENT, SCENARIO_STOP_GROUP:
        hasMissedStop = true
      case SCENARIO_STOP_SIGNAL where stop.value != SIGTRAP:
        tracee.postponedSignals.append(Int32(stop.value))
      case SCENARIO_STOP_SIGNAL:
        guard (try? Registers.read(from: thread).instructionPointer) == end else { continue }
        // It comes once more, to where it is expected.
        if hasMissedStop { _ = scenario_trace_interrupt(thread.number) }
        return true
      default:
        break
      }
    }
    return false
  }
}
