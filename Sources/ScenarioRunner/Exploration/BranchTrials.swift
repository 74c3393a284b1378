internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioTools
internal import Supervisor
internal import Synchronization

/// Tries faults in forks of one run, at the points themselves.
///
/// Trials that cannot be made so are left to runs of their own: so is everything where the case is more than
/// one start of the target, or speaks with a mock server, whose memory no fork can put back.
struct BranchTrials {
  let observed: ObservedCase
  let surveys: [PlannedChaos]
  let judge: FaultJudge
  let baseline: RunObservation
  let bound: Nanoseconds
  /// The bound on virtual time in a fork.
  let virtualBound: Nanoseconds
  /// The real moment at which forks end, whatever they do; `nil` for none.
  let deadline: Nanoseconds?
  /// Called on the supervisor's thread with the number of trials that are over.
  let counted: @Sendable (Int) -> Void

  /// Returns whether forks can decide anything about a case.
  static func suit(_ plannedCase: PlannedCase, _ exploration: PlannedExploration) -> Bool {
    guard plannedCase.steps.count == 1, case .run = plannedCase.steps[0].action else {
      return false
    }
    return exploration.then.isEmpty && !(plannedCase.network?.needsMockServer ?? false)
  }

  /// Runs the target once, and tries the requested faults at its points.
  ///
  /// - Parameter mayBegin: whether another trial may begin.
  /// - Returns: What could be tried.
  func run(
    _ trials: [ExplorationTrial], mayBegin: @escaping @Sendable () -> Bool,
    _ cancellation: RunCancellation
  ) -> ForkedTrials {
    var wanted: [Place: [ExplorationTrial]] = [:]
    for trial in trials { wanted[Place(trial.point), default: []].append(trial) }
    let first = observed.plannedCase.chaos.count
    let outcomes = Outcomes()
    let holding = "\(observed.folder)/held"
    guard mkdir(holding, 0o700) == 0 || errno == EEXIST else { return ForkedTrials() }
    // Without anything left to try the run need not come to its end.
    let trunkEnd = RunCancellation()
    let ticket = cancellation.whenCancelled { trunkEnd.cancel() }
    defer { cancellation.forget(ticket) }
    let trunk = observed.baseline(at: 0, surveys: surveys, trunkEnd) {
      [wanted, bound, virtualBound, deadline] root in
      var plan = BranchPlan(
        directories: ["work", "home", "tmp"].map { "\(root)/\($0)" },
        holdingDirectory: holding, realLimit: min(bound, .seconds(5)), virtualLimit: virtualBound,
        orders: { point in
          outcomes.begin()
          var place = Place(point)
          place.entry -= first
          var orders: [BranchOrder] = []
          for trial in wanted[place] ?? [] {
            guard mayBegin() else {
              trunkEnd.cancel()
              break
            }
            orders.append(
              BranchOrder(
                identifier: trial.number, provider: trial.fault.provider,
                isOnwards: trial.fault.mode == .onwards))
          }
          return orders
        }, ended: { [counted] in counted(outcomes.add($0)) })
      plan.realDeadline = deadline
      return plan
    }
    let byNumber = Dictionary(trials.map { ($0.number, $0) }) { first, _ in first }
    var found = ForkedTrials()
    for (outcome, elapsed) in outcomes.all {
      guard let trial = byNumber[outcome.order.identifier] else { continue }
      if let result = result(of: trial, outcome, trunk) {
        found.add(.judged(result), of: trial)
      } else if case .ran(let result) = outcome.result, result.isOutOfTime {
        found.add(.stopped(after: elapsed), of: trial)
      } else {
        found.add(.undecided, of: trial)
      }
    }
    return found
  }

  private func result(
    of trial: ExplorationTrial, _ outcome: BranchOutcome, _ trunk: ObservedCase.Baseline
  ) -> ExplorationResult? {
    guard outcome.disturbance == nil, case .ran(let result) = outcome.result,
      let seen = observation(of: result, trunk, outcome.point)
    else { return nil }
    let judgement = judge.judge(seen, point: trial.point)
    switch judgement.verdict {
    case .unreached, .undecided, .unstable: return nil
    default: return ExplorationResult(trial: trial, judgement: judgement, engine: "fork")
    }
  }

  /// The observation that a run of its own would have given; `nil` if that is not known.
  private func observation(
    of result: BranchResult, _ trunk: ObservedCase.Baseline, _ point: FaultPoint
  ) -> RunObservation? {
    let root = RootPath(trunk.root)
    var seen = RunObservation()
    switch result.ending {
    case .exited: break
    case .stuck: seen.hang = "all threads are blocked and nothing will wake them"
    // A run of its own says whether it gets on.
    case .outOfVirtualTime, .outOfRealTime: return nil
    }
    // A process that is left behind has time to end in a run of its own.
    guard result.remainders.isEmpty else { return nil }
    switch result.status {
    case .exited(let code)?: seen.ends = [.exited(code)]
    case .signaled(let number)?: seen.ends = [.signaled(SignalNames.name(of: number))]
    case nil: seen.ends = [.alive]
    }
    seen.crashes = result.crashes.compactMap { crash in
      let name = SignalNames.name(of: crash.signal)
      guard SignalNames.ofMistakes.contains(name) else { return nil }
      return RunObservation.Crash(program: crash.program, signal: name)
    }
    seen.output = ObservedStream(
      root.hidden(in: Array(trunk.output.prefix(result.outputBefore)) + result.output.bytes),
      omitted: result.output.beyondMemory)
    seen.errorOutput = ObservedStream(
      root.hidden(
        in: Array(trunk.errorOutput.prefix(result.errorOutputBefore)) + result.errorOutput.bytes),
      omitted: result.errorOutput.beyondMemory)
    seen.laid = baseline.laid
    seen.fired = result.faults.count
    var struck = point.hidden(root)
    struck.entry -= observed.plannedCase.chaos.count
    // A file that an earlier branch had removed is another to those who had it open (proc(5)).
    let suffix = " (deleted)"
    if let subject = struck.subject, subject.hasSuffix(suffix) {
      struck.subject = String(subject.dropLast(suffix.count))
    }
    seen.struck = struck
    for file in result.files where file.path.hasPrefix(trunk.root + "/") {
      let path = String(file.path.dropFirst(trunk.root.count + 1))
      guard let described = describe(file, trunk.root, as: trunk.observation.files[path]) else {
        return nil
      }
      seen.files[path] = described
    }
    return seen
  }

  /// Describes a file as a run of its own would; `nil` if too little of it is reported for that.
  private func describe(
    _ file: BranchFile, _ root: String, as known: RunObservation.File?
  ) -> RunObservation.File? {
    var description = RunObservation.File(
      kind: file.kind.rawValue, mode: file.permissions, size: 0, digest: 0, text: nil)
    switch file.kind {
    case .folder, .other: return description
    case .link:
      ObservedFiles(root: root).fill(&description, with: file.contents)
      description.size = 0
      return description
    case .file: break
    }
    if file.contents.count == file.size {
      ObservedFiles(root: root).fill(&description, with: file.contents)
      return description
    }
    // One that holds the path of the case's folders has another digest there.
    guard let known, known.kind == "file", known.size == file.size, known.digest == file.digest
    else { return nil }
    description.size = known.size
    description.digest = known.digest
    description.text = known.text
    return description
  }

  /// A point, by what two runs agree on.
  private struct Place: Hashable {
    var entry: Int
    var occurrence: Int
    var call: String

    init(_ point: FaultPoint) {
      entry = point.entry
      occurrence = point.occurrence
      call = point.call
    }
  }

  /// Gathers the outcomes of orders on the supervisor's thread.
  private final class Outcomes: Sendable {
    private struct State {
      var list: [(outcome: BranchOutcome, elapsed: Nanoseconds)] = []
      /// The real time at which the order under way began.
      var start = Nanoseconds.zero
    }

    private let state = Mutex(State())

    /// The outcomes, each with the real time that it took.
    var all: [(outcome: BranchOutcome, elapsed: Nanoseconds)] { state.withLock { $0.list } }

    /// The orders of a point begin.
    func begin() { state.withLock { $0.start = RealTime.monotonic() } }

    /// Adds one; how many there are.
    func add(_ outcome: BranchOutcome) -> Int {
      state.withLock { state in
        let now = RealTime.monotonic()
        state.list.append((outcome, now - state.start))
        state.start = now
        return state.list.count
      }
    }
  }
}

extension BranchResult {
  /// True if it was stopped before it ended.
  fileprivate var isOutOfTime: Bool {
    switch ending {
    case .outOfRealTime, .outOfVirtualTime: true
    case .exited, .stuck: false
    }
  }
}
