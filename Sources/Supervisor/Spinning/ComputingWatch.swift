internal import Foundations

/// What is known of threads that compute while somebody of their own process waits for an instant: how far time may
/// go although they do not sleep.
///
/// A thread may spin until another one has done something, and that one may sleep: a garbage collector's worker
/// until a sweeper goes on, a lock's next holder until the one before it wakes. Nobody would ever sleep, and no time
/// would pass. Therefore computing costs its own processor time from a bound on: time follows the thread of those
/// that compute that has used least. As only processor time counts, which a busy machine does not give faster, and
/// never more of it than was used, load makes no deadline come early.
struct ComputingWatch {
  /// How much processor time a thread may use from one wait to the next before any of it counts.
  ///
  /// Most work that programs do at one instant takes less, also on a slow machine: it ends at the instant at which
  /// it began, the same in each run.
  static let freeTime = Nanoseconds.seconds(1)

  /// What was read of a thread that computes.
  struct Reading {
    /// The thread.
    var thread: ThreadIdentifier
    /// The processor time that it has used (proc(5): the first number of schedstat).
    var spent: Nanoseconds
    /// How often it has left its processor of its own accord (proc(5): voluntary_ctxt_switches of status).
    var switches: UInt64
    /// How many stops of it the supervisor has handled, each of which takes it from its processor once at most.
    var stops: UInt64
  }

  /// What a thread has done since it last waited.
  private struct Burst {
    /// Its processor time then.
    var spentBefore: Nanoseconds
    /// Virtual time then.
    var begin: Nanoseconds
    /// What was read last.
    var reading: Reading

    /// Whether the thread has waited since that was read.
    func hasWaited(by now: Reading) -> Bool {
      now.switches &- reading.switches > now.stops &- reading.stops
    }
  }

  private var bursts: [ThreadIdentifier: Burst] = [:]
  /// When, by the kernel's CLOCK_MONOTONIC, they are looked at next.
  private(set) var nextLook = Nanoseconds.zero

  /// Where time passes for nobody, so much real time lies between two looks.
  private static let lookInterval = Nanoseconds.milliseconds(20)
  /// The same once time passes.
  private static let shortLookInterval = Nanoseconds.milliseconds(1)
  /// Looks take this share of real time at most.
  private static let lookShare: Int64 = 10

  /// Everything sleeps.
  mutating func forget() {
    if !bursts.isEmpty { bursts.removeAll(keepingCapacity: true) }
  }

  /// Says when to look next.
  ///
  /// - Parameters:
  ///   - begin: when this look began, by the kernel's CLOCK_MONOTONIC.
  ///   - end: when it ended.
  ///   - hasLead: whether time may pass.
  mutating func recordLook(from begin: Nanoseconds, to end: Nanoseconds, hasLead: Bool) {
    let interval = hasLead ? Self.shortLookInterval : Self.lookInterval
    nextLook = end + max(interval, Nanoseconds((end - begin).count &* Self.lookShare))
  }

  /// How far virtual time may go; `nil` if a thread has used less than the bound.
  ///
  /// - Parameters:
  ///   - readings: all threads that compute.
  ///   - now: virtual time.
  mutating func limit(for readings: [Reading], now: Nanoseconds) -> Nanoseconds? {
    var known: [ThreadIdentifier: Burst] = [:]
    var limit: Nanoseconds? = .forever
    for reading in readings {
      var burst =
        bursts[reading.thread].flatMap { $0.hasWaited(by: reading) ? nil : $0 }
        ?? Burst(spentBefore: reading.spent, begin: now, reading: reading)
      burst.reading = reading
      known[reading.thread] = burst
      let lead = reading.spent - burst.spentBefore - Self.freeTime
      limit = lead > .zero ? limit.map { min($0, burst.begin + lead) } : nil
    }
    bursts = known
    return readings.isEmpty ? nil : limit
  }
}
