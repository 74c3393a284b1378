internal import Foundations

/// A timer of the target's as a pure value: timerfd_create(2), timer_create(2), setitimer(2).
///
/// As the kernel's, a timer that repeats wakes its owner once and then waits until the owner has taken
/// note (has read the descriptor, has got the signal); what would have expired meanwhile is counted then.
struct VirtualTimer: Hashable {
  /// The state of a timer.
  enum State: Hashable {
    /// The timer is not set.
    case disarmed
    /// The timer expires then.
    case armed(Deadline)
    /// The timer repeats, has expired then, and its owner has not read the expiry yet.
    case expired(Deadline)
  }

  /// The clock that it runs on.
  let clock: ClockKind
  /// The wall clock of the thread that has made it.
  let wall: WallNumber
  /// The interval at which it repeats; zero: not at all.
  private(set) var interval = Nanoseconds.zero
  /// The state of the timer.
  private(set) var state = State.disarmed

  /// Creates a timer that does nothing yet.
  init(clock: ClockKind, wall: WallNumber = .scenario) {
    self.clock = clock
    self.wall = wall
  }

  /// Sets it to expire at `deadline`, and every `interval` from there.
  mutating func arm(at deadline: Deadline, interval: Nanoseconds) {
    state = .armed(deadline)
    self.interval = interval
  }

  /// Stops it.
  mutating func disarm(interval: Nanoseconds = .zero) {
    state = .disarmed
    self.interval = interval
  }

  /// Returns the time until it expires next; zero if it does not.
  func rest(at moment: ClockMoment) -> Nanoseconds {
    let deadline: Deadline
    switch state {
    case .disarmed: return .zero
    case .armed(let next): deadline = next
    case .expired(let last): deadline = next(behind: last, 1, moment)
    }
    let rest = moment.rest(until: deadline)
    // A timer without a notification goes on by itself.
    guard rest <= .zero, interval > .zero else { return max(.zero, rest) }
    return moment.rest(
      until: next(behind: deadline, missed(since: deadline, moment) + 1, moment))
  }

  /// Expires; returns how many expirations have come together, one at least.
  mutating func expire(at moment: ClockMoment) -> UInt64 {
    guard case .armed(let deadline) = state else { return 0 }
    guard interval > .zero else {
      state = .disarmed
      return 1
    }
    let missed = missed(since: deadline, moment)
    state = .expired(next(behind: deadline, missed, moment))
    return UInt64(missed) + 1
  }

  /// Counts what has expired since the owner was woken; it has not taken note yet.
  mutating func catchUp(at moment: ClockMoment) -> UInt64 {
    guard case .expired(let deadline) = state else { return 0 }
    let missed = missed(since: deadline, moment)
    state = .expired(next(behind: deadline, missed, moment))
    return UInt64(missed)
  }

  /// The owner takes note: the timer runs on; returns what has expired since the owner was woken.
  mutating func accept(at moment: ClockMoment) -> UInt64 {
    guard case .expired(let deadline) = state else { return 0 }
    let missed = missed(since: deadline, moment)
    state = .armed(next(behind: deadline, missed + 1, moment))
    return UInt64(missed)
  }

  /// Returns the number of intervals that have passed since `deadline`.
  private func missed(since deadline: Deadline, _ moment: ClockMoment) -> Int64 {
    let late = moment.lateness(behind: deadline, on: clock)
    // One less than can be counted, so that one more can be.
    return late > .zero ? min(late.count / interval.count, .max - 1) : 0
  }

  /// So many intervals later.
  private func next(
    behind deadline: Deadline, _ count: Int64, _ moment: ClockMoment
  ) -> Deadline {
    let (product, overflow) = interval.count.multipliedReportingOverflow(by: count)
    return moment.deadline(
      after: overflow ? .forever : Nanoseconds(product), behind: deadline, on: clock)
  }
}
