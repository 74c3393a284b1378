internal import Foundations

/// When a service has said that it lives (sd_notify(3): `WATCHDOG=1`), by virtual time since the scenario's start.
struct WatchdogRecord: Equatable {
  /// A stretch of time in which nothing was said.
  struct Silence: Equatable {
    /// When the service was last heard.
    var from: Nanoseconds
    /// When it was heard again, or is looked at.
    var to: Nanoseconds

    /// How long it was.
    var length: Nanoseconds { to - from }
  }

  /// When it was heard last, once it is ready.
  private var last: Nanoseconds?
  /// The longest silence that is over.
  private var longest: Silence?
  /// How often it has said that it lives.
  private(set) var count = 0
  /// True if it is about to end, and need not say anything.
  private var isStopping = false

  /// Takes a line of a message.
  mutating func take(_ line: Substring, at now: Nanoseconds) {
    switch line {
    case "READY=1": hear(at: now)
    case "WATCHDOG=1":
      count += 1
      hear(at: now)
    case "STOPPING=1":
      hear(at: now)
      isStopping = true
    default: break
    }
  }

  private mutating func hear(at now: Nanoseconds) {
    defer { last = now }
    guard !isStopping, let last else { return }
    let silence = Silence(from: last, to: now)
    if silence.length > longest?.length ?? .zero { longest = silence }
  }

  /// The longest silence; `nil` where nothing was ever said.
  ///
  /// - Parameter now: until when the service had to say something; `nil` where it has ended.
  func longestSilence(until now: Nanoseconds?) -> Silence? {
    guard let last else { return nil }
    let open = isStopping ? nil : now.map { Silence(from: last, to: $0) }
    let none = Silence(from: last, to: last)
    return [longest, open].compactMap { $0 }.max { $0.length < $1.length } ?? none
  }
}
