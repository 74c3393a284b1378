internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan
internal import Synchronization

/// Several threads that try faults, each in worlds of its own.
///
/// Trials are handed out in order; results are taken in the order in which they come, and who waits for
/// them sleeps meanwhile.
final class TrialCrew: Sendable {
  private struct State {
    var next = 0
    var running = 0
    var results: [ExplorationResult] = []
  }

  private let trials: [ExplorationTrial]
  private let state = Mutex(State())
  private let bell: (reading: Int32, writing: Int32)
  private let mayBegin: @Sendable () -> Bool
  private let attempt: @Sendable (ExplorationTrial, Int) -> ExplorationResult?

  /// Prepares a crew.
  ///
  /// - Parameters:
  ///   - trials: what is to be tried.
  ///   - mayBegin: whether another trial may begin; asked on any thread.
  ///   - attempt: tries one, on a worker's thread, with the worker's number; `nil` if it was interrupted.
  init?(
    _ trials: [ExplorationTrial], mayBegin: @escaping @Sendable () -> Bool,
    attempt: @escaping @Sendable (ExplorationTrial, Int) -> ExplorationResult?
  ) {
    self.trials = trials
    self.mayBegin = mayBegin
    self.attempt = attempt
    var ends: [Int32] = [-1, -1]
    // A target that another thread launches meanwhile must not get them.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    bell = (ends[0], ends[1])
  }

  deinit {
    close(bell.reading)
    close(bell.writing)
  }

  /// Tries everything that may begin; `take` is told of each result on this thread.
  func run(workers count: Int, _ take: ([ExplorationResult]) -> Void) {
    var threads: [pthread_t] = []
    for number in 0..<max(1, min(count, trials.count)) {
      state.withLock { $0.running += 1 }
      guard let thread = start(number) else {
        state.withLock { $0.running -= 1 }
        continue
      }
      threads.append(thread)
    }
    if threads.isEmpty {
      state.withLock { $0.running += 1 }
      work(0)
    }
    while true {
      let (results, isOver) = state.withLock { state in
        defer { state.results = [] }
        return (state.results, state.running == 0)
      }
      if !results.isEmpty { take(results) }
      if isOver { break }
      var byte: UInt8 = 0
      _ = read(bell.reading, &byte, 1)
    }
    for thread in threads { pthread_join(thread, nil) }
  }

  private func start(_ number: Int) -> pthread_t? {
    var thread = pthread_t()
    let job = Unmanaged.passRetained(CrewJob { [self] in work(number) })
    let error = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<CrewJob>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, job.toOpaque())
    guard error == 0 else {
      job.release()
      return nil
    }
    return thread
  }

  private func work(_ number: Int) {
    while let trial = take() {
      guard let result = attempt(trial, number) else { break }
      state.withLock { $0.results.append(result) }
      ring()
    }
    state.withLock { $0.running -= 1 }
    ring()
  }

  private func take() -> ExplorationTrial? {
    guard mayBegin() else { return nil }
    return state.withLock { state in
      guard trials.indices.contains(state.next) else { return nil }
      defer { state.next += 1 }
      return trials[state.next]
    }
  }

  private func ring() {
    var byte: UInt8 = 1
    _ = write(bell.writing, &byte, 1)
  }
}

/// A closure that a thread is started with.
private final class CrewJob {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
