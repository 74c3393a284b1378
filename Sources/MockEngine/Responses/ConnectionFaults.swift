package import ScenarioModel
package import ScenarioPlan

/// Connections that go wrong, and how many of them have.
package struct ConnectionFaults: Sendable {
  /// The phase of a connection in which a fault may fire.
  package enum Phase: Sendable {
    /// The client looks up its host's name.
    case resolving
    /// Connecting: the connection is being made.
    case connecting
    /// TLS begins on it.
    case greeting
  }

  private let entries: [PlannedConnectionFault]
  /// The scenario's own answers, before which no shared fault comes.
  private let answers: [PlannedResponse]
  private let conditions: [HostCondition]
  private var counts: [Int]

  /// Creates a table, in which the first matching entry that is not used up applies.
  ///
  /// A shared one is a fallback: it leaves alone what the scenario's own faults and responses are for.
  package init(of network: PlannedNetwork) {
    entries = network.connectionFaults
    answers = network.responses.filter { $0.isFallback != true }
    conditions = entries.map { HostCondition(host: $0.host, port: $0.port) }
    counts = [Int](repeating: 0, count: entries.count)
  }

  /// True if an entry is about lookups of names.
  package var hasNameFaults: Bool { entries.contains { $0.fault.phase == .resolving } }

  /// Returns whether an entry is about some lookups of a name only, so that their order matters.
  package func countsNameFaults(of name: String) -> Bool {
    entries.indices.contains {
      entries[$0].fault.phase == .resolving && entries[$0].times != nil
        && fits($0, [name], port: nil)
    }
  }

  /// Decides the fault of a connection in a phase; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - names: the host's name and its address, as far as they are known.
  ///   - counts: whether this is one of the times that are counted.
  package mutating func claim(
    _ names: [String], port: UInt16?, in phase: Phase, counts isCounted: Bool = true
  ) -> ConnectionFault? {
    let found = entries.indices.first {
      entries[$0].fault.phase == phase && fits($0, names, port: port)
    }
    guard let found, entries[found].isFallback != true || !isOwn(names, port: port) else {
      return nil
    }
    if isCounted { counts[found] += 1 }
    return entries[found].fault
  }

  /// Returns whether an entry matches a host and is not used up.
  private func fits(_ index: Int, _ names: [String], port: UInt16?) -> Bool {
    counts[index] < entries[index].times ?? .max && conditions[index].fits(names, port: port)
  }

  /// Returns whether the scenario itself says something of a host: a fault in any phase, or an answer.
  private func isOwn(_ names: [String], port: UInt16?) -> Bool {
    entries.indices.contains {
      entries[$0].isFallback != true && fits($0, names, port: port)
    } || answers.contains { $0.names(names, port: port) }
  }

  /// Entries that have not come to their end, in order.
  package func unused() -> [UnusedResponse] {
    entries.indices.compactMap { index in
      let entry = entries[index]
      let total = entry.times ?? 1
      guard counts[index] < total else { return nil }
      return UnusedResponse(
        entry: index, name: entry.name, usedCount: counts[index], totalCount: total,
        range: entry.range, isConnection: true)
    }
  }
}

extension ConnectionFault {
  fileprivate var phase: ConnectionFaults.Phase {
    switch self {
    case .refuse, .unreachable: .connecting
    case .dns: .resolving
    case .tls: .greeting
    }
  }
}
