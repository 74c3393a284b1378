internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan

extension CaseLog {
  /// Tells of a case that is not run, and why.
  func tellSkipped(_ plannedCase: PlannedCase, because reason: String) {
    var result = CaseResult(
      outcome: .skipped, duration: .zero, virtualDuration: nil, standardOutput: "",
      standardError: "", directory: nil)
    result.reason = reason
    add(.caseStarted(CaseDescription(plannedCase)))
    add(.caseFinished(result))
  }
}

extension CaseDescription {
  /// Who the case is.
  init(_ plannedCase: PlannedCase) {
    self.init(
      file: plannedCase.file, name: plannedCase.name, range: plannedCase.range,
      tags: plannedCase.tags, seed: plannedCase.seed)
    guard plannedCase.row != nil else { return }
    filter = Self.literal("::\(plannedCase.name)") + "$"
  }

  /// A regular expression that finds a text as it stands.
  private static func literal(_ text: String) -> String {
    var expression = ""
    for character in text {
      if "\\.^$|?*+()[]{}".contains(character) { expression.append("\\") }
      expression.append(character)
    }
    return expression
  }
}
