internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

extension CaseExplorer {
  /// What runs with faults are compared with.
  struct Scene {
    var observed: ObservedCase
    var baseline: ObservedCase.Baseline
    /// How many points are other calls in another run.
    var unstablePoints: Int
    var unstable: UnstableParts
    /// The longest that a run without faults takes.
    var duration: Nanoseconds
    var hasVirtualClock: Bool
    /// Files and programs that may be left behind.
    var acceptedLeaks: [GlobPattern]
    /// The entries whose calls are made by more than one thread.
    var sharedEntries: Set<Int>

    /// Whether other threads make calls of a point's entry, too.
    func isShared(_ point: FaultPoint) -> Bool { sharedEntries.contains(point.entry) }

    var judge: FaultJudge {
      FaultJudge(
        baseline: baseline.observation, unstable: unstable, accepted: acceptedLeaks)
    }

    /// How long, in real time, a run with a fault may take.
    var bound: Nanoseconds {
      max(.seconds(2), Nanoseconds(duration.count.multipliedReportingOverflow(by: 30).partialValue))
    }

    /// How many faults and moves of the clock a run with a fault may have.
    var repetitions: Int {
      2_000 + 20 * (baseline.observation.moves + baseline.points.count)
    }

    /// How much virtual time may pass in a run with a fault before it is looked at more closely: far more
    /// than without.
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
    observed.deadline = deadline
    return observed
  }

  /// Two runs without faults that see the points; with random numbers from the seed, and under a virtual
  /// clock where the case has none, if the case does with these what it does without.
  func scene(_ plain: ObservedCase, _ judged: RunObservation) -> Scene? {
    if plannedCase.clock == nil || plannedCase.entropy == .real {
      var virtual = plannedCase
      virtual.clock = plannedCase.clock ?? Self.clock
      virtual.entropy = .seeded
      let observed = observedCase(virtual)
      let first = baseline(observed)
      if Self.isAlike(first.observation, judged), let scene = scene(observed, first: first) {
        return scene
      }
      guard !observed.isOver else {
        isUndecided = true
        emit(.failed(outOfBudget(first)))
        return nil
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
    var difference = BaselineDifference(
      judged, called: "a plain run", first.observation, called: "a run that sees the points")
    if difference.lines.isEmpty {
      switch compared(plain, first: first) {
      case .success(let scene): return scene
      case .failure(let found): difference = found.difference
      }
    }
    guard !cancellation.isCancelled else { return nil }
    isUndecided = true
    emit(.failed(plain.isOver ? outOfBudget(first) : unlike(difference)))
    return nil
  }

  /// Why no run can be compared with another.
  private func unlike(_ difference: BaselineDifference) -> Failure {
    Failure(
      category: .error, type: "explore.baseline",
      message:
        "the scenario does not do the same each time: two runs without faults differ, so that none"
        + " can be compared with them",
      range: exploration.range, details: difference.lines,
      help: plannedCase.clock == nil
        ? "give the scenario a `clock` and fixed inputs, or a `seed`, so that it does the same each time"
        : "make what differs the same each time: wait for what runs beside the target, fix its inputs"
    )
  }

  /// The runs without faults have taken all the time there is.
  private func outOfBudget(_ first: ObservedCase.Baseline) -> Failure {
    let limit = exploration.timeLimit ?? .zero
    return Failure(
      category: .error, type: "explore.budget",
      message: "the budget of \(limit) is over before a fault could be tried: the runs without"
        + " faults, which see the points, are not done",
      range: exploration.range, details: ["\(first.points.count) points were seen"],
      help: "raise the budget, or have fewer points: name calls in `points`, or files in `where`")
  }

  /// Why two runs without faults cannot be compared.
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
}
