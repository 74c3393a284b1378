internal import CSupervisor
internal import Foundations
internal import Glibc

/// Chooses the processors of the target's threads and of the tracer, while one only waits for the
/// other.
///
/// To wake a processor that idles takes many times as long as to change from one thread to another.
/// A thread that is woken alone is therefore put on the tracer's own processor, and released as
/// soon as it runs on, and before it can read its affinity or fork.
///
/// A thread that makes one watched call after the other stops again within microseconds, which is
/// less than it takes to read the clock, the mailbox and the other threads, or to fall asleep and
/// be woken. The tracer moves to that thread's processor: changing from one to the other is a
/// matter of the kernel's scheduler alone there, while another processor must be signalled, and
/// woken if it idles, or be taken from its users. The thread itself may run wherever it might.
final class ProcessorPlacement: Interceptor {
  /// The time for which a thread may run on the tracer's processor without a stop before it is
  /// released.
  private static let limit = Nanoseconds.microseconds(200)

  /// A thread that makes one watched call after the other, without other threads' calls between.
  private struct HotThread {
    /// The thread.
    var thread: Tracee?
    /// The number of stops in a row that were its own.
    var stops = 0
    /// The real time at which the last sixteen of them began.
    var since = Nanoseconds.zero
    /// True if its next stop is near: it runs, and has not been waited for in vain.
    var isAwaited = false
    /// The tracer's affinity before it moved to the thread's processor; `nil` if it has not.
    var place: scenario_placement?

    /// True if the tracer runs on the thread's processor.
    var isFollowed: Bool { place != nil }
  }

  /// The competition for the tracer's processor.
  private var sharing = ProcessorSharing()
  /// The original affinities of threads that were placed for as long as they only wait, and wait
  /// again.
  private var placements: [ThreadIdentifier: scenario_placement] = [:]
  private var hot = HotThread()

  // Some calls and files tell where a thread may run: sched_getaffinity(2), /proc/self/status. A program that comes may
  // be another thread's, and is to run wherever it may.
  let calls: Set<Int>? = OpenCall.numbers.union([
    SystemCallNumber.schedSetaffinity, SystemCallNumber.schedGetaffinity,
    SystemCallNumber.execve, SystemCallNumber.execveat,
  ])
  let filterRules: [Int: FilterRule] = [
    SystemCallNumber.schedSetaffinity: .trace, SystemCallNumber.schedGetaffinity: .trace,
  ]

  func enter(_ call: InterceptedCall) -> CallDisposition {
    release()
    return .pass
  }

  // MARK: - Threads on the tracer's processor

  /// True if any thread is there.
  var hasPlaced: Bool { !placements.isEmpty }

  /// Puts a thread that sleeps, and is about to be woken, on this thread's processor.
  func place(_ tracee: Tracee) {
    guard mayShareProcessor() else { return }
    if var placement = placements[tracee.identifier] {
      scenario_place_again(tracee.identifier.number, &placement)
      placements[tracee.identifier] = placement
      return
    }
    var placement = scenario_placement()
    guard scenario_place(tracee.identifier.number, &placement) != 0 else { return }
    placements[tracee.identifier] = placement
  }

  /// Restores the affinities of all threads.
  func release() {
    guard !placements.isEmpty else { return }
    for (thread, placement) in placements {
      withUnsafePointer(to: placement) { scenario_release_place(thread.number, $0) }
    }
    placements.removeAll(keepingCapacity: true)
  }

  /// Releases threads that have run for a while without a stop, and moves the tracer away from one
  /// that has.
  ///
  /// - Parameter lastProgress: the time of the last progress, on the kernel's CLOCK_MONOTONIC.
  func releaseInTime(since lastProgress: Nanoseconds) {
    guard !placements.isEmpty || hot.isFollowed,
      RealClock.monotonic() - lastProgress > Self.limit
    else { return }
    release()
    if hot.isFollowed { leave() }
  }

  /// Forgets a thread that has exited.
  func remove(_ thread: ThreadIdentifier) {
    placements[thread] = nil
    if hot.thread?.identifier == thread { leave() }
  }

  // MARK: - The tracer on a thread's processor

  /// After how many stops in a row a thread is taken for one that makes many.
  private static let leastRow = 2
  /// After how many stops in a row, and within which time, it is followed.
  private static let followedRow = 16
  private static let followedRowTime = Nanoseconds.microseconds(50 * Int64(followedRow))
  /// After how many stops it is looked whether the thread has gone elsewhere.
  private static let stopsPerFollowing = 256
  /// The number of times that a stop is polled for before all else.
  private static let looks = 24
  /// The same where each look lets the thread have its turn first.
  private static let hereLooks = 2

  /// True if the next stop of the thread that makes many is near.
  var awaitsStop: Bool { hot.isAwaited }

  /// True if the tracer has the processor together with a thread that runs.
  var isShared: Bool { hasPlaced || hot.isFollowed }

  /// The thread that makes many stops, if it has this number.
  func hotThread(_ thread: ThreadIdentifier) -> Tracee? {
    hot.thread.flatMap { $0.identifier == thread ? $0 : nil }
  }

  /// Records a stop of a thread at the entry or the exit of a call, behind which it runs on or not.
  ///
  /// - Parameter isGone: whether the call was its last.
  func recordStop(of tracee: Tracee, isGone: @autoclosure () -> Bool) {
    guard hot.thread === tracee else {
      leave()
      guard !isGone() else { return }
      hot.thread = tracee
      hot.stops = 1
      hot.since = RealClock.monotonic()
      return
    }
    hot.stops &+= 1
    switch tracee.state {
    case .running, .restoring, .completing: hot.isAwaited = hot.stops >= Self.leastRow
    default: hot.isAwaited = false
    }
    guard hot.isAwaited else { return }
    if hot.isFollowed {
      if hot.stops % Self.stopsPerFollowing == 0 { follow() }
    } else if hot.stops % Self.followedRow == 0 {
      let now = RealClock.monotonic()
      if now - hot.since < Self.followedRowTime { follow() }
      hot.since = now
    }
  }

  /// Polls for the stop of a thread that is about to call again; false if none has come.
  ///
  /// - Parameter collect: looks for stops; false if there is none.
  func awaitStop(_ collect: () -> Bool) -> Bool {
    guard hot.isAwaited else { return false }
    let isHere = isShared
    for _ in 0..<(isHere ? Self.hereLooks : Self.looks) {
      if isHere, !yieldProcessor() { break }
      if collect() { return true }
    }
    hot.isAwaited = false
    return false
  }

  /// Moves to the processor where the thread is.
  private func follow() {
    guard mayShareProcessor(), let processor = hot.thread?.sampler.processor() else { return }
    var place = hot.place ?? scenario_placement()
    if hot.place == nil { place.processor = -1 }
    guard place.processor != processor else { return }
    if scenario_follow(processor, &place) != 0 { hot.place = place }
  }

  /// Forgets the thread that made many calls, and runs wherever it might before.
  func leave() {
    if var place = hot.place { scenario_release_place(0, &place) }
    if hot.thread != nil { hot = HotThread() }
  }

  // MARK: - Turns

  /// Yields to a thread on this processor; false, and nothing happens, if that would give others
  /// turns as well.
  func yieldProcessor() -> Bool {
    let start = RealClock.monotonic()
    guard !sharing.isContended(now: start) else { return false }
    sched_yield()
    sharing.record(turnFrom: start, to: RealClock.monotonic())
    return true
  }

  /// Returns whether to be on the same processor as a thread of the target is of use.
  private func mayShareProcessor() -> Bool { !sharing.isContended(now: RealClock.monotonic()) }
}
