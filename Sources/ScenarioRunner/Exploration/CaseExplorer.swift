internal import FaultEngine
internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioTools
internal import Supervisor

/// Explores one case: baselines, trials, findings.
final class CaseExplorer {
  let plannedCase: PlannedCase
  let exploration: PlannedExploration
  let folder: String
  let options: RunOptions
  let settings: ExplorerOptions
  let cancellation: RunCancellation
  /// Cancels the active runs: with the exploration, and when its budget is used up.
  let runsEnd = RunCancellation()
  let runStart: Nanoseconds
  private let emitEvent: (Event) -> Void
  private let start = RealTime.monotonic()

  /// The stem of its findings' file names.
  let stem: String
  /// The number of trials.
  private var trialCount = 0
  /// The number of runs that were made.
  var runs = 0
  /// The verdicts, and the trials that still need one.
  var ledger = TrialLedger()
  var results: [ExplorationResult] { ledger.results }
  /// The state of the findings among the results.
  var confirmation = FindingConfirmation()
  private var points: [FaultPoint] = []
  private var allPoints: [FaultPoint] = []
  private var identity: String?
  /// The differences between runs without faults, as far as they are known.
  var unstable = UnstableParts()
  private var lastSave = Nanoseconds.zero
  private var saveInterval = Nanoseconds.seconds(1)
  var isUndecided = false

  /// The real moment at which the exploration ends; `nil` where it takes the time that it takes.
  var deadline: Nanoseconds? { exploration.timeLimit.map { start + $0 } }

  /// True if the budget of time is used up.
  var isOutOfTime: Bool {
    !cancellation.isCancelled && deadline.map { RealTime.monotonic() >= $0 } ?? false
  }

  /// True if nothing more may begin.
  var isOver: Bool {
    cancellation.isCancelled || deadline.map { RealTime.monotonic() >= $0 } ?? false
  }

  init(
    plannedCase: PlannedCase, exploration: PlannedExploration, folder: String,
    stem: String, options: RunOptions, settings: ExplorerOptions, cancellation: RunCancellation,
    runStart: Nanoseconds, emit: @escaping (Event) -> Void
  ) {
    self.plannedCase = plannedCase
    self.exploration = exploration
    self.folder = folder
    self.stem = stem
    self.options = options
    self.settings = settings
    self.cancellation = cancellation
    self.runStart = runStart
    emitEvent = emit
  }

  /// Explores the case, in the time that it may take.
  func run() {
    let ticket = cancellation.whenCancelled { [runsEnd] in runsEnd.cancel() }
    defer { cancellation.forget(ticket) }
    let timer = deadline.map { end in
      RealTimer(end - RealTime.monotonic()) { [runsEnd] in runsEnd.cancel() }
    }
    defer { timer?.callOff() }
    exploreCase()
  }

  private func exploreCase() {
    let name = "\(plannedCase.name): what was tolerated"
    emit(
      .caseStarted(
        CaseDescription(
          file: plannedCase.file, name: name, range: plannedCase.range, tags: plannedCase.tags,
          seed: plannedCase.seed)))
    let plain = observedCase(plannedCase)
    let (judged, failures) = judgedRun(plain)
    guard !isOutOfTime else {
      reportOutOfBudget(after: nil)
      return finish([])
    }
    for failure in failures { emit(.failed(failure)) }
    guard failures.isEmpty, judged.undecided == nil else { return finish(failures) }
    guard var scene = scene(plain, judged) else { return finish([]) }
    let earlier = earlierState(scene)
    if let earlier { scene.unstable.formUnion(earlier.unstable) }
    unstable = scene.unstable
    report(unstable: scene)
    guard passesAgain(plain, scene) else { return finish([]) }
    allPoints = scene.baseline.points
    reportUntried(scene)
    points = exploration.chosen(allPoints)
    let trials = exploration.trials(of: scene.baseline.points)
    guard !points.isEmpty || !exploration.isExplicit else {
      let failure = unreached(scene)
      emit(.failed(failure))
      return finish([failure])
    }
    if let failure = failureOfChecks(scene) {
      emit(.failed(failure))
      return finish([failure])
    }
    if let earlier { restore(trials, earlier) }
    trialCount = trials.count
    reportProgress()
    explore(trials, &scene)
    removeWithdrawn()
    reportCutOff(trials, scene)
    let described = describedFindings()
    let isWhole =
      results.count >= trials.count && !described.contains { $0.confirmation == .open }
    save(isWhole: isWhole && !cancellation.isCancelled)
    if isWhole, !cancellation.isCancelled { removeMended(but: described) }
    reportDropped()
    emit(
      .explored(
        account(trials: trials, scene, findings: described.count, isWhole: isWhole)))
    finish([])
    for finding in described { report(finding) }
  }

  /// Tries faults and confirms what they show, by turns: what is found late in a bounded time must still be
  /// confirmed in it.
  ///
  /// Where time or runs are bounded, each place of the code comes once before any comes twice.
  private func explore(_ trials: [ExplorationTrial], _ scene: inout Scene) {
    let budget = TrialBudget(runs: exploration.runLimit, cancellation)
    tryCutOff(&scene, budget)
    guard !isOver else { return }
    var isBroad = exploration.runLimit != nil || deadline != nil
    repeat {
      let before = ledger.advance
      attempt(ledger.untried(of: trials, isBroad: isBroad), scene, budget)
      isBroad = false
      confirm(&scene)
      guard before < ledger.advance else { break }
    } while !isOver && results.count < trials.count && !budget.isUsedUp && hasTimeLeft(scene)
  }

  /// Confirms and tries what an earlier budget has cut off before all else: behind the others it would be cut off each
  /// time.
  private func tryCutOff(_ scene: inout Scene, _ budget: TrialBudget) {
    confirm(&scene)
    guard !ledger.first.isEmpty else { return }
    attempt(ledger.first, scene, budget, forks: false)
    confirm(&scene)
  }

  /// Returns whether another round could try anything before the deadline.
  private func hasTimeLeft(_ scene: Scene) -> Bool {
    guard let deadline else { return true }
    return deadline - RealTime.monotonic()
      > max(.milliseconds(500), scene.duration + scene.duration)
  }

  // MARK: - Telling of baselines

  /// Returns the failure of an exploration that tries nothing, which has gone wrong as an entry of
  /// chaos that never fires.
  private func unreached(_ scene: Scene) -> Failure {
    let root = RootPath(scene.baseline.root)
    let hasIgnored = !scene.baseline.points.isEmpty
    let hasObstacles = !exploration.obstacles(to: scene.baseline.points).isEmpty
    return Failure(
      category: .expectation, type: "explore.unreached",
      message: hasObstacles
        ? "none of the \(scene.baseline.points.count) injection points can fail with an error"
        : hasIgnored
          ? "all of the \(scene.baseline.points.count) injection points are ignored"
          : "no injection point was reached",
      range: exploration.range,
      details: scene.baseline.nearMisses.prefix(12).map { root.hidden(in: $0) },
      help: "change \"call\", widen \"where\" or narrow \"ignore\"")
  }

  /// Reports functions whose results no error can replace.
  private func reportUntried(_ scene: Scene) {
    let obstacles = exploration.obstacles(to: scene.baseline.points)
    guard let first = obstacles.first else { return }
    let more =
      obstacles.count > 1
      ? "; the same applies to \(BoundedList.text(obstacles.dropFirst().map { "\"\($0.function)\"" }))"
      : ""
    emit(.warning("not explored: \(first.reason)\(more)", range: exploration.range))
  }

  private func report(unstable scene: Scene) {
    if scene.unstablePoints > 0 {
      let count = scene.unstablePoints
      emit(
        .warning(
          "\(count) of \(scene.baseline.points.count) injection points \(count == 1 ? "occurs" : "occur") in a different"
            + " order in another run, because processes or threads race: a fault that hits another call"
            + " than intended is tried again, and then counted as unstable",
          range: exploration.range))
    }
    report(notCompared: scene.unstable.summary)
  }

  /// Reports parts of the outcome in which no run is compared with another, a few words each.
  func report(notCompared parts: [String]) {
    guard !parts.isEmpty else { return }
    let shown = parts.prefix(5).joined(separator: ", ")
    let more = parts.count > 5 ? " and \(parts.count - 5) more" : ""
    emit(
      .warning(
        "not compared, because it differs between runs without faults: \(shown)\(more)",
        range: exploration.range))
  }

  // MARK: - Trials

  private func attempt(
    _ trials: [ExplorationTrial], _ scene: Scene, _ budget: TrialBudget, forks: Bool = true
  ) {
    var rest = trials
    // What is found must be confirmed before the end.
    let now = RealTime.monotonic()
    let end = deadline.map { now + Nanoseconds(max(0, ($0 - now).count) / 10 * 6) }
    budget.begin(until: end)
    let forkable = ledger.forkable(among: rest)
    if forks, settings.forks, !forkable.isEmpty, BranchTrials.suit(plannedCase, exploration) {
      let branches = BranchTrials(
        observed: scene.observed, surveys: exploration.surveys, judge: scene.judge,
        baseline: scene.baseline.observation, bound: scene.bound,
        virtualBound: scene.virtualBound, deadline: end,
        counted: { [progress = progress()] in progress($0) })
      runs += 1
      let found = branches.run(forkable, mayBegin: { budget.take() }, runsEnd)
      take(found.results)
      budget.giveBack(to: found.results.count)
      let tried = Set(found.results.map(\.trial.number))
      rest.removeAll { tried.contains($0.number) }
      ledger.leaveToRuns(found.undecided)
      if !cancellation.isCancelled { ledger.add(stopped: found.cutOff) }
    }
    guard !rest.isEmpty else { return }
    let judge = scene.judge
    let exploration = exploration
    let helpers = (0..<max(1, settings.jobs)).map { _ in RunCancellation() }
    let ticket = runsEnd.whenCancelled { for helper in helpers { helper.cancel() } }
    defer { runsEnd.forget(ticket) }
    let pool = TrialPool(rest, mayBegin: { budget.take() }) { trial, number in
      guard let entry = exploration.entry(for: trial, isOfThread: scene.isShared(trial.point))
      else {
        return nil
      }
      return Self.rerun(
        trial, entry, exploration, scene, judge, at: number + 1, helpers[number])
    }
    let interrupted = pool.run(workers: settings.jobs) { found in
      runs += found.count
      take(found)
    }
    if !cancellation.isCancelled { ledger.add(stopped: interrupted) }
  }

  /// Tries one fault in a run of its own; `nil` if it was interrupted.
  static func rerun(
    _ trial: ExplorationTrial, _ entry: PlannedChaos, _ exploration: PlannedExploration,
    _ scene: Scene, _ judge: FaultJudge, at number: Int, _ cancellation: RunCancellation
  ) -> ExplorationResult? {
    var misses = 0
    while true {
      guard let seen = observe(entry, exploration, scene, at: number, cancellation) else {
        return nil
      }
      let judgement = judge.judge(seen, point: trial.point)
      // Where processes race, the same call may come in its place another time.
      if judgement.verdict == .unstable, misses < missLimit {
        misses += 1
        continue
      }
      return ExplorationResult(trial: trial, judgement: judgement, engine: "rerun")
    }
  }

  /// Makes a run with one more entry; `nil` if it was interrupted.
  ///
  /// A machine that is busy with others is no hang: a target that is out of time gets more of it, once, and again if
  /// there was no processor for it.
  static func observe(
    _ entry: PlannedChaos, _ exploration: PlannedExploration, _ scene: Scene, at number: Int,
    _ cancellation: RunCancellation
  ) -> RunObservation? {
    var bound = scene.bound
    var extensions = 0
    while true {
      guard
        let seen = scene.observed.faulted(
          at: number, entry, then: exploration.then, bound: bound, repetitions: scene.repetitions,
          cancellation)
      else { return nil }
      guard seen.isOutOfTime,
        extensions == 0
          || extensions == 1 && (seen.processorTime?.count ?? .max) < bound.count / 2
      else { return seen }
      extensions += 1
      bound = bound + bound + bound
    }
  }

  /// The number of times that a fault is tried again after it was injected into another call.
  private static let missLimit = 2

  private func take(_ found: [ExplorationResult]) {
    for result in found.sorted(by: { $0.trial.number < $1.trial.number }) {
      ledger.add(result)
      emit(.faultTried(FaultTrial(result)))
    }
    reportProgress()
    let now = RealTime.monotonic()
    guard now - lastSave > saveInterval, lastSave > .zero else {
      if lastSave == .zero { lastSave = now }
      return
    }
    save(isWhole: false)
    lastSave = RealTime.monotonic()
    // Where there are many points, writing them takes its time.
    let cost = lastSave - now
    saveInterval = max(.seconds(1), Nanoseconds(min(cost.count, 60_000_000_000) * 20))
  }

  private func reportProgress() { progress()(0) }

  /// Reports how far it is, with so many trials that are not taken yet; callable on any thread.
  private func progress() -> @Sendable (Int) -> Void {
    guard let report = settings.progress else { return { _ in } }
    let known = ExplorationProgress(
      name: plannedCase.name, tried: results.count, trials: trialCount,
      findings: results.count { $0.judgement.verdict.isFinding })
    return { more in
      var progress = known
      progress.tried = min(known.tried + more, known.trials)
      report(progress)
    }
  }

  // MARK: - State

  private var statePath: String {
    "\(exploration.folder)/\(FileName.of(stem)).state.json"
  }

  /// The state that an earlier exploration has left; `nil` if there is none, or if it was about another state of the
  /// case.
  private func earlierState(_ scene: Scene) -> ExplorationState? {
    let programs = Set(scene.baseline.points.map(\.program))
    identity =
      ExplorationIdentity(of: plannedCase, programs: programs, version: options.version)?.text
    guard !settings.isFresh, let state = ExplorationState.read(statePath) else { return nil }
    guard state.identity == identity else {
      emit(
        .warning(
          "the results of an earlier exploration in \"\(statePath)\" belong to another state of the"
            + " scenario, its files or its programs; all faults are tried again",
          range: exploration.range))
      return nil
    }
    return state
  }

  private func restore(_ trials: [ExplorationTrial], _ state: ExplorationState) {
    let known = KnownResults(
      state.results, cutOff: state.cutOff, of: state.points, for: trials, of: allPoints)
    ledger = TrialLedger(known.results, cutOff: known.cutOff)
  }

  private func save(isWhole: Bool) {
    guard !isWhole else {
      unlink(statePath)
      return
    }
    guard let identity, !results.isEmpty || !ledger.cutOff.isEmpty else { return }
    let state = ExplorationState(
      identity: identity, points: allPoints, results: results, cutOff: ledger.cutOff,
      unstable: unstable)
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
