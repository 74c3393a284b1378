internal import ArgumentParser
internal import Glibc
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario doctor`.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check the requirements on this machine and suggest fixes.",
    discussion: CommandDiscussion(examples: ["scenario doctor", "scenario doctor --format json"])
      .rendered)

  @Option(help: "Print in this format: text or json.")
  var format: PlanCommand.Format = .text

  @Option(help: "Colours: auto, always or never.", transform: SelectionOptions.colourMode)
  var color = ColourMode.auto

  func run() throws {
    let report = OwnLimits.report {
      Doctor.examine(temporaryFolder: ProcessEnvironment.temporaryFolder)
    }
    switch format {
    case .json:
      try Console.print(report.jsonText(), content: .json)
    case .text:
      try Console.print(
        report.text(isColoured: color.usesColour(descriptor: STDOUT_FILENO)))
    }
    guard report.isGood else {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.undecided.rawValue)
    }
  }
}
