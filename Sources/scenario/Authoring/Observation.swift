internal import ScenarioEvents
internal import ScenarioPlan

/// What one run of a command showed.
struct Observation {
  /// How it ended.
  var ending: CommandSketch.Ending?
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
  var sketch: CommandSketch
  /// How both runs ended; `nil` if each did in its own way.
  var ending: CommandSketch.Ending?
  /// What is expected of standard output.
  var output: OutputSketch
  /// What is expected of standard error.
  var errorOutput: OutputSketch

  /// Compares two runs.
  init(_ sketch: CommandSketch, _ first: Observation, _ second: Observation) {
    self.sketch = sketch
    output = OutputSketch(first.output, second.output)
    errorOutput = OutputSketch(first.errorOutput, second.errorOutput)
    ending = first.ending == second.ending ? first.ending : nil
  }

  /// The file's text.
  var text: String {
    sketch.text(
      ending: ending, output: output.expectation, errorOutput: errorOutput.expectation)
  }
}
