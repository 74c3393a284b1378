internal import ScenarioEvents
internal import ScenarioTools

/// What one run of a command showed.
struct Observation {
  /// How it ended.
  var ending: CommandTemplate.Ending?
  /// Its standard output.
  var output = ""
  /// Its standard error.
  var errorOutput = ""
  /// What was wrong.
  var failures: [Failure] = []

  /// All that it told, for comparisons.
  var telling: [String] { [output, errorOutput, ending.map { "\($0)" } ?? ""] }

  /// Why the command cannot be made a scenario by itself, if it cannot.
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
  /// How both runs ended; `nil` if each did in its own way.
  var ending: CommandTemplate.Ending?
  /// What is expected of standard output.
  var output: OutputTemplate
  /// What is expected of standard error.
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
