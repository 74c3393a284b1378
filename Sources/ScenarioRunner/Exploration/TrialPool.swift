internal import ScenarioTools
internal import Synchronization

/// Several threads that try faults, each in environments of its own.
///
/// Trials are handed out in order; results are taken in the order in which they come, and the
/// thread that waits for them sleeps meanwhile.
struct TrialPool: Sendable {
  private let trials: [ExplorationTrial]
  private let mayBegin: @Sendable () -> Bool
  private let attempt: @Sendable (ExplorationTrial, Int) -> ExplorationResult?

  /// Prepares a crew.
  ///
  /// - Parameters:
  ///   - trials: what is to be tried.
  ///   - mayBegin: whether another trial may begin; asked on any thread.
  ///   - attempt: tries one, on a worker's thread, with the worker's number; `nil` if it was interrupted.
  init(
    _ trials: [ExplorationTrial], mayBegin: @escaping @Sendable () -> Bool,
    attempt: @escaping @Sendable (ExplorationTrial, Int) -> ExplorationResult?
  ) {
    self.trials = trials
    self.mayBegin = mayBegin
    self.attempt = attempt
  }

  /// Tries everything that may begin; `take` receives the results on this thread.
  func run(workers count: Int, _ take: ([ExplorationResult]) -> Void) {
    let queue = Queue()
    let pool = WorkerPool<ExplorationResult> { [self] number, pool in
      while mayBegin(), let trial = queue.take(from: trials) {
        guard let result = attempt(trial, number) else { break }
        pool.report(result)
      }
    }
    pool.run(workers: min(count, trials.count), take)
  }

  /// The number of trials that were handed out.
  private final class Queue: Sendable {
    private let next = Mutex(0)

    func take(from trials: [ExplorationTrial]) -> ExplorationTrial? {
      next.withLock { next in
        guard trials.indices.contains(next) else { return nil }
        defer { next += 1 }
        return trials[next]
      }
    }
  }
}
