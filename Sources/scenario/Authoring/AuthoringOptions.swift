internal import ArgumentParser
internal import Foundations
internal import ScenarioReport

/// The options of commands that write the scenario of a command.
struct AuthoringOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the scenario to this file, which must not exist (default: scenarios/PROGRAM.yaml).",
      valueName: "file"))
  var output: String?

  @Option(help: "Set the scenario's name (default: that of its file).")
  var name: String?

  @Option(
    help: ArgumentHelp("Stop the command after this much real time.", valueName: "time"),
    transform: Nanoseconds.option)
  var timeout: Nanoseconds?

  @Argument(
    parsing: .postTerminator,
    help: "The command, after \"--\"; it inherits piped standard input.")
  var command: [String] = []

  func validate() throws {
    guard !command.isEmpty else {
      throw ValidationError("there is no command; write it after \"--\"")
    }
  }

  /// The scenario's file.
  var path: String { output ?? "scenarios/\(NewCommand.baseName(of: command[0])).yaml" }
}

extension Nanoseconds {
  /// A length of time as an option has it.
  static func option(_ text: String) throws -> Nanoseconds {
    guard let length = try? Nanoseconds(text: text), length > .zero else {
      throw ValidationError("\"\(text)\" is not a duration; write one such as 60s or 5m")
    }
    return length
  }
}

extension Console {
  /// Reports why a command does nothing more.
  ///
  /// - Returns: The exit code that says so.
  static func refusal(
    _ code: ScenarioReport.ExitCode, _ message: String, help: String?, _ kind: DiagnosticCode
  ) -> ArgumentParser.ExitCode {
    report(Diagnostic(message, code: kind, at: nil, help: help))
    return ArgumentParser.ExitCode(code.rawValue)
  }
}
