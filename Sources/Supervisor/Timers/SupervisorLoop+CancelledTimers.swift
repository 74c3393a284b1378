internal import CSupervisor
internal import Glibc
internal import ScenarioModel

/// Timer descriptors that fail with ECANCELED when the wall clock is stepped (TFD_TIMER_CANCEL_ON_SET of
/// timerfd_create(2)).
///
/// No other read of a target is watched. So from the step to the read that learns of it, all threads run
/// from system call to system call.
extension SupervisorLoop {
  /// The wall clock has been stepped.
  func cancelTimers() {
    let events = timers.compactMap { name, timer -> UInt64? in
      guard timer.cancelsOnSet, case .descriptor(let event) = name else { return nil }
      return event
    }
    guard !events.isEmpty else { return }
    cancelledTimers.formUnion(events)
    for tracee in tracees.values {
      guard case .running = tracee.state, !interruptedForCancelling.contains(tracee.identifier),
        scenario_trace_interrupt(tracee.identifier.number) == 0
      else { continue }
      interruptedForCancelling.insert(tracee.identifier)
    }
    wakeCancelledReaders()
  }

  /// A thread has stopped that was interrupted, so that its next calls are seen.
  func noteInterruption(of tracee: Tracee) {
    guard interruptedForCancelling.remove(tracee.identifier) != nil else { return }
    restartCall(of: tracee)
    wakeCancelledReaders()
  }

  /// A thread that was interrupted has ended.
  func noteEndOfInterrupted(_ thread: ThreadIdentifier) {
    guard interruptedForCancelling.remove(thread) != nil else { return }
    wakeCancelledReaders()
  }

  /// Some calls would tell their caller of an interruption of which nobody is to know (signal(7)).
  private func restartCall(of tracee: Tracee) {
    guard var registers = try? Registers.read(from: tracee.identifier), registers.systemCall >= 0,
      registers.result == -KernelError.interrupted
    else { return }
    registers.restartSystemCall()
    try? registers.write(to: tracee.identifier)
  }

  /// Makes the descriptors readable, once every thread is seen.
  private func wakeCancelledReaders() {
    guard interruptedForCancelling.isEmpty else { return }
    for event in cancelledTimers {
      guard let copy = copyDescriptor(of: event) else {
        cancelledTimers.remove(event)
        continue
      }
      if scenario_event_is_set(copy) == 0 { _ = scenario_event_add(copy, 1) }
      close(copy)
    }
  }

  /// Forgets those that nobody can read any more.
  func pruneCancelledTimers() {
    for event in cancelledTimers {
      if DescriptorTransfer.isNeeded, holder(of: event) != nil { continue }
      guard let copy = copyDescriptor(of: event) else {
        cancelledTimers.remove(event)
        continue
      }
      close(copy)
    }
  }

  /// The calls that read an event descriptor; those that read at a place fail with ESPIPE.
  private static let readingCalls: Set<Int> = Set(
    ["read", "readv", "preadv2"].compactMap { SystemCallTable.current.number(of: $0) })

  /// A thread stands at the entry or the exit of a call, while timers are cancelled.
  func noteCall(of tracee: Tracee) {
    guard var registers = try? Registers.read(from: tracee.identifier),
      Self.readingCalls.contains(registers.systemCall),
      registers.result == MemoryLayout<UInt64>.size,
      let event = EventDescriptor.event(
        Int32(truncatingIfNeeded: registers[argument: 0]), of: tracee.identifier),
      cancelledTimers.remove(event) != nil
    else { return }
    registers.result = -KernelError.cancelled
    try? registers.write(to: tracee.identifier)
  }
}
