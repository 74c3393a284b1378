internal import FaultEngine
internal import ScenarioModel
import Synchronization

/// Faults of DNS queries.
extension LinkFaults: DNSFaultSource {
  func concerns(_ query: DNSQuery) -> Bool {
    query.isForAddress && entries.concerns(name: query.name)
  }

  func answer(
    to query: DNSQuery, round: Int?
  ) -> (answer: LinkFault.NameAnswer?, fault: FiredLinkFault?) {
    guard query.isForAddress else { return (nil, nil) }
    return state.withLock { state in
      refresh(&state.table)
      let time = elapsed()
      if let known = state.lookups.join(query, at: time, round: round) { return (known, nil) }
      let client = query.client
      var facts = LinkFacts(
        name: query.name, address: "", port: nil, processOrdinal: client?.processOrdinal ?? 0,
        program: client?.program ?? .unknown, time: time, now: now())
      var encounter = LinkMatchState()
      let decision = state.table.decide(&facts, &encounter)
      var answer: LinkFault.NameAnswer?
      if case .dns(let given)? = decision?.faults.first { answer = given }
      state.lookups.begin(with: query, at: time, round: round, answer: answer)
      guard let decision, answer != nil || leavesAlone(decision) else { return (nil, nil) }
      state.table.recordFired(decision.entry, process: facts.processOrdinal)
      return (
        answer,
        FiredLinkFault(
          entry: decision.name, occurrence: decision.occurrence,
          action: decision.words, subject: query.name, isAboutName: true, isRefusal: false,
          connection: nil, process: client?.process,
          processOrdinal: facts.processOrdinal, threadOrdinal: client?.threadOrdinal ?? 0,
          program: facts.program())
      )
    }
  }
}

extension LinkDecision {
  /// The fault, in a few words.
  var words: String {
    faults.isEmpty ? "original" : faults.map(\.text).joined(separator: ", ")
  }
}
