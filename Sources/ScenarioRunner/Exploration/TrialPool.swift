internal import Foundations
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
  ///
  /// - Returns: The trials that were interrupted.
  func run(workers count: Int, _ take: ([ExplorationResult]) -> Void) -> [CutOffTrial] {
    let queue = Queue()
    let pool = WorkerPool<ExplorationResult> { [self] number, pool in
      while mayBegin(), let trial = queue.take(from: trials) {
        let start = RealTime.monotonic()
        guard let result = attempt(trial, number) else {
          queue.addInterrupted(CutOffTrial(trial: trial, elapsed: RealTime.monotonic() - start))
          break
        }
        pool.report(result)
      }
    }
    pool.run(workers: min(count, trials.count), take)
    return queue.interrupted
  }

  /// The number of trials that were handed out, and those of them that came to no end.
  private final class Queue: Sendable {
    private let next = Mutex(0)
    private let list = Mutex<[CutOffTrial]>([])

    /// The interrupted trials, in their order.
    var interrupted: [CutOffTrial] {
      list.withLock { $0 }.sorted { $0.trial.number < $1.trial.number }
    }

    func addInterrupted(_ trial: CutOffTrial) { list.withLock { $0.append(trial) } }

    func take(from trials: [ExplorationTrial]) -> ExplorationTrial? {
      next.withLock { next in
        guard trials.indices.contains(next) else { return nil }
        defer { next += 1 }
        return trials[next]
      }
    }
  }
}
