internal import FaultEngine
internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// Faults that an exploration could never try.
extension CasePlanner {
  /// Warns of errors that none of the points can end with.
  mutating func checkErrors(
    _ errors: ExploreSettings.Errors?, of surveys: [PlannedChaos], _ victims: [FaultTarget]
  ) {
    guard case .among(let names) = errors, !surveys.isEmpty, surveys.count == victims.count,
      surveys.allSatisfy({ $0.functions == nil })
    else { return }
    let calls = surveys.flatMap(\.calls)
    let pages = calls.compactMap { DocumentedErrors(of: $0.name) }
    guard !pages.isEmpty, pages.count == calls.count else { return }
    for name in names {
      guard let error = try? ErrorNumber.named(name.value),
        pages.allSatisfy({ $0.circumstance(of: error) == nil })
      else { continue }
      let words = surveys.prefix(3).map { "\"\($0.name)\"" }.joined(separator: ", ")
      warn(
        surveys.count == 1
          ? "the manual page of \(words) does not name \(error.name)"
          : "no manual page of the points (\(words)\(surveys.count > 3 ? ", …" : "")) names"
            + " \(error.name)",
        code: .unlikelyError, at: name.range,
        help: "programs may not handle it: write \"errors: practical\" for errors that"
          + " occur in practice")
    }
  }
}
