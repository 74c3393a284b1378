internal import Glibc
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import StandIn
internal import Supervisor

/// Runs one case from its first step to its last expectation.
final class CaseRunner {
  let plannedCase: PlannedCase
  let log: CaseLog
  let deadline: Nanoseconds
  let number: Int
  let folder: RunFolder
  let options: RunOptions
  let cancellation: RunCancellation
  private let start = RealTime.monotonic()

  /// Whether the target has been started by a step.
  var hasStarted = false
  /// Whether a step has sent a signal to the target since it was started.
  var wasSignalled = false
  /// What the target wrote, in all its starts.
  private(set) var keptOutput = KeptOutput()
  private(set) var keptErrorOutput = KeptOutput()
  /// How the starts of the target ended; `nil` for one that still runs.
  private(set) var ends: [ExitStatus?] = []
  /// Whether expectations are checked.
  var isJudged = true
  /// How many faults and moves of the clock there may be before the run is stopped.
  var patience: Int?
  /// What became of chaos entries, where the case was only watched.
  var accounts: [FaultAccount] = []

  init(
    plannedCase: PlannedCase, number: Int, folder: RunFolder, options: RunOptions,
    cancellation: RunCancellation, log: CaseLog
  ) {
    self.plannedCase = plannedCase
    self.number = number
    self.folder = folder
    self.options = options
    self.cancellation = cancellation
    self.log = log
    deadline = start + plannedCase.timeout
  }

  /// Runs the case; what happens is told to the log.
  func run() {
    if let reason = plannedCase.skip { return log.tellSkipped(plannedCase, because: reason) }
    log.add(.caseStarted(CaseDescription(plannedCase)))
    do {
      let world = try World(
        plannedCase, number: number, folder: folder, options: options, inbox: log.inbox)
      let supervisor = world.supervisor
      cancellation.whenCancelled { supervisor.cancel() }
      if let patience { log.inbox.losePatience(beyond: patience) { supervisor.cancel() } }
      runSteps(in: world)
      keepOutput(of: world)
      cancellation.whenCancelled(nil)
      let virtualDuration = plannedCase.clock == nil ? nil : world.view.reading().elapsed
      account(for: world)
      accountForTime(in: world)
      world.end()
      writeRecording(of: world)
      finish(virtualDuration: virtualDuration)
    } catch {
      log.fail(error)
      finish(virtualDuration: nil)
    }
  }

  func runSteps(in world: World) {
    for (index, step) in plannedCase.steps.enumerated() {
      guard perform(step, index: index + 1, in: world) else { return }
    }
    world.catchUp()
    check(plannedCase.expect, in: world)
  }

  /// Performs a step and checks what must hold behind it; false if the case ends here.
  func perform(_ step: PlannedStep, index: Int, in world: World) -> Bool {
    guard !cancellation.isCancelled else {
      log.fail(Failure.interrupted(at: step.range))
      return false
    }
    let before = log.failures.count
    let begin = RealTime.monotonic()
    world.findings.enter(step.range)
    log.add(.stepStarted(index: index, name: step.name, range: step.range))
    world.enterStep(step.name)
    defer { world.leaveStep() }
    do {
      try perform(step.action, of: step, in: world)
      try settle(world, range: step.range)
      check(step.expect, in: world)
    } catch {
      // What a target does last, such as to give up, may still be on its way to the stand-in.
      world.catchUp()
      let findings = world.findings
      log.fail(
        hang(error).at(step.range).with(lastRequest: findings.lastRequest).with(
          abandonments: findings.abandonments
        ).with(silences: findings.silences))
    }
    log.add(.stepFinished(index: index, duration: RealTime.monotonic() - begin))
    return log.failures.count == before
  }

  /// Where the case says that the target bears what befalls it, not to end is a mistake of the target's.
  private func hang(_ failure: Failure) -> Failure {
    guard isJudged, failure.category == .error,
      ["Stuck", "Endless", "Timeout"].contains(failure.type), plannedCase.expectsBorne
    else { return failure }
    var changed = failure
    changed.category = .expectation
    changed.message = "borne: \(failure.message)"
    return changed
  }

  /// Where time does not pass by itself, a step ends when everything sleeps.
  func settle(_ world: World, range: SourceRange) throws(Failure) {
    guard plannedCase.clock != nil, hasStarted, !world.view.reading().flows else { return }
    let result = world.supervisor.settle(deadline: deadline)
    if let failure = Failure(
      result, awaiting: "a moment at which everything sleeps", timeout: plannedCase.timeout,
      range: range)
    {
      throw failure
    }
  }

  /// Checks conditions; all are checked, and each that fails is told.
  func check(_ expectations: [PlannedExpectation], in world: World) {
    guard isJudged, !expectations.isEmpty else { return }
    let checker = ExpectationChecker(
      world: world, target: world.snapshot(), reading: world.view.reading(),
      deadline: deadline, cancellation: cancellation, crashes: log.inbox.crashes)
    for expectation in expectations {
      guard let failure = checker.check(expectation) else { continue }
      world.catchUp()
      let findings = world.findings
      log.fail(
        failure.with(abandonments: findings.abandonments).with(silences: findings.silences))
    }
  }

  // MARK: - The end

  /// Tells of requests that nothing answered, replies that nothing asked for, faults that never came.
  func account(for world: World) {
    let supervisor = world.supervisor
    world.catchUp()
    for failure in world.findings.failures(
      hasAuthority: world.authority != nil, trust: { supervisor.trust(ofConnection: $0) })
    {
      log.fail(failure)
    }
    let closing = ClosingAccount(plannedCase: plannedCase)
    guard log.failures.isEmpty else {
      // What came out is seldom what was expected where a fault never came.
      guard log.failures.contains(where: { $0.category == .expectation }) else { return }
      for (text, range) in closing.unfiredNotes(in: world) {
        log.add(.warning(text, range: range))
      }
      return
    }
    for failure in closing.failures(in: world) {
      switch failure {
      case .failure(let failure): log.fail(failure)
      case .warning(let text, let range): log.add(.warning(text, range: range))
      }
    }
  }

  /// Tells what became of time, where the scenario holds it.
  private func accountForTime(in world: World) {
    let snapshot = world.snapshot()
    if !plannedCase.chaos.isEmpty || !snapshot.limits.isEmpty {
      log.add(
        .chaosAccount(
          ChaosAccount(snapshot.faults, plannedCase.seed, limits: snapshot.limits)))
    }
    log.add(
      .networkAccount(
        NetworkAccount(
          world.snapshot().network, standIn: world.standIn?.realConnections)))
    if plannedCase.clock != nil {
      log.add(.timeAccount(TimeAccount(world.snapshot().control)))
    }
    // The sanitizer's own words name no way out that would work here.
    guard keptErrorOutput.endContains("LeakSanitizer does not work under ptrace") else { return }
    log.add(
      .warning(
        "LeakSanitizer cannot work here, because a process has one tracer: switch it off with"
          + " `env: { LSAN_OPTIONS: detect_leaks=0 }`", range: plannedCase.target.commandRange))
  }

  /// Keeps what the target wrote before another start, or the end, lets it go.
  func keepOutput(of world: World) {
    let target = world.snapshot()
    keptOutput.add(target.output)
    keptErrorOutput.add(target.errorOutput)
    if hasStarted { ends.append(target.exitStatus) }
  }

  private func finish(virtualDuration: Nanoseconds?) {
    log.addRemainder()
    log.flush()
    let outcome: CaseResult.Outcome
    if log.failures.contains(where: { $0.category == .expectation }) {
      outcome = .failed
    } else {
      outcome = log.hasFailed ? .errored : .passed
    }
    log.add(
      .caseFinished(
        CaseResult(
          outcome: outcome, duration: RealTime.monotonic() - start,
          virtualDuration: virtualDuration,
          standardOutput: keptOutput.text(of: .output),
          standardError: keptErrorOutput.text(of: .error), directory: nil)))
  }
}

extension Failure {
  /// A search that the deadline met.
  static func searchTimedOut(at range: SourceRange) -> Failure {
    Failure(
      category: .error, type: "Timeout",
      message: "the search for a regular expression took longer than the case may last",
      range: range,
      help: "repetitions inside repetitions, as in (a+)+, can take for ever: write them apart")
  }

  /// The run was stopped from outside.
  static func interrupted(at range: SourceRange) -> Failure {
    Failure(category: .error, type: "Interrupted", message: "the run was interrupted", range: range)
  }
}

extension PlannedCase {
  /// Whether `borne:` is expected anywhere.
  fileprivate var expectsBorne: Bool {
    (steps.flatMap(\.expect) + expect).contains { expectation in
      if case .borne = expectation.subject { true } else { false }
    }
  }
}
