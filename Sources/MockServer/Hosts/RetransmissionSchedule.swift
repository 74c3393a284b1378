internal import Foundations

/// The times of TCP's retransmissions, counted from the first transmission, and of its timeout.
///
/// As Linux does it with the usual settings (tcp(7), and `ip-sysctl` of the kernel's documentation).
struct RetransmissionSchedule {
  /// The schedule of a SYN: `tcp_syn_linear_timeouts` is 4, `tcp_syn_retries` 6.
  static let handshake = RetransmissionSchedule(
    first: .seconds(1), linearCount: 4, retries: 6, longest: .seconds(120))
  /// The schedule of data and FIN: `tcp_retries2` is 15; the shortest timeout is 200 ms, the longest 120 s.
  static let data = RetransmissionSchedule(
    first: .milliseconds(200), linearCount: 0, retries: 15, longest: .seconds(120))

  /// The times of the retransmissions.
  let instants: [Nanoseconds]
  /// The time at which the sender gives up.
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
