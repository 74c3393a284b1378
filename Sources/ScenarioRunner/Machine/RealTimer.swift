package import Foundations
internal import Glibc
internal import Synchronization

/// Runs an action after a time of the machine's own, on a thread of its own, unless it is cancelled
/// before.
package final class RealTimer: Sendable {
  /// The end of a pipe whose closing calls the wait off; `nil` where there is none, or it is closed.
  private let bell: Mutex<Int32?>

  /// Starts to wait.
  package init(_ length: Nanoseconds, _ action: @escaping @Sendable () -> Void) {
    var ends: [Int32] = [-1, -1]
    // No target gets it: the launcher closes everything else.
    let hasPipe = pipe(&ends) == 0
    bell = Mutex(hasPipe ? ends[1] : nil)
    let reading = hasPipe ? ends[0] : -1
    let end = RealTime.monotonic() + length
    let job = Unmanaged.passRetained(
      TimerJob {
        defer { if reading >= 0 { close(reading) } }
        while true {
          let rest = end - RealTime.monotonic()
          guard rest > .zero else { return action() }
          var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
          // A rounded wait would end before its time.
          let milliseconds = Int32(clamping: rest.count / 1_000_000 + 1)
          if poll(&descriptor, 1, milliseconds) > 0 { return }
        }
      })
    var thread = pthread_t()
    let error = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<TimerJob>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, job.toOpaque())
    if error == 0 {
      pthread_detach(thread)
    } else {
      job.release()
      if reading >= 0 { close(reading) }
    }
  }

  deinit {
    callOff()
  }

  /// Cancels the timer; no effect if it was cancelled or has fired.
  package func callOff() {
    bell.withLock { bell in
      if let descriptor = bell { close(descriptor) }
      bell = nil
    }
  }
}

/// A closure that a thread is started with.
private final class TimerJob {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
