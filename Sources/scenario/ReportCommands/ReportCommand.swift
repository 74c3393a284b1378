internal import ArgumentParser

/// The commands `scenario report …`.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Make reports from the event streams of runs.",
    discussion: CommandDiscussion(examples: [
      "scenario report show run.jsonl",
      "scenario report convert run.jsonl --report html=report.html",
      "scenario report merge shard-*.jsonl --report junit=report.xml",
    ]).rendered,
    subcommands: [MergeCommand.self, ReportConvertCommand.self, ReportShowCommand.self])
}
