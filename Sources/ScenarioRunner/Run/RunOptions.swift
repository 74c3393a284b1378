public import ScenarioPlan
internal import Synchronization

/// How a run is to be done.
public struct RunOptions: Sendable {
  /// The runner's version, for reports.
  public var version: String
  /// SHA-256 of the plan, in hexadecimal.
  public var planDigest: String
  /// Where temporary folders are made.
  public var temporaryFolder: String
  /// The runner's own environment, for `env.pass`.
  public var environment: [String: String]
  /// The bundle or folder of authorities that is trusted where real hosts are asked; `nil` is the system's.
  public var trustPath: String?
  /// Plans a case anew with some of the changes that `$mutate` makes to its data, by their numbers; `nil`
  /// where a case that fails is not tried with fewer.
  public var replan: (@Sendable (_ identifier: String, _ mutations: Set<Int>) -> PlannedCase?)?
  /// Whether each request is told with all of its answer.
  public var tellsExchanges = false

  /// Creates options.
  public init(
    version: String, planDigest: String, temporaryFolder: String, environment: [String: String]
  ) {
    self.version = version
    self.planDigest = planDigest
    self.temporaryFolder = temporaryFolder
    self.environment = environment
  }
}

/// Stops a run from another thread.
public final class RunCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var action: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Creates a cancellation that has not happened.
  public init() {}

  /// Stops the run: the case that is under way ends, its tree is killed, no other begins.
  public func cancel() {
    let action = state.withLock { state in
      state.isCancelled = true
      return state.action
    }
    action?()
  }

  /// Whether the run is to stop.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Sets what `cancel` does beside; done at once if it has happened already.
  func whenCancelled(_ action: (@Sendable () -> Void)?) {
    let isCancelled = state.withLock { state in
      state.action = action
      return state.isCancelled
    }
    if isCancelled { action?() }
  }
}
