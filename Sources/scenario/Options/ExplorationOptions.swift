internal import ArgumentParser
internal import FaultEngine
internal import Foundations
internal import Patterns
internal import ScenarioPlan

/// What an exploration tries, and for how long.
struct ExplorationOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Inject faults into these calls: families and groups, as in \"@alloc write\"; overrides the files.",
      valueName: "call"))
  var points: [String] = []

  @Option(
    name: .customLong("budget-runs"),
    help: ArgumentHelp("Inject at most this many faults.", valueName: "count"))
  var runLimit: Int?

  @Option(
    name: .customLong("budget-time"),
    help: ArgumentHelp("Stop after this much real time, such as 60s.", valueName: "time"),
    transform: Nanoseconds.option)
  var timeLimit: Nanoseconds?

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Make at most this many runs at once (default: one per processor).", valueName: "count")
  )
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Write the scenarios of findings to this folder (default: __explored__ beside each file).",
      valueName: "folder"))
  var save: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Resume an earlier exploration of the same cases where it stopped.")
  var resume = true

  @Flag(help: "Start over and ignore earlier results: --no-resume.")
  var fresh = false

  @Option(
    help: ArgumentHelp("Set how faults are tried: auto, or rerun (no forks).", valueName: "engine"),
    transform: Self.engine)
  var engine = Engine.auto

  /// The engine that tries faults.
  enum Engine: String {
    /// Forks where that is possible, and runs.
    case auto
    /// Runs alone.
    case rerun
  }

  func validate() throws {
    for point in points {
      guard let mistake = PlannedExploration.mistake(inPoint: point) else { continue }
      throw ValidationError("--points: \(mistake.message); \(mistake.help)")
    }
    if let runLimit, runLimit < 1 {
      throw ValidationError("--budget-runs must be 1 or more, not \(runLimit)")
    }
    if let jobs, !(1...512).contains(jobs) {
      throw ValidationError("--jobs must be from 1 to 512, not \(jobs)")
    }
  }

  static func engine(_ text: String) throws -> Engine {
    guard let engine = Engine(rawValue: text) else {
      throw ValidationError("\"\(text)\" is not one of auto, rerun")
    }
    return engine
  }
}
