internal import ArgumentParser

/// The commands `scenario report …`.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Makes reports from the event streams of runs.",
    subcommands: [MergeCommand.self, ReportConvertCommand.self, ReportShowCommand.self])
}
