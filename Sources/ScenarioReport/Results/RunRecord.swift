internal import Foundations
internal import ScenarioEvents

/// The record of a run: its events, folded.
struct RunRecord {
  /// The description of the run; `nil` before it began.
  private(set) var description: RunDescription?
  /// The cases in the order in which they began.
  private var begun: [CaseRecord] = []
  /// The failures that belong to no case.
  private(set) var failures: [Failure] = []
  /// The result of the run; `nil` while it goes on.
  private(set) var result: RunResult?
  /// Real time of the latest event.
  private(set) var latest: Nanoseconds = .zero
  private var indices: [String: Int] = [:]
  /// The number of cases for which there is room from the beginning: a stream's own number of cases
  /// is not trusted.
  private static let reserveLimit = 20_000

  init() {}

  /// Records one event.
  mutating func record(_ event: Event) {
    latest = max(latest, event.realTime)
    switch event.kind {
    case .runStarted(let description):
      self.description = description
      // Records are large: as the list grows, both the old and the new one would be there.
      begun.reserveCapacity(min(max(0, description.caseCount), Self.reserveLimit))
    case .caseStarted(let description):
      let identifier = event.scenario ?? "\(description.file)::\(description.name)"
      begin(
        CaseRecord(identifier: identifier, description: description, startedAt: event.realTime))
    case .failed(let failure):
      guard let index = index(of: event) else {
        failures.append(failure)
        return
      }
      begun[index].add(failure, reportedBy: event)
    case .warning(let text, _):
      guard let index = index(of: event) else { return }
      begun[index].warnings.append(text)
    case .caseFinished(let result):
      guard let index = index(of: event) else { return }
      begun[index].result = result
    case .runFinished(let result):
      self.result = result
    case .stepStarted, .stepFinished, .processStarted, .processEnded, .clockMoved, .clockSet,
      .requestReceived, .exchanged, .limitStruck, .waitEscaped, .outOfReach, .changedOutside,
      .faultTried,
      .processBorn, .waited, .outputWritten, .worldUntold, .signalled, .hostConnection,
      .partitionChanged, .webhookSent, .portMoved, .message:
      break
    case .faultInjected(let fault):
      guard let index = index(of: event) else { return }
      begun[index].chaos.add(fault)
    case .chaosAccount(let account):
      guard let index = index(of: event) else { return }
      begun[index].chaos.take(account)
    case .explored(let account):
      guard let index = index(of: event) else { return }
      begun[index].exploration = account
    case .timeAccount(let account):
      guard let index = index(of: event) else { return }
      begun[index].timeAccount = account
    case .networkAccount(let account):
      guard let index = index(of: event) else { return }
      begun[index].networkAccount = account
    case .captured(let capture):
      guard let index = index(of: event) else { return }
      begun[index].add(capture)
    case .leaked(let leak):
      guard let index = index(of: event) else { return }
      begun[index].leak = leak
      begun[index].warnings.append(leak.text)
    }
  }

  /// The cases in the plan's order.
  var cases: OrderedCases { OrderedCases(begun) }

  /// Adds a case that begins, or another attempt at one.
  private mutating func begin(_ record: CaseRecord) {
    guard let index = indices[record.identifier] else {
      indices[record.identifier] = begun.count
      begun.append(record)
      return
    }
    var earlier = begun[index]
    var record = record
    record.earlierAttempts = earlier.earlierAttempts
    earlier.earlierAttempts = []
    record.earlierAttempts.append(earlier)
    begun[index] = record
  }

  /// Counts all connections; `nil` if there were none.
  var networkAccount: NetworkAccount? {
    var sum = NetworkAccount()
    for account in begun.compactMap(\.networkAccount) {
      sum.connections += account.connections
      sum.refused += account.refused
      sum.reached += account.reached.filter { !sum.reached.contains($0) }
      sum.unlisted += account.unlisted
    }
    return sum == NetworkAccount() ? nil : sum
  }

  /// The case that an event belongs to.
  func caseRecord(of event: Event) -> CaseRecord? {
    index(of: event).map { begun[$0] }
  }

  /// Changes the case that an event belongs to.
  mutating func updateCase(of event: Event, _ change: (inout CaseRecord) -> Void) {
    guard let index = index(of: event) else { return }
    change(&begun[index])
  }

  private func index(of event: Event) -> Int? {
    event.scenario.flatMap { indices[$0] }
  }
}
