internal import CSupervisor
internal import Foundations

/// The distance that time may move for a thread that polls it: as far as its reads have earned, at
/// a price that is below what they take on any processor.
///
/// So time never passes faster than the thread computes, whatever else it does between its reads,
/// and the same number of reads makes the same time pass on each machine.
struct SpinCredit {
  /// The credit for a read of the clock from the page.
  static let read = Nanoseconds(2)
  /// The credit for a system call that reads the clock or gives up the processor.
  static let call = Nanoseconds.microseconds(1)

  /// The first instants to which time moves, from the first question on.
  ///
  /// Many only wait until a deadline has passed at which they were woken, which to the kernel is always past by then.
  private static let firstLengths: [Nanoseconds] = [
    .microseconds(1), .microseconds(10), .microseconds(100),
  ]
  /// The least distance that time moves at once from then on; and the largest share of the whole
  /// that it moves.
  static let quantum = Nanoseconds.milliseconds(1)
  static let quantumShare: Int64 = 1_000

  /// The instant, as its clocks' generation, at which the thread asks.
  private var instant: UInt64?
  /// Virtual time at its first question.
  private var begin = Nanoseconds.zero
  /// The credit earned since, at most up to the next step.
  private var earned = Nanoseconds.zero

  /// Adds to the credit.
  ///
  /// - Parameters:
  ///   - worth: the credit of the reads.
  ///   - instant: the clocks' generation; where others have moved them, the thread begins anew.
  ///   - now: virtual time.
  mutating func earn(_ worth: Nanoseconds, at instant: UInt64, now: Nanoseconds) {
    if self.instant != instant { self = SpinCredit(instant: instant, begin: now) }
    // What was asked while others held time is worth no more than one step.
    earned = min(earned + worth, next(after: now - begin))
  }

  /// Creates what is known of a thread that has not asked yet.
  init() {}

  private init(instant: UInt64, begin: Nanoseconds) {
    self.instant = instant
    self.begin = begin
  }

  /// Continues the thread's credit after the clocks moved for it, or when it polls again.
  mutating func goOn(at instant: UInt64) {
    if self.instant != nil { self.instant = instant }
  }

  /// The instant to which time may move; `nil` before that is earned.
  func goal(after now: Nanoseconds) -> Nanoseconds? {
    guard instant != nil else { return nil }
    let length = next(after: now - begin)
    return earned >= length ? begin + length : nil
  }

  /// The next length to which time moves behind `passed`.
  private func next(after passed: Nanoseconds) -> Nanoseconds {
    if let first = Self.firstLengths.first(where: { passed < $0 }) { return first }
    var quantum = Self.quantum.count
    while quantum * 10 <= passed.count / Self.quantumShare { quantum *= 10 }
    return Nanoseconds((passed.count / quantum + 1) * quantum)
  }
}
