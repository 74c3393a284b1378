package import ScenarioPlan

/// The scripts of connections, and how many connections have followed each.
package struct Conversations: Sendable {
  /// A script, and which of its connections follows it.
  package struct Claim: Sendable {
    /// The entry.
    package var conversation: PlannedConversation
    /// The number of connections that have followed it, this one included.
    package var count: Int
  }

  private let entries: [PlannedConversation]
  private let conditions: [HostCondition]
  private var counts: [Int]

  /// Creates a table, in which the first matching entry that is not used up applies.
  package init(_ entries: [PlannedConversation]) {
    self.entries = entries
    conditions = entries.map { HostCondition(host: $0.host, port: $0.port) }
    counts = [Int](repeating: 0, count: entries.count)
  }

  /// Takes the script of a new connection; `nil` if there is none.
  ///
  /// - Parameter names: the host's name and its address, as far as they are known.
  package mutating func claim(_ names: [String], port: UInt16) -> Claim? {
    let found = entries.indices.first {
      counts[$0] < entries[$0].times ?? .max && conditions[$0].fits(names, port: port)
    }
    guard let found else { return nil }
    counts[found] += 1
    return Claim(conversation: entries[found], count: counts[found])
  }

  /// Returns whether a script is for a place, used up or not.
  package func speak(to names: [String], port: UInt16) -> Bool {
    conditions.contains { $0.fits(names, port: port) }
  }

  /// Entries that have not come to their end, in order.
  package func unused() -> [UnusedResponse] {
    entries.indices.compactMap { index in
      let total = entries[index].times ?? 1
      guard counts[index] < total, !isReplaced(index) else { return nil }
      return UnusedResponse(
        entry: index, name: entries[index].name, usedCount: counts[index], totalCount: total,
        range: entries[index].range, isConnection: true, isConversation: true)
    }
  }

  /// Returns whether a fallback was not needed because the scenario itself has an entry for its host.
  private func isReplaced(_ index: Int) -> Bool {
    let fallback = entries[index]
    guard fallback.isFallback == true else { return false }
    return entries.contains { own in
      own.isFallback != true && own.host == fallback.host
        && (own.port == nil || own.port == fallback.port)
    }
  }
}
