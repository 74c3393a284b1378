internal import Foundations
internal import Patterns
internal import ScenarioEvents

extension ExpectationChecker {
  /// Returns the failure of a condition on programs of which none has run in the case: whatever it says of what they
  /// did not do would hold; `nil` where one has run.
  func absence(of process: GlobPattern, type: String, name: String) -> Failure? {
    guard !programs.contains(where: process.matches) else { return nil }
    return Failure(
      category: .expectation, type: type,
      message: "\(name): no program \"\(process.text)\" has run, so nothing was checked",
      help: Suggestion.help(for: process.text, in: programs, label: "programs that have run"))
  }
}
