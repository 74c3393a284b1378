internal import FaultEngine
internal import Foundations

/// When a client that gets no answer sends its SYN again, and when it gives up.
///
/// Pure; times count from the first SYN. As the kernel (`tcp_retransmit_timer`, `tcp_write_timeout`), it looks at the
/// options whenever the timer runs out: other options do not set the timer that is running.
struct HandshakeTimer {
  /// What comes of the timer's running out.
  enum Outcome {
    /// The SYN is sent again.
    case asks
    /// The client gives up.
    case ends
  }

  /// How often a SYN is sent again after a second each, before the waits grow (`tcp_syn_linear_timeouts`).
  private static let linearCount = 4
  private static let longest = Nanoseconds.seconds(120)

  /// The options of the client's socket.
  var timeouts: TCPTimeouts
  /// When the timer runs out.
  private(set) var due = Nanoseconds.seconds(1)
  private var count = 0
  private var wait = Nanoseconds.seconds(1)

  init(_ timeouts: TCPTimeouts) { self.timeouts = timeouts }

  /// The timer runs out.
  mutating func expire() -> Outcome {
    // A timeout of the socket's own ends the wait earlier, never later: the retries are used up by then.
    let retries = timeouts.handshakeRetries ?? 6
    let limit = timeouts.user ?? Self.length(of: retries)
    guard count < retries + Self.linearCount, count == 0 || due < limit else { return .ends }
    count += 1
    if count > Self.linearCount { wait = min(Self.longest, wait + wait) }
    let rest = timeouts.user.map { max(.zero, $0 - due) }
    due += min(wait, rest ?? wait)
    return .asks
  }

  /// The length of so many retries and the wait behind them: each is twice as long, two minutes at most.
  private static func length(of retries: Int) -> Nanoseconds {
    var sum = Nanoseconds.zero
    var wait = Nanoseconds.seconds(1)
    for _ in 0...retries {
      sum += wait
      wait = min(longest, wait + wait)
    }
    return sum
  }
}
