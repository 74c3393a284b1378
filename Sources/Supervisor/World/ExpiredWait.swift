internal import Foundations

/// The end of an expired wait, while its thread begins further waits at the same instant.
///
/// Under virtual time a clock shows exactly the instant at which a thread was woken. The kernel wakes nobody that
/// early, so that programs which wait until the clock is past an instant ask once more, with no time left.
struct ExpiredWait {
  /// The number of calls from one place, with no time left, for which time stands.
  ///
  /// A program that has several things to do at one instant makes such calls, too, one behind the other.
  private static let patience = 4
  /// The lengths by which time moves then, one after the other.
  private static let lengths: [Nanoseconds] = [
    .microseconds(1), .microseconds(10), .microseconds(100),
  ]

  /// The instant at which it ended, as the clocks' generation.
  private var generation: UInt64
  private var place: UInt64 = 0
  private var count = 0
  private var steps = 0

  init(at generation: UInt64) {
    self.generation = generation
  }

  /// Records a call with no time left.
  ///
  /// - Parameters:
  ///   - generation: the clocks' generation.
  ///   - place: the address of the call.
  /// - Returns: By how much time may move for it; `nil` if it has not asked often enough, or too often.
  mutating func ask(at generation: UInt64, from place: UInt64) -> Nanoseconds? {
    guard generation == self.generation, steps < Self.lengths.count else { return nil }
    if place != self.place { (self.place, count) = (place, 0) }
    count += 1
    guard count >= Self.patience else { return nil }
    count = 0
    return Self.lengths[steps]
  }

  /// Time has moved for it.
  mutating func timePassed(to generation: UInt64) {
    self.generation = generation
    steps += 1
  }
}
