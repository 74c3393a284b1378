internal import Foundations
internal import Glibc
internal import MockServer
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioTools
internal import Supervisor

/// The options of an observed run.
struct ObservationOptions {
  /// Receives the calls at which rules could fire.
  var survey: FaultSurvey?
  /// The entry whose firings count as the fault; `nil` for a run without one.
  var faultEntry: Int?
  /// Steps behind the case's own, with all chaos reverted, whose expectations must hold.
  var then: [PlannedStep] = []
  /// The bound on deadlines that come due one after the other while nothing but time gets on.
  var deadlineLimit: Int?
  /// The bound on faults and moves of the clock; more of them are a hang.
  var repetitionLimit: Int?
  /// True if the SHA-256 of files is needed.
  var hasDigests = false
  /// Virtual time that processes have to end by themselves once the target has ended.
  var grace = Nanoseconds.zero
  /// Called with the root of the case's folders before the target starts.
  var prepare: (String) -> FaultSurvey? = { _ in nil }
}

extension CaseRunner {
  /// Runs the case and says what it has shown; its own expectations are checked where `isJudged` says so.
  func observe(_ settings: ObservationOptions) -> RunObservation {
    var seen = RunObservation()
    do {
      let root = "\(folder.path)/case-\(number)"
      let world = try CaseEnvironment(
        plannedCase, number: number, folder: folder, options: options, inbox: log.inbox,
        survey: settings.prepare(root) ?? settings.survey, deadlineLimit: settings.deadlineLimit,
        parts: parts)
      let supervisor = world.supervisor
      let ticket = cancellation.whenCancelled { supervisor.cancel() }
      if let limit = settings.repetitionLimit {
        log.inbox.limitEvents(beyond: limit) { supervisor.cancel() }
      }
      seen.laid = ObservedFiles(root: world.directory.root).paths()
      runSteps(in: world)
      if !cancellation.isCancelled { world.supervisor.awaitRest() }
      let elapsed = plannedCase.clock == nil ? nil : world.view.reading().elapsed
      awaitLeftovers(in: world, grace: settings.grace)
      keepOutput(of: world)
      let before = log.failures.count
      if isJudged { account(for: world) }
      seen.elapsed = elapsed
      look(at: world, settings, into: &seen)
      if !settings.then.isEmpty, seen.hang == nil, log.failures.count == before {
        check(settings.then, in: world, into: &seen)
      }
      cancellation.forget(ticket)
      world.end()
    } catch {
      log.fail(error)
      seen.undecided = error.message
    }
    log.flush()
    seen.crashes = log.inbox.crashes
    return seen
  }

  /// Gives processes that the target has left behind time to end by themselves.
  ///
  /// Virtual time passes by halves of a second at first, as most need less; where the clock is the
  /// machine's own, a fifth of a second of that must do.
  private func awaitLeftovers(in world: CaseEnvironment, grace: Nanoseconds) {
    let supervisor = world.supervisor
    guard grace > .zero, log.failures.isEmpty, !cancellation.isCancelled, !startOrder.isEmpty,
      startOrder.allSatisfy({ supervisor.exitStatus(of: TargetNumber($0)) != nil })
    else { return }
    guard plannedCase.clock != nil else {
      let until = RealTime.monotonic() + .milliseconds(200)
      while RealTime.monotonic() < until, !supervisor.livePrograms().isEmpty { usleep(5_000) }
      return
    }
    var rest = grace
    var step = min(grace, .milliseconds(500))
    let limit = RealTime.monotonic() + .seconds(5)
    while rest > .zero, !supervisor.livePrograms().isEmpty, !cancellation.isCancelled {
      guard
        case .happened = supervisor.tick(
          .duration(step), deadline: limit, meanwhile: log.flush)
      else { return }
      supervisor.awaitRest()
      rest = rest - step
      step = min(rest, step + step)
    }
  }

  private func look(
    at world: CaseEnvironment, _ settings: ObservationOptions, into seen: inout RunObservation
  ) {
    let root = RootPath(world.directory.root)
    seen.ends = ends.map { status in
      switch status {
      case .exited(let code)?: .exited(code)
      case .signaled(let number)?: .signaled(SignalNames.name(of: number))
      case nil: .alive
      }
    }
    seen.output = keptOutput.observed(hiding: root)
    seen.errorOutput = keptErrorOutput.observed(hiding: root)
    let files = ObservedFiles(root: world.directory.root)
    seen.files = files.all()
    if settings.hasDigests { seen.digests = files.digests(of: seen.files) }
    seen.requests = (world.mockServer?.requests() ?? []).map { request in
      "\(request.method) \(request.url) \(request.bodyLength) bytes"
        + " \(String(ContentDigest.of(request.body), radix: 16))"
    }
    seen.left = world.supervisor.livePrograms()
    accounts = world.supervisor.snapshot(of: .first).faults
    if let entry = settings.faultEntry {
      // The call was reached also where the fault had no effect on it.
      seen.fired =
        accounts.indices.contains(entry) ? accounts[entry].fired + accounts[entry].withoutEffect : 0
    }
    let repetitions = log.inbox.repetitions
    seen.moves = repetitions.moves
    if let limit = settings.repetitionLimit, repetitions.faults + repetitions.moves > limit,
      !cancellation.isCancelled
    {
      seen.hang =
        repetitions.faults > repetitions.moves / 2
        ? "the target repeats the failing call forever" : "virtual time advances without end"
    }
    for failure in log.failures {
      switch failure.type {
      case "Interrupted" where seen.hang != nil: break
      case "Stuck", "Endless": seen.hang = seen.hang ?? failure.message
      case "Timeout":
        seen.hang = seen.hang ?? failure.message
        seen.isOutOfTime = true
        if failure.details.contains(where: { $0.hasSuffix(" runs") }) {
          seen.processorTime = world.supervisor.liveProcessorTime()
        }
      case "Interrupted": seen.undecided = failure.message
      case "Launch" where ends.isEmpty: seen.undecided = failure.message
      default: seen.stopped = seen.stopped ?? root.hidden(in: failure.message)
      }
    }
  }

  /// Performs steps without faults; the first that fails says why.
  private func check(
    _ steps: [PlannedStep], in world: CaseEnvironment, into seen: inout RunObservation
  ) {
    let before = log.failures.count
    world.supervisor.revertChaos(.all)
    let wasJudged = isJudged
    isJudged = true
    defer { isJudged = wasJudged }
    for (index, step) in steps.enumerated() {
      guard perform(step, index: plannedCase.steps.count + index + 1, in: world) else { break }
    }
    guard log.failures.count > before else { return }
    seen.checkFailure = log.failures[before].message
  }
}

extension KeptOutput {
  /// Returns the written bytes, for comparison.
  fileprivate func observed(hiding root: RootPath) -> ObservedStream {
    ObservedStream(root.hidden(in: bytes), omitted: omitted)
  }
}
