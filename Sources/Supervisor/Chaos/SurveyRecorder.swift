internal import FaultEngine
internal import ScenarioPlan

/// Collects the points at which faults can be injected.
final class SurveyRecorder {
  private unowned let faults: FaultInjector
  private let survey: FaultSurvey
  private var state = SurveyState()

  init(_ survey: FaultSurvey, faults: FaultInjector) {
    self.survey = survey
    self.faults = faults
  }

  /// Reports a system call that one of the survey's entries has taken, and returns the point.
  func record(
    _ decision: ChaosDecision, of tracee: Tracee, call: String, _ registers: Registers,
    _ facts: inout SyscallContext
  ) -> FaultPoint? {
    guard survey.entries.contains(decision.entry) else { return nil }
    let subject = facts.subject()
    let isOfFunctions = faults.rules.table.entries[decision.entry].functions != nil
    let rank = isOfFunctions ? nil : state.count(decision.entry, by: facts.lineage)
    guard isPoint(callAbout: subject, of: tracee.process.identifier) else { return nil }
    let point = FaultPoint(
      entry: decision.entry, occurrence: decision.occurrence, call: call,
      subject: subject, program: facts.program(), process: tracee.process.ordinal,
      thread: tracee.ordinal, lineage: facts.lineage, rank: rank,
      site: tracee.process.site(of: registers))
    survey.sight(point)
    return point
  }

  /// The same of the call of a function.
  func record(
    _ decision: ChaosDecision, of tracee: Tracee, _ call: FunctionCall,
    _ facts: inout FunctionContext
  ) -> FaultPoint? {
    guard survey.entries.contains(decision.entry), !state.isPaused(for: tracee.process.identifier)
    else { return nil }
    let point = FaultPoint(
      entry: decision.entry, occurrence: decision.occurrence, call: call.function, subject: nil,
      program: facts.program(), process: tracee.process.ordinal, thread: tracee.ordinal,
      lineage: facts.lineage, site: tracee.process.site(of: call.caller))
    survey.sight(point)
    return point
  }

  /// Returns whether a system call is a point, and not part of the program's own preparation.
  ///
  /// While a process loads something its functions are counted, without stops: a bundle of
  /// certificates is some hundred thousand allocations.
  private func isPoint(callAbout subject: String?, of process: ThreadIdentifier) -> Bool {
    guard let preparation = survey.preparation else { return true }
    guard let subject else { return !state.isPaused(for: process) }
    switch preparation(subject) {
    case .startup: return false
    case .loading:
      if state.pause(for: process) {
        faults.functions?.recordCalls()
        faults.functions?.setDue()
      }
      return false
    case nil:
      if state.goOn(for: process) {
        faults.functions?.recordCalls()
        faults.functions?.setDue()
      }
      return true
    }
  }

  /// Returns whether the calls of an entry's functions cause no stops for now.
  func isPaused(_ entry: Int) -> Bool {
    state.isPaused && survey.entries.contains(entry)
  }
}
