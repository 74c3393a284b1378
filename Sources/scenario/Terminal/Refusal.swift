internal import ArgumentParser
internal import Foundations
internal import ScenarioReport

/// The reason why nothing is run.
struct Refusal: Error {
  /// Lower case, no full stop.
  var message: String
  /// The exact fix.
  var help: String

  init(_ message: String, help: String) {
    self.message = message
    self.help = help
  }

  /// Reports it: exit code 2.
  func reported(_ code: DiagnosticCode) -> ArgumentParser.ExitCode {
    Console.report(
      Diagnostic(TerminalText.line(message), code: code, at: nil, help: TerminalText.line(help)))
    return ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
  }
}
