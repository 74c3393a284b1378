internal import Glibc
public import ScenarioEvents
internal import ScenarioModel
public import ScenarioPlan

/// Runs a plan: one world per case, cases in the plan's order, everything told as events.
///
/// Lives on one thread, which calls `emit`; `Supervisor.prepareProcess` comes before it.
public struct Runner {
  private let plan: ExecutionPlan
  private let options: RunOptions
  private let cancellation: RunCancellation
  private let emit: (Event) -> Void

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - plan: what to do.
  ///   - options: how.
  ///   - cancellation: stops it from another thread.
  ///   - emit: is told of everything, in order, on this thread.
  public init(
    plan: ExecutionPlan, options: RunOptions, cancellation: RunCancellation,
    emit: @escaping (Event) -> Void
  ) {
    self.plan = plan
    self.options = options
    self.cancellation = cancellation
    self.emit = emit
  }

  /// Runs everything, and removes what it laid on disk.
  public func run() {
    RunFrame(plan: plan, options: options, cancellation: cancellation, emit: emit).run {
      runCases(in: RunFolder(path: $0), start: $1)
    }
  }

  private func runCases(in folder: RunFolder, start: Nanoseconds) {
    for (index, plannedCase) in plan.cases.enumerated() {
      guard !cancellation.isCancelled else { return }
      guard plannedCase.mutations == nil || options.replan == nil else {
        runMutated(plannedCase, number: index + 1, in: folder, start: start)
        continue
      }
      let log = CaseLog(scenario: plannedCase.identifier, runStart: start, emit: emit)
      CaseRunner(
        plannedCase: plannedCase, number: index + 1, folder: folder, options: options,
        cancellation: cancellation, log: log
      ).run()
    }
  }

  /// Runs a case with changed data; what it ends with waits until it is known which changes it was.
  private func runMutated(
    _ plannedCase: PlannedCase, number: Int, in folder: RunFolder, start: Nanoseconds
  ) {
    var failures: [Failure] = []
    var last: Event?
    let log = CaseLog(scenario: plannedCase.identifier, runStart: start) { event in
      if case .failed(let failure) = event.kind { failures.append(failure) }
      guard case .caseFinished = event.kind else { return emit(event) }
      last = event
    }
    CaseRunner(
      plannedCase: plannedCase, number: number, folder: folder, options: options,
      cancellation: cancellation, log: log
    ).run()
    guard let last, case .caseFinished(let result) = last.kind else { return }
    let trial = MutationTrial(
      plannedCase: plannedCase, failures: failures, duration: result.duration, folder: folder,
      number: number, options: options, cancellation: cancellation, runStart: start)
    if let failure = trial.run() {
      emit(
        Event(
          realTime: RealTime.monotonic() - start, scenario: plannedCase.identifier,
          kind: .failed(failure)))
    }
    var end = last
    end.realTime = RealTime.monotonic() - start
    emit(end)
  }
}

/// What the cases of one run share on disk.
final class RunFolder {
  let path: String
  private var sharedAuthority: RunAuthority?
  private var sharedNameFiles: NameFiles?

  init(path: String) {
    self.path = path
  }

  /// The run's certificate authority, made when a case first needs it.
  func authority() throws(Failure) -> RunAuthority {
    if let sharedAuthority { return sharedAuthority }
    let authority = try RunAuthority(folder: path)
    sharedAuthority = authority
    return authority
  }

  /// The files by which targets resolve names, made when a case first needs them.
  func nameFiles() throws(Failure) -> NameFiles {
    if let sharedNameFiles { return sharedNameFiles }
    let files = try NameFiles(folder: path)
    sharedNameFiles = files
    return files
  }
}

/// The machine's own clocks and name; nothing above the runner reads them.
enum RealTime {
  /// CLOCK_MONOTONIC.
  static func monotonic() -> Nanoseconds {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(Int64(time.tv_sec)) + Nanoseconds(Int64(time.tv_nsec))
  }

  /// CLOCK_REALTIME.
  static func wall() -> WallInstant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallInstant(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }

  /// The name that gethostname(2) gives.
  static func hostname() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, 255) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
