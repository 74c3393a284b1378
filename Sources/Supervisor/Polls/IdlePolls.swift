internal import CSupervisor
internal import Foundations

/// Detects threads that poll without effect: their waits may be late by the scenario's slack, as
/// those of threads are to which the kernel gives one (prctl(2): PR_SET_TIMERSLACK).
///
/// A thread is observed from the end of one wait to the next one, each time at first and now and
/// then later.
final class IdlePolls {
  private var records: [ThreadIdentifier: PollRecord] = [:]

  /// A thread begins to wait; returns whether it may wait longer.
  func begin(_ wait: TimedWait, of tracee: Tracee) -> Bool {
    let place = PollRecord.Place(
      address: wait.entry.instructionPointer, systemCall: wait.entry.systemCall)
    var record = records[tracee.identifier] ?? PollRecord(place: place)
    tracee.watches.stopObserving(for: self)
    record.begin(at: place)
    records[tracee.identifier] = record
    guard record.isIdle, case .monotonic = wait.deadline else { return false }
    return true
  }

  /// Records the end of a thread's wait.
  ///
  /// - Parameters:
  ///   - hasExpired: whether its time was up.
  ///   - isAtEntry: whether the thread has not left the call yet.
  func end(of tracee: Tracee, hasExpired: Bool, isAtEntry: Bool) {
    let thread = tracee.identifier
    guard hasExpired else {
      records[thread]?.recordEffect()
      return
    }
    guard records[thread]?.expire() ?? false else { return }
    var isOwnExit = isAtEntry
    tracee.watches.observe(for: self) { [unowned self, unowned tracee] registers in
      defer { isOwnExit = false }
      guard !isOwnExit, !PollEffects.isWithout(registers, of: tracee) else { return true }
      records[thread]?.recordEffect()
      return false
    }
  }

  /// A thread is gone, or runs another program.
  func forget(_ thread: ThreadIdentifier) { records[thread] = nil }
}
