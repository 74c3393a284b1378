internal import Foundations

/// The times at which a service has reported that it lives (sd_notify(3): `WATCHDOG=1`), in virtual
/// time since the scenario's start.
struct WatchdogRecord: Equatable {
  /// A stretch of time in which nothing was said.
  struct Silence: Equatable {
    /// The time of the report before it.
    var from: Nanoseconds
    /// The time of the next report, or of the check.
    var to: Nanoseconds

    /// The length of the silence.
    var length: Nanoseconds { to - from }
  }

  /// The time of the last report, once the service is ready.
  private var last: Nanoseconds?
  /// The longest silence that has ended.
  private var longest: Silence?
  /// The number of reports.
  private(set) var count = 0
  /// True if it is about to end, and need not say anything.
  private var isStopping = false

  /// Records a line of a message.
  mutating func take(_ line: Substring, at now: Nanoseconds) {
    switch line {
    case "READY=1": hear(at: now)
    case "WATCHDOG=1":
      count += 1
      hear(at: now)
    case "STOPPING=1": expectEnd(at: now)
    default: break
    }
  }

  /// Records that it is about to end, or was asked to: from then on it need not say anything.
  mutating func expectEnd(at now: Nanoseconds) {
    if last != nil { hear(at: now) }
    isStopping = true
  }

  private mutating func hear(at now: Nanoseconds) {
    defer { last = now }
    guard !isStopping, let last else { return }
    let silence = Silence(from: last, to: now)
    if silence.length > longest?.length ?? .zero { longest = silence }
  }

  /// The longest silence; `nil` where nothing was ever said.
  ///
  /// - Parameter end: until when the service had to say something.
  func longestSilence(until end: Nanoseconds) -> Silence? {
    guard let last else { return nil }
    let open = Silence(from: last, to: isStopping ? last : max(last, end))
    return [longest, open].compactMap(\.self).max { $0.length < $1.length }
  }
}
