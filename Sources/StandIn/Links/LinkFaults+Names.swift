internal import ScenarioModel
internal import ScenarioPlan
import Synchronization

/// Questions for names.
extension LinkFaults {
  /// Kinds of records that a lookup of a host asks for: A and AAAA.
  private static let addressTypes: Set<UInt16> = [1, 28]

  /// Whether an entry is about a question, so that it matters which one of several comes first.
  func concerns(_ question: DNSQuery) -> Bool {
    Self.addressTypes.contains(question.type) && entries.concerns(name: question.name)
  }

  /// What a question for a name is answered with; `nil` for the answer that it would have had.
  ///
  /// - Parameter round: those that were asked before any of them was answered have the same; `nil` where
  ///   nobody knows.
  func answer(
    to question: DNSQuery, round: Int? = nil
  ) -> (answer: LinkFault.NameAnswer?, fault: FiredLinkFault?) {
    guard Self.addressTypes.contains(question.type) else { return (nil, nil) }
    return state.withLock { state in
      refresh(&state.table)
      let time = elapsed()
      if let known = state.lookups.join(question, at: time, round: round) { return (known, nil) }
      let asker = question.asker
      var facts = LinkFacts(
        name: question.name, address: "", port: nil, processOrdinal: asker?.processOrdinal ?? 0,
        executable: asker?.executable ?? "", time: time, now: now())
      var encounter = LinkEncounter()
      let decision = state.table.decide(&facts, &encounter)
      var answer: LinkFault.NameAnswer?
      if case .dns(let given)? = decision?.faults.first { answer = given }
      state.lookups.begin(with: question, at: time, round: round, answer: answer)
      guard let decision, answer != nil || leavesAlone(decision) else { return (nil, nil) }
      state.table.noteFired(decision.entry, process: facts.processOrdinal)
      return (
        answer,
        FiredLinkFault(
          entry: decision.name, occurrence: decision.occurrence,
          action: decision.words, subject: question.name, isAboutName: true, isRefusal: false,
          connection: nil, process: asker?.process,
          processOrdinal: facts.processOrdinal, threadOrdinal: asker?.threadOrdinal ?? 0,
          executable: facts.program())
      )
    }
  }
}

extension LinkDecision {
  /// What goes wrong, in a few words.
  var words: String {
    faults.isEmpty ? "original" : faults.map(\.text).joined(separator: ", ")
  }
}
