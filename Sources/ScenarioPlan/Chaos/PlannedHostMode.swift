package import ScenarioModel

/// Hosts, and who answers for them.
package struct PlannedHostMode: Sendable, Hashable, Codable {
  /// A host in lower case; `*` matches any letters.
  package var pattern: String
  /// The mode, which decides who answers.
  package var mode: NetworkSettings.Mode

  /// Creates an entry.
  package init(pattern: String, mode: NetworkSettings.Mode) {
    self.pattern = pattern
    self.mode = mode
  }

  /// Returns whether the entry applies to a host, which is in lower case.
  package func matches(_ host: String) -> Bool {
    guard pattern.contains("*") else { return pattern == host }
    // A star spans dots, too: names have no folders.
    var rest = host[...]
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, rest.hasPrefix(first) else {
      return false
    }
    rest = rest.dropFirst(first.count)
    guard rest.count >= last.count, rest.hasSuffix(last) else { return false }
    rest = rest.dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
