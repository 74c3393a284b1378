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

  func observedCase(_ planned: PlannedCase) -> ObservedCase {
    ObservedCase(plannedCase: planned, options: options, folder: folder, runStart: runStart)
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
    let points = UnstablePoints(first.points, and: second.points)
    var masked = first
    masked.points = points.points
    return Scene(
      observed: observed, baseline: masked, unstablePoints: points.count,
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
}
