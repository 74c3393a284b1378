import Foundations
import ScenarioModel
import ScenarioSyntax

/// The file that a text holds, and what is wrong with it, rendered.
func parse(_ text: String) -> (file: ScenarioFile?, messages: String) {
  let result = ScenarioFile.parse(text: text, path: "trial.yaml")
  let renderer = DiagnosticRenderer { _ in text }
  return (result.file, renderer.render(result.diagnostics))
}

/// The messages that a text gives; one that gives none is a test that cannot fail.
func messages(_ text: String) -> String {
  parse(text).messages
}

/// Only the first lines and the helps, for tests that are not about excerpts.
func brief(_ text: String) -> [String] {
  ScenarioFile.parse(text: text, path: "f").diagnostics.map {
    "\($0.range?.line ?? 0):\($0.range?.column ?? 0): \($0.message)"
  }
}

extension ScenarioBody {
  /// The steps, empty if there are none.
  var allSteps: [Step] { steps ?? [] }

  /// The final expectations.
  var subjects: [ExpectationBlock.Subject] { expect?.entries.map(\.subject) ?? [] }
}
