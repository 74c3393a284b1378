internal import Foundations
internal import Glibc
internal import ScenarioTools

extension NewCommand {
  /// Behind so much time, year, month, weekday, hour, minute and second are others.
  private static let farAway = Nanoseconds.seconds(400 * 86_400 + 3 * 3_600 + 7 * 60 + 11)

  /// The number of runs at an instant that show that it alone makes the difference: one of two words is the same in
  /// all of them by chance once in a hundred times.
  private static let heldRuns = 4

  /// Runs at two instants of their own.
  struct HeldTrial {
    /// The clock that makes the output the same; `nil` if that does not depend on the time.
    var clock: CommandTemplate.Clock?
    /// The runs at the first instant.
    var here: [Observation] = []
    /// The runs at the other one.
    var there: [Observation] = []

    /// True if output differs from run to run.
    var varies: Bool { !TimeVariation((here + there).map(\.comparableOutput)).isEmpty }
  }

  /// Runs a command at instants of its own, to find out whether its output depends on the time.
  ///
  /// The runs at one instant take turns in their places, as those in the machine's own time do.
  ///
  /// - Parameter free: Runs in the machine's own time.
  ///
  /// - Returns: `nil` if the command cannot be held.
  func heldTrial(
    of template: CommandTemplate, at instant: WallInstant, free: [Observation],
    observe: (CommandTemplate, _ isElsewhere: Bool) throws -> Observation?
  ) throws -> HeldTrial? {
    func observed(
      at instant: WallInstant, filesAreVirtual: Bool = true, isElsewhere: Bool = false
    ) throws -> Observation? {
      var held = template
      held.clock = CommandTemplate.Clock(at: instant, filesAreVirtual: filesAreVirtual)
      return try observe(held, isElsewhere)
    }
    let far = instant + Self.farAway
    var trial = HeldTrial()
    for round in 0..<Self.heldRuns {
      let isElsewhere = round % 2 == 1
      guard let near = try observed(at: instant, isElsewhere: isElsewhere),
        let distant = try observed(at: far, isElsewhere: isElsewhere)
      else { return nil }
      trial.here.append(near)
      trial.there.append(distant)
      guard
        TimeVariation.needsClock(
          free: free.map(\.comparableOutput), here: trial.here.map(\.comparableOutput),
          there: trial.there.map(\.comparableOutput))
      else { return trial }
    }
    guard let other = try observed(at: far, filesAreVirtual: false) else { return nil }
    // Files that the command finds have the day on which they were made there.
    let byChance = TimeVariation(trial.there.map(\.comparableOutput))
    let isAboutFiles = TimeVariation([trial.there[0], other].map(\.comparableOutput)).reaches(
      beyond: byChance)
    trial.clock = CommandTemplate.Clock(at: instant, filesAreVirtual: isAboutFiles)
    return trial
  }

  /// The machine's time, in whole seconds.
  static func instantOfRun() -> WallInstant { WallInstant(seconds: Int64(time(nil))) }
}
