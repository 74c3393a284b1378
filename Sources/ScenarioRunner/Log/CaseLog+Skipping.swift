internal import Foundations
internal import ScenarioEvents
internal import ScenarioPlan

extension CaseLog {
  /// Reports a case that is not run, and why.
  ///
  /// - Parameter isUnreached: Whether the run ended before it got there.
  func reportSkipped(
    _ plannedCase: PlannedCase, index: Int, because reason: String, isUnreached: Bool = false
  ) {
    var result = CaseResult(
      outcome: .skipped, duration: .zero, virtualDuration: nil, standardOutput: "",
      standardError: "", directory: nil)
    result.reason = reason
    if isUnreached { result.isUnreached = true }
    add(.caseStarted(CaseDescription(plannedCase, index: index)))
    add(.caseFinished(result))
  }
}

extension CaseDescription {
  /// Creates the identity of a case, with its index in the plan, counted from 0.
  init(_ plannedCase: PlannedCase, index: Int) {
    self.init(
      file: plannedCase.file, name: plannedCase.name, range: plannedCase.range,
      tags: plannedCase.tags, seed: plannedCase.seed, index: index)
    repetition = plannedCase.repetition
    purpose = plannedCase.description
    isVirtual = plannedCase.clock == nil ? nil : true
    guard plannedCase.row != nil || plannedCase.sharesLine == true else { return }
    // No option selects a repetition, and another one a date.
    let undated = plannedCase.undatedName
    let name = repetition == nil ? undated : PlannedCase.original(of: undated)
    filter = Self.literal("::\(name)") + "$"
  }

  /// Returns a regular expression that finds a text literally.
  private static func literal(_ text: String) -> String {
    var expression = ""
    for character in text {
      if "\\.^$|?*+()[]{}".contains(character) { expression.append("\\") }
      expression.append(character)
    }
    return expression
  }
}
