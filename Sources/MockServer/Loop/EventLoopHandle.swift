internal import NIOCore
import Synchronization

/// The way onto the event loop for other threads, as long as there is one.
final class EventLoopHandle: Sendable {
  let loop: any EventLoop
  private let isOpen = Mutex(true)

  init(loop: any EventLoop) {
    self.loop = loop
  }

  /// Runs the work on the loop; drops it after `close()`.
  func execute(_ work: @escaping @Sendable () -> Void) {
    isOpen.withLock { isOpen in
      if isOpen { loop.execute(work) }
    }
  }

  /// Starts work on the loop; `nil` after `close()`.
  func submit<Success: Sendable>(
    _ work: @escaping @Sendable () -> EventLoopFuture<Success>
  ) -> EventLoopFuture<Success>? {
    isOpen.withLock { isOpen in
      isOpen ? loop.flatSubmit(work) : nil
    }
  }

  /// True if work is still taken.
  var isPassable: Bool {
    isOpen.withLock { $0 }
  }

  /// Accepts no more work; returns whether this call was the one that closed it.
  func close() -> Bool {
    isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
  }
}
