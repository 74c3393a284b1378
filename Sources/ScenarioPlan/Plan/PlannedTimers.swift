package import Foundations
package import Patterns

/// `expect.timers`, ready to be checked.
package struct PlannedTimers: Sendable, Hashable, Codable {
  /// The pattern of programs whose waits count; `nil` is any.
  package var process: GlobPattern?
  /// The calls whose waits count, by their kernel names; empty is any.
  package var systemCalls: [String]
  /// The shortest wait that counts; `nil` is any.
  package var shortest: Nanoseconds?
  /// The condition on each of them; `nil` leaves them open.
  package var waits: [PlannedMatcher]?
  /// The condition on their number; `nil` leaves it open.
  package var count: PlannedMatcher?

  /// Creates a condition.
  package init(
    process: GlobPattern?, systemCalls: [String], shortest: Nanoseconds?,
    waits: [PlannedMatcher]?, count: PlannedMatcher?
  ) {
    self.process = process
    self.systemCalls = systemCalls
    self.shortest = shortest
    self.waits = waits
    self.count = count
  }

  /// Returns whether a wait is one of those that count.
  package func includes(program: String, systemCall: String, length: Nanoseconds) -> Bool {
    (process?.matches(program) ?? true)
      && (systemCalls.isEmpty || systemCalls.contains(systemCall))
      && shortest.map { length >= $0 } ?? true
  }

  /// The condition in a few words.
  package var summary: String {
    var parts: [String] = []
    if let process { parts.append("of \(process.text)") }
    if !systemCalls.isEmpty { parts.append("in \(systemCalls.joined(separator: ", "))") }
    if let shortest { parts.append("of at least \(shortest)") }
    if let count { parts.append("count \(count.summary)") }
    if let waits {
      parts.append("[" + waits.map(\.expectedText).joined(separator: ", ") + "]")
    }
    return parts.joined(separator: ", ")
  }
}

extension PlannedMatcher {
  /// The text in a list of expected values: the bare value, or the condition.
  package var expectedText: String {
    if case .equals(let data) = condition {
      if case .string(let text)? = data.literal { return text }
      return data.sourceText
    }
    return summary
  }
}
