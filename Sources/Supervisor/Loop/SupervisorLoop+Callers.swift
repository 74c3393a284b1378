internal import CSupervisor
internal import Glibc
internal import ScenarioModel

/// A thread that makes one watched call after the other, with nobody between.
struct RepeatedCaller {
  /// The thread.
  var thread: Tracee?
  /// How many stops in a row were its own.
  var stops = 0
  /// When, in real time, the last sixteen of them began.
  var since = Nanoseconds.zero
  /// Whether its next stop is near: it runs, and has not been waited for in vain.
  var isAwaited = false
  /// Where the supervisor might run when it began to run on the thread's processor; `nil` if it does not.
  var place: scenario_placement?

  /// Whether the supervisor runs on the thread's processor.
  var isFollowed: Bool { place != nil }
}

/// Threads that make one watched call after the other.
///
/// Such a thread stops again within microseconds, which is less than it takes to look at the clock, at the
/// mail and at the other threads, or to fall asleep and be woken. The supervisor goes to that thread's
/// processor: from one to the other is a matter of the scheduler alone there, while another processor must be
/// told, and woken if it idles, or be had from those who use it. The thread itself may run wherever it might.
extension SupervisorLoop {
  /// After how many stops in a row a thread is taken for one that makes many.
  private static let leastRow = 2
  /// After how many stops in a row, and within which time, it is followed.
  private static let followedRow = 16
  private static let followedRowTime = Nanoseconds.microseconds(50 * Int64(followedRow))
  /// After how many stops it is looked whether the thread has gone elsewhere.
  private static let stopsPerFollowing = 256
  /// How often a stop is looked for before all else.
  private static let looks = 24
  /// The same where each look lets the thread have its turn first.
  private static let hereLooks = 2
  /// For how long a thread may run on the supervisor's processor without a stop.
  private static let followedTime = Nanoseconds.microseconds(200)

  /// A thread by its number.
  func tracee(of thread: ThreadIdentifier) -> Tracee? {
    if let known = caller.thread, known.identifier == thread { return known }
    return tracees[thread]
  }

  /// A thread has been let go, or not, from the entry or the exit of a call.
  func noteCaller(_ tracee: Tracee) {
    guard caller.thread === tracee else {
      leaveCaller()
      // A call may have been the thread's last.
      guard tracees[tracee.identifier] === tracee else { return }
      caller.thread = tracee
      caller.stops = 1
      caller.since = RealClock.monotonic()
      return
    }
    caller.stops &+= 1
    switch tracee.state {
    case .running, .restoring, .completing: caller.isAwaited = caller.stops >= Self.leastRow
    default: caller.isAwaited = false
    }
    guard caller.isAwaited else { return }
    if caller.isFollowed {
      if caller.stops % Self.stopsPerFollowing == 0 { followCaller() }
    } else if caller.stops % Self.followedRow == 0 {
      let now = RealClock.monotonic()
      if now - caller.since < Self.followedRowTime { followCaller() }
      caller.since = now
    }
  }

  /// Looks for the stop of a thread that is about to call again; false if none has come.
  func awaitCaller() -> Bool {
    guard caller.isAwaited else { return false }
    let isHere = caller.isFollowed || !placements.isEmpty
    for _ in 0..<(isHere ? Self.hereLooks : Self.looks) {
      if isHere, !yieldProcessor() { break }
      if collectStops() { return true }
    }
    caller.isAwaited = false
    return false
  }

  /// Goes to the processor where the thread is.
  private func followCaller() {
    guard mayShareProcessor(), let processor = caller.thread?.sampler.processor() else { return }
    var place = caller.place ?? scenario_placement()
    if caller.place == nil { place.processor = -1 }
    guard place.processor != processor else { return }
    if scenario_follow(processor, &place) != 0 { caller.place = place }
  }

  /// Forgets the thread that made many calls, and runs wherever it might before.
  func leaveCaller() {
    if var place = caller.place { scenario_release_place(0, &place) }
    if caller.thread != nil { caller = RepeatedCaller() }
  }

  /// Nothing has stopped: a thread that has run for a while has its processor for itself.
  func leaveCallerInTime() {
    guard caller.isFollowed else { return }
    if RealClock.monotonic() - lastProgress > Self.followedTime { leaveCaller() }
  }
}
