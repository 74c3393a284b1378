internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// Plans the settings of a step's execution; `nil` where it has none.
  mutating func planSettings(of step: Step) -> PlannedStepSettings? {
    var planned = PlannedStepSettings()
    let settings = step.settings
    if let condition = settings.condition { plan(condition, into: &planned) }
    if !settings.environment.isEmpty {
      if !step.startsProgram {
        report(
          "\"env\" changes nothing: \"\(step.keyword.value)\" starts no program", code: .noEffect,
          at: settings.environment[0].key.range, help: "write it in a step with run, start or exec")
      }
      planned.environment = planEnvironment(settings.environment, "steps")
    }
    planned.timeout = settings.timeout?.value
    planned.retry = settings.retry?.value
    if planned.retry?.interval != nil { usesTime = true }
    planned.count = settings.count?.value ?? 1
    return planned == PlannedStepSettings() ? nil : planned
  }

  private mutating func plan(_ condition: DataNode, into planned: inout PlannedStepSettings) {
    switch data.data(condition, in: EvaluationSite.scenario.at("steps.if")) {
    case nil: break
    case .value(.bool(let isPerformed))?: planned.isSkipped = !isPerformed
    case .text(let text)?:
      guard text.segments.count == 1, case .run(let question) = text.segments[0] else {
        return reportCondition("text", condition)
      }
      planned.condition = question
    case let other?: reportCondition(other.kindWithArticle, condition)
    }
  }

  private mutating func reportCondition(_ kind: String, _ condition: DataNode) {
    report(
      "\"if\" is \(kind), not true or false", code: .wrongType, at: condition.range,
      help: "write a condition, as in if: ${{ int(capture.count) > 1 }}")
  }
}

extension Step {
  /// True if it starts a target or a command, which has variables.
  fileprivate var startsProgram: Bool {
    switch action {
    case .run, .start, .exec: true
    default: false
    }
  }
}
