internal import Foundations

/// When TCP sends again what nobody has acknowledged, counted from when it was sent first, and when it gives up.
///
/// As Linux does it with the usual settings (tcp(7), and `ip-sysctl` of the kernel's documentation).
struct RetransmissionSchedule {
  /// What asks for a connection: `tcp_syn_linear_timeouts` is 4, `tcp_syn_retries` 6.
  static let handshake = RetransmissionSchedule(
    first: .seconds(1), linearCount: 4, retries: 6, longest: .seconds(120))
  /// Bytes, and the end: `tcp_retries2` is 15; the shortest timeout is 200 ms, the longest one two minutes.
  static let data = RetransmissionSchedule(
    first: .milliseconds(200), linearCount: 0, retries: 15, longest: .seconds(120))

  /// When it is sent again.
  let instants: [Nanoseconds]
  /// When its sender gives up.
  let end: Nanoseconds

  private init(first: Nanoseconds, linearCount: Int, retries: Int, longest: Nanoseconds) {
    var instants: [Nanoseconds] = []
    var now = Nanoseconds.zero
    for _ in 0..<linearCount {
      now += first
      instants.append(now)
    }
    var timeout = first
    for _ in 0..<retries {
      now += timeout
      instants.append(now)
      timeout = min(longest, timeout + timeout)
    }
    self.instants = instants
    end = now + timeout
  }

  /// The first time, at some time or later, at which it is sent again; `nil` if there is none.
  func next(from length: Nanoseconds) -> Nanoseconds? { instants.first { $0 >= length } }
}
