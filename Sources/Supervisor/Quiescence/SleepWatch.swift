/// The threads that must be examined to know whether they sleep.
///
/// A thread that only sleeps, in nanosleep(2), or in poll(2) without a descriptor, and the like,
/// without a timeout in the kernel, is woken by nothing but a signal, and stops before its next
/// instruction. While nobody can have sent it one it needs no look: a thousand of them cost nothing
/// where one runs. The possible senders are known, because the supervisor sees the calls that send
/// signals (``SignalSources``) and all ends of processes. The same holds of those that wait for a
/// private futex where the calls are seen that wake them (``FutexWakes``), also without a timeout of their own: these
/// are not held, and go on without a stop, so they rest only from an instant at which everything sleeps, until anything
/// may have woken them.
struct SleepWatch {
  /// What a thread waited for when everything slept.
  private struct SeenWait {
    /// How often it had been given a processor by then.
    var runs: UInt64
    /// The address of the futex that it waits for; `nil` if it waits otherwise.
    var futex: UInt64?
  }

  /// The threads that only sleep, and have got no signal.
  private var resting: [ThreadIdentifier: Tracee] = [:]
  /// The threads that only slept when they may have been sent a signal.
  private(set) var suspects: [ThreadIdentifier: Tracee] = [:]
  /// The threads that wait for a futex without being held, and have got no signal.
  private var idle: [ThreadIdentifier: Tracee] = [:]
  /// The waits of threads that are not held.
  private var seenWaits: [ThreadIdentifier: SeenWait] = [:]
  /// The threads that must be examined.
  private(set) var watched: [ThreadIdentifier: Tracee] = [:]
  /// The watched and resting threads that wait for a futex, by its address.
  private var futexes: [UInt64: [ThreadIdentifier: Tracee]] = [:]
  /// The address of the futex that a thread waits for.
  private var places: [ThreadIdentifier: UInt64] = [:]
  /// True if signals may come without an announcement.
  private(set) var looksAtAll = false
  /// The number of times that any thread may have got a signal, from 1.
  private var signals: UInt64 = 1

  /// Adds a thread.
  mutating func add(_ tracee: Tracee) {
    watched[tracee.identifier] = tracee
  }

  /// Forgets a thread that is gone.
  mutating func remove(_ thread: ThreadIdentifier) {
    watched[thread] = nil
    resting[thread] = nil
    suspects[thread] = nil
    idle[thread] = nil
    seenWaits[thread] = nil
    leaveFutex(thread)
  }

  /// A thread only sleeps from here on, unless a signal was on its way before: it must be seen asleep once.
  ///
  /// - Parameter futex: the address of the futex that it waits for, if it does.
  mutating func rest(_ tracee: Tracee, at futex: UInt64? = nil) {
    guard !looksAtAll, !tracee.process.hasEndedLeader else { return }
    if let futex {
      futexes[futex, default: [:]][tracee.identifier] = tracee
      places[tracee.identifier] = futex
    }
    watched[tracee.identifier] = tracee
    suspects[tracee.identifier] = tracee
    resting[tracee.identifier] = nil
    tracee.isResting = true
  }

  /// A thread that is not held sleeps, as everything does: it rests if it waits for a futex as said above.
  ///
  /// - Parameters:
  ///   - runs: how often it has been given a processor: an equal number means that it waits as it did.
  ///   - futex: returns the address of the futex that it waits for; `nil` if it waits otherwise.
  mutating func restUnheld(_ tracee: Tracee, runs: UInt64, at futex: () -> UInt64?) {
    let thread = tracee.identifier
    // A kernel that does not count says nought.
    guard runs > 0, !looksAtAll, !tracee.process.hasEndedLeader else { return }
    var wait = seenWaits[thread]
    if wait?.runs != runs {
      wait = SeenWait(runs: runs, futex: futex())
      seenWaits[thread] = wait
    }
    guard let place = wait?.futex, watched.removeValue(forKey: thread) != nil else { return }
    futexes[place, default: [:]][thread] = tracee
    places[thread] = place
    idle[thread] = tracee
    tracee.isResting = true
  }

  /// A thread has stopped, or is about to: it does not only sleep.
  mutating func wake(_ tracee: Tracee) {
    guard tracee.isResting else { return }
    tracee.isResting = false
    let thread = tracee.identifier
    suspects[thread] = nil
    leaveFutex(thread)
    guard (resting.removeValue(forKey: thread) ?? idle.removeValue(forKey: thread)) != nil else {
      return
    }
    watched[thread] = tracee
  }

  /// A thread may have got a signal.
  mutating func suspect(_ tracee: Tracee) {
    tracee.unsignalledSince = 0
    // It may wait for something else when everything sleeps again.
    guard idle[tracee.identifier] == nil else { return wake(tracee) }
    guard tracee.isResting, resting.removeValue(forKey: tracee.identifier) != nil else { return }
    watched[tracee.identifier] = tracee
    suspects[tracee.identifier] = tracee
  }

  /// Threads that wait for a futex may have been woken.
  mutating func suspect(at futex: UInt64) {
    for tracee in futexes[futex, default: [:]].values { suspect(tracee) }
  }

  /// Examines all threads until they stop, because they may wait for another futex than the known
  /// one.
  mutating func loseFutexes() {
    for tracee in futexes.values.flatMap({ Array($0.values) }) { wake(tracee) }
  }

  private mutating func leaveFutex(_ thread: ThreadIdentifier) {
    guard let futex = places.removeValue(forKey: thread) else { return }
    futexes[futex]?[thread] = nil
    if futexes[futex]?.isEmpty ?? false { futexes[futex] = nil }
  }

  /// Records that any thread may have got a signal, or been woken.
  mutating func suspectAll() {
    signals &+= 1
    for tracee in idle.values { wake(tracee) }
    guard !resting.isEmpty else { return }
    watched.merge(resting) { tracee, _ in tracee }
    suspects.merge(resting) { tracee, _ in tracee }
    resting = [:]
  }

  /// Returns whether a signal may be pending for a thread in a stop, while all others sleep.
  ///
  /// - Parameter isPending: whether one is, by the kernel's word.
  func maySignalPend(for tracee: Tracee, _ isPending: (Tracee) -> Bool) -> Bool {
    guard looksAtAll || tracee.unsignalledSince != signals else { return false }
    guard !isPending(tracee) else { return true }
    tracee.unsignalledSince = signals
    return false
  }

  /// Examines every thread from here on, because signals may come without an announcement.
  mutating func lookAtAll() {
    suspectAll()
    looksAtAll = true
  }

  /// Records that all that must be examined was seen asleep: no signal has come.
  mutating func recordAllAsleep() {
    guard !suspects.isEmpty, !looksAtAll else { return }
    for (thread, tracee) in suspects where !tracee.process.hasEndedLeader {
      watched[thread] = nil
      resting[thread] = tracee
    }
    suspects = [:]
  }
}
