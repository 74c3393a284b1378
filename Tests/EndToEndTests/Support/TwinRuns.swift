import Testing

/// A scenario that must pass beside those that differ from it in what a test is about, and must fail.
enum TwinRuns {
  /// Runs all of them.
  ///
  /// - Parameters:
  ///   - passing: the text of a file whose scenario passes.
  ///   - failing: texts of files that are right, and whose expectation does not hold (exit code 1).
  static func check(
    passing: String, failing: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for (text, exitCode) in [(passing, 0)] + failing.map({ ($0, 1) }) {
      let folder = try TemporaryFolder()
      let outcome = try BuiltRunner.run(["run", folder.write(text, to: "scenario.yaml")])
      #expect(outcome.exitCode == exitCode, "\(outcome.text)", sourceLocation: sourceLocation)
      withExtendedLifetime(folder) {}
    }
  }
}
