internal import Synchronization

/// The place in which a supervisor's thread leaves its loop for as long as it sleeps and nothing
/// can happen to what the loop holds.
///
/// Most queries come when a target has ended; to wake the thread for each of them, and to sleep
/// until it has answered, costs many times what the answer does.
final class ParkedLoop: Sendable {
  /// The loop, which is not safe to share: only the holder of the lock uses it, as its own thread
  /// asks for the lock before it goes on.
  private struct Lent: @unchecked Sendable {
    let loop: any TargetControl
  }

  private let lent = Mutex<Lent?>(nil)

  /// Lends the loop; its thread may not touch it until `takeBack`.
  func lend(_ loop: any TargetControl) {
    lent.withLock { $0 = Lent(loop: loop) }
  }

  /// Waits until the loop is no longer in use.
  func takeBack() {
    lent.withLock { $0 = nil }
  }

  /// Asks the loop on this thread; `nil` if it is not lent, or if its mailbox has a message, which
  /// comes first.
  func ask<Answer: Sendable>(
    _ mailbox: Mailbox, _ body: @Sendable (any TargetControl) -> Answer
  ) -> Answer? {
    lent.withLock { lent in
      guard let lent, mailbox.isEmpty else { return nil }
      return body(lent.loop)
    }
  }
}
