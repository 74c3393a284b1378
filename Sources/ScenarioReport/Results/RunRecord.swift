internal import ScenarioEvents
internal import ScenarioModel

/// What a report knows about a run: the events, folded.
struct RunRecord {
  /// What the run is made of; `nil` before it began.
  private(set) var description: RunDescription?
  /// The cases in the order in which they began.
  private(set) var cases: [CaseRecord] = []
  /// Bad news that belongs to no case.
  private(set) var failures: [Failure] = []
  /// How the run ended; `nil` while it goes on.
  private(set) var result: RunResult?
  /// Real time of the latest event.
  private(set) var latest: Nanoseconds = .zero
  private var indices: [String: Int] = [:]

  init() {}

  /// Takes in one event.
  mutating func record(_ event: Event) {
    latest = max(latest, event.realTime)
    switch event.kind {
    case .runStarted(let description):
      self.description = description
    case .caseStarted(let description):
      let identifier = event.scenario ?? "\(description.file)::\(description.name)"
      indices[identifier] = cases.count
      cases.append(
        CaseRecord(identifier: identifier, description: description, startedAt: event.realTime))
    case .failed(let failure):
      guard let index = index(of: event) else {
        failures.append(failure)
        return
      }
      cases[index].failures.append(failure)
    case .warning(let text, _):
      guard let index = index(of: event) else { return }
      cases[index].warnings.append(text)
    case .caseFinished(let result):
      guard let index = index(of: event) else { return }
      cases[index].result = result
    case .runFinished(let result):
      self.result = result
    case .clockMoved(let length, let reason):
      guard let index = index(of: event) else { return }
      cases[index].clockMoves.add(length, reason)
    case .stepStarted, .stepFinished, .processStarted, .processEnded, .clockSet,
      .requestReceived, .exchanged, .limitStruck, .waitEscaped, .outOfReach, .faultTried:
      break
    case .faultInjected(let fault):
      guard let index = index(of: event) else { return }
      cases[index].chaos.add(fault)
    case .chaosAccount(let account):
      guard let index = index(of: event) else { return }
      cases[index].chaos.take(account)
    case .explored(let account):
      guard let index = index(of: event) else { return }
      cases[index].exploration = account
    case .timeAccount(let account):
      guard let index = index(of: event) else { return }
      cases[index].timeAccount = account
    case .networkAccount(let account):
      guard let index = index(of: event) else { return }
      cases[index].networkAccount = account
    }
  }

  /// What became of all connections; `nil` if there were none.
  var networkAccount: NetworkAccount? {
    var sum = NetworkAccount()
    for account in cases.compactMap(\.networkAccount) {
      sum.connections += account.connections
      sum.refused += account.refused
      sum.reached += account.reached.filter { !sum.reached.contains($0) }
      sum.unlisted += account.unlisted
    }
    return sum == NetworkAccount() ? nil : sum
  }

  /// The case that an event belongs to.
  func caseRecord(of event: Event) -> CaseRecord? {
    index(of: event).map { cases[$0] }
  }

  /// Changes the case that an event belongs to.
  mutating func updateCase(of event: Event, _ change: (inout CaseRecord) -> Void) {
    guard let index = index(of: event) else { return }
    change(&cases[index])
  }

  private func index(of event: Event) -> Int? {
    event.scenario.flatMap { indices[$0] }
  }
}
