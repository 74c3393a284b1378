internal import Foundations

/// Tracks threads that compute while others wait for an instant, or that read the clock meanwhile,
/// and decides how far time may move although they do not sleep.
///
/// A thread may compute until an alarm ends it or a time is over, and it may spin until another one
/// has done something that sleeps: a garbage collector's worker until a sweeper goes on, a lock's
/// next holder until the one before it wakes. No thread would ever sleep, and no time would pass.
/// Therefore computing costs its own processor time from a bound on: time follows the thread of
/// those that compute that has used least. As only processor time counts, which a busy machine does
/// not give faster, and never more of it than was used, load makes no deadline come early.
///
/// Only what is used while a thread waits counts: a deadline that is filed later is no nearer for
/// it.
///
/// Where threads of a process relieve each other (a runtime's workers that hand over a lock while they poll for what
/// one of them is to do after a sleep), none of them uses much, and yet nothing sleeps. Therefore the work of a process
/// with several of them counts as well, from one look to the next, divided by how many were at work at either, and never
/// more than real time has passed. A spinner that is held is at work: it has its turn between two looks. As much is free
/// for each spinner, which lets time pass by its reads (``SpinCredit``).
///
/// The same where processes do so (a shell that runs one program after the other). More of it is free, as most of what
/// relieves each other comes to an end.
struct ComputingWatch {
  /// The counters of a thread that computes.
  struct Reading {
    /// The thread.
    var thread: ThreadIdentifier
    /// Its process.
    var process: ThreadIdentifier
    /// The processor time that it has used (proc(5): the first number of schedstat).
    var spent: Nanoseconds
    /// The number of times that it has left its processor of its own accord (proc(5):
    /// voluntary_ctxt_switches of status).
    var switches: UInt64
    /// The number of its stops that the supervisor has handled, each of which takes it from its
    /// processor once at most.
    var stops: UInt64
  }

  /// The instant to which time may move, and the thread that has computed for so long.
  struct Limit: Equatable {
    /// The instant.
    var instant: Nanoseconds
    /// The instant to which time moves if no deadline is before it and it has not passed: in round
    /// steps, so that few runs differ.
    var step: Nanoseconds?
    /// The thread that time follows; `nil` for several together.
    var thread: ThreadIdentifier?
  }

  /// The work of a thread since it last waited.
  private struct Burst {
    /// Its processor time then.
    var spentBefore: Nanoseconds
    /// Virtual time then.
    var begin: Nanoseconds
    /// The last reading.
    var reading: Reading

    /// Returns whether the thread has waited since that was read.
    func hasWaited(by now: Reading) -> Bool {
      now.switches &- reading.switches > now.stops &- reading.stops
    }
  }

  /// The work of the threads of a process, since it was last seen at rest.
  private struct ProcessBurst {
    /// Virtual time then.
    var begin: Nanoseconds
    /// The time that counts, each working as if alone.
    var used = Nanoseconds.zero
    /// The processor time that they have used since it began, several of them being at work.
    var spentTogether = Nanoseconds.zero
    /// The largest number of them that were spinners at once.
    var spinnerCount = 0
    /// The processor time of the process at the last look.
    var spent: Nanoseconds
    /// The kernel's CLOCK_MONOTONIC at the last look.
    var real: Nanoseconds
    /// The number of threads that were at work then.
    var width: Int64 = 0
    /// The threads that have been at work.
    var threads: Set<ThreadIdentifier> = []

    /// Adds what was used since the last look, once several threads are known to work.
    ///
    /// - Parameters:
    ///   - working: the threads that compute.
    ///   - spinners: the threads that spin, whether they are held or not.
    ///   - free: what they may use for each spinner, or for all if there is none.
    ///   - spent: the processor time of the process.
    ///   - real: the kernel's CLOCK_MONOTONIC.
    mutating func record(
      _ working: Set<ThreadIdentifier>, spinners: Set<ThreadIdentifier>, free: Nanoseconds,
      spent: Nanoseconds, real: Nanoseconds
    ) {
      let now = Int64(working.union(spinners).count)
      spinnerCount = max(spinnerCount, spinners.count)
      if threads.count > 1 {
        let new = max(.zero, spent - self.spent)
        spentTogether = spentTogether + new
        let allFree = free.multiplied(by: Int64(max(1, spinnerCount)))
        let counted = max(.zero, min(new, spentTogether - allFree))
        let share = Nanoseconds(counted.count / max(1, now, width))
        used = used + min(share, max(.zero, real - self.real))
      }
      (self.spent, self.real, width) = (spent, real, now)
      threads.formUnion(working)
    }
  }

  /// The work of all threads since everything slept.
  private struct CommonBurst {
    /// Virtual time then.
    var begin: Nanoseconds
    /// The time that they have worked since, each as if alone.
    var used = Nanoseconds.zero
    /// Their processor time at the last look.
    var spent: TreeProcessorTime
    /// The kernel's CLOCK_MONOTONIC at the last look.
    var real: Nanoseconds
    /// The number of threads that were at work then.
    var width: Int64
  }

  private let cost: ComputingCost
  private var bursts: [ThreadIdentifier: Burst] = [:]
  private var processBursts: [ThreadIdentifier: ProcessBurst] = [:]
  private var common: CommonBurst?
  /// The threads whose processor time lets time pass, as the last look has found.
  private var charged: Set<ThreadIdentifier> = []
  /// The time of the next look, on the kernel's CLOCK_MONOTONIC.
  private(set) var nextLook = Nanoseconds.zero

  /// The real time between two looks, unless a thread waits for the next one.
  private static let lookInterval = Nanoseconds.milliseconds(20)
  /// The same where time is about to pass.
  private static let shortLookInterval = Nanoseconds.milliseconds(1)
  /// The least ratio of the pause behind a look to the time that the look took.
  private static let lookShare: Int64 = 10

  /// - Parameter cost: what computing costs.
  init(cost: ComputingCost) {
    self.cost = cost
  }

  /// True if computing costs anything.
  var isCharged: Bool { cost != .free }

  /// Returns whether time passes for what a thread uses of its processor.
  func isCharged(_ thread: ThreadIdentifier) -> Bool {
    !charged.isEmpty && charged.contains(thread)
  }

  /// Forgets all threads but the spinners, as everything else sleeps.
  ///
  /// - Parameter spinners: the threads that poll for the time, which may have computed for long.
  mutating func forget(but spinners: Set<ThreadIdentifier>) {
    common = nil
    guard !bursts.isEmpty || !processBursts.isEmpty else { return }
    charged = []
    if spinners.isEmpty {
      bursts.removeAll(keepingCapacity: true)
      processBursts.removeAll(keepingCapacity: true)
    } else {
      bursts = bursts.filter { spinners.contains($0.key) }
      processBursts = processBursts.filter { !$0.value.threads.isDisjoint(with: spinners) }
    }
  }

  /// Sets the time of the next look.
  ///
  /// - Parameters:
  ///   - begin: when this look began, by the kernel's CLOCK_MONOTONIC.
  ///   - end: when it ended.
  ///   - lead: how much the threads must compute until time passes for a waiter; `nil` where they may not let any
  ///     pass.
  mutating func recordLook(from begin: Nanoseconds, to end: Nanoseconds, lead: Nanoseconds?) {
    if lead == nil { charged = [] }
    let interval = min(Self.lookInterval, max(Self.shortLookInterval, lead ?? .forever))
    nextLook = end + max(interval, Nanoseconds((end - begin).count &* Self.lookShare))
  }

  /// Returns the instant to which virtual time may move; `nil` as long as nothing is charged.
  ///
  /// - Parameters:
  ///   - readings: all threads that compute.
  ///   - spinners: the threads of each process that spin at this instant, whether they are held or not.
  ///   - now: virtual time.
  ///   - real: the kernel's CLOCK_MONOTONIC.
  ///   - chargeable: how much of what has been used may count at once, as a thread has begun to wait since the look
  ///     before; nought where no thread waits, `nil` for all. The rest is forgotten.
  ///   - spentByAll: the processor time of all processes.
  mutating func limit(
    for readings: [Reading], spinners: [ThreadIdentifier: Set<ThreadIdentifier>], now: Nanoseconds,
    real: Nanoseconds, chargeable: Nanoseconds?, spentByAll: TreeProcessorTime
  ) -> Limit? {
    charged = []
    guard case .charged(let free, let rate) = cost else { return nil }
    let bounds = now...now + (chargeable.map { rate.flowed(in: $0).length } ?? .forever)
    let limit = limitOfProcesses(
      with: readings, spinners: spinners, free: free, rate, now: now, real: real,
      spent: spentByAll, within: bounds)
    let width = spinners.values.reduce(into: Set(readings.map(\.thread))) { $0.formUnion($1) }.count
    let commonLimit = commonLimit(
      free: free, rate, width: Int64(max(1, width)), now: now, real: real, spent: spentByAll,
      within: bounds)
    guard chargeable != .zero else { return nil }
    guard let limit else { return commonLimit }
    charged = processBursts.values.reduce(into: []) { $0.formUnion($1.threads) }
    return limit
  }

  /// Returns the limit of the process whose threads have used least; `nil` if what one of them uses is free.
  private mutating func limitOfProcesses(
    with readings: [Reading], spinners: [ThreadIdentifier: Set<ThreadIdentifier>],
    free: Nanoseconds, _ rate: ClockRate, now: Nanoseconds, real: Nanoseconds,
    spent: TreeProcessorTime, within bounds: ClosedRange<Nanoseconds>
  ) -> Limit? {
    var knownThreads: [ThreadIdentifier: Burst] = [:]
    var knownProcesses: [ThreadIdentifier: ProcessBurst] = [:]
    var least: Limit?
    var isFree = readings.isEmpty
    for (process, readings) in Dictionary(grouping: readings, by: \.process) {
      let limits = [
        limitOfBursts(
          of: readings, free: free, rate, now: now, within: bounds, into: &knownThreads),
        limitOfProcess(
          process, with: readings, spinners: spinners[process] ?? [], free: free, rate, now: now,
          real: real, spent: spent.own[process] ?? .zero, within: bounds, into: &knownProcesses),
      ].compactMap(\.self)
      guard let limit = limits.max(by: { $0.instant < $1.instant }) else {
        isFree = true
        continue
      }
      if least.map({ limit.instant < $0.instant }) ?? true { least = limit }
    }
    bursts = knownThreads
    processBursts = knownProcesses
    return isFree ? nil : least
  }

  /// Returns the limit of the thread of a process that has used least; `nil` if what one of them uses is free.
  private func limitOfBursts(
    of readings: [Reading], free: Nanoseconds, _ rate: ClockRate, now: Nanoseconds,
    within bounds: ClosedRange<Nanoseconds>, into known: inout [ThreadIdentifier: Burst]
  ) -> Limit? {
    var least: Limit?
    var isFree = false
    for reading in readings {
      var burst =
        bursts[reading.thread].flatMap { $0.hasWaited(by: reading) ? nil : $0 }
        ?? Burst(spentBefore: reading.spent, begin: now, reading: reading)
      burst.reading = reading
      let lead = rate.flowed(in: reading.spent - burst.spentBefore - free).length
      if lead > .zero {
        let limit = Self.limit(from: &burst.begin, lead: lead, within: bounds, of: reading.thread)
        if least.map({ limit.instant < $0.instant }) ?? true { least = limit }
      } else {
        isFree = true
      }
      known[reading.thread] = burst
    }
    return isFree ? nil : least
  }

  /// Returns the limit of all threads of a process together; `nil` where only one works, or what they use is free.
  private func limitOfProcess(
    _ process: ThreadIdentifier, with readings: [Reading], spinners: Set<ThreadIdentifier>,
    free: Nanoseconds, _ rate: ClockRate, now: Nanoseconds, real: Nanoseconds, spent: Nanoseconds,
    within bounds: ClosedRange<Nanoseconds>, into known: inout [ThreadIdentifier: ProcessBurst]
  ) -> Limit? {
    var burst = processBursts[process] ?? ProcessBurst(begin: now, spent: spent, real: real)
    defer { known[process] = burst }
    burst.record(
      Set(readings.map(\.thread)), spinners: spinners,
      free: free.multiplied(by: Self.processShare), spent: spent, real: real)
    let lead = rate.flowed(in: burst.used).length
    guard lead > .zero else { return nil }
    return Self.limit(from: &burst.begin, lead: lead, within: bounds, of: nil)
  }

  /// The factor by which more is free of the work of a process's threads together.
  private static let processShare: Int64 = 2

  private mutating func commonLimit(
    free: Nanoseconds, _ rate: ClockRate, width: Int64, now: Nanoseconds, real: Nanoseconds,
    spent: TreeProcessorTime, within bounds: ClosedRange<Nanoseconds>
  ) -> Limit? {
    var burst = common ?? CommonBurst(begin: now, spent: spent, real: real, width: width)
    defer { common = burst }
    let share = Nanoseconds(spent.used(since: burst.spent).count / max(width, burst.width))
    let used = min(share, real - burst.real)
    (burst.spent, burst.real, burst.width) = (spent, real, width)
    burst.used = burst.used + used
    let lead = rate.flowed(in: burst.used - free.multiplied(by: Self.commonShare)).length
    guard lead > .zero else { return nil }
    return Self.limit(from: &burst.begin, lead: lead, within: bounds, of: nil)
  }

  /// The factor by which more is free of the work of all together.
  private static let commonShare: Int64 = 5

  /// The least distance, in nanoseconds, that time moves at once where no deadline lies before; and
  /// the largest share of the passed time that it moves.
  private static let quantum: Int64 = 10_000_000
  private static let quantumShare: Int64 = 1_000

  /// Returns the limit; where time has been moved by others, or work is forgotten, `begin` moves
  /// as if the thread had begun later.
  private static func limit(
    from begin: inout Nanoseconds, lead: Nanoseconds, within bounds: ClosedRange<Nanoseconds>,
    of thread: ThreadIdentifier?
  ) -> Limit {
    let instant = min(max(begin + lead, bounds.lowerBound), bounds.upperBound)
    begin = instant - lead
    var quantum = quantum
    while quantum * 10 <= lead.count / quantumShare { quantum *= 10 }
    let step = Nanoseconds(instant.count / quantum * quantum)
    return Limit(instant: instant, step: step > bounds.lowerBound ? step : nil, thread: thread)
  }
}

extension Nanoseconds {
  /// Returns so many times the length, or the longest there is.
  fileprivate func multiplied(by count: Int64) -> Nanoseconds {
    let (product, isTooLong) = self.count.multipliedReportingOverflow(by: count)
    return Nanoseconds(isTooLong ? .max : product)
  }
}
