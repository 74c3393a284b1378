internal import ArgumentParser
internal import Glibc
internal import ScenarioReport

/// The command line: arguments in, exit code out.
@main
struct ScenarioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario",
    abstract: "Runs a program inside a small world that a YAML file describes, and checks what it did.",
    version: Version.text,
    subcommands: [RunCommand.self, PlanCommand.self, CheckCommand.self])

  /// Parses and runs; wrong arguments are invalid input, exit code 2.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let code as ArgumentParser.ExitCode {
      Glibc.exit(code.rawValue)
    } catch {
      let isRequest = exitCode(for: error) == .success
      let message = fullMessage(for: error)
      Console.write(message + "\n", to: isRequest ? STDOUT_FILENO : STDERR_FILENO)
      Glibc.exit(isRequest ? 0 : ScenarioReport.ExitCode.invalidInput.rawValue)
    }
  }
}

/// What this program calls itself.
enum Version {
  /// Semantic version.
  static let text = "0.1.0"
}

/// Writes to the standard streams.
enum Console {
  /// Writes all of a text; a closed pipe ends it silently, as the reader wished.
  static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
