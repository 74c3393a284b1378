internal import Glibc
public import ScenarioEvents
internal import ScenarioModel
public import ScenarioPlan

/// How explorations are done.
public struct ExplorerOptions: Sendable {
  /// How many runs are made at once.
  public var jobs = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  /// Whether what an earlier run has won is left aside.
  public var isFresh = false
  /// Whether faults are tried in forks of one run where that is possible.
  public var forks = true
  /// The command that goes on where the exploration has stopped.
  public var continuation = ""

  /// Creates options.
  public init() {}
}

/// Explores the cases of a plan: finds the points at which faults could strike, tries each fault in a run
/// of its own, and tells everything as events.
///
/// Lives on one thread, which calls `emit`; `RunnerProcess.prepare` comes before it.
public struct Explorer {
  private let plan: ExecutionPlan
  private let options: RunOptions
  private let settings: ExplorerOptions
  private let cancellation: RunCancellation
  private let emit: (Event) -> Void

  /// Prepares an exploration.
  ///
  /// - Parameters:
  ///   - plan: the cases; those without an exploration are left out.
  ///   - options: how runs are done.
  ///   - settings: how explorations are done.
  ///   - cancellation: stops it from another thread; what was won is told and kept.
  ///   - emit: is told of everything, in order, on this thread.
  public init(
    plan: ExecutionPlan, options: RunOptions, settings: ExplorerOptions,
    cancellation: RunCancellation, emit: @escaping (Event) -> Void
  ) {
    self.plan = plan
    self.options = options
    self.settings = settings
    self.cancellation = cancellation
    self.emit = emit
  }

  /// Explores everything, and removes what it laid on disk but for what was found.
  public func run() {
    RunFrame(plan: plan, options: options, cancellation: cancellation, emit: emit).run {
      folder, start in
      for plannedCase in plan.cases where !cancellation.isCancelled {
        if let reason = plannedCase.skip {
          CaseLog(scenario: plannedCase.identifier, runStart: start, emit: emit)
            .tellSkipped(plannedCase, because: reason)
          continue
        }
        guard let exploration = plannedCase.exploration else { continue }
        CaseExplorer(
          plannedCase: plannedCase, exploration: exploration, folder: folder, options: options,
          settings: settings, cancellation: cancellation, runStart: start, emit: emit
        ).run()
      }
    }
  }
}
