internal import ScenarioPlan

extension SupervisorLoop {
  /// Tells the survey of a system call that one of its entries has taken, and returns what it was told.
  func survey(
    _ decision: ChaosDecision, of tracee: Tracee, call: String, _ registers: Registers,
    _ facts: inout CallFacts
  ) -> FaultPoint? {
    guard let survey = configuration.survey, survey.entries.contains(decision.entry) else {
      return nil
    }
    let point = FaultPoint(
      entry: decision.entry, occurrence: decision.occurrence, call: call,
      subject: facts.subject(), program: facts.program(), process: tracee.process.ordinal,
      thread: tracee.ordinal, site: tracee.process.site(of: registers))
    survey.sight(point)
    return point
  }

  /// The same of the call of a function.
  func survey(
    _ decision: ChaosDecision, of tracee: Tracee, _ call: FunctionCall,
    _ facts: inout FunctionFacts
  ) -> FaultPoint? {
    guard let survey = configuration.survey, survey.entries.contains(decision.entry) else {
      return nil
    }
    let point = FaultPoint(
      entry: decision.entry, occurrence: decision.occurrence, call: call.function, subject: nil,
      program: facts.program(), process: tracee.process.ordinal, thread: tracee.ordinal,
      site: tracee.process.site(of: call.caller))
    survey.sight(point)
    return point
  }
}
