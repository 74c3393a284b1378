package import Foundations
internal import ScenarioModel

/// A step of the clocks.
package enum ClockChange: Sendable, Hashable {
  /// Set the wall clock.
  case travel(InstantExpression)
  /// Displace the wall clock.
  case jump(Nanoseconds)
  /// Displace the wall clock of a target that has one of its own, at once or little by little.
  case adjust(Nanoseconds, over: Nanoseconds?, target: Int)
  /// Hold all clocks.
  case freeze(InstantExpression?)
  /// Let the machine sleep: wall clock and boot clock move, the monotonic clock does not.
  case suspend(Nanoseconds)
  /// Let time pass at a rate.
  case rate(ClockRate)
  /// Back to the present.
  case returnToPresent
  /// Pauses all clocks, whatever else changes them, until `goOn`.
  case pause
  /// Clocks go on as if no real time had passed since `pause`.
  case goOn
  /// Begins a block of changes, which `endBlock` undoes.
  case beginBlock
  /// Restores the clocks from before the innermost block.
  case endBlock
}
