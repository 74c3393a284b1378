internal import ArgumentParser
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport

/// The command `scenario plan`.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Prints what a run would do, without doing it.")

  /// How a plan is printed.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// For people.
    case text
    /// Everything, for programs.
    case json
  }

  @OptionGroup var selection: SelectionOptions

  @Option(help: "How the plan is printed: text or json.")
  var format: Format = .text

  @Option(name: .shortAndLong, help: "Write the plan, as JSON, to this file.")
  var output: String?

  func run() throws {
    let plan = try selection.plan().plan
    let json = try PlanDigest.text(of: plan) + "\n"
    if let output {
      do throws(ReportError) {
        let sink = try FileSink(path: output)
        try sink.write(json)
        try sink.finish()
      } catch {
        Console.tell(error)
        throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.undecided.rawValue)
      }
      return
    }
    switch format {
    case .json:
      try Console.print(json)
    case .text:
      let lines = plan.summary() + ["plan \(try PlanDigest.of(plan))"]
      try Console.print(lines.map { TerminalText.line($0) + "\n" }.joined())
    }
  }
}
