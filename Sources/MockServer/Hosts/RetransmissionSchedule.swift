internal import FaultEngine
internal import Foundations

/// The times of TCP's retransmissions, counted from the first transmission, and of its timeout.
///
/// As Linux does it with the usual settings (tcp(7), `ip-sysctl` of the kernel's documentation, and `tcp_write_timeout`).
struct RetransmissionSchedule {
  /// The schedule of data and FIN: `tcp_retries2` is 15; the shortest timeout is 200 ms, the longest 120 s.
  static let data = RetransmissionSchedule(
    first: .milliseconds(200), linearCount: 0, retries: 15, longest: .seconds(120))
  /// The schedule of a SYN, unless its socket says otherwise.
  static let handshake = RetransmissionSchedule(handshake: TCPTimeouts())

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

  /// The schedule of a SYN: `tcp_syn_linear_timeouts` is 4, `tcp_syn_retries` 6.
  ///
  /// The kernel gives up when the timer runs out after the last retry, or earlier, after the first one, when as much time
  /// has passed as the retries would take if each waited twice as long as the one before; if the socket has a timeout of
  /// its own, that counts in place of this time.
  init(handshake timeouts: TCPTimeouts) {
    let retries = timeouts.handshakeRetries ?? 6
    let all = RetransmissionSchedule(
      first: .seconds(1), linearCount: 4, retries: retries, longest: .seconds(120))
    let limit = timeouts.user ?? Self.doubled(retries)
    let last = (all.instants + [all.end]).dropFirst().first { $0 >= limit } ?? all.end
    let end = timeouts.user.map { min(last, max($0, .seconds(1))) } ?? last
    instants = all.instants.filter { $0 < end }
    self.end = end
  }

  /// The length of so many retries and the wait behind them: each is twice as long, two minutes at most.
  private static func doubled(_ retries: Int) -> Nanoseconds {
    var sum = Nanoseconds.zero
    var timeout = Nanoseconds.seconds(1)
    for _ in 0...retries {
      sum += timeout
      timeout = min(.seconds(120), timeout + timeout)
    }
    return sum
  }

  /// The first time, at some time or later, at which it is sent again; `nil` if there is none.
  func next(from length: Nanoseconds) -> Nanoseconds? { instants.first { $0 >= length } }
}
