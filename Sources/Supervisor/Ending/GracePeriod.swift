internal import Foundations

/// The real time that a target has for its end, once it has been asked to end.
///
/// The verdict must not depend on how busy the machine is: time in which the target waited for a processor is added, and
/// so is the time in which the supervisor worked, or waited for a processor, as the target stands still meanwhile.
struct GracePeriod {
  /// How many times as long as its length a period is at most.
  static let longest: Int64 = 10

  private let length: Nanoseconds
  private let begin: Nanoseconds
  private let delayAtBegin: Nanoseconds

  /// - Parameters:
  ///   - length: the length without delays, in real time.
  ///   - begin: when it begins, on the runner's clock.
  ///   - delay: all delays until then.
  init(_ length: Nanoseconds, from begin: Nanoseconds, delay: Nanoseconds) {
    self.length = length
    self.begin = begin
    delayAtBegin = delay
  }

  /// Returns its end on the runner's clock.
  ///
  /// - Parameter delay: all delays until now; fewer than before where delayed processes are gone.
  func end(delay: Nanoseconds) -> Nanoseconds {
    let added = max(.zero, delay - delayAtBegin)
    let limit = length.count.multipliedReportingOverflow(by: Self.longest)
    let longest = limit.overflow ? Nanoseconds.forever : Nanoseconds(limit.partialValue)
    return begin + min(length + added, longest)
  }
}
