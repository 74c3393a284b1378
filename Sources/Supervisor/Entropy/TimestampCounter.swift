internal import Foundations

/// A time stamp counter that counts the scenario's time.
struct TimestampCounter: Sendable, Hashable {
  /// The number of readings at one instant that are as far apart as they are on a processor; those behind them are as
  /// far as they take here, and then farther and farther, so that a loop which waits for the counter ends.
  private static let quickReadings: UInt64 = 1_000
  /// The mean distances of two readings, in ticks; powers of two.
  private static let quickStep: UInt64 = 128
  private static let slowStep: UInt64 = 8_192
  /// How often the distance doubles, each time after as many readings.
  private static let doublings: UInt64 = 12

  /// The last reading.
  private(set) var last: UInt64 = 0
  /// The ticks of a nanosecond, with 32 binary places.
  private let rate: UInt64
  private var count: UInt64 = 0
  /// The time at the last reading, and the number of readings since it moved.
  private var time = Nanoseconds.zero
  private var countAtInstant: UInt64 = 0
  /// The ticks that have gone by while time stood still, and those at the start.
  private var ahead: UInt64

  /// - Parameters:
  ///   - start: the reading at the scenario's start.
  ///   - rate: the ticks of a nanosecond.
  init(start: UInt64 = 0, rate: Double = 2) {
    ahead = start
    self.rate = UInt64(min(max(rate, 0.1), 100) * 0x1_0000_0000)
  }

  /// The next reading, which is larger than the last one.
  ///
  /// Two readings are never the same distance apart for long, as libraries that take random numbers from the distance
  /// refuse a counter that is regular; the distances are the same ones in each run.
  ///
  /// - Parameter elapsed: the time that has passed by itself; zero where that is not the scenario's.
  mutating func read(elapsed: Nanoseconds) -> UInt64 {
    if elapsed != time { (time, countAtInstant) = (elapsed, 0) }
    let turns = countAtInstant / Self.quickReadings
    let step = turns == 0 ? Self.quickStep : Self.slowStep << min(turns - 1, Self.doublings)
    (count, countAtInstant) = (count &+ 1, countAtInstant &+ 1)
    ahead &+= step / 2 &+ (count &* 0x9e37_79b9_7f4a_7c15) >> 32 % step
    let ticks = UInt64(clamping: elapsed.count).multipliedFullWidth(by: rate)
    last = max(last &+ 1, (ticks.high << 32 | ticks.low >> 32) &+ ahead)
    return last
  }
}

/// The readings of a process at one instant.
struct ReadingsAtInstant {
  /// The number from which on a process reads the processor's own counter: a fraction of a second's worth of stops, and
  /// more than libraries take that measure it or draw random numbers from it.
  static let limit = 2_000

  private var instant = Nanoseconds.zero
  private var count = 0
  /// True if a thread of the process reads the processor's own: then the others do.
  var isHandedOver = false

  func areMany(at instant: Nanoseconds) -> Bool {
    self.instant == instant && count >= Self.limit
  }

  mutating func add(at instant: Nanoseconds) {
    if self.instant != instant { (self.instant, count) = (instant, 0) }
    count += 1
  }
}
