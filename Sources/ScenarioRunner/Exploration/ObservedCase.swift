internal import FaultEngine
internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioTools
internal import Supervisor
internal import Synchronization

/// Makes runs of one case that are watched, each in a place of its own.
struct ObservedCase: Sendable {
  let plannedCase: PlannedCase
  let options: RunOptions
  /// The folder of the exploration; each place has one below it.
  let folder: String
  let runStart: Nanoseconds
  /// The virtual time that processes have to end by themselves once the target has.
  var grace = Nanoseconds.zero
  /// True if calls by which programs prepare themselves are points as well.
  var includesStartup = false

  /// A run without faults that sees the points.
  struct Baseline {
    var observation: RunObservation
    var points: [FaultPoint]
    var duration: Nanoseconds
    /// The unchanged bytes of standard output.
    var output: [UInt8]
    /// The same of standard error.
    var errorOutput: [UInt8]
    /// The path of the case's folders.
    var root: String
    /// The calls that came closest to the entries that have seen nothing.
    var nearMisses: [String] = []
  }

  private func place(_ number: Int) throws(Failure) -> RunFolder {
    // Names of one length, so that paths take the same room in every run.
    let path = "\(folder)/w\(String(1000 + number).dropFirst())"
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw Failure.system("cannot create \"\(path)\"")
    }
    return RunFolder(path: path)
  }

  /// Runs the case as `scenario run` does, and reports its failures to a log.
  func judged(at number: Int, _ cancellation: RunCancellation, _ log: CaseLog) -> RunObservation {
    observe(plannedCase, at: number, cancellation, log, isJudged: true, ObservationOptions())
  }

  /// A run without faults that sees what the entries of a survey take.
  ///
  /// - Parameter branches: What is tried at the points; `nil` for nothing.
  func baseline(
    at number: Int, surveys: [PlannedChaos], _ cancellation: RunCancellation,
    branches: ((String) -> BranchPlan)? = nil
  ) -> Baseline {
    var surveyed = plannedCase
    let first = surveyed.chaos.count
    surveyed.chaos += surveys
    // Each point that is seen takes real time, which the case's own bound knows nothing of.
    surveyed.timeout = .seconds(24 * 3600)
    let sightings = CollectedPoints(surveys: surveys.count)
    // When something is loaded, and when an interpreter comes to its program, may show by other calls alone.
    let hasOpenings = !includesStartup
    if hasOpenings { surveyed.chaos.append(PlannedExploration.openings) }
    var settings = ObservationOptions()
    settings.hasDigests = branches == nil
    settings.grace = branches == nil ? grace : .zero
    settings.prepare = { root in
      let rootPath = RootPath(root)
      let entries = Set(first..<(first + surveys.count + (hasOpenings ? 1 : 0)))
      var survey = FaultSurvey(entries: entries) { point in
        var point = point
        point.entry -= first
        sightings.add(point, hiding: rootPath)
      }
      if !includesStartup {
        survey.preparation = { path in
          path.hasPrefix(root + "/") ? nil : PreparationFiles.preparation(path)
        }
      }
      survey.branches = branches?(root)
      return survey
    }
    let start = RealTime.monotonic()
    let log = CaseLog(scenario: plannedCase.identifier, runStart: runStart) { _ in }
    do {
      let runner = CaseRunner(
        plannedCase: surveyed, number: 1, folder: try place(number), options: options,
        cancellation: cancellation, log: log)
      runner.isJudged = false
      runner.endsAtOnce = true
      let observation = runner.observe(settings)
      let accounts = runner.accounts.dropFirst(first).prefix(surveys.count)
      return Baseline(
        observation: observation, points: sightings.points,
        duration: RealTime.monotonic() - start, output: runner.keptOutput.bytes,
        errorOutput: runner.keptErrorOutput.bytes,
        root: "\(folder)/w\(String(1000 + number).dropFirst())/case-1",
        nearMisses: accounts.filter { $0.fired == 0 }.flatMap(\.nearMisses))
    } catch {
      var observation = RunObservation()
      observation.undecided = error.message
      return Baseline(
        observation: observation, points: [], duration: .zero, output: [], errorOutput: [],
        root: "")
    }
  }

  /// A run with one more chaos entry; `nil` if it was interrupted.
  ///
  /// With an entry that changes no call it is a run without faults that is made in no other way.
  func faulted(
    at number: Int, _ entry: PlannedChaos, then: [PlannedStep], bound: Nanoseconds,
    repetitions: Int,
    _ cancellation: RunCancellation
  ) -> RunObservation? {
    var changed = plannedCase
    var entry = entry
    entry.name = Self.faultName
    changed.chaos.append(entry)
    changed.timeout = min(plannedCase.timeout, bound)
    let sightings = CollectedPoints(limit: 1)
    let log = CaseLog(scenario: plannedCase.identifier, runStart: runStart) { _ in }
    var settings = ObservationOptions()
    let faultEntry = changed.chaos.count - 1
    settings.faultEntry = faultEntry
    settings.prepare = { root in
      FaultSurvey(entries: [faultEntry]) { sightings.add($0, hiding: RootPath(root)) }
    }
    settings.then = then
    settings.deadlineLimit = max(20_000, repetitions)
    settings.repetitionLimit = repetitions
    settings.grace = grace
    var seen = observe(changed, at: number, cancellation, log, isJudged: false, settings)
    guard !cancellation.isCancelled else { return nil }
    seen.struck = sightings.points.first
    return seen
  }

  /// The entry's name in reports of runs that are not shown.
  private static let faultName = "the explored fault"

  private func observe(
    _ plannedCase: PlannedCase, at number: Int, _ cancellation: RunCancellation, _ log: CaseLog,
    isJudged: Bool, _ settings: ObservationOptions
  ) -> RunObservation {
    do {
      let runner = CaseRunner(
        plannedCase: plannedCase, number: 1, folder: try place(number), options: options,
        cancellation: cancellation, log: log)
      runner.isJudged = isJudged
      runner.endsAtOnce = true
      return runner.observe(settings)
    } catch {
      log.fail(error)
      var observation = RunObservation()
      observation.undecided = error.message
      return observation
    }
  }

  /// The points that one survey has seen, gathered on the supervisor's thread.
  private final class CollectedPoints: Sendable {
    private let list = Mutex<[FaultPoint]>([])
    private let limit: Int
    private let surveys: Int

    /// - Parameters:
    ///   - limit: how many are kept.
    ///   - surveys: how many entries have points; what others take is left aside.
    init(limit: Int = .max, surveys: Int = .max) {
      self.limit = limit
      self.surveys = surveys
    }

    var points: [FaultPoint] { list.withLock { $0 } }

    /// Keeps a point, without the path of the case's folders.
    func add(_ point: FaultPoint, hiding root: RootPath) {
      list.withLock { list in
        guard list.count < limit, point.entry < surveys else { return }
        list.append(point.hidden(root))
      }
    }
  }
}

extension FaultPoint {
  /// The same point with the path of the case's folders taken out of it.
  func hidden(_ root: RootPath) -> FaultPoint {
    var point = self
    point.subject = subject.map { root.hidden(in: $0) }
    point.program = root.hidden(in: program)
    return point
  }
}
