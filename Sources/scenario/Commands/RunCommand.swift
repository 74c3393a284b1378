internal import ArgumentParser

/// The command `scenario run`.
typealias RunCommand = RunningCommand<SelectedCases>

/// The cases of files, as the options select them.
struct SelectedCases: CaseSource {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run scenarios.",
    discussion: CommandDiscussion(examples: [
      "scenario run", "scenario run scenarios/checkout.yaml:12",
      "scenario run --tags 'smoke and not slow' --jobs 4",
      "scenario run --report junit=report.xml --report html=report.html",
    ]).rendered)

  static func validate(_ command: RunCommand) {}

  static func run(_ command: RunCommand) throws {
    guard command.watching.watch else { return try command.run(recorded: nil) }
    try command.runWatching()
  }
}
