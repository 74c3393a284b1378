internal import Foundations

/// The times of TCP's retransmissions of data and FIN, counted from the first transmission, and of
/// its timeout.
///
/// As Linux does it with the usual settings (tcp(7), `ip-sysctl` of the kernel's documentation, and `tcp_write_timeout`).
struct RetransmissionSchedule {
  /// The usual schedule: `tcp_retries2` is 15; the shortest timeout is 200 ms, the longest 120 s.
  static let data = RetransmissionSchedule(
    first: .milliseconds(200), retries: 15, longest: .seconds(120))

  /// The times of the retransmissions.
  let instants: [Nanoseconds]
  /// The time at which the sender gives up.
  let end: Nanoseconds

  private init(first: Nanoseconds, retries: Int, longest: Nanoseconds) {
    var instants: [Nanoseconds] = []
    var now = Nanoseconds.zero
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
