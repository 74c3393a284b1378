internal import CSupervisor
internal import Foundations
internal import Glibc

/// The event descriptors that stand for timer descriptors in the target (timerfd_create(2)): where they are, and
/// what they hold.
///
/// An event is named by the kernel's number of it, which is one for all copies of its descriptor, in whatever
/// process. Nothing reports that a descriptor is closed: it is looked for when it is wanted.
final class TimerDescriptors {
  private struct Place {
    var process: ThreadIdentifier
    var number: Int32
  }

  private unowned let kernel: any TraceKernel
  private let files: EventFiles
  private var places: [UInt64: Place] = [:]
  private let shortage: () -> Int32?
  private var isShortageReported = false
  private var hasTransferFailed = false
  private var refusedTransfers = 0
  private var sweepThreshold = TimerDescriptors.leastSweep

  /// The number of times in a run that a descriptor may be out of reach: a thread that computes is
  /// so for a while.
  private static let transferLimit = 10_000
  /// The number of descriptors from which on closed ones are looked for.
  private static let leastSweep = 256
  /// The number of descriptors that a look at one takes: of a folder, of a process, and the copy.
  private static let descriptorsOfLook = 4

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - openFiles: how many files of /proc may stay open.
  ///   - shortage: why this process can have no more descriptors; `nil` if it can.
  init(
    kernel: any TraceKernel, openFiles: Int,
    shortage: @escaping () -> Int32? = {
      DescriptorShortage.errorNumber(among: TimerDescriptors.descriptorsOfLook)
    }
  ) {
    self.kernel = kernel
    self.shortage = shortage
    files = EventFiles(limit: openFiles)
  }

  /// Returns the state of a descriptor of a thread's; `nil` if it is no event descriptor.
  func state(of number: Int32, in thread: ThreadIdentifier) -> EventDescriptor.State? {
    files.state(of: number, in: thread)
  }

  /// A timer's descriptor has been seen in a process.
  func record(_ event: UInt64, as number: Int32, in process: ThreadIdentifier) {
    places[event] = Place(process: process, number: number)
  }

  /// Marks a new event descriptor as one that represents a timer; returns its event.
  func mark(_ number: Int32, of tracee: Tracee) -> UInt64? {
    let copy = kernel.copyDescriptor(number, of: tracee)
    guard copy >= 0 else {
      reportShortage(in: tracee.process.identifier)
      return nil
    }
    defer { close(copy) }
    guard scenario_event_mark(copy) == 0 else { return nil }
    return state(of: number, in: tracee.identifier)?.event
  }

  /// Empties the counter of a thread's descriptor.
  func clear(_ number: Int32, of tracee: Tracee) {
    let copy = kernel.copyDescriptor(number, of: tracee)
    guard copy >= 0 else { return reportShortage(in: tracee.process.identifier) }
    _ = scenario_event_clear(copy)
    close(copy)
  }

  /// Adds to an event's counter; false if no process has its descriptor.
  @discardableResult
  func add(_ count: UInt64, to event: UInt64) -> Bool {
    guard let copy = copy(of: event) else { return false }
    _ = scenario_event_add(copy, count)
    close(copy)
    return true
  }

  /// Makes an event readable, if it is not; false if no process has its descriptor.
  func makeReadable(_ event: UInt64) -> Bool {
    guard let copy = copy(of: event) else { return false }
    if scenario_event_is_set(copy) == 0 { _ = scenario_event_add(copy, 1) }
    close(copy)
    return true
  }

  /// Returns whether an event's counter holds anything; `nil` if no process has its descriptor.
  func isSet(_ event: UInt64) -> Bool? {
    if DescriptorTransfer.isNeeded, let holder = holder(of: event) { return holder.state.isSet }
    guard let copy = copy(of: event) else { return nil }
    defer { close(copy) }
    return scenario_event_is_set(copy) != 0
  }

  /// Returns whether any process has an event's descriptor.
  func isHeld(_ event: UInt64) -> Bool {
    if DescriptorTransfer.isNeeded, holder(of: event) != nil { return true }
    guard let copy = copy(of: event) else { return false }
    close(copy)
    return true
  }

  /// A copy of an event's descriptor, to be closed by the caller; `nil` if no process has it any more, or if it
  /// is out of reach.
  func copy(of event: UInt64) -> Int32? {
    hasTransferFailed = false
    guard let place = places[event] else { return nil }
    if let process = kernel.processes[place.process],
      let copy = copy(place.number, of: process, ifEvent: event)
    {
      return copy
    }
    for process in kernel.processes.values {
      for number in process.descriptorHolders.flatMap(EventDescriptor.numbers) {
        guard let copy = copy(number, of: process, ifEvent: event) else { continue }
        record(event, as: number, in: process.identifier)
        return copy
      }
    }
    reportShortage(in: place.process)
    return nil
  }

  /// Reports, once, where a descriptor that is not found may be there all the same.
  private func reportShortage(in process: ThreadIdentifier) {
    guard !isShortageReported, let error = shortage() else { return }
    isShortageReported = true
    kernel.report(
      .outOfReach(
        process: process.number,
        reason: "the runner is out of descriptors for its timers: \(SystemText.error(error))"
          + " (raise it: ulimit -n)"))
  }

  /// Returns whether the descriptor that was wanted last is there, could not be had now, and may be had later.
  ///
  /// After so many attempts it is out of reach, which is reported.
  func mayBeHadLater(_ event: UInt64) -> Bool {
    guard hasTransferFailed, let holder = holder(of: event) else { return false }
    refusedTransfers += 1
    guard refusedTransfers < Self.transferLimit else {
      kernel.report(
        .outOfReach(
          process: holder.process.identifier.number,
          reason: "this machine refuses pidfd_getfd, and the program does not send its"
            + " descriptors"))
      return false
    }
    return true
  }

  /// The events whose descriptors are closed everywhere; looked for seldom enough to cost little.
  ///
  /// - Parameter timers: how many timers there are.
  func closedEvents(among timers: Int) -> [UInt64] {
    guard timers >= sweepThreshold else { return [] }
    var held: Set<UInt64> = []
    for holder in kernel.processes.values.flatMap(\.descriptorHolders) {
      for number in EventDescriptor.numbers(in: holder) {
        if let event = EventDescriptor.event(number, of: holder) { held.insert(event) }
      }
    }
    let closed = places.keys.filter { !held.contains($0) }
    sweepThreshold = max(Self.leastSweep, (timers - closed.count) * 2)
    return closed
  }

  /// Removes an event that is no longer needed.
  func forget(_ event: UInt64) {
    places[event] = nil
  }

  /// A thread has ended.
  func threadEnded(_ thread: ThreadIdentifier) {
    files.forget(thread)
  }

  /// A process that has an event's descriptor, and what the kernel says of it; `nil` if none has it any more.
  private func holder(
    of event: UInt64
  ) -> (process: TargetProcess, state: EventDescriptor.State)? {
    if let place = places[event], let process = kernel.processes[place.process],
      let state = state(of: place.number, in: process, ifEvent: event)
    {
      return (process, state)
    }
    for process in kernel.processes.values {
      for number in process.descriptorHolders.flatMap(EventDescriptor.numbers) {
        if let state = state(of: number, in: process, ifEvent: event) { return (process, state) }
      }
    }
    return nil
  }

  private func state(
    of number: Int32, in process: TargetProcess, ifEvent event: UInt64
  ) -> EventDescriptor.State? {
    for holder in process.descriptorHolders {
      guard let state = files.state(of: number, in: holder), state.event == event,
        kernel.tracees[holder] != nil
      else { continue }
      return state
    }
    return nil
  }

  private func copy(_ number: Int32, of process: TargetProcess, ifEvent event: UInt64) -> Int32? {
    let holder = process.descriptorHolders.first {
      files.state(of: number, in: $0)?.event == event
    }
    guard let tracee = holder.flatMap({ kernel.tracees[$0] }) else { return nil }
    let copy = kernel.copyDescriptor(number, of: tracee)
    guard copy >= 0 else {
      hasTransferFailed = DescriptorTransfer.isNeeded
      return nil
    }
    // The kernel gives the number of a closed one again, as a rule to the next that is made.
    guard scenario_event_is_marked(copy) == 1 else {
      close(copy)
      return nil
    }
    return copy
  }
}
