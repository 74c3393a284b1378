internal import Foundations
internal import Glibc
internal import Synchronization

/// Several plain POSIX threads that work, and one that receives their messages: ptrace(2) wants a
/// thread that stays the same for each tree.
///
/// The messages of workers are taken on the thread that calls `run`, in the order in which they
/// come; those of one worker stay in order. A worker that reports more than can be taken waits, so
/// that memory is bounded.
final class WorkerPool<Message: Sendable>: Sendable {
  private struct State {
    var running = 0
    var messages: [Message] = []
    /// True if more messages may wait than the bound: the sender is the receiver.
    var isUnbounded = false
    /// True if the receiver sleeps until there is a message.
    var isTakerAsleep = false

    var isFull: Bool { messages.count >= WorkerPool.messageLimit && !isUnbounded }
  }

  /// The maximum number of messages that may be queued.
  private static var messageLimit: Int { 8_192 }

  /// The time for which the receiver lets messages come together: to wake a thread for each costs
  /// more than to take it.
  private static var gatheringTime: Nanoseconds { .milliseconds(5) }

  private let state = Mutex(State())
  private let news = ConditionSignal()
  private let work: @Sendable (Int, WorkerPool) -> Void

  /// Prepares a pool.
  ///
  /// - Parameter work: the work of a worker, on its thread, with its number; it may `report`
  ///   messages.
  init(_ work: @escaping @Sendable (Int, WorkerPool) -> Void) {
    self.work = work
  }

  /// Reports a message; waits while too many wait.
  func report(_ message: Message) {
    while true {
      let (isReported, isAwaited) = news.withLock { () -> (Bool, Bool) in
        state.withLock { state in
          guard !state.isFull else { return (false, false) }
          state.messages.append(message)
          let isAwaited = state.isTakerAsleep || state.isFull
          state.isTakerAsleep = false
          return (true, isAwaited)
        }
      }
      guard !isReported else {
        if isAwaited { news.wakeAll() }
        return
      }
      news.wait { state.withLock { $0.isFull } }
    }
  }

  /// Runs workers until each has returned; `take` receives their messages, on this thread.
  func run(workers count: Int, _ take: ([Message]) -> Void) {
    var threads: [pthread_t] = []
    for number in 0..<max(1, count) {
      state.withLock { $0.running += 1 }
      guard let thread = start(number) else {
        state.withLock { $0.running -= 1 }
        continue
      }
      threads.append(thread)
    }
    guard !threads.isEmpty else { return workHere(take) }
    while true {
      let (messages, isOver) = news.withLock {
        state.withLock { state in
          defer { state.messages = [] }
          return (state.messages, state.running == 0)
        }
      }
      if !messages.isEmpty {
        if messages.count >= Self.messageLimit { news.wakeAll() }
        take(messages)
      }
      if isOver { break }
      if !messages.isEmpty {
        news.wait(atMost: Self.gatheringTime) { state.withLock { !$0.isFull && $0.running > 0 } }
      }
      news.wait {
        state.withLock { state in
          state.isTakerAsleep = state.messages.isEmpty && state.running > 0
          return state.isTakerAsleep
        }
      }
    }
    for thread in threads { pthread_join(thread, nil) }
  }

  /// Works on this thread, where no other can be made: one worker, whose messages are taken at its
  /// end.
  private func workHere(_ take: ([Message]) -> Void) {
    state.withLock { $0.isUnbounded = true }
    work(0, self)
    take(state.withLock { $0.messages })
  }

  private func start(_ number: Int) -> pthread_t? {
    var thread = pthread_t()
    let job = Unmanaged.passRetained(
      WorkerJob { [self] in
        work(number, self)
        news.withLock { state.withLock { $0.running -= 1 } }
        news.wakeAll()
      })
    let error = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<WorkerJob>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, job.toOpaque())
    guard error == 0 else {
      job.release()
      return nil
    }
    return thread
  }
}

/// A closure that a thread is started with.
private final class WorkerJob {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}

/// A condition on which threads sleep until others have changed something (pthread_cond_wait(3)).
final class ConditionSignal: Sendable {
  // Its memory must not move, and belongs to this object alone.
  private nonisolated(unsafe) let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private nonisolated(unsafe) let condition =
    UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(lock)
    condition.deallocate()
    lock.deallocate()
  }

  /// Sleeps while something holds, but no longer than a bound.
  func wait(atMost bound: Nanoseconds, while holds: () -> Bool) {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    let nanoseconds = Int64(end.tv_nsec) + bound.count
    end.tv_sec += Int(nanoseconds / 1_000_000_000)
    end.tv_nsec = Int(nanoseconds % 1_000_000_000)
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while holds() {
      guard pthread_cond_timedwait(condition, lock, &end) == 0 else { return }
    }
  }

  /// Changes what others wait for.
  func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }

  /// Wakes all waiting threads.
  func wakeAll() {
    pthread_cond_broadcast(condition)
  }

  /// Sleeps while a condition holds; it is evaluated again at each wake.
  func wait(while holds: () -> Bool) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while holds() { pthread_cond_wait(condition, lock) }
  }
}
