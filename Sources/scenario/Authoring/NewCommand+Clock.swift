internal import Foundations
internal import Glibc
internal import ScenarioTools

extension NewCommand {
  /// Behind so much time, year, month, weekday, hour, minute and second are others.
  private static let farAway = Nanoseconds.seconds(400 * 86_400 + 3 * 3_600 + 7 * 60 + 11)

  /// Two runs at one instant, with the clock that was held.
  struct HeldTrial {
    var clock: CommandTemplate.Clock
    var first: Observation
    var second: Observation
  }

  /// Runs a command at instants of its own, to find out whether its output depends on the time.
  ///
  /// - Parameter free: Two runs in the machine's own time.
  ///
  /// - Returns: The runs that hold at any time; `nil` if the machine's own time does as well, or if
  ///   the command cannot be held.
  func heldTrial(
    of template: CommandTemplate, at instant: WallInstant, free: [Observation],
    observe: (CommandTemplate) throws -> Observation?
  ) throws -> HeldTrial? {
    guard free.count == 2 else { return nil }
    func observed(at instant: WallInstant, filesAreVirtual: Bool) throws -> Observation? {
      var held = template
      held.clock = CommandTemplate.Clock(at: instant, filesAreVirtual: filesAreVirtual)
      return try observe(held)
    }
    let far = instant + Self.farAway
    guard let here = try observed(at: instant, filesAreVirtual: true),
      let there = try observed(at: far, filesAreVirtual: true)
    else { return nil }
    let changes = TimeVariation(free[0].comparableOutput, free[1].comparableOutput)
    let moved = TimeVariation(here.comparableOutput, there.comparableOutput)
    guard !changes.isEmpty || !moved.isEmpty,
      let again = try observed(at: instant, filesAreVirtual: true)
    else { return nil }
    let held = TimeVariation(here.comparableOutput, again.comparableOutput)
    guard TimeVariation.needsClock(free: changes, held: held, moved: moved),
      let elsewhere = try observed(at: far, filesAreVirtual: false)
    else { return nil }
    // Files that the command finds have the day on which they were made there.
    let isAboutFiles = TimeVariation(there.comparableOutput, elsewhere.comparableOutput).reaches(
      beyond: held)
    return HeldTrial(
      clock: CommandTemplate.Clock(at: instant, filesAreVirtual: isAboutFiles), first: here,
      second: again)
  }

  /// The machine's time, in whole seconds.
  static func instantOfRun() -> WallInstant { WallInstant(seconds: Int64(time(nil))) }
}
