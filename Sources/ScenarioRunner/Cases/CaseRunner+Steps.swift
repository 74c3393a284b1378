internal import Glibc
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import StandIn
internal import Supervisor

extension CaseRunner {
  /// Does what a step says.
  func perform(
    _ action: PlannedStep.Action, of step: PlannedStep, in world: World
  ) throws(Failure) {
    switch action {
    case .run(let arguments):
      try start(arguments, in: world, range: step.range)
      try require(world.supervisor.awaitExit(deadline: deadline), "the target's end", step)
      try checkExit(of: step, in: world)
    case .start(let arguments):
      try start(arguments, in: world, range: step.range)
    case .stop:
      try send(signal: SIGTERM, name: "TERM", in: world, range: step.range)
      try require(world.supervisor.awaitExit(deadline: deadline), "the target's end", step)
    case .signal(let name, let number):
      try send(signal: number, name: name, in: world, range: step.range)
    case .send(let text):
      try requireStart(step)
      guard world.supervisor.send(Array(try world.resolve(text).utf8)) else {
        throw inputIsClosed(step)
      }
    case .closeStandardInput:
      try requireStart(step)
      guard world.supervisor.closeInput() else { throw inputIsClosed(step) }
    case .waitForExit:
      try requireStart(step)
      try require(world.supervisor.awaitExit(deadline: deadline), "the target's end", step)
      try checkExit(of: step, in: world)
    case .waitForOutput(let expression):
      try awaitOutput(.output, expression, step, in: world)
    case .waitForErrorOutput(let expression):
      try awaitOutput(.error, expression, step, in: world)
    case .respond(let number):
      world.standIn?.respond(step: number)
    case .travel, .jump, .freeze, .tick, .settle, .suspend, .rate, .returnToPresent, .block:
      try performTime(action, of: step, in: world)
    case .apply(let selection, let seed):
      world.applyChaos(selection, seed: seed)
    case .revert(let selection):
      world.revertChaos(selection)
    case .expect:
      break
    case .capture(let captures):
      for capture in captures { try keep(capture, of: step, in: world) }
    }
  }

  // MARK: - Capture

  private func keep(
    _ capture: PlannedCapture, of step: PlannedStep, in world: World
  ) throws(Failure) {
    try requireStart(step)
    let stream = capture.source == .output ? StandardStream.output : .error
    let text = String(decoding: world.supervisor.output(stream).bytes, as: UTF8.self)
    let search = BoundedWork { capture.expression.firstGroup(in: text) }
    switch search.run(before: deadline, cancellation) {
    case .done(let found?): world.captures.keep(found, as: capture.name)
    case .done(nil):
      throw Failure(
        category: .expectation, type: "step.capture",
        message: "\"\(capture.name)\" is not captured: \(stream.rawValue) does not match"
          + " \"\(capture.expression.text)\"",
        range: capture.range, details: Self.tail(of: text, stream),
        help: "`wait:` for it before if it may come later, or correct the expression")
    case .cancelled: throw Failure.interrupted(at: step.range)
    case .timedOut: throw Failure.searchTimedOut(at: step.range)
    }
  }

  /// The last lines of what the target wrote.
  private static func tail(of text: String, _ stream: StandardStream) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let shown = (lines.last == "" ? lines.dropLast() : lines[...]).suffix(20)
    guard !shown.isEmpty else { return ["\(stream.rawValue) is empty"] }
    return ["\(stream.rawValue):"] + shown.map { "  \($0.prefix(500))" }
  }

  // MARK: - Time

  private func performTime(
    _ action: PlannedStep.Action, of step: PlannedStep, in world: World
  ) throws(Failure) {
    let supervisor = world.supervisor
    switch action {
    case .travel(let instant): try change(.travel(instant), step, in: world)
    case .jump(let length): try change(.jump(length), step, in: world)
    case .freeze(let instant): try change(.freeze(instant), step, in: world)
    case .suspend(let length): try change(.suspend(length), step, in: world)
    case .rate(let rate): try change(.rate(rate), step, in: world)
    case .returnToPresent: try change(.returnToPresent, step, in: world)
    case .settle:
      let what = "a moment at which everything sleeps"
      try require(supervisor.settle(deadline: deadline), what, step)
    case .tick(let amount):
      try require(supervisor.tick(amount, deadline: deadline), "the end of the tick", step)
    case .block(let inner, let steps):
      supervisor.change(.beginBlock)
      defer { supervisor.change(.endBlock) }
      try performTime(inner, of: step, in: world)
      try settle(world, range: step.range)
      for inner in steps {
        let before = log.failures.count
        world.enterStep(inner.name)
        defer { world.leaveStep() }
        try perform(inner.action, of: inner, in: world)
        try settle(world, range: inner.range)
        check(inner.expect, in: world)
        guard log.failures.count == before else { return }
      }
    default:
      break
    }
  }

  private func change(
    _ change: ClockChange, _ step: PlannedStep, in world: World
  ) throws(Failure) {
    guard !world.supervisor.change(change) else { return }
    throw Failure(
      category: .error, type: "Clock",
      message: "the wall clock would show what clocks cannot, from \(world.view.reading().wall)",
      range: step.range,
      help: "clocks count nanoseconds from 1970 in 64 bits: they show the years 1678 to 2261")
  }

  // MARK: - The target

  private func start(
    _ arguments: [PlannedText], in world: World, range: SourceRange
  ) throws(Failure) {
    guard !hasStarted || world.supervisor.exitStatus() != nil else {
      throw Failure(
        category: .error, type: "Step", message: "the target is running already", range: range,
        help: "`stop:` it, or `wait: exit`, before it is started again")
    }
    if hasStarted { keepOutput(of: world) }
    let request = try world.launchRequest(
      adding: arguments, keepsInputOpen: plannedCase.usesStandardInput)
    do {
      try world.supervisor.start(request)
    } catch {
      throw Failure(
        error, program: request.arguments.first ?? request.path,
        range: plannedCase.target.commandRange)
    }
    hasStarted = true
    wasSignalled = false
  }

  /// A target whose end nobody speaks about, and that nobody told to end, must end well: a crash must
  /// not pass for success.
  private func checkExit(of step: PlannedStep, in world: World) throws(Failure) {
    guard isJudged, !wasSignalled, !plannedCase.speaksOfEnd(of: step),
      let status = world.supervisor.exitStatus(),
      status != .exited(code: 0)
    else { return }
    let help: String
    switch status {
    case .exited(let code): help = "if it is to end so, say `expect: { exit: \(code) }`"
    case .signaled(let number):
      help = "if it is to end so, say `expect: { signal: \(SignalNames.name(of: number)) }`"
    }
    throw Failure(
      category: .expectation, type: "expect.exit",
      message: "the target \(status.text), and nothing expects it", range: step.range, help: help)
  }

  private func send(
    signal number: Int32, name: String, in world: World, range: SourceRange
  ) throws(Failure) {
    wasSignalled = true
    guard hasStarted, world.supervisor.signal(number) else {
      throw Failure(
        category: .expectation, type: "step.signal",
        message: hasStarted
          ? "the target has ended before SIG\(name) could be sent"
          : "the target has not been started", range: range,
        help: "`start:` it before")
    }
  }

  private func requireStart(_ step: PlannedStep) throws(Failure) {
    guard !hasStarted else { return }
    throw Failure(
      category: .error, type: "Step", message: "the target has not been started",
      range: step.range, help: "put a `start:` step before")
  }

  private func inputIsClosed(_ step: PlannedStep) -> Failure {
    Failure(
      category: .expectation, type: "step.input",
      message: "the target's standard input is closed", range: step.range,
      help: "it is closed by `close: stdin`, by `stdin:`, or because the target has ended")
  }

  private func awaitOutput(
    _ stream: StandardStream, _ expression: RegularExpression, _ step: PlannedStep,
    in world: World
  ) throws(Failure) {
    try requireStart(step)
    let what = "\(stream.rawValue) matched \"\(expression.text)\""
    var count = -1
    while true {
      let result = world.supervisor.awaitOutput(stream, beyond: count, deadline: deadline)
      try require(result, what, step)
      let bytes = world.supervisor.output(stream).bytes
      count = bytes.count
      let search = BoundedWork {
        expression.isFound(in: String(decoding: bytes, as: UTF8.self))
      }
      switch search.run(before: deadline, cancellation) {
      case .done(true): return
      case .done(false): continue
      case .cancelled: throw Failure.interrupted(at: step.range)
      case .timedOut: throw Failure.searchTimedOut(at: step.range)
      }
    }
  }

  private func require(
    _ result: WaitResult, _ what: String, _ step: PlannedStep
  ) throws(Failure) {
    if let failure = Failure(
      result, awaiting: what, timeout: plannedCase.timeout, range: step.range)
    {
      throw failure
    }
  }
}

extension PlannedExpectation {
  /// Whether it says how the target ends.
  fileprivate var isAboutEnd: Bool {
    switch subject {
    case .exit, .signal, .borne: true
    default: false
    }
  }
}

extension PlannedStep {
  /// The step and, for a block, those in it, in the order in which they are performed.
  fileprivate var flattened: [PlannedStep] {
    guard case .block(_, let steps) = action else { return [self] }
    return [self] + steps.flatMap(\.flattened)
  }

  fileprivate var startsTarget: Bool {
    switch action {
    case .run, .start: true
    default: false
    }
  }
}

extension PlannedCase {
  /// Whether something says how the start of the target in a step ends: the step itself, one behind it
  /// before the next start, or the expectations at the end.
  fileprivate func speaksOfEnd(of step: PlannedStep) -> Bool {
    if step.expect.contains(where: { $0.isAboutEnd }) { return true }
    let all = steps.flatMap(\.flattened)
    let following = all.drop { $0.range != step.range }
    let untilNextStart = following.prefix(1) + following.dropFirst().prefix { !$0.startsTarget }
    if untilNextStart.contains(where: { $0.expect.contains { $0.isAboutEnd } }) { return true }
    return untilNextStart.count == following.count && expect.contains { $0.isAboutEnd }
  }

  /// Whether some step writes to standard input or closes it.
  fileprivate var usesStandardInput: Bool {
    func uses(_ action: PlannedStep.Action) -> Bool {
      switch action {
      case .send, .closeStandardInput: true
      case .block(_, let steps): steps.contains { uses($0.action) }
      default: false
      }
    }
    return steps.contains { uses($0.action) }
  }
}
