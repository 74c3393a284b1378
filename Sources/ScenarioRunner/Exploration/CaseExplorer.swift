internal import Glibc
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

/// Explores one case: baselines, trials, findings.
final class CaseExplorer {
  let plannedCase: PlannedCase
  let exploration: PlannedExploration
  let folder: String
  let options: RunOptions
  let settings: ExplorerOptions
  let cancellation: RunCancellation
  let runStart: Nanoseconds
  private let emitEvent: (Event) -> Void
  private let start = RealTime.monotonic()

  /// How many runs were made.
  var runs = 0
  private var results: [ExplorationResult] = []
  private var points: [FaultPoint] = []
  private var allPoints: [FaultPoint] = []
  private var identity: String?
  private var lastSave = Nanoseconds.zero
  private var isUndecided = false

  init(
    plannedCase: PlannedCase, exploration: PlannedExploration, folder: String,
    options: RunOptions, settings: ExplorerOptions, cancellation: RunCancellation,
    runStart: Nanoseconds, emit: @escaping (Event) -> Void
  ) {
    self.plannedCase = plannedCase
    self.exploration = exploration
    self.folder = folder
    self.options = options
    self.settings = settings
    self.cancellation = cancellation
    self.runStart = runStart
    emitEvent = emit
  }

  /// Explores the case.
  func run() {
    let name = "\(plannedCase.name): what was borne"
    emit(
      .caseStarted(
        CaseDescription(
          file: plannedCase.file, name: name, range: plannedCase.range, tags: plannedCase.tags,
          seed: plannedCase.seed)))
    var failures: [Failure] = []
    let plain = observedCase(plannedCase)
    let log = CaseLog(scenario: plannedCase.identifier, runStart: runStart) { [emitEvent] event in
      switch event.kind {
      case .failed(let failure):
        failures.append(failure)
        emitEvent(event)
      case .warning: emitEvent(event)
      default: break
      }
    }
    runs += 1
    let judged = plain.judged(at: 0, cancellation, log)
    log.flush()
    guard failures.isEmpty, judged.undecided == nil else { return finish(failures) }
    guard let scene = scene(plain, judged) else { return finish([]) }
    tell(unstable: scene.unstable)
    allPoints = scene.baseline.points
    points = exploration.chosen(allPoints)
    let trials = exploration.trials(of: scene.baseline.points)
    guard !points.isEmpty || !exploration.isExplicit else {
      let failure = unreached(scene)
      emit(.failed(failure))
      return finish([failure])
    }
    restore(scene)
    attempt(trials, scene)
    let findings = ExploredFinding.distinct(in: results)
    let isWhole = results.count >= trials.count
    save(isWhole: isWhole && !cancellation.isCancelled)
    let described = describe(findings, scene)
    emit(
      .explored(
        account(trials: trials, scene, findings: findings.count, isWhole: isWhole)))
    finish([])
    for finding in described { tell(finding) }
  }

  // MARK: - Baselines

  /// What runs with faults are compared with.
  struct Scene {
    var observed: ObservedCase
    var baseline: ObservedCase.Baseline
    var unstable: UnstableParts
    /// The longest that a run without faults takes.
    var duration: Nanoseconds
    var hasVirtualClock: Bool

    var judge: FaultJudge { FaultJudge(baseline: baseline.observation, unstable: unstable) }

    /// How long, in real time, a run with a fault may take.
    var bound: Nanoseconds {
      max(.seconds(2), Nanoseconds(duration.count.multipliedReportingOverflow(by: 30).partialValue))
    }

    /// How many faults and moves of the clock a run with a fault may have.
    var repetitions: Int {
      2_000 + 20 * (baseline.observation.moves + baseline.points.count)
    }
  }

  private func observedCase(_ planned: PlannedCase) -> ObservedCase {
    ObservedCase(plannedCase: planned, options: options, folder: folder, runStart: runStart)
  }

  /// Two runs without faults that see the points; with random numbers from the seed, and under a virtual
  /// clock where the case has none, if the case does with these what it does without.
  private func scene(_ plain: ObservedCase, _ judged: RunObservation) -> Scene? {
    if plannedCase.clock == nil || plannedCase.entropy == .real {
      var virtual = plannedCase
      virtual.clock = plannedCase.clock ?? Self.clock
      virtual.entropy = .seeded
      let observed = observedCase(virtual)
      let first = baseline(observed)
      if Self.isAlike(first.observation, judged), let scene = scene(observed, first: first) {
        return scene
      }
    }
    guard !cancellation.isCancelled else { return nil }
    let first = baseline(plain)
    if let reason = first.observation.undecided {
      isUndecided = true
      emit(
        .failed(
          Failure(
            category: .error, type: "explore.baseline", message: reason,
            range: exploration.range)))
      return nil
    }
    guard first.observation.ends == judged.ends, let scene = scene(plain, first: first) else {
      guard !cancellation.isCancelled else { return nil }
      isUndecided = true
      emit(
        .failed(
          Failure(
            category: .error, type: "explore.baseline",
            message:
              "two runs without faults end otherwise, so that none can be compared with them",
            range: exploration.range,
            help: "give the scenario a clock and fixed inputs, so that it does the same each time"))
      )
      return nil
    }
    return scene
  }

  private func scene(_ observed: ObservedCase, first: ObservedCase.Baseline) -> Scene? {
    let second = baseline(observed)
    guard first.observation.ends == second.observation.ends,
      first.observation.crashes == second.observation.crashes,
      first.observation.hang == second.observation.hang
    else { return nil }
    return Scene(
      observed: observed, baseline: Self.masked(first, by: second),
      unstable: UnstableParts(between: first.observation, and: second.observation),
      duration: max(first.duration, second.duration),
      hasVirtualClock: observed.plannedCase.clock != plannedCase.clock)
  }

  private func baseline(_ observed: ObservedCase) -> ObservedCase.Baseline {
    runs += 1
    return observed.baseline(at: 0, surveys: exploration.surveys, cancellation)
  }

  /// The clock of a case that has none.
  private static let clock = PlannedClock(
    at: WallInstant(seconds: 1_767_225_600, nanoseconds: 0), flow: .auto, files: .virtual,
    escapes: .allow)

  /// Whether a case does under another clock what it does without.
  private static func isAlike(_ first: RunObservation, _ second: RunObservation) -> Bool {
    first.undecided == nil && first.hang == nil && first.stopped == nil
      && first.ends == second.ends && first.crashes == second.crashes
      && first.output.lines.count == second.output.lines.count
      && first.errorOutput.lines.count == second.errorOutput.lines.count
      && first.requests.count == second.requests.count
      && first.files.count == second.files.count
  }

  /// A baseline whose subjects hold nothing that another run does not have.
  private static func masked(
    _ first: ObservedCase.Baseline, by second: ObservedCase.Baseline
  ) -> ObservedCase.Baseline {
    var masked = first
    let known = Set(second.points.compactMap(\.subject))
    for index in masked.points.indices {
      guard let subject = masked.points[index].subject,
        subject.hasPrefix("/") || subject.hasPrefix("$"),
        !known.contains(subject)
      else { continue }
      masked.points[index].subject = "\(subject.parentFolder)/*"
    }
    return masked
  }

  /// As an entry of chaos that never fires, an exploration that tries nothing has gone wrong.
  private func unreached(_ scene: Scene) -> Failure {
    let root = RootPath(scene.baseline.root)
    let hasIgnored = !scene.baseline.points.isEmpty
    return Failure(
      category: .expectation, type: "explore.unreached",
      message: hasIgnored
        ? "all of the \(scene.baseline.points.count) points are ignored" : "no point was reached",
      range: exploration.range,
      details: scene.baseline.nearMisses.prefix(12).map { root.hidden(in: $0) },
      help: "say other \"points\", or widen \"where\" and \"ignore\"")
  }

  private func tell(unstable: UnstableParts) {
    let parts = unstable.summary
    guard !parts.isEmpty else { return }
    let shown = parts.prefix(5).joined(separator: ", ")
    let more = parts.count > 5 ? " and \(parts.count - 5) more" : ""
    emit(
      .warning(
        "not compared, as it differs between two runs without faults: \(shown)\(more)",
        range: exploration.range))
  }

  // MARK: - Trials

  private func attempt(_ trials: [ExplorationTrial], _ scene: Scene) {
    let known = Set(results.map(\.trial.number))
    var rest = trials.filter { !known.contains($0.number) }
    let budget = TrialBudget(
      runs: exploration.runLimit, until: exploration.timeLimit.map { RealTime.monotonic() + $0 },
      cancellation)
    if settings.forks, !rest.isEmpty, BranchTrials.suit(plannedCase, exploration) {
      let branches = BranchTrials(
        observed: scene.observed, surveys: exploration.surveys, judge: scene.judge,
        baseline: scene.baseline.observation, bound: scene.bound)
      runs += 1
      let found = branches.run(rest, mayBegin: { budget.take() }, cancellation)
      take(found)
      budget.giveBack(to: found.count)
      let tried = Set(found.map(\.trial.number))
      rest.removeAll { tried.contains($0.number) }
    }
    guard !rest.isEmpty else { return }
    let judge = scene.judge
    let exploration = exploration
    let helpers = (0..<max(1, settings.jobs)).map { _ in RunCancellation() }
    cancellation.whenCancelled { for helper in helpers { helper.cancel() } }
    defer { cancellation.whenCancelled(nil) }
    let crew = TrialCrew(rest, mayBegin: { budget.take() }) { trial, number in
      guard let entry = exploration.entry(for: trial) else { return nil }
      return Self.rerun(
        trial, entry, exploration, scene, judge, at: number + 1, helpers[number])
    }
    crew?.run(workers: settings.jobs) { found in
      runs += found.count
      take(found)
    }
  }

  /// Tries one fault in a run of its own; `nil` if it was interrupted.
  static func rerun(
    _ trial: ExplorationTrial, _ entry: PlannedChaos, _ exploration: PlannedExploration,
    _ scene: Scene, _ judge: FaultJudge, at number: Int, _ cancellation: RunCancellation
  ) -> ExplorationResult? {
    var bound = scene.bound
    while true {
      guard
        let seen = scene.observed.faulted(
          at: number, entry, then: exploration.then, bound: bound, repetitions: scene.repetitions,
          cancellation)
      else { return nil }
      // A machine that is busy with others is no hang: whoever is out of time gets more of it, once.
      if seen.isOutOfTime, bound == scene.bound {
        bound = scene.bound + scene.bound + scene.bound
        continue
      }
      return ExplorationResult(
        trial: trial, judgement: judge.judge(seen, point: trial.point), engine: "rerun")
    }
  }

  private func take(_ found: [ExplorationResult]) {
    for result in found.sorted(by: { $0.trial.number < $1.trial.number }) {
      results.append(result)
      emit(.faultTried(FaultTrial(result)))
    }
    let now = RealTime.monotonic()
    guard now - lastSave > .seconds(1), lastSave > .zero else {
      if lastSave == .zero { lastSave = now }
      return
    }
    lastSave = now
    save(isWhole: false)
  }

  // MARK: - State

  private var statePath: String {
    "\(exploration.folder)/\(FileName.of(plannedCase.fileName)).state.json"
  }

  /// Takes up what an earlier run has won, if it was about the same.
  private func restore(_ scene: Scene) {
    let programs = Set(scene.baseline.points.map(\.program))
    identity = ExplorationState.identity(of: plannedCase, programs: programs)
    guard !settings.isFresh, let state = ExplorationState.read(statePath) else { return }
    guard state.identity == identity, state.points == scene.baseline.points else {
      return emit(
        .warning(
          "what an earlier exploration has left in \"\(statePath)\" is about another state of the"
            + " scenario or its programs; everything is tried anew", range: exploration.range))
    }
    results = state.results
  }

  private func save(isWhole: Bool) {
    guard !isWhole else {
      unlink(statePath)
      return
    }
    guard let identity, !results.isEmpty else { return }
    let state = ExplorationState(
      identity: identity, points: allPoints, results: results)
    do {
      try state.write(statePath)
    } catch {
      emit(.failed(error))
      isUndecided = true
    }
  }

  // MARK: - Telling

  func emit(_ kind: Event.Kind, scenario: String? = nil) {
    emitEvent(
      Event(
        realTime: RealTime.monotonic() - runStart, scenario: scenario ?? plannedCase.identifier,
        kind: kind))
  }

  private func finish(_ failures: [Failure]) {
    let hasFailed = failures.contains { $0.category == .expectation }
    let isErrored = !failures.isEmpty || isUndecided
    emit(
      .caseFinished(
        CaseResult(
          outcome: hasFailed ? .failed : isErrored ? .errored : .passed,
          duration: RealTime.monotonic() - start, virtualDuration: nil, standardOutput: "",
          standardError: "", directory: nil)))
  }

  private func account(
    trials: [ExplorationTrial], _ scene: Scene, findings: Int, isWhole: Bool
  ) -> ExplorationAccount {
    var account = ExplorationAccount(
      seed: plannedCase.seed, calls: ExplorationAccount.calls(of: points, results),
      trials: trials.count, tried: results.count, runs: runs,
      forks: results.count { $0.engine == "fork" }, findings: findings,
      unstable: scene.unstable.summary, hasVirtualClock: scene.hasVirtualClock, continuation: nil)
    if !isWhole { account.continuation = settings.continuation }
    return account
  }
}
