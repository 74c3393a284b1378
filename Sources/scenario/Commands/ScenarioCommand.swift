internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioReport

/// The command line: arguments in, exit code out.
@main
struct ScenarioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario",
    abstract:
      "Run a program in a simulated environment that a YAML file describes, and check what it did.",
    discussion: CommandDiscussion(examples: [
      "scenario init", "scenario run", "scenario new -- ./program --option", "scenario help run",
    ]).rendered,
    version: Version.text,
    groupedSubcommands: [
      CommandGroup(
        name: "Run",
        subcommands: [
          RunCommand.self, RerunCommand.self, ExploreCommand.self, UICommand.self,
        ]),
      CommandGroup(
        name: "Authoring",
        subcommands: [
          InitCommand.self, NewCommand.self, RecordCommand.self, ReviewCommand.self,
          CheckCommand.self, FormatCommand.self, UpgradeCommand.self, DriftCommand.self,
        ]),
      CommandGroup(
        name: "Inspection",
        subcommands: [
          ListCommand.self, PlanCommand.self, BuildCommand.self, EnterCommand.self,
          ConfigCommand.self, DoctorCommand.self, ExplainCommand.self,
        ]),
      CommandGroup(
        name: "Report",
        subcommands: [ShowCommand.self, ReportCommand.self, HistoryCommand.self]),
      CommandGroup(
        name: "Editor and shell",
        subcommands: [
          LanguageServerCommand.self, SchemaCommand.self, CompletionsCommand.self,
          ManualCommand.self,
        ]),
    ])

  /// Parses and runs; wrong arguments are invalid input, exit code 2.
  static func main() {
    // Scripts ask for it again and again, and all commands would be built to answer.
    if CommandLine.arguments.dropFirst() == ["--version"] {
      _ = Console.write(Version.text + "\n", to: STDOUT_FILENO)
      Glibc.exit(0)
    }
    // Asked what runs, a command that runs nothing goes on; a handler, and not SIG_IGN, which programs would inherit.
    signal(SIGUSR1) { _ in }
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
