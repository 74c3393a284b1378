import Foundations
import Glibc
import ScenarioModel
import ScenarioPlan
import Synchronization

@testable import Supervisor

/// A supervisor with one program under it, for tests.
final class SupervisedProgram {
  let supervisor: Supervisor
  let view: ClockView
  private let recorded = Recorded()

  final class Recorded: Sendable {
    let events = Mutex<[SupervisorEvent]>([])
    let points = Mutex<[FaultPoint]>([])
  }

  /// What the supervisor told.
  var events: [SupervisorEvent] { recorded.events.withLock { $0 } }

  /// Where faults could strike, if the program is surveyed.
  var points: [FaultPoint] { recorded.points.withLock { $0 } }

  init(
    clock: PlannedClock? = nil, chaos: [PlannedChaos] = [],
    router: (any ConnectionRouter)? = nil, deadlineLimit: Int? = nil, seed: Int64 = 0,
    functions: FunctionFaults? = nil, surveys: Bool = false, branches: BranchPlan? = nil,
    entropy: EntropySource = .real, limits: TargetLimits? = nil, replies: ReplyCounter? = nil,
    externalParticipants: [Int32] = [], idleTurn: Nanoseconds? = nil, bounds: FileBounds? = nil,
    stopLog: StopLog? = nil
  ) throws {
    Supervisor.prepareProcess()
    let recorded = recorded
    view = ClockView(clock, present: WallInstant(seconds: 1_700_000_000))
    var configuration = SupervisorConfiguration(
      clock: clock, view: view, chaos: chaos, router: router,
      report: { event in recorded.events.withLock { $0.append(event) } })
    configuration.seed = seed
    configuration.functions = functions
    if surveys || branches != nil {
      var survey = FaultSurvey(entries: Set(chaos.indices)) { point in
        recorded.points.withLock { $0.append(point) }
      }
      survey.branches = branches
      configuration.survey = survey
    }
    configuration.externalThreads = externalParticipants
    configuration.entropy = entropy
    configuration.limits = limits
    configuration.fileBounds = bounds
    if let replies { configuration.replies = replies }
    configuration.stopLog = stopLog.map { ($0, "program") }
    if let idleTurn { configuration.idleTurn = idleTurn }
    if let deadlineLimit { configuration.deadlineLimit = deadlineLimit }
    supervisor = try Supervisor(configuration)
  }

  deinit {
    stop()
  }

  private var isStopped = false

  /// Kills the tree.
  func stop() {
    guard !isStopped else { return }
    isStopped = true
    supervisor.stop()
  }

  func start(
    _ arguments: [String], input: LaunchRequest.Input = .empty, environment: [String] = [],
    directory: String = "/"
  ) throws {
    try supervisor.start(
      LaunchRequest(
        path: arguments[0], arguments: arguments,
        environment: ["PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"] + environment,
        directory: directory, input: input))
  }

  /// Waits for the end; ten minutes of real time are more than any of these tests needs, on however busy a machine.
  func awaitExit() -> WaitResult {
    supervisor.awaitExit(deadline: deadline)
  }

  var deadline: Nanoseconds { RunnerClock.now() + .seconds(600) }

  /// Whether a wait for the target's end is given up where everything has slept for long enough.
  func givesUp() -> Bool {
    supervisor.ask { loop in
      AwaitTarget(of: .first, deadline: .forever, endsAtStandstill: true, result: OneShot()) { _ in
        false
      }.isStuck(loop)
    }
  }

  var errorOutput: String {
    String(decoding: supervisor.output(.error).bytes, as: UTF8.self)
  }

  var output: String {
    String(decoding: supervisor.output(.output).bytes, as: UTF8.self)
  }
}

extension PlannedClock {
  /// A clock that begins at 2030-01-01T00:00:00Z.
  static func from2030(_ flow: ClockFlow, computing: ComputingCost? = nil) -> PlannedClock {
    PlannedClock(at: WallInstant(seconds: 1_893_456_000), flow: flow, computing: computing)
  }
}

extension WaitResult {
  var hasHappened: Bool {
    if case .happened = self { return true }
    return false
  }

  var isStuck: Bool {
    if case .stuck = self { return true }
    return false
  }
}
