internal import FaultEngine
internal import MockServer
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

/// Chaos has two desks: the supervisor's for calls, and the mock server's for links.
extension CaseEnvironment {
  /// Applies chaos entries from their beginning, with another seed if there is one.
  func applyChaos(_ selection: ChaosSelection, seed: Int64?) {
    supervisor.applyChaos(selection, seed: seed)
    mockServer?.applyChaos(selection, seed: seed)
  }

  /// Reverts chaos entries.
  func revertChaos(_ selection: ChaosSelection) {
    supervisor.revertChaos(selection)
    mockServer?.revertChaos(selection)
  }

  /// Cuts hosts off from each other.
  func cut(_ partition: PlannedPartition) {
    let hosts = plannedCase.hostNames
    var groups: [Int: Int] = [:]
    for (group, names) in partition.groups.enumerated() {
      for number in names.compactMap({ hosts.firstIndex(of: $0) }) { groups[number] = group }
    }
    mockServer?.cut(HostPartition(name: partition.name, groups: groups))
  }

  /// Lets hosts reach each other again.
  func heal(_ selection: PartitionSelection) {
    switch selection {
    case .all: mockServer?.heal(nil)
    case .named(let name): mockServer?.heal(name)
    }
  }

  /// Begins a step; steps may be nested.
  func enterStep(_ name: String) {
    supervisor.enterStep(name)
    mockServer?.enterStep(name)
  }

  /// The step that began last has ended.
  func leaveStep() {
    supervisor.leaveStep()
    mockServer?.leaveStep()
  }

  /// A snapshot of a target, and of all together, at one moment.
  func snapshot(of target: TargetNumber = .first) -> TargetSnapshot {
    var snapshot = supervisor.snapshot(of: target)
    for account in mockServer?.links?.account() ?? []
    where snapshot.faults.indices.contains(account.entry) {
      snapshot.faults[account.entry].take(account)
    }
    return snapshot
  }
}

extension RuleStatistics {
  /// Sets the counts to those of the mock server.
  fileprivate mutating func take(_ account: LinkFaults.Account) {
    seen = account.counts.seen
    matched = account.counts.matched
    fired = account.counts.fired
    nearMisses = account.nearMisses
    // Which process asks by an inherited socket may be unknown.
    processes = account.countsByProcess.filter { $0.key > 0 }.sorted { $0.key < $1.key }.map {
      RuleStatistics.Process(ordinal: $0.key, matched: $0.value.matched, fired: $0.value.fired)
    }
  }
}

extension FaultDescription {
  /// Describes a link fault that fired.
  init(_ fault: FiredLinkFault) {
    self.init(
      entry: fault.entry, occurrence: fault.occurrence, action: fault.action,
      systemCall: fault.isAboutName ? "resolve" : "connect", subject: fault.subject,
      result: fault.isRefusal ? -1 : nil, error: fault.isRefusal ? "ECONNREFUSED" : nil,
      processOrdinal: fault.processOrdinal, threadOrdinal: fault.threadOrdinal)
    connection = fault.connection
    program = fault.program.name.isEmpty ? nil : fault.program.name
  }
}
