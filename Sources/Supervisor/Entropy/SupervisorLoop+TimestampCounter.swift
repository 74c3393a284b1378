internal import CSupervisor
internal import Glibc
internal import ScenarioModel

// Runtimes seed themselves from the processor's time stamp counter, which nobody can set. So the instructions that
// read it are forbidden to a target with seeded entropy (prctl(2): PR_SET_TSC), and carried out here.

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

extension SupervisorLoop {
  /// Whether a signal tells of an instruction that reads the counter; then that has been carried out.
  func handleCounterRead(of tracee: Tracee) -> Bool {
    guard configuration.entropy.isSeeded,
      scenario_fault_of_kernel(tracee.identifier.number) != 0,
      var registers = try? Registers.read(from: tracee.identifier),
      let bytes = tracee.process.memory?.readBytes(3, at: registers.instructionPointer),
      let instruction = CounterInstruction(bytes)
    else { return false }
    // Time that flows at its own pace is another one in each run.
    let elapsed = clock.flows ? .zero : clock.elapsed(real: RealClock.monotonic())
    registers.finish(instruction, reading: tracee.process.counter.read(elapsed: elapsed))
    try? registers.write(to: tracee.identifier)
    resume(tracee)
    return true
  }
}
