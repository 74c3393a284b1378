internal import Foundations

/// The limit on how long a message that changes something waits for an idle target, where threads take turns.
///
/// What the message meets must not depend on the machine. A target that gets no processor on a busy machine has not had
/// its time yet; one that computes without end, or that the kernel holds, never comes to rest.
struct MailPatience {
  /// The processor time that the target may use before the wait times out.
  private static let processorTime = Nanoseconds.seconds(1)
  /// The real time before which the processor time is not read: a target may use several processors at once.
  private static let leastRealTime = Nanoseconds.seconds(1)
  /// The real time after which the wait times out, however little processor time the target has used.
  private static let realTime = Nanoseconds.seconds(30)

  private var since: (real: Nanoseconds, used: Nanoseconds)?

  /// Ends the wait.
  mutating func end() { since = nil }

  /// Begins a wait or continues it, and returns whether it has timed out.
  ///
  /// - Parameters:
  ///   - real: the runner's clock.
  ///   - used: the processor time that the target has used so far.
  /// - Returns: true if the wait has timed out; the next message begins a new one.
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
