internal import Foundations
internal import Synchronization

/// A task that runs when some virtual time has passed, unless it is cancelled.
package final class ScheduledTask: Sendable {
  private let mailbox: Mailbox
  private let filed = Mutex<FiledTask?>(nil)

  init(after delay: Nanoseconds, on mailbox: Mailbox, _ body: @escaping @Sendable () -> Void) {
    self.mailbox = mailbox
    mailbox.post { [self] loop in
      let scheduledTask = loop.schedule(after: delay, body)
      filed.withLock { $0 = scheduledTask }
    }
  }

  /// Calls it off; what is done already stays done.
  package func cancel() {
    mailbox.post { [self] loop in
      guard let filed = filed.withLock({ $0 }) else { return }
      loop.callOff(filed)
    }
  }
}
