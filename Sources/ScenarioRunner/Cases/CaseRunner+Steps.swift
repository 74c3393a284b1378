internal import Foundations
internal import Glibc
internal import MockServer
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

extension CaseRunner {
  /// Performs the action of a step.
  func perform(
    _ action: PlannedStep.Action, of step: PlannedStep, in world: CaseEnvironment
  ) throws(Failure) {
    switch action {
    case .run(let arguments):
      try start(arguments, step, in: world)
      try awaitEnd(step, in: world)
      try checkExit(of: step, in: world)
    case .start(let arguments):
      try start(arguments, step, in: world)
      try awaitReadiness(step, in: world)
    case .stop:
      try stop(step, in: world)
    case .signal(let name, let number):
      try send(signal: number, name: name, step, in: world)
    case .send(let text):
      try requireStart(step)
      let sent = try world.resolve(text)
      try type(Array(sent.utf8), step, in: world)
      // A newline, a carriage return, or the end of the input on a terminal.
      let endsLine = [10, 13, 4].contains(sent.utf8.last ?? 10)
      self[step].unendedLine = endsLine ? nil : sent
    case .closeStandardInput:
      try requireStart(step)
      guard world.supervisor.closeInput(of: step.targetNumber) else { throw inputIsClosed(step) }
      self[step].unendedLine = nil
    case .waitForExit:
      try requireStart(step)
      try awaitEnd(step, in: world)
      try checkExit(of: step, in: world)
    case .waitForOutput(let expression):
      try awaitOutput(.output, expression, step, in: world)
    case .waitForErrorOutput(let expression):
      try awaitOutput(.error, expression, step, in: world)
    case .waitForScreen(let expression):
      try awaitScreen(expression, step, in: world)
    case .respond(let number):
      world.mockServer?.respond(step: number)
    case .set(let changes):
      // What is under way at this moment sees the state from before.
      world.supervisor.awaitRest()
      do throws(RunScopeError) {
        try world.mockServer?.set(changes)
      } catch {
        throw Failure(
          category: .expectation, type: "step.set", message: "\"set\" failed: \(error.message)",
          range: error.range ?? step.range, help: error.help)
      }
    case .resolve(let number):
      world.mockServer?.resolve(step: number)
    case .travel, .jump, .adjust, .freeze, .tick, .settle, .suspend, .rate, .returnToPresent,
      .block:
      try performTime(action, of: step, in: world)
    case .pause(let bound):
      try pause(atMost: bound, because: "a step pauses it", at: step.range, in: world)
    case .apply(let selection, let seed):
      world.applyChaos(selection, seed: seed)
    case .revert(let selection):
      world.revertChaos(selection)
    case .partition(let partition):
      // What is under way at this moment is delivered.
      world.supervisor.awaitRest()
      world.cut(partition)
      log.report(PartitionDescription(partition, in: plannedCase), at: world.view)
    case .heal(let selection):
      world.heal(selection)
      log.report(PartitionDescription(selection), at: world.view)
    case .expect:
      break
    case .capture(let captures):
      for capture in captures { try keep(capture, of: step, in: world) }
    case .closeOutput(let source):
      try requireStart(step)
      let stream = source == .output ? StandardStream.output : .error
      guard world.supervisor.close(stream, of: step.targetNumber) else {
        throw Failure(
          category: .expectation, type: "step.output",
          message: "the \(stream.rawValue) of \(who(step)) is already closed", range: step.range)
      }
    case .signalProcess(let name, let number, let process):
      try requireStart(step)
      world.supervisor.awaitRest()
      let programs = world.supervisor.signal(number, toProgram: process, of: step.targetNumber)
      switch programs.reach {
      case .first:
        expectEnd(by: number, step, in: world)
        self[step].signals.insert(number)
      case .others: self[step].indirectSignals.insert(number)
      case .none:
        throw Failure(
          category: .expectation, type: "step.signal",
          message: "no process of \(who(step)) runs \"\(process)\", so SIG\(name) was not sent",
          range: step.range,
          help: programs.others.isEmpty
            ? "none of its processes is running"
            : Suggestion.help(for: process, in: Set(programs.others), label: "what runs"))
      }
    case .exec(let helper):
      try perform(helper, step, in: world)
    case .build(let builds):
      for build in builds {
        world.captures.keep(try world.resolve(build.data), asBuild: build.name)
      }
    case .write(let file):
      try world.write(file)
    case .press(let keys):
      try requireStart(step)
      let text = world.text(of: keys, for: step.targetNumber)
      try type(Array(text.utf8), step, in: world)
    case .resize(let size):
      try requireStart(step)
      world.supervisor.awaitRest()
      guard world.supervisor.resizeTerminal(of: step.targetNumber, to: size) else {
        throw inputIsClosed(step)
      }
    }
  }

  // MARK: - Capture

  private func keep(
    _ capture: PlannedCapture, of step: PlannedStep, in world: CaseEnvironment
  ) throws(Failure) {
    try requireStart(step)
    let stream = capture.source == .output ? StandardStream.output : .error
    let output = world.supervisor.output(stream, of: step.targetNumber)
    let search = BoundedWork { Self.find(capture, in: output) }
    switch search.run(before: deadline, cancellation) {
    case .done(.success(.found(let value))): self.capture(value, as: capture.name, in: world)
    case .done(.success(.missing(let why))):
      throw Failure(
        category: .expectation, type: "step.capture",
        message: "\"\(capture.name)\" is not captured: \(stream.rawValue) \(why)",
        range: capture.range,
        help: Self.helpForLines(of: capture, in: output)
          ?? "`wait:` for it before this step if it may come later, or correct the entry")
    case .done(.failure(let error)):
      throw Failure(unjudged: error, stream.rawValue).at(capture.range)
    case .cancelled: throw Failure.stopped(by: cancellation, at: step.range)
    case .timedOut: throw Failure.searchTimedOut(at: step.range)
    }
  }

  // MARK: - Time

  private func performTime(
    _ action: PlannedStep.Action, of step: PlannedStep, in world: CaseEnvironment
  ) throws(Failure) {
    let supervisor = world.supervisor
    switch action {
    case .travel(let instant): try change(.travel(instant), step, in: world)
    case .jump(let length): try change(.jump(length), step, in: world)
    case .adjust(let length, let time):
      try change(.adjust(length, over: time, target: step.target ?? 0), step, in: world)
    case .freeze(let instant): try change(.freeze(instant), step, in: world)
    case .suspend(let length): try change(.suspend(length), step, in: world)
    case .rate(let rate): try change(.rate(rate), step, in: world)
    case .returnToPresent: try change(.returnToPresent, step, in: world)
    case .settle:
      let what = "a moment at which all threads are idle"
      try require(supervisor.settle(deadline: deadline, meanwhile: log.flush), what, step)
    case .tick(let amount):
      let result = supervisor.tick(amount, deadline: deadline, meanwhile: log.flush)
      if case (.next, .stuck(let threads)) = (amount, result) {
        throw Failure(nothingDue: threads, at: step.range)
      }
      try require(result, "the end of the tick", step)
    case .block(let inner, let steps):
      supervisor.change(.beginBlock)
      defer { supervisor.change(.endBlock) }
      try performTime(inner, of: step, in: world)
      try settle(world, range: step.range)
      for inner in steps where try isPerformed(inner, in: world) {
        let before = log.failures.count
        world.enterStep(inner.name)
        defer { world.leaveStep() }
        _ = performAsOften(inner, in: world) { performOnce(inner, in: world) }
        guard log.failures.count == before else { return }
      }
    default:
      break
    }
  }

  private func change(
    _ change: ClockChange, _ step: PlannedStep, in world: CaseEnvironment
  ) throws(Failure) {
    guard !world.supervisor.change(change) else { return }
    throw Failure(
      category: .error, type: "Clock",
      message: "the wall clock would leave its range, from \(world.view.reading().wall)",
      range: step.range,
      help: "clocks count nanoseconds since 1970 in 64 bits: set them from 1677-09-21 to"
        + " 2262-04-11")
  }

  // MARK: - The target

  private func start(
    _ arguments: [PlannedText], _ step: PlannedStep, in world: CaseEnvironment
  ) throws(Failure) {
    let index = step.target ?? 0
    let hasStarted = self[step].hasStarted
    guard !hasStarted || world.supervisor.exitStatus(of: step.targetNumber) != nil else {
      throw Failure(
        category: .error, type: "Step", message: "\(who(step)) is already running",
        range: step.range, help: "`stop:` it, or `wait: exit`, before you start it again")
    }
    if hasStarted {
      try requireAccountedEnd(ofTarget: index, in: world)
      keepOutput(ofTarget: index, in: world)
    }
    var request = try world.launchRequest(
      of: index, adding: arguments,
      keepsInputOpen: plannedCase.usesStandardInput(ofTarget: index))
    request.environment = try world.environment(
      request.environment, with: step.settings?.environment ?? [])
    if let inputDescriptor { request.input = .descriptor(inputDescriptor) }
    do {
      try world.supervisor.start(request, as: step.targetNumber)
    } catch {
      throw Failure(
        error, program: request.arguments.first ?? request.path,
        range: plannedCase.targets[index].commandRange)
    }
    self[step].hasStarted = true
    self[step].startCount += 1
    self[step].signals = []
    self[step].indirectSignals = []
    self[step].isEndSettled = false
    self[step].isOfForgottenTry = false
    self[step].unendedLine = nil
    self[step].startStep = step
    self[step].matched = [:]
    startOrder.removeAll { $0 == index }
    startOrder.append(index)
  }

  private func awaitEnd(_ step: PlannedStep, in world: CaseEnvironment) throws(Failure) {
    let end = plannedCase.moreTargets == nil ? "the target's end" : "the end of \(who(step))"
    try require(
      world.supervisor.awaitExit(
        of: step.targetNumber, deadline: deadline, meanwhile: log.flush), end, step)
  }

  /// The target that a step is about, in a sentence.
  func who(_ step: PlannedStep) -> String { plannedCase.mention(ofTarget: step.target ?? 0) }

  /// Fails if the target ended badly, and neither a step nor a condition is about its end: a crash must not pass for
  /// success.
  private func checkExit(of step: PlannedStep, in world: CaseEnvironment) throws(Failure) {
    let index = step.target ?? 0
    guard let status = unaccountedEnd(ofTarget: index, in: world),
      !plannedCase.maySpeakOfEnd(behind: step)
    else { return }
    records[index].isEndSettled = true
    throw unexpected(status, ofTarget: index, step)
  }

  /// Lets the watchdog of a target end with a signal that ends the target.
  private func expectEnd(by signal: Int32, _ step: PlannedStep, in world: CaseEnvironment) {
    guard signal == stopSignal(of: step) || signal == SIGKILL else { return }
    world.notifySocket(ofTarget: step.target ?? 0)?.expectEnd()
  }

  private func send(
    signal number: Int32, name: String, _ step: PlannedStep, in world: CaseEnvironment
  ) throws(Failure) {
    let hasStarted = self[step].hasStarted
    // A signal that overtakes what the target does about it, such as the setting of a handler, makes its end
    // depend on the machine.
    if hasStarted { world.supervisor.awaitRest() }
    expectEnd(by: number, step, in: world)
    guard hasStarted, world.supervisor.signal(number, to: step.targetNumber) else {
      throw Failure(
        category: .expectation, type: "step.signal",
        message: hasStarted
          ? "\(who(step)) exited before SIG\(name) could be sent"
          : "\(who(step)) has not been started", range: step.range,
        help: hasStarted
          ? "if it exits by itself, write `wait: exit` and how, as in `expect: { exit: 3 }`"
          : "`start:` it before this step")
    }
    self[step].signals.insert(number)
  }

  /// The signal that asks the target of a step to end.
  private func stopSignal(of step: PlannedStep) -> Int32 {
    (plannedCase.targets[step.target ?? 0].stop ?? .usual).signal
  }

  private func stop(_ step: PlannedStep, in world: CaseEnvironment) throws(Failure) {
    let stop = plannedCase.targets[step.target ?? 0].stop ?? .usual
    try send(signal: stop.signal, name: stop.signalName, step, in: world)
    let begin = RealTime.monotonic()
    let result = world.supervisor.awaitEnd(
      of: step.targetNumber, grace: stop.grace, limit: deadline, meanwhile: log.flush)
    if case .timedOut(let threads, _) = result, RealTime.monotonic() < deadline {
      let given = RealTime.monotonic() - begin
      self[step].isEndSettled = true
      world.supervisor.killTree(of: step.targetNumber)
      // What is little more than the grace is not worth a line.
      let delays =
        given.count / 3 * 2 < stop.grace.count
        ? []
        : [
          "it has had \(Nanoseconds.milliseconds(given.count / 1_000_000)), as waiting for a processor does not count"
        ]
      throw Failure(
        category: .expectation, type: "step.stop",
        message: "\(who(step)) did not exit within \(stop.grace) of SIG\(stop.signalName), and was"
          + " killed",
        range: step.range, details: delays + ThreadSituation.lines(threads),
        help: "`stop: { grace: … }` of the target gives it more real time")
    }
    do throws(Failure) {
      try require(result, "the end of \(who(step))", step)
    } catch {
      guard case .stuck(let threads) = result,
        ThreadSituation.helpWhereTimeStands(threads) != nil, error.type == "Stuck"
      else { throw error }
      throw error.with(
        help:
          "the target waits for virtual time before it exits: instead of `stop:`, write the steps"
          + " `signal: \(stop.signalName)`, `tick: 1s` and `wait: exit`, or use `flow: auto`")
    }
    try requireNoCrash(in: step, askedBy: stop.signal, in: world)
  }

  func requireStart(_ step: PlannedStep) throws(Failure) {
    guard !self[step].hasStarted else { return }
    throw Failure(
      category: .error, type: "Step", message: "\(who(step)) has not been started",
      range: step.range, help: "put a `start:` step before this one")
  }

  private func type(
    _ bytes: [UInt8], _ step: PlannedStep, in world: CaseEnvironment
  ) throws(Failure) {
    // On a terminal a key can be a signal.
    let isTerminal = plannedCase.targets[step.target ?? 0].terminal != nil
    if isTerminal { world.supervisor.awaitRest() }
    guard world.supervisor.send(bytes, to: step.targetNumber) else { throw inputIsClosed(step) }
    guard isTerminal else { return }
    self[step].indirectSignals.formUnion(bytes.compactMap { Self.keySignals[$0] })
  }

  /// The signals of the keys by which a terminal ends programs: VINTR and VQUIT of termios(3), as they are set at first.
  private static let keySignals: [UInt8: Int32] = [3: SIGINT, 28: SIGQUIT]

  private func inputIsClosed(_ step: PlannedStep) -> Failure {
    guard plannedCase.targets[step.target ?? 0].terminal == nil else {
      return Failure(
        category: .expectation, type: "step.input",
        message: "the terminal of \(who(step)) is no longer used", range: step.range,
        help: "the target has exited")
    }
    return Failure(
      category: .expectation, type: "step.input",
      message: plannedCase.moreTargets == nil
        ? "the target's standard input is closed"
        : "the standard input of \(who(step)) is closed", range: step.range,
      help: "it is closed by `close: stdin`, by `stdin:`, or because the target exited")
  }

  /// The reason why a target may wait for more: who reads lines takes none that has not ended.
  private func helpForUnendedLine(_ result: WaitResult, _ step: PlannedStep) -> String? {
    switch result {
    case .timedOut, .stuck: break
    case .happened, .targetEnded, .endless, .cancelled: return nil
    }
    guard let line = self[step].unendedLine else { return nil }
    let isTerminal = plannedCase.targets[step.target ?? 0].terminal != nil
    return
      "\"\(line.excerpt(limit: 40))\" was sent without a newline, for which a reader of lines waits:"
      + (isTerminal ? " send { key: enter } after it" : " end it with \\n, in double quotes")
  }

  func require(
    _ result: WaitResult, _ what: String, _ step: PlannedStep
  ) throws(Failure) {
    let isTick = if case .tick = step.action { true } else { false }
    if let failure = Failure(
      result, awaiting: what, timeout: currentTimeout, range: step.range, who: who(step),
      isTick: isTick)
    {
      throw failure.with(hint: helpForUnendedLine(result, step))
    }
  }
}

extension PlannedCase {
  /// Returns whether some step writes to a target's standard input or closes it.
  fileprivate func usesStandardInput(ofTarget index: Int) -> Bool {
    (steps + (always ?? [])).flatMap(\.flattened).contains { step in
      switch step.action {
      case .send, .closeStandardInput: step.target ?? 0 == index
      default: false
      }
    }
  }
}
