internal import Patterns
package import ScenarioModel
package import ScenarioPlan

/// Connections that go wrong, and how many of them have.
package struct ConnectionFaults: Sendable {
  /// The phase of a connection in which a fault may fire.
  package enum Phase: Sendable {
    /// Its host's name is asked for.
    case resolving
    /// Connecting: the connection is being made.
    case connecting
    /// TLS begins on it.
    case greeting
  }

  private let entries: [PlannedConnectionFault]
  private let hosts: [CompiledGlob?]
  private let addresses: [IPv6Literal?]
  private var counts: [Int]

  /// Creates a table; the first entry that fits and has not come to its end rules.
  package init(_ entries: [PlannedConnectionFault]) {
    self.entries = entries
    hosts = entries.map { CompiledGlob($0.host) }
    addresses = entries.map { IPv6Literal($0.host) }
    counts = [Int](repeating: 0, count: entries.count)
  }

  /// Decides the fault of a connection in a phase; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - names: the host's name and its address, as far as they are known.
  ///   - counts: whether this is one of the times that are counted.
  package mutating func claim(
    _ names: [String], port: UInt16?, in phase: Phase, counts isCounted: Bool = true
  ) -> ConnectionFault? {
    let found = entries.indices.first { index in
      let entry = entries[index]
      guard entry.fault.phase == phase, counts[index] < entry.times ?? .max,
        entry.port == nil || entry.port == port
      else {
        return false
      }
      // An address of IPv6 is written in many ways.
      if let address = addresses[index] { return names.contains { IPv6Literal($0) == address } }
      return names.contains { hosts[index]?.matches($0.lowercased()) ?? false }
    }
    guard let found else { return nil }
    if isCounted { counts[found] += 1 }
    return entries[found].fault
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
