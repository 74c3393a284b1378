internal import ScenarioEvents
internal import ScenarioTools

/// The observation of one run of a command.
struct Observation {
  /// Its end.
  var ending: CommandTemplate.Ending?
  /// Its standard output.
  var output = ""
  /// Its standard error.
  var errorOutput = ""
  /// The failures of the run.
  var failures: [Failure] = []

  /// The complete output, for comparisons.
  var comparableOutput: [String] { [output, errorOutput, ending.map { "\($0)" } ?? ""] }

  /// Returns the failure for which the command cannot be made a scenario by itself, if it cannot.
  ///
  /// - Parameter isJudged: Whether false expectations are for the caller; otherwise there are none.
  func decisive(isJudged: Bool) -> Failure? {
    let failures = isJudged ? failures : failures.filter { $0.type != "expect.exit" }
    let first = failures.first { $0.type.hasPrefix("network.") } ?? failures.first
    return first.flatMap { !isJudged || $0.category == .error ? $0 : nil }
  }
}

/// The scenario that two runs of a command lead to.
struct Draft {
  /// The scenario without expectations.
  var template: CommandTemplate
  /// The end of both runs; `nil` if they differ.
  var ending: CommandTemplate.Ending?
  /// The expectation on standard output.
  var output: OutputTemplate
  /// The expectation on standard error.
  var errorOutput: OutputTemplate

  /// Compares two runs.
  init(_ template: CommandTemplate, _ first: Observation, _ second: Observation) {
    self.template = template
    output = OutputTemplate(first.output, second.output)
    errorOutput = OutputTemplate(first.errorOutput, second.errorOutput)
    ending = first.ending == second.ending ? first.ending : nil
  }

  /// The file's text.
  var text: String {
    template.text(
      ending: ending, output: output.expectation, errorOutput: errorOutput.expectation)
  }
}
