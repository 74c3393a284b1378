internal import ScenarioPlan

extension TracerLoop {
  /// Tells the survey of a system call that one of its entries has taken, and returns what it was told.
  func survey(
    _ decision: ChaosDecision, of tracee: Tracee, call: String, _ registers: Registers,
    _ facts: inout SyscallContext
  ) -> FaultPoint? {
    guard let survey = configuration.survey, survey.entries.contains(decision.entry) else {
      return nil
    }
    let subject = facts.subject()
    let isOfFunctions = faults.rules.table.entries[decision.entry].functions != nil
    let rank = isOfFunctions ? nil : surveyState.count(decision.entry, by: facts.lineage)
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
  func survey(
    _ decision: ChaosDecision, of tracee: Tracee, _ call: FunctionCall,
    _ facts: inout FunctionContext
  ) -> FaultPoint? {
    guard let survey = configuration.survey, survey.entries.contains(decision.entry),
      !surveyState.isPaused(for: tracee.process.identifier)
    else { return nil }
    let point = FaultPoint(
      entry: decision.entry, occurrence: decision.occurrence, call: call.function, subject: nil,
      program: facts.program(), process: tracee.process.ordinal, thread: tracee.ordinal,
      lineage: facts.lineage, site: tracee.process.site(of: call.caller))
    survey.sight(point)
    return point
  }

  /// Whether a system call is a point, and not part of what the program prepares itself with.
  ///
  /// While a process loads something its functions are counted, and stop nobody: a bundle of certificates is
  /// some hundred thousand allocations.
  private func isPoint(callAbout subject: String?, of process: ThreadIdentifier) -> Bool {
    guard let preparation = configuration.survey?.preparation else { return true }
    guard let subject else { return !surveyState.isPaused(for: process) }
    switch preparation(subject) {
    case .startup: return false
    case .loading:
      if surveyState.pause(for: process) {
        faults.functions?.recordCalls()
        faults.functions?.setDue()
      }
      return false
    case nil:
      if surveyState.goOn(for: process) {
        faults.functions?.recordCalls()
        faults.functions?.setDue()
      }
      return true
    }
  }

  /// Whether the calls of an entry's functions stop nobody for now.
  func isPaused(_ entry: Int) -> Bool {
    surveyState.isPaused && configuration.survey?.entries.contains(entry) == true
  }
}
