internal import Foundations

/// How long a message that changes something waits for a world at rest, where threads take turns.
///
/// What the message meets must not depend on the machine. A target that gets no processor on a busy machine has not had
/// its time yet; one that computes without end, or that the kernel holds, never comes to rest.
struct MailPatience {
  /// The processor time that the target may use before patience is over.
  private static let processorTime = Nanoseconds.seconds(1)
  /// Before so much real time nobody asks for the processor time: a target uses several processors at once.
  private static let leastRealTime = Nanoseconds.seconds(1)
  /// The real time after which patience is over however little the target has used.
  private static let realTime = Nanoseconds.seconds(30)

  private var since: (real: Nanoseconds, used: Nanoseconds)?

  /// Nothing waits any more.
  mutating func end() { since = nil }

  /// Begins to wait, or goes on waiting.
  ///
  /// - Parameters:
  ///   - real: the kernel's CLOCK_MONOTONIC.
  ///   - used: the processor time that the target has used so far.
  /// - Returns: whether patience is over; the next message has patience of its own.
  mutating func isOver(real: Nanoseconds, used: @autoclosure () -> Nanoseconds) -> Bool {
    guard let since else {
      since = (real, used())
      return false
    }
    let waited = real - since.real
    guard waited > Self.leastRealTime,
      waited > Self.realTime || used() - since.used > Self.processorTime
    else { return false }
    self.since = nil
    return true
  }
}
