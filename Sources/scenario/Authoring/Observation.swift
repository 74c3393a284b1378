internal import ScenarioEvents
internal import ScenarioRunner
internal import ScenarioTools

/// The observation of one run of a command.
struct Observation {
  /// Its end.
  let ending: CommandTemplate.Ending?
  /// Its standard output, with marks in place of the paths that differ in each run.
  let output: String
  /// Its standard error, with marks in place of the paths that differ in each run.
  let errorOutput: String
  /// The failures of the run.
  let failures: [Failure]

  /// Takes from a run what there is to compare.
  init(_ seen: WatchedRun.Seen) {
    ending = seen.ending
    output = seen.places.marked(String(decoding: seen.output, as: UTF8.self))
    errorOutput = seen.places.marked(String(decoding: seen.errorOutput, as: UTF8.self))
    failures = seen.failures
  }

  /// The complete output, for comparisons.
  var comparableOutput: [String] { [output, errorOutput, ending.map { "\($0)" } ?? ""] }

  /// Returns the failure for which the command cannot be made a scenario by itself, if it cannot.
  ///
  /// - Parameter isJudged: Whether false expectations are for the caller; otherwise there are none.
  func decisive(isJudged: Bool) -> Failure? {
    let first = failures.first { $0.type.hasPrefix("network.") } ?? failures.first
    return first.flatMap { !isJudged || $0.category == .error ? $0 : nil }
  }
}

/// The scenario that several runs of a command lead to.
struct Draft {
  /// The scenario without expectations.
  let template: CommandTemplate
  /// The end of all runs; `nil` if they differ.
  let ending: CommandTemplate.Ending?
  /// The expectation on standard output.
  let output: OutputTemplate
  /// The expectation on standard error.
  let errorOutput: OutputTemplate

  /// Compares runs.
  init(_ template: CommandTemplate, _ runs: [Observation]) {
    self.template = template
    output = OutputTemplate(runs.map(\.output))
    errorOutput = OutputTemplate(runs.map(\.errorOutput))
    let first = runs.first?.ending
    ending = runs.allSatisfy { $0.ending == first } ? first : nil
  }

  /// The scenario's text.
  var text: String {
    template.text(
      ending: ending, output: output.expectation, errorOutput: errorOutput.expectation)
  }
}
