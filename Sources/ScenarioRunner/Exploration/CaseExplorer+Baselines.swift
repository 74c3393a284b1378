internal import Foundations
internal import Patterns
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioTools
internal import Supervisor

extension CaseExplorer {
  /// The baseline that runs with faults are compared with.
  struct Scene {
    var observed: ObservedCase
    var baseline: ObservedCase.Baseline
    /// The number of points that are other calls in another run.
    var unstablePoints: Int
    var unstable: UnstableParts
    /// The longest that a run without faults takes.
    var duration: Nanoseconds
    var hasVirtualClock: Bool
    /// Files and programs that may be left behind.
    var acceptedLeaks: [GlobPattern]
    /// The entries whose calls are made by more than one thread.
    var sharedEntries: Set<Int>

    /// Returns whether other threads make calls of a point's entry, too.
    func isShared(_ point: FaultPoint) -> Bool { sharedEntries.contains(point.entry) }

    var judge: FaultJudge {
      FaultJudge(
        baseline: baseline.observation, unstable: unstable, accepted: acceptedLeaks)
    }

    /// The bound on a run with a fault, in real time.
    var bound: Nanoseconds {
      max(.seconds(2), Nanoseconds(duration.count.multipliedReportingOverflow(by: 30).partialValue))
    }

    /// The longest that a trial takes whose target never ends, in real time: what is out of time gets three times as
    /// much, twice.
    var longestTrial: Nanoseconds {
      let timeout = observed.plannedCase.timeout
      return [1, 3, 9].reduce(Nanoseconds.zero) { sum, factor in
        sum
          + min(
            timeout, Nanoseconds(bound.count.multipliedReportingOverflow(by: factor).partialValue))
      }
    }

    /// The bound on faults and moves of the clock in a run with a fault.
    var repetitions: Int {
      2_000 + 20 * (baseline.observation.moves + baseline.points.count)
    }

    /// The virtual time that may pass in a run with a fault before it is examined more closely: far
    /// more than without.
    var virtualBound: Nanoseconds {
      let usual = (baseline.observation.elapsed ?? .zero).count
      let (bound, hasOverflown) = usual.multipliedReportingOverflow(by: 10)
      guard !hasOverflown, bound < Int64.max / 2 else { return Nanoseconds(Int64.max / 2) }
      return Nanoseconds(bound) + .seconds(3_600)
    }
  }

  func observedCase(_ planned: PlannedCase) -> ObservedCase {
    var observed = ObservedCase(
      plannedCase: planned, options: options, folder: folder, runStart: runStart)
    observed.grace = exploration.leakGrace
    observed.includesStartup = exploration.includesStartup
    return observed
  }

  /// A run without faults as `scenario run` makes it, and why it has failed.
  func judgedRun(
    _ plain: ObservedCase, reportsWarnings: Bool = true
  ) -> (RunObservation, [Failure]) {
    var failures: [Failure] = []
    let log = CaseLog(scenario: plannedCase.identifier, runStart: runStart) { event in
      switch event.kind {
      case .failed(let failure): failures.append(failure)
      case .warning where reportsWarnings: self.emit(event.kind)
      default: break
      }
    }
    runs += 1
    let judged = plain.judged(at: 0, runsEnd, log)
    log.flush()
    return (judged, failures)
  }

  /// Returns whether a case whose runs differ passes in another one as well; reports it where it
  /// does not.
  func passesAgain(_ plain: ObservedCase, _ scene: Scene) -> Bool {
    guard !scene.unstable.summary.isEmpty else { return true }
    let (_, failures) = judgedRun(plain, reportsWarnings: false)
    guard mayGoOn(behind: scene.baseline) else { return false }
    guard let first = failures.first else { return true }
    isUndecided = true
    emit(
      .failed(
        Failure(
          category: .error, type: "explore.baseline",
          message:
            "the baseline is not deterministic: the scenario passes in one run without faults and fails in another,"
            + " so verdicts about faults would be unreliable",
          range: exploration.range, details: [first.message] + first.details,
          help: "remove the difference, or expect only what is true in each run")))
    return false
  }

  /// Runs the case twice without faults to see the points; with random numbers from the seed, and
  /// under a virtual clock where the case has none, if the case behaves the same with these.
  func scene(_ plain: ObservedCase, _ judged: RunObservation) -> Scene? {
    if plannedCase.clock == nil || plannedCase.entropy == .real {
      var virtual = plannedCase
      virtual.clock = plannedCase.clock ?? Self.clock
      virtual.entropy = .seeded
      let observed = observedCase(virtual)
      let first = baseline(observed)
      guard mayGoOn(behind: first) else { return nil }
      if Self.isAlike(first.observation, judged), let scene = scene(observed, first: first) {
        return scene
      }
      guard mayGoOn(behind: first) else { return nil }
    }
    let first = baseline(plain)
    guard mayGoOn(behind: first) else { return nil }
    if let reason = first.observation.undecided {
      isUndecided = true
      emit(
        .failed(
          Failure(
            category: .error, type: "explore.baseline", message: reason,
            range: exploration.range)))
      return nil
    }
    var difference = BaselineDifference(
      judged, called: "a plain run", first.observation,
      called: "a run that records the injection points")
    if difference.lines.isEmpty {
      switch compared(plain, first: first) {
      case .success(let scene): return scene
      case .failure(let found): difference = found.difference
      }
    }
    guard mayGoOn(behind: first) else { return nil }
    isUndecided = true
    emit(.failed(unlike(difference)))
    return nil
  }

  /// Returns whether the runs without faults may continue; reports it if their time is used up.
  private func mayGoOn(behind last: ObservedCase.Baseline?) -> Bool {
    // One look: the time may be over between two.
    guard isOver else { return true }
    if !cancellation.isCancelled { reportOutOfBudget(after: last) }
    return false
  }

  /// Returns the failure that says that no run can be compared with another.
  private func unlike(_ difference: BaselineDifference) -> Failure {
    Failure(
      category: .error, type: "explore.baseline",
      message:
        "the baseline is not deterministic: two runs without faults differ, so runs with faults cannot"
        + " be compared with them",
      range: exploration.range, details: difference.lines,
      help: plannedCase.clock == nil
        ? "give the scenario a `clock` and fixed inputs, or a `seed`, to make it deterministic"
        : "remove the difference: wait for other programs that run beside the target, and fix its inputs"
    )
  }

  /// Reports that the runs without faults have taken all the time there is.
  ///
  /// - Parameter last: the last of them that has seen points; `nil` if none has.
  func reportOutOfBudget(after last: ObservedCase.Baseline?) {
    isUndecided = true
    let limit = exploration.timeLimit ?? .zero
    emit(
      .failed(
        Failure(
          category: .error, type: "explore.budget",
          message:
            "the budget of \(limit) was used up before a fault could be tried: the runs without"
            + " faults, which record the injection points, did not finish",
          range: exploration.range,
          details: last.map { ["\($0.points.count) injection points were recorded"] } ?? [],
          help:
            "raise the budget, or reduce the injection points: name calls in `call`, or files in `where`"
        )))
  }

  /// The difference for which two runs without faults cannot be compared.
  private struct Incomparable: Error {
    var difference: BaselineDifference
  }

  private func scene(_ observed: ObservedCase, first: ObservedCase.Baseline) -> Scene? {
    try? compared(observed, first: first).get()
  }

  private func compared(
    _ observed: ObservedCase, first: ObservedCase.Baseline
  ) -> Result<Scene, Incomparable> {
    let second = baseline(observed)
    let difference = BaselineDifference(
      first.observation, called: "the first", second.observation, called: "the second")
    guard difference.lines.isEmpty else { return .failure(Incomparable(difference: difference)) }
    let points = UnstablePoints(first.points, and: second.points)
    var masked = first
    masked.points = points.points
    let threads = Dictionary(grouping: masked.points, by: \.entry).mapValues {
      Set($0.map(\.lineage)).count
    }
    return .success(
      Scene(
        observed: observed, baseline: masked, unstablePoints: points.count,
        unstable: UnstableParts(between: first.observation, and: second.observation),
        duration: max(first.duration, second.duration),
        hasVirtualClock: observed.plannedCase.clock != plannedCase.clock,
        acceptedLeaks: exploration.acceptedLeaks,
        sharedEntries: Set(threads.filter { $0.value > 1 }.keys)))
  }

  private func baseline(_ observed: ObservedCase) -> ObservedCase.Baseline {
    runs += 1
    return observed.baseline(at: 0, surveys: exploration.surveys, runsEnd)
  }

  /// The clock of a case that has none.
  private static let clock = PlannedClock(
    at: WallInstant(seconds: 1_767_225_600, nanoseconds: 0), flow: .auto, files: .virtual,
    escapes: .allow)

  /// Returns whether a case does under another clock what it does without.
  private static func isAlike(_ first: RunObservation, _ second: RunObservation) -> Bool {
    first.undecided == nil && first.hang == nil && first.stopped == nil
      && first.ends == second.ends && first.crashes == second.crashes
      && first.output.lines.count == second.output.lines.count
      && first.errorOutput.lines.count == second.errorOutput.lines.count
      && first.requests.count == second.requests.count
      && first.files.count == second.files.count
  }
}
