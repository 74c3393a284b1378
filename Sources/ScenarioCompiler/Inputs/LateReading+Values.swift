internal import Foundations
internal import OrderedCollections
internal import ScenarioModel
internal import ScenarioPlan

/// Evaluates the expressions whose values are needed before a scenario is planned.
struct LateEvaluation {
  /// The values of `vars:`.
  let variables: VariableValues
  /// The row of the matrix.
  let row: OrderedDictionary<String, Value>?
  /// The scenario's name, for messages.
  let scenario: String

  /// Reads a part, and reports its mistakes.
  func read(_ late: LateReading, _ diagnostics: inout DiagnosticBag) -> LateReading.Result {
    var context = EvaluationContext()
    context.variables = variables
    context.row = row
    context.scenario = scenario
    context.isListing = true
    var evaluator = DataEvaluator(
      factories: [], builds: [], seed: 0, diagnostics: diagnostics, context: context)
    let result = late.read { template, range in
      evaluator.data(DataNode(.template(template), at: range), in: .build.at("late"))?.literal
    }
    // A text without a value is reported as that, and not as what its place would take.
    let reported = Set(evaluator.diagnostics.list.compactMap(\.range))
    diagnostics = evaluator.diagnostics
    for diagnostic in result.diagnostics {
      let isTold =
        diagnostic.code == .fixedText
        && reported.contains { diagnostic.range?.encloses($0) ?? false }
      if !isTold { diagnostics.report(diagnostic) }
    }
    return result
  }
}
