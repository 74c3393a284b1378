internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension PlannedSecrets {
  /// Reports invalid expressions in the secrets of a file, and of those that it uses.
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
