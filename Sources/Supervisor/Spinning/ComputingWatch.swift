internal import Foundations

/// What is known of threads that compute while others wait for an instant, or that look at the clock meanwhile: how
/// far time may go although they do not sleep.
///
/// A thread may compute until an alarm ends it or a time is over, and it may spin until another one has done
/// something that sleeps: a garbage collector's worker until a sweeper goes on, a lock's next holder until the one
/// before it wakes. Nobody would ever sleep, and no time would pass. Therefore computing costs its own processor time
/// from a bound on: time follows the thread of those that compute that has used least. As only processor time counts,
/// which a busy machine does not give faster, and never more of it than was used, load makes no deadline come early.
///
/// Where threads relieve each other (a shell that runs one program after the other, two that pass a word to and fro),
/// none of them uses much, and yet nothing sleeps. Therefore the work of all counts as well, divided by how many were
/// seen at work at once, and never more than real time has passed: however many processors there are, it cannot have
/// taken less. More of it is free, as most of what relieves each other comes to an end.
struct ComputingWatch {
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

  /// How far time may go, and who has computed for so long.
  struct Limit: Equatable {
    /// The instant.
    var instant: Nanoseconds
    /// The next instant for somebody who only looks at the clock, if it is not beyond: in round steps, so that few runs
    /// differ.
    var step: Nanoseconds?
    /// The thread that time follows; `nil` for all of them together.
    var thread: ThreadIdentifier?
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

  /// What all threads have done since everything slept.
  private struct CommonBurst {
    /// Their processor time then.
    var spentBefore: Nanoseconds
    /// Virtual time then.
    var begin: Nanoseconds
    /// The kernel's CLOCK_MONOTONIC then.
    var real: Nanoseconds
    /// How many were seen at work at once.
    var width: Int64 = 1
  }

  private let cost: ComputingCost
  private var bursts: [ThreadIdentifier: Burst] = [:]
  private var common: CommonBurst?
  /// The threads whose processor time lets time pass, as the last look has found.
  private var charged: Set<ThreadIdentifier> = []
  /// When, by the kernel's CLOCK_MONOTONIC, they are looked at next.
  private(set) var nextLook = Nanoseconds.zero

  /// So much real time lies between two looks, as long as nobody waits for the next.
  private static let lookInterval = Nanoseconds.milliseconds(20)
  /// The same where time is about to pass.
  private static let shortLookInterval = Nanoseconds.milliseconds(1)
  /// Looks take this share of real time at most.
  private static let lookShare: Int64 = 10

  /// - Parameter cost: what computing costs.
  init(cost: ComputingCost) {
    self.cost = cost
  }

  /// Whether computing costs anything.
  var isCharged: Bool { cost != .free }

  /// Whether time passes for what a thread uses of its processor.
  func isCharged(_ thread: ThreadIdentifier) -> Bool {
    !charged.isEmpty && charged.contains(thread)
  }

  /// Everything sleeps, but for threads that ask for the time again and again.
  ///
  /// - Parameter spinners: those, which may have computed for long.
  mutating func forget(but spinners: Set<ThreadIdentifier>) {
    common = nil
    guard !bursts.isEmpty else { return }
    charged = []
    if spinners.isEmpty {
      bursts.removeAll(keepingCapacity: true)
    } else {
      bursts = bursts.filter { spinners.contains($0.key) }
    }
  }

  /// Says when to look next.
  ///
  /// - Parameters:
  ///   - begin: when this look began, by the kernel's CLOCK_MONOTONIC.
  ///   - end: when it ended.
  ///   - lead: how much the threads must compute until time passes for somebody; `nil` where they may not let any
  ///     pass.
  mutating func recordLook(from begin: Nanoseconds, to end: Nanoseconds, lead: Nanoseconds?) {
    if lead == nil { charged = [] }
    let interval = min(Self.lookInterval, max(Self.shortLookInterval, lead ?? .forever))
    nextLook = end + max(interval, Nanoseconds((end - begin).count &* Self.lookShare))
  }

  /// How far virtual time may go; `nil` as long as nothing is charged.
  ///
  /// - Parameters:
  ///   - readings: all threads that compute.
  ///   - now: virtual time.
  ///   - real: the kernel's CLOCK_MONOTONIC.
  ///   - spentByAll: the processor time of all processes; asked for only where no thread alone has used enough.
  mutating func limit(
    for readings: [Reading], now: Nanoseconds, real: Nanoseconds, spentByAll: () -> Nanoseconds
  ) -> Limit? {
    guard case .charged(let free, let rate) = cost else { return nil }
    var known: [ThreadIdentifier: Burst] = [:]
    var least: (lead: Nanoseconds, limit: Limit)?
    var isFree = readings.isEmpty
    for reading in readings {
      var burst =
        bursts[reading.thread].flatMap { $0.hasWaited(by: reading) ? nil : $0 }
        ?? Burst(spentBefore: reading.spent, begin: now, reading: reading)
      burst.reading = reading
      known[reading.thread] = burst
      let lead = reading.spent - burst.spentBefore - free
      guard lead > .zero else {
        isFree = true
        continue
      }
      let limit = Self.limit(
        from: burst.begin, lead: rate.flowed(in: lead).length, now: now, of: reading.thread)
      if least.map({ limit.instant < $0.limit.instant }) ?? true { least = (lead, limit) }
    }
    bursts = known
    if let width = common?.width { common?.width = max(width, Int64(readings.count)) }
    if let least, !isFree {
      charged = Set(readings.map(\.thread))
      return least.limit
    }
    return commonLimit(free: free, rate, now: now, real: real, spent: spentByAll())
  }

  private mutating func commonLimit(
    free: Nanoseconds, _ rate: ClockRate, now: Nanoseconds, real: Nanoseconds, spent: Nanoseconds
  ) -> Limit? {
    // Less than before has been used where somebody has ended for whom nobody waited.
    guard let common, spent >= common.spentBefore else {
      common = CommonBurst(spentBefore: spent, begin: now, real: real)
      return nil
    }
    let lead =
      min(Nanoseconds((spent - common.spentBefore).count / common.width), real - common.real)
      - Nanoseconds(min(free.count, Int64.max / Self.commonShare) * Self.commonShare)
    guard lead > .zero else { return nil }
    return Self.limit(
      from: common.begin, lead: rate.flowed(in: lead).length, now: now, of: nil)
  }

  /// How many times as much is free of what all do together.
  private static let commonShare: Int64 = 5

  /// How far time moves at once, at least, for somebody who only looks at the clock; and the share of what has passed
  /// that it moves at most.
  private static let quantum: Int64 = 10_000_000
  private static let quantumShare: Int64 = 1_000

  private static func limit(
    from begin: Nanoseconds, lead: Nanoseconds, now: Nanoseconds, of thread: ThreadIdentifier?
  ) -> Limit {
    let passed = max(0, (now - begin).count)
    var quantum = quantum
    while quantum * 10 <= passed / quantumShare { quantum *= 10 }
    let step = Nanoseconds((passed / quantum + 1) * quantum)
    return Limit(instant: begin + lead, step: step <= lead ? begin + step : nil, thread: thread)
  }
}
