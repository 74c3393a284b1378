internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension PlannedSecrets {
  /// Tells which expressions of a file, and of those that it uses, are none.
  static func check(_ file: ScenarioFile, _ diagnostics: inout DiagnosticBag) {
    for expression in file.allSecrets.flatMap(\.expressions) {
      do throws(PatternError) {
        try RegularExpression(expression.value).validate()
      } catch {
        diagnostics.report(
          Diagnostic(
            error.message, code: .badRegularExpression, at: expression.range, help: error.help))
      }
    }
  }
}
