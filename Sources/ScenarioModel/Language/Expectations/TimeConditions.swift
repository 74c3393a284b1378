package import Foundations

/// `expect.timers`: the waits that the target asked for, in order.
package struct TimersCondition: Sendable {
  /// `process:` only those of programs with such a name; `nil` is any.
  package var process: Located<String>?
  /// `call:` only those in these calls; empty is any.
  package var calls: [Located<String>]
  /// `at_least:` only those so long; `nil` is any.
  package var shortest: Located<Nanoseconds>?
  /// `waits:` each of them; `nil` leaves them open.
  package var waits: [Matcher]?
  /// `count:` how many there are; `nil` leaves it open.
  package var count: Matcher?

  /// Creates a condition.
  package init(
    process: Located<String>? = nil, calls: [Located<String>] = [],
    shortest: Located<Nanoseconds>? = nil, waits: [Matcher]? = nil, count: Matcher? = nil
  ) {
    self.process = process
    self.calls = calls
    self.shortest = shortest
    self.waits = waits
    self.count = count
  }
}

/// `expect.clock`: what the wall clock shows.
package enum ClockCondition: Sendable, Hashable, Codable {
  /// Exactly this.
  case at(WallInstant)
  /// `{ between: [INSTANT, INSTANT] }`, both ends included.
  case between(WallInstant, WallInstant)
}
