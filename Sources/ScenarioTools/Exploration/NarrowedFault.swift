internal import FaultEngine
internal import ScenarioModel
package import ScenarioPlan

/// A chaos entry that hits the same call as a survey's, but is identified by the call's subject, so
/// that it stays right when other calls come and go.
package struct NarrowedFault: Sendable, Hashable {
  /// The target of the rule: a word for `call:`, or functions for `function:`.
  package enum Victim: Sendable, Hashable {
    /// `call:`
    case call(String)
    /// `function:` and `in:`
    case functions([String], place: PlannedFunctions.Place)
  }

  /// The target of the rule.
  package var victim: Victim
  /// `where: { path: … }` besides what the author says.
  package var path: String?
  /// `where: { process: … }` besides what the author says.
  package var program: String?
  /// The number of the call among these, from 1.
  package var occurrence: Int
  /// The fault.
  package var fault: ExploredFault

  /// The entry as the survey has counted, not narrowed.
  package init(_ trial: ExplorationTrial, of survey: PlannedChaos) {
    victim =
      survey.functions.map {
        $0.isAllocator ? .call(survey.name) : .functions($0.names, place: $0.place)
      }
      ?? .call(survey.name)
    occurrence = trial.point.occurrence
    fault = trial.fault
  }

  /// Creates the entry, identified by the call's own name, its program and its path, as far as
  /// these are distinctive.
  ///
  /// - Parameters:
  ///   - points: all that the survey has seen.
  ///   - stable: whether a subject is the same in each run.
  package init(
    _ trial: ExplorationTrial, of survey: PlannedChaos, among points: [FaultPoint],
    stable: (String) -> Bool
  ) {
    self.init(trial, of: survey)
    let point = trial.point
    var same = points.filter { $0.entry == point.entry }
    if survey.conditions[.process] == nil, Set(points.map(\.program)).count > 1 {
      let name = Self.name(of: point.program)
      program = name
      same.removeAll { Self.name(of: $0.program) != name }
    }
    if survey.functions == nil {
      if let family = Self.family(of: point.call, in: survey) {
        victim = .call(point.call)
        same.removeAll { !family.contains($0.call) }
      }
      let prefix = "${{ root }}/work/"
      if survey.conditions[.path] == nil, let subject = point.subject, subject.hasPrefix(prefix),
        stable(subject),
        !subject.dropFirst(prefix.count).contains(where: { "*?[]{}\\".contains($0) })
      {
        path = String(subject.dropFirst(prefix.count))
        same.removeAll { $0.subject != subject }
      }
    }
    occurrence = 1 + same.count { $0.occurrence < point.occurrence }
  }

  /// Returns the calls that a call's name includes in `call:`; `nil` if the survey has not seen all
  /// of them.
  private static func family(of call: String, in survey: PlannedChaos) -> Set<String>? {
    guard let calls = try? PlannedCall.named(call),
      calls.allSatisfy({ survey.calls.contains($0) })
    else { return nil }
    return Set(calls.map(\.name))
  }

  private static func name(of program: String) -> String {
    program.split(separator: "/").last.map(String.init) ?? program
  }
}
