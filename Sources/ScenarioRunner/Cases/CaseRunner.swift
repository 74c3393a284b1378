internal import Foundations
internal import Glibc
internal import MockServer
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

/// Runs one case from its first step to its last expectation.
final class CaseRunner {
  let plannedCase: PlannedCase
  let log: CaseLog
  /// The bound on what the case does now, on the runner's clock.
  var deadline: Nanoseconds
  /// The bound on the step that is performed; `nil` where it has none of its own.
  var stepTimeout: Nanoseconds?
  /// True if steps are performed that are due whatever happened.
  var isCleaningUp = false
  /// The outcome of the command that a step has run last.
  var helperOutcome: CommandOutcome?
  let number: Int
  let folder: RunFolder
  let options: RunOptions
  let cancellation: RunCancellation
  /// The number of the attempt at the case, from 1.
  let attempt: Int
  /// Makes the supervisor and the mock server.
  let parts: CaseParts
  private let start = RealTime.monotonic()

  /// The record of each target, by its number.
  var records: [TargetRecord]
  /// The targets that were started, by their numbers, in the order of their last starts.
  var startOrder: [Int] = []
  /// Ends of all starts of the targets, in order; `nil` for one that still runs.
  private(set) var ends: [ExitStatus?] = []
  /// The conditions on the number of injected faults, by entry name, that were checked since a step last made targets go on.
  private(set) var lastFirings: [String: PlannedMatcher] = [:]
  /// The number of programs that were started in the paused environment by visitors.
  var visitorCount = 0
  /// True if the environment has paused because of a failure.
  var hasPausedAtFailure = false
  /// True if expectations are checked.
  var isJudged = true
  /// True if targets have no time to end by themselves where the run is being stopped.
  var endsAtOnce = false
  /// True if the recorded exchanges are kept however the case ended.
  var keepsEveryRecording = false
  /// The descriptor that the target reads as its standard input; `nil` for the case's own input.
  var inputDescriptor: Int32?
  /// The number of faults and moves of the clock after which the run is stopped; `nil` for no limit.
  var patience: Int?
  /// Statistics of the fault rules of a case that was only observed.
  var accounts: [RuleStatistics] = []

  init(
    plannedCase: PlannedCase, number: Int, folder: RunFolder, options: RunOptions,
    cancellation: RunCancellation, log: CaseLog, attempt: Int = 1, parts: CaseParts = .real
  ) {
    self.attempt = attempt
    self.parts = parts
    self.plannedCase = plannedCase
    records = plannedCase.targets.map { _ in TargetRecord() }
    self.number = number
    self.folder = folder
    self.options = options
    self.cancellation = cancellation
    self.log = log
    deadline = start + plannedCase.timeout
    log.review = { $0.asDecided(hasWorld: plannedCase.hasWorld, obstacle: parts.obstacle) }
  }

  /// Runs the case, and reports its events to the log.
  func run() {
    if let reason = plannedCase.skip {
      return log.reportSkipped(plannedCase, index: number - 1, because: reason)
    }
    log.add(.caseStarted(description))
    do {
      let world = try CaseEnvironment(
        plannedCase, number: number, folder: folder, options: options, inbox: log.inbox,
        attempt: attempt, parts: parts)
      noteFullDisk(of: world)
      let supervisor = world.supervisor
      let ticket = cancellation.whenCancelled { supervisor.cancel() }
      enterSight(of: world)
      if let patience { log.inbox.limitEvents(beyond: patience) { supervisor.cancel() } }
      runSteps(in: world)
      endInterruptedTree(of: world)
      endTargets(in: world)
      keepOutput(of: world)
      cancellation.forget(ticket)
      let virtualDuration = plannedCase.clock == nil ? nil : world.view.reading().elapsed
      account(for: world)
      reportTime(in: world)
      reportZones(in: world)
      reportLeaks(in: world)
      options.running?.leave(plannedCase.identifier)
      for failure in world.snapshots.conclude(hasPassed: outcome == .passed) { log.fail(failure) }
      let isKept = options.kept.includes(outcome)
      world.end(keepsFolder: isKept)
      let recording = writeRecording(of: world)
      if isKept { folder.keep(world.directory.name) }
      let directory = isKept ? world.directory.root : nil
      finish(
        virtualDuration: virtualDuration, directory: directory,
        attachments: attachments(
          directory: directory, recording: recording,
          isBad: outcome != .passed, hasRequests: world.mockServer != nil))
    } catch {
      log.fail(error)
      finish(virtualDuration: nil, directory: nil)
    }
  }

  /// Lets the first failure say that the disk of the case's folder is full, if it is at that moment.
  private func noteFullDisk(of world: CaseEnvironment) {
    let review = log.review
    log.review = { [unowned log = self.log, root = world.directory.root] failure in
      var failures = review?(failure) ?? [failure]
      // What the machine refuses stands before what it is the reason of.
      if log.failures.isEmpty, let last = failures.popLast() {
        failures.append(last.with(DiskShortage(of: root)))
      }
      return failures
    }
  }

  func runSteps(in world: CaseEnvironment) {
    runMainSteps(in: world)
    pauseAtFailure(nil, in: world)
    runAlways(in: world)
  }

  private func runMainSteps(in world: CaseEnvironment) {
    for (index, step) in plannedCase.steps.enumerated() {
      guard perform(step, index: index + 1, in: world) else { return }
    }
    world.catchUp()
    check(plannedCase.expect, in: world)
  }

  /// Performs a step and checks what must hold behind it; false if the case ends here.
  func perform(_ step: PlannedStep, index: Int, in world: CaseEnvironment) -> Bool {
    guard !cancellation.isCancelled || isCleaningUp else {
      log.fail(Failure.stopped(by: cancellation, at: step.range))
      return false
    }
    let before = log.failures.count
    let begin = RealTime.monotonic()
    world.findings.enter(step.range)
    log.add(.stepStarted(index: index, name: step.name, range: step.range))
    world.enterStep(step.name)
    defer { world.leaveStep() }
    do {
      if try isPerformed(step, in: world) {
        _ = performAsOften(step, in: world) { performOnce(step, in: world) }
      }
    } catch {
      report(error, of: step, in: world)
    }
    log.add(.stepFinished(index: index, duration: RealTime.monotonic() - begin))
    return log.failures.count == before
  }

  /// Performs a step once, and checks what must hold behind it.
  func performOnce(_ step: PlannedStep, in world: CaseEnvironment) {
    if !isCleaningUp, step.letsTargetsGoOn { lastFirings = [:] }
    do {
      try perform(step.action, of: step, in: world)
      try settle(world, range: step.range)
      check(step, in: world)
    } catch {
      // That the run was interrupted has been reported.
      if !isCleaningUp || error.type != "Interrupted" { report(error, of: step, in: world) }
    }
  }

  /// The bound in real time on what is done now, for messages.
  var currentTimeout: Nanoseconds {
    stepTimeout.map { min($0, plannedCase.timeout) } ?? plannedCase.timeout
  }

  /// Reports a failure; one in cleaning up does not change the category of the case's first
  /// failure.
  private func fail(_ failure: Failure) {
    guard isCleaningUp else { return log.fail(failure) }
    var failure = failure
    failure.message = "cleanup: \(failure.message)"
    if let first = log.failures.first { failure.category = first.category }
    log.fail(failure)
  }

  /// Reports why a step has failed.
  private func report(_ failure: Failure, of step: PlannedStep, in world: CaseEnvironment) {
    let findings = world.findings
    let unanswered = findings.unanswered
    // What a target does last, such as to give up, may still be on its way to the mock server. One that waits for a
    // program does nothing.
    if unanswered.isEmpty { world.catchUp() } else { world.mockServer?.catchUp() }
    let told =
      failure.type == "Interrupted" && cancellation.isCancelled
      ? Failure.stopped(by: cancellation, at: step.range) : hang(failure)
    let complete = told.at(step.range).with(lastRequest: findings.lastRequest).with(
      helpForHang: findings.helpForHang
    ).with(
      abandonments: findings.abandonments
    ).with(unanswered: unanswered).with(silences: findings.silences)
      .with(handlerErrors: handlerErrors(in: world))
    if failure.type != "Interrupted" { pauseAtFailure(complete, in: world) }
    fail(endingTree(of: world, because: complete, failure))
  }

  /// Turns a hang into a failed expectation where the case says what its target tolerates.
  private func hang(_ failure: Failure) -> Failure {
    guard isJudged, failure.category == .error,
      ["Stuck", "Endless", "Timeout"].contains(failure.type), plannedCase.expectsTolerated
    else { return failure }
    var changed = failure
    changed.category = .expectation
    changed.message = "tolerated: \(failure.message)"
    return changed
  }

  /// Waits until everything sleeps, where time does not pass by itself.
  func settle(_ world: CaseEnvironment, range: SourceRange) throws(Failure) {
    guard plannedCase.clock != nil, hasStarted, !world.view.reading().flows else { return }
    let result = world.supervisor.settle(deadline: deadline, meanwhile: log.flush)
    if let failure = Failure(
      result, awaiting: "a moment at which all threads are idle", timeout: currentTimeout,
      range: range)
    {
      throw failure
    }
  }

  /// Checks what must hold behind a step.
  func check(_ step: PlannedStep, in world: CaseEnvironment) {
    guard case .exec = step.action, let outcome = helperOutcome else {
      return check(step.expect, in: world)
    }
    check(step.expect, in: world, ofCommand: outcome)
  }

  /// Checks conditions; all are checked, and each that fails is reported.
  func check(
    _ expectations: [PlannedExpectation], in world: CaseEnvironment,
    ofCommand outcome: CommandOutcome? = nil
  ) {
    guard isJudged, !expectations.isEmpty else { return }
    // What lets time pass comes first: all else is looked at behind it.
    for expectation in expectations {
      guard case .repeated(let check, let inner) = expectation.subject else { continue }
      let repetition = RepeatedChecking(runner: self, world: world)
      fail(repetition.failures(of: inner, check, at: expectation.range), in: world)
    }
    let now = checks(of: expectations, in: world, ofCommand: outcome)
    for expectation in expectations { fail(now(expectation), in: world) }
  }

  /// Reports failures of one condition, the first one with what else was found.
  private func fail(_ failures: [Failure], in world: CaseEnvironment) {
    guard let first = failures.first else { return }
    world.catchUp()
    let findings = world.findings
    fail(
      first.with(abandonments: findings.abandonments).with(silences: findings.silences).with(
        handlerErrors: handlerErrors(in: world)))
    for failure in failures.dropFirst() { fail(failure) }
  }

  /// Returns a function that lists the reasons why a condition does not hold at this moment.
  func checks(
    of expectations: [PlannedExpectation], in world: CaseEnvironment,
    ofCommand outcome: CommandOutcome? = nil
  ) -> (PlannedExpectation) -> [Failure] {
    let checkers = checkers(of: expectations, in: world)
    let commandChecker = outcome.map { checker(ofCommand: $0, in: world) }
    return { expectation in
      if case .chaos(let entry, .fired, let matcher) = expectation.subject {
        self.lastFirings[entry] = matcher
      }
      let isOfCommand = expectation.target == nil && expectation.isAboutTarget
      if isOfCommand, let commandChecker { return commandChecker.check(expectation) }
      let index = expectation.target ?? 0
      guard let checker = checkers[index] else { return [] }
      if expectation.isAboutTarget, !self.records[index].hasStarted {
        // What follows a failure is not to fail because of it.
        guard !self.isCleaningUp || self.log.failures.isEmpty else { return [] }
        return [Failure(neverStarted: expectation, self.plannedCase.mention(ofTarget: index))]
      }
      if expectation.isAboutItsEnd, checker.target.exitStatus != nil {
        self.records[index].isEndSettled = true
      }
      return checker.check(expectation)
    }
  }

  /// Returns a checker of the present state for each target that conditions are about.
  private func checkers(
    of expectations: [PlannedExpectation], in world: CaseEnvironment
  ) -> [Int: ExpectationChecker] {
    let reading = world.view.reading()
    let crashes = log.inbox.crashes
    let programs = log.inbox.ranPrograms
    var checkers: [Int: ExpectationChecker] = [:]
    for index in Set(expectations.map { $0.target ?? 0 }) {
      checkers[index] = ExpectationChecker(
        world: world, target: world.snapshot(of: TargetNumber(index)),
        watchdog: world.notifySocket(ofTarget: index)?.watchdog,
        who: plannedCase.mention(ofTarget: index),
        prefix: plannedCase.moreTargets == nil ? "" : "\(plannedCase.name(ofTarget: index)): ",
        reading: reading, deadline: deadline, cancellation: cancellation, crashes: crashes,
        programs: programs)
    }
    return checkers
  }

  private func checker(
    ofCommand outcome: CommandOutcome, in world: CaseEnvironment
  ) -> ExpectationChecker {
    var seen = world.snapshot()
    seen.exitStatus = outcome.status
    seen.output = outcome.output
    seen.errorOutput = outcome.errorOutput
    return ExpectationChecker(
      world: world, target: seen, watchdog: nil, who: "the command", prefix: "",
      reading: world.view.reading(), deadline: deadline, cancellation: cancellation,
      crashes: log.inbox.crashes, programs: log.inbox.ranPrograms)
  }

  // MARK: - The end

  /// Reports unanswered requests, unused replies and faults that never fired.
  func account(for world: CaseEnvironment) {
    let supervisor = world.supervisor
    world.catchUp()
    for failure in world.findings.failures(
      hasAuthority: world.authority != nil, trust: { supervisor.trust(ofConnection: $0) })
    {
      log.fail(
        failure.with(handlerErrors: handlerErrors(in: world)).with(
          strayRecordings: StrayRecording.hints(for: failure, of: plannedCase)))
    }
    let closing = UnusedStubCheck(plannedCase: plannedCase, lastFirings: lastFirings)
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

  /// Reports what became of time, where the scenario holds it.
  private func reportTime(in world: CaseEnvironment) {
    let snapshot = world.snapshot()
    if !plannedCase.chaos.isEmpty || !snapshot.limits.isEmpty {
      log.add(
        .chaosAccount(
          ChaosAccount(snapshot.faults, plannedCase.seed, limits: snapshot.limits)))
    }
    log.add(
      .networkAccount(
        NetworkAccount(
          world.snapshot().network, mockServer: world.mockServer?.realConnections,
          unknownNames: world.findings.unknownNames)))
    if let text = snapshot.outside.warning(isRefused: plannedCase.outsideFiles == .refuse) {
      log.add(.warning(text, range: plannedCase.target.commandRange))
    }
    if plannedCase.clock != nil {
      var account = TimeAccount(world.snapshot().control)
      // How far the threads had come in so much real time is the machine's affair.
      if log.failures.contains(where: { ["Timeout", "Interrupted"].contains($0.type) }) {
        account.order?.doubts.append("the timeout ended it")
      }
      log.add(.timeAccount(account))
    }
    // The sanitizer's own words name no way out that would work here.
    guard
      let index = records.firstIndex(where: {
        $0.keptErrorOutput.endContains("LeakSanitizer does not work under ptrace")
      })
    else { return }
    log.add(
      .warning(
        "LeakSanitizer cannot work here, because a process can have only one tracer: disable it with"
          + " `env: { LSAN_OPTIONS: detect_leaks=0 }`",
        range: plannedCase.targets[index].commandRange))
  }

  /// Warns of time zones that a target uses and the machine does not have.
  private func reportZones(in world: CaseEnvironment) {
    var known: Set<String> = ["UTC"]
    for target in plannedCase.targets {
      let value = (try? world.environment(of: target))?.last { $0.name == "TZ" }?.value ?? "UTC"
      guard known.insert(value).inserted, let zone = TimeZoneVariable(value), !zone.isThere,
        let text = zone.warning(knowing: TimeZoneVariable.zones())
      else { continue }
      log.add(.warning(text, range: target.commandRange))
    }
  }

  /// Keeps the targets' output before the end releases it.
  func keepOutput(of world: CaseEnvironment) {
    for index in records.indices { keepOutput(ofTarget: index, in: world) }
  }

  /// Keeps a target's output before another start, or the end, releases it.
  func keepOutput(ofTarget index: Int, in world: CaseEnvironment) {
    let target = world.snapshot(of: TargetNumber(index))
    records[index].keptOutput.add(target.output)
    records[index].keptErrorOutput.add(target.errorOutput)
    if records[index].hasStarted { ends.append(target.exitStatus) }
  }

  /// The outcome up to here.
  private var outcome: CaseResult.Outcome {
    if log.isUnknown { return .errored }
    if log.failures.contains(where: { $0.category == .expectation }) { return .failed }
    return log.hasFailed || !log.failures.isEmpty ? .errored : .passed
  }

  private func finish(
    virtualDuration: Nanoseconds?, directory: String?, attachments: [Attachment]? = nil
  ) {
    log.addRemainder()
    log.flush()
    var result = CaseResult(
      outcome: outcome, duration: RealTime.monotonic() - start,
      virtualDuration: virtualDuration,
      standardOutput: text(of: keptOutput, .output, in: directory),
      standardError: text(of: keptErrorOutput, .error, in: directory), directory: directory)
    result.attachments = attachments
    log.add(.caseFinished(result))
  }
}
