internal import Foundations

/// The real time that a target has for its end, once it has been asked to end.
///
/// The verdict must not depend on how busy the machine is: the longest time in which a thread of the target waited for a
/// processor is added, as is the time in which its supervisor waited for one, or, up to the length of the period, worked:
/// the target stands still meanwhile.
struct GracePeriod {
  /// What has delayed a target so far.
  struct Delays {
    /// The time in which each thread has waited for a processor.
    var threads: [ThreadIdentifier: Nanoseconds] = [:]
    /// Those of the supervisor's thread.
    var supervisor = ScheduleStatistics()
  }

  /// How many times as long as its length a period is at most.
  static let longest: Int64 = 10

  private let length: Nanoseconds
  private let begin: Nanoseconds
  private let former: Delays

  /// - Parameters:
  ///   - length: the length without delays, in real time.
  ///   - begin: when it begins, on the runner's clock.
  ///   - delays: the delays until then.
  init(_ length: Nanoseconds, from begin: Nanoseconds, _ delays: Delays) {
    self.length = length
    self.begin = begin
    former = delays
  }

  /// Returns its end on the runner's clock.
  ///
  /// - Parameter delays: the delays until now.
  func end(_ delays: Delays) -> Nanoseconds {
    let waited = delays.threads.map { $0.value - former.threads[$0.key, default: .zero] }.max()
    let (now, then) = (delays.supervisor, former.supervisor)
    let worked = min(now.processorTime - then.processorTime, length)
    let added =
      max(.zero, waited ?? .zero) + max(.zero, worked) + max(.zero, now.delay - then.delay)
    let limit = length.count.multipliedReportingOverflow(by: Self.longest)
    let longest = limit.overflow ? Nanoseconds.forever : Nanoseconds(limit.partialValue)
    return begin + min(length + added, longest)
  }
}
