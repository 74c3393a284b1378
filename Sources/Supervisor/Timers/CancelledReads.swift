internal import CSupervisor
internal import Glibc

/// Reads of timer descriptors that fail with ECANCELED, as the wall clock was stepped (TFD_TIMER_CANCEL_ON_SET of
/// timerfd_create(2)).
///
/// No other read of a target is watched. So from the step to the read that fails, all threads run from system
/// call to system call.
final class CancelledReads {
  private unowned let kernel: any TraceKernel
  private let descriptors: TimerDescriptors
  /// The events whose next read fails.
  private var events: Set<UInt64> = []
  /// Threads that are about to stop, so that their reads are seen.
  private var interrupted: Set<ThreadIdentifier> = []

  init(kernel: any TraceKernel, descriptors: TimerDescriptors) {
    self.kernel = kernel
    self.descriptors = descriptors
  }

  /// True if no read is to fail.
  var isEmpty: Bool { events.isEmpty }

  /// Makes the next reads of these events fail.
  func cancel(_ events: [UInt64]) {
    guard !events.isEmpty else { return }
    self.events.formUnion(events)
    for tracee in kernel.tracees.values {
      guard case .running = tracee.state, !interrupted.contains(tracee.identifier),
        scenario_trace_interrupt(tracee.identifier.number) == 0
      else { continue }
      interrupted.insert(tracee.identifier)
    }
    wakeReaders()
  }

  /// A thread has stopped: if it was interrupted, its next calls are seen from here.
  ///
  /// A thread that is in a call whose exit is seen stops there, and nowhere else for the interruption: any stop takes it
  /// back (ptrace(2), PTRACE_INTERRUPT).
  ///
  /// - Parameter restartsCall: whether the stop is one at which a call that the interruption has ended is begun again.
  func interruptionEnded(of tracee: Tracee, restartsCall: Bool) {
    guard !interrupted.isEmpty, interrupted.remove(tracee.identifier) != nil else { return }
    if restartsCall { restartCall(of: tracee) }
    wakeReaders()
  }

  /// A thread has ended.
  func threadEnded(_ thread: ThreadIdentifier) {
    guard interrupted.remove(thread) != nil else { return }
    wakeReaders()
  }

  /// Ends the cancelling of reads of an event; false if none was to fail.
  @discardableResult
  func forget(_ event: UInt64) -> Bool { events.remove(event) != nil }

  /// Forgets those that no process can read any more.
  func prune() {
    for event in events where !descriptors.isHeld(event) { events.remove(event) }
  }

  /// Makes a read of a thread fail at the entry or the exit of its call.
  func failRead(of tracee: Tracee) {
    guard var registers = try? Registers.read(from: tracee.identifier),
      Self.readingCalls.contains(registers.systemCall),
      registers.result == MemoryLayout<UInt64>.size,
      let event = EventDescriptor.event(
        Int32(truncatingIfNeeded: registers[argument: 0]), of: tracee.identifier),
      forget(event)
    else { return }
    registers.result = -KernelError.cancelled
    try? registers.write(to: tracee.identifier)
  }

  /// The calls that read an event descriptor; those that read at a place fail with ESPIPE.
  private static let readingCalls: Set<Int> = Set(
    ["read", "readv", "preadv2"].compactMap { SystemCallTable.current.number(of: $0) })

  /// Restarts a call that would return because of an interruption which the target is not to see
  /// (signal(7)).
  private func restartCall(of tracee: Tracee) {
    guard var registers = try? Registers.read(from: tracee.identifier), registers.systemCall >= 0,
      registers.result == -KernelError.interrupted
    else { return }
    registers.restartSystemCall()
    try? registers.write(to: tracee.identifier)
  }

  /// Makes the descriptors readable, once every thread is seen.
  private func wakeReaders() {
    guard interrupted.isEmpty else { return }
    for event in events where !descriptors.makeReadable(event) { events.remove(event) }
  }
}
