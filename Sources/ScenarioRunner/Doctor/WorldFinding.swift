internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioPlan
internal import Supervisor
internal import Synchronization

/// The last finding: a target in a small environment of its own, whose time is virtual.
struct WorldFinding {
  /// The result of the trial.
  struct Observation: Sendable, Hashable {
    /// The reason why it could not be started, or did not end; `nil` where it ended.
    var problem: String?
    /// The change to make.
    var help: String?
    /// The output: the seconds that the program read before and after its sleep.
    var output = ""
    /// Virtual time that passed.
    var elapsed = Nanoseconds.zero
    /// Real time that passed.
    var real = Nanoseconds.zero
  }

  /// 2030-01-01T00:00:00Z.
  static let begin: Int64 = 1_893_456_000
  /// The target's sleep, in seconds.
  static let sleep: Int64 = 86_400

  let observation: Observation

  /// The result of the check that time is virtual.
  var finding: DoctorFinding {
    let subject = "hold its time"
    if let problem = observation.problem {
      return DoctorFinding(
        .fail, subject, problem, help: observation.help.map { [$0] } ?? [])
    }
    let readings = observation.output.split(separator: "\n").compactMap { Int64($0) }
    guard readings.first == Self.begin else {
      return DoctorFinding(
        .fail, subject, "the target did not read the scenario's clock: \"\(shown)\"",
        help: ["please report it, with the output above"])
    }
    guard readings == [Self.begin, Self.begin + Self.sleep],
      DurationPrecision.milliseconds.rounded(observation.elapsed) == .seconds(Self.sleep)
    else {
      return DoctorFinding(
        .fail, subject, "a sleep of one day took \(observation.elapsed): \"\(shown)\"",
        help: ["please report it, with the output above"])
    }
    return DoctorFinding(
      .ok, subject,
      "sleep \(Self.sleep) took \(observation.elapsed) of virtual time and"
        + " \(observation.real.count / 1_000_000)ms of real time")
  }

  private var shown: String {
    observation.output.split(separator: "\n").joined(separator: " ")
  }
}

extension WorldFinding {
  /// Runs the target.
  init() {
    observation = Self.observe()
  }

  /// The longest time that it may take: no machine that can run scenarios needs so much.
  private static let bound = Nanoseconds.seconds(20)

  private static func observe() -> Observation {
    let clock = PlannedClock(at: WallInstant(seconds: begin), flow: .auto)
    let view = ClockView(clock, present: RealTime.wall())
    let reach = Mutex<String?>(nil)
    var observation = Observation()
    do throws(LaunchError) {
      let supervisor = try Supervisor(
        SupervisorConfiguration(
          clock: clock, view: view,
          report: { event in
            if case .outOfReach(_, let reason) = event { reach.withLock { $0 = reason } }
          }))
      defer { supervisor.stop() }
      let start = RealTime.monotonic()
      try supervisor.start(
        LaunchRequest(
          path: "/bin/sh", arguments: ["sh", "-c", "date +%s; sleep \(sleep); date +%s"],
          environment: ["PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"], directory: "/",
          input: .empty))
      let result = supervisor.awaitExit(deadline: start + bound)
      observation.real = RealTime.monotonic() - start
      observation.elapsed = view.reading().elapsed
      observation.output = String(decoding: supervisor.output(.output).bytes, as: UTF8.self)
      if let reason = reach.withLock({ $0 }) {
        observation.problem = "the target is out of reach: \(reason)"
      } else if case .happened = result {
        observation.problem = nil
      } else {
        observation.problem = "a sleep of one day did not end within \(bound) of real time"
      }
    } catch {
      let failure = Failure(
        error, program: "/bin/sh", range: SourceRange(file: "", line: 1, column: 1))
      observation.problem = failure.message
      observation.help = "see the checks above that failed"
    }
    return observation
  }
}
