internal import Foundations
internal import Glibc
internal import Synchronization

/// Work of unbounded duration, such as a search for a regular expression.
///
/// It cannot be cancelled; it runs on a thread of its own, which is left behind if it takes too
/// long.
final class BoundedWork<Answer: Sendable>: Sendable {
  /// The outcome of waiting for the work.
  enum Outcome {
    /// The work has ended with an answer.
    case done(Answer)
    /// The deadline has come.
    case timedOut
    /// Because the run is being stopped.
    case cancelled
  }

  /// The length of a wait, in milliseconds, between checks for the cancellation of the run.
  private static var slice: Int32 { 50 }

  private let work: @Sendable () -> Answer
  private let answer = Mutex<Answer?>(nil)

  init(_ work: @escaping @Sendable () -> Answer) {
    self.work = work
  }

  /// Waits for the answer.
  ///
  /// - Parameters:
  ///   - deadline: the bound, on the runner's clock.
  ///   - cancellation: stops the wait.
  func run(before deadline: Nanoseconds, _ cancellation: RunCancellation) -> Outcome {
    var ends: [Int32] = [-1, -1]
    // Without a descriptor or a thread to spare the work is done here, without a bound.
    guard pipe(&ends) == 0 else { return .done(work()) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    guard start(ringing: ends[1]) else {
      close(ends[1])
      return .done(work())
    }
    while true {
      var bell = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      _ = poll(&bell, 1, Self.slice)
      if let answer = answer.withLock({ $0 }) { return .done(answer) }
      if cancellation.isCancelled { return .cancelled }
      if RealTime.monotonic() >= deadline { return .timedOut }
    }
  }

  private func start(ringing bell: Int32) -> Bool {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(
      Job { [self] in
        let result = work()
        answer.withLock { $0 = result }
        // The other end may be gone; what counts is that this one closes.
        close(bell)
      })
    let error = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    guard error == 0 else {
      box.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}

/// A closure that a thread is started with.
private final class Job {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
