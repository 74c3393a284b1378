internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioReport

/// The command line: arguments in, exit code out.
@main
struct ScenarioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario",
    abstract: """
      Runs a program inside a small world that a YAML file describes, and checks what it did.
      """,
    version: Version.text,
    subcommands: [
      RunCommand.self, RerunCommand.self, ExploreCommand.self, EnterCommand.self, PlanCommand.self,
      CheckCommand.self,
      ListCommand.self,
      BuildCommand.self,
      DriftCommand.self, ShowCommand.self, UICommand.self, ReportCommand.self,
      HistoryCommand.self,
      DoctorCommand.self, ExplainCommand.self, SchemaCommand.self, FormatCommand.self,
      UpgradeCommand.self, LanguageServerCommand.self, ConfigCommand.self, CompletionsCommand.self,
      ManualCommand.self,
      InitCommand.self, NewCommand.self, RecordCommand.self, ReviewCommand.self,
    ])

  /// Parses and runs; wrong arguments are invalid input, exit code 2.
  static func main() {
    do {
      try OwnLimits.requireReading()
      var command = try CompletedArguments.parse(
        Array(CommandLine.arguments.dropFirst()), of: Self.self)
      try command.run()
    } catch let code as ArgumentParser.ExitCode {
      Glibc.exit(code.rawValue)
    } catch let error as InternalError {
      Console.report(
        Diagnostic(
          error.message, code: .internalError, at: nil,
          help: "this is a bug in scenario; please report it"))
      Glibc.exit(ScenarioReport.ExitCode.internalError.rawValue)
    } catch {
      let isRequest = exitCode(for: error) == .success
      var message = fullMessage(for: error)
      if !isRequest,
        let help = CommandLineHelp.help(for: Array(CommandLine.arguments.dropFirst()), of: self)
      {
        message += "\nhelp: \(help)"
      }
      _ = Console.write(message + "\n", to: isRequest ? STDOUT_FILENO : STDERR_FILENO)
      Glibc.exit(isRequest ? 0 : ScenarioReport.ExitCode.invalidInput.rawValue)
    }
  }
}
