internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

extension CaseRunner {
  /// The real time that each step below `always` may take: as long as the case, but at least ten
  /// seconds, since a case may be short because it is meant to be, while its cleanup is not.
  private var alwaysTime: Nanoseconds { max(.seconds(10), plannedCase.timeout) }

  /// Runs a command, checks how it ended, and keeps its output for what follows.
  func perform(
    _ helper: PlannedHelper, _ step: PlannedStep, in world: CaseEnvironment
  ) throws(Failure) {
    var request = try world.helperRequest(helper)
    request.environment = try world.environment(
      request.environment, with: step.settings?.environment ?? [])
    let outcome =
      helper.isInWorld == true
      ? try runInWorld(
        request, step, at: helper.range, onHostOf: target(named: helper.host), in: world)
      : try runOutside(request, at: helper.range, in: world)
    helperOutcome = outcome
    guard let status = outcome.status else {
      if cancellation.isCancelled, !isCleaningUp {
        throw Failure.stopped(by: cancellation, at: step.range)
      }
      throw Failure(
        category: .error, type: "Timeout",
        message: isCleaningUp
          ? "the command did not exit within \(alwaysTime) of real time, the limit of a step of `cleanup`"
          : "the command did not exit within its timeout of \(currentTimeout) of real time",
        range: step.range,
        details: (outcome.neededKill ? ["SIGTERM did not end it; SIGKILL did"] : [])
          + Self.lastLines(of: outcome),
        help: isCleaningUp
          ? "let it do less, or raise `timeout:`, which applies to each step there separately"
          : outsideHelp)
    }
    let expectsEnd = step.expect.contains { $0.isAboutExit }
    guard expectsEnd || !isJudged || status == .exited(code: 0) else {
      var help = "if this signal is expected, add `expect: { signal: … }`"
      if case .exited(let code) = status {
        help = "if this exit code is expected, add `expect: { exit: \(code) }`"
      }
      throw Failure(
        category: .expectation, type: "step.exec",
        message: "the command \(status.text) unexpectedly", range: step.range,
        details: Self.lastLines(of: outcome), help: help)
    }
    for capture in helper.captures {
      try keep(capture, from: outcome, at: step.range, in: world)
    }
  }

  /// What helps where a command outside the world does not end in time: targets that wait for time to pass, which it
  /// does not while the runner waits for the command, cannot answer it.
  private var outsideHelp: String {
    guard let clock = plannedCase.clock, clock.flow != .real, hasStarted else {
      return "raise `timeout:` if it needs longer; it runs outside the scenario's clock"
    }
    return
      "virtual time is frozen while a command outside of the scenario's environment runs: `exec: { command: …, in: world }`"
      + " lets time pass if the command waits for a target"
  }

  /// Runs a command outside of the environment, until it exits or the step times out.
  private func runOutside(
    _ request: HelperProcess.Request, at range: SourceRange, in world: CaseEnvironment
  ) throws(Failure) -> CommandOutcome {
    var process = try Self.start(request, at: range)
    let outcome = process.run(before: deadline, grace: grace) { [cancellation, isCleaningUp, log] in
      log.flush()
      return cancellation.isCancelled && !isCleaningUp
    }
    world.keep(outcome.keeper)
    return CommandOutcome(outcome)
  }

  private func target(named name: String?) -> TargetNumber? {
    name.flatMap { name in
      plannedCase.targets.firstIndex { ($0.name ?? "target") == name }
    }.map { TargetNumber($0) }
  }

  /// Runs a command as one of the targets runs, and waits for its end.
  ///
  /// - Parameter home: the target on whose host it runs; `nil` for on none.
  private func runInWorld(
    _ command: HelperProcess.Request, _ step: PlannedStep, at range: SourceRange,
    onHostOf home: TargetNumber?, in world: CaseEnvironment
  ) throws(Failure) -> CommandOutcome {
    let number = TargetNumber(plannedCase.targets.count + visitorCount)
    visitorCount += 1
    let supervisor = world.supervisor
    var request = LaunchRequest(
      path: command.path, arguments: command.arguments, environment: command.environment,
      directory: command.directory, input: command.input.isEmpty ? .empty : .bytes(command.input))
    request.home = home
    do {
      try supervisor.start(request, as: number)
    } catch {
      throw Failure(error, program: command.arguments.first ?? command.path, range: range)
    }
    let end = supervisor.awaitExit(of: number, deadline: deadline, meanwhile: log.flush)
    let outcome = CommandOutcome(
      status: supervisor.exitStatus(of: number), output: supervisor.output(.output, of: number),
      errorOutput: supervisor.output(.error, of: number))
    helperOutcome = outcome
    if outcome.status == nil { supervisor.killTree(of: number) }
    try require(end, "the command's end", step)
    return outcome
  }

  private static func start(
    _ request: HelperProcess.Request, at range: SourceRange
  ) throws(Failure) -> HelperProcess {
    do {
      return try HelperProcess(request)
    } catch {
      throw Failure(error, program: request.arguments.first ?? request.path, range: range)
    }
  }

  private func keep(
    _ capture: PlannedCapture, from outcome: CommandOutcome, at range: SourceRange,
    in world: CaseEnvironment
  ) throws(Failure) {
    let stream = capture.source == .output ? outcome.output : outcome.errorOutput
    let search = BoundedWork { Self.find(capture, in: stream) }
    switch search.run(before: deadline, cancellation) {
    case .done(.success(.found(let value))): self.capture(value, as: capture.name, in: world)
    case .done(.success(.missing(let why))):
      throw Failure(
        category: .expectation, type: "step.capture",
        message: "\"\(capture.name)\" is not captured: the command's output \(why)",
        range: capture.range, details: Self.lastLines(of: outcome),
        help: Self.helpForLines(of: capture, in: stream) ?? "correct the entry")
    case .done(.failure(let error)):
      throw Failure(unjudged: error, "the command's output").at(range)
    case .cancelled: throw Failure.stopped(by: cancellation, at: range)
    case .timedOut: throw Failure.searchTimedOut(at: range)
    }
  }

  /// The last lines of both streams of a command.
  private static func lastLines(of outcome: CommandOutcome) -> [String] {
    [("stdout", outcome.output), ("stderr", outcome.errorOutput)].flatMap { name, stream in
      let length = 16_384
      return LastLines.text(
        stream.suffix(length), isCut: stream.count > length, of: "\(name) of the command")
    }
  }

  // MARK: - Always

  /// Performs the steps that are due whatever happened, each of them, and each with a time of its own.
  func runAlways(in world: CaseEnvironment) {
    guard let steps = plannedCase.always else { return }
    isCleaningUp = true
    defer { isCleaningUp = false }
    for (index, step) in steps.enumerated() {
      deadline = RealTime.monotonic() + alwaysTime
      _ = perform(step, index: plannedCase.steps.count + index + 1, in: world)
    }
  }
}

extension PlannedExpectation {
  /// True if it says how a command ends.
  fileprivate var isAboutExit: Bool {
    switch subject {
    case .exit, .signal: true
    default: false
    }
  }
}
