internal import ArgumentParser
internal import Glibc
internal import ScenarioPlan
internal import ScenarioReport

/// `scenario plan`
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
    let json = try plan.jsonText() + "\n"
    if let output {
      do throws(ReportError) {
        let sink = try FileSink(path: output)
        try sink.write(json)
        try sink.finish()
      } catch {
        Console.write("\(error.description)\n", to: STDERR_FILENO)
        throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.undecided.rawValue)
      }
      return
    }
    switch format {
    case .json:
      Console.write(json, to: STDOUT_FILENO)
    case .text:
      let lines = plan.summary() + ["plan \(PlanDigest.of(plan))"]
      Console.write(lines.joined(separator: "\n") + "\n", to: STDOUT_FILENO)
    }
  }
}
