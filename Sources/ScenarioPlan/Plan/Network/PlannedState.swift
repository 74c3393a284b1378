package import Foundations
package import Patterns

/// What an entry needs of the case's state, and what it makes of it.
package struct PlannedStateUse: Sendable, Hashable, Codable {
  /// The conditions on values, by name; where one does not hold, the entry is skipped.
  package var conditions: [PlannedFieldMatcher]
  /// The values behind a request that the entry has answered.
  package var changes: [PlannedStateChange]

  /// Creates conditions and changes.
  package init(conditions: [PlannedFieldMatcher], changes: [PlannedStateChange]) {
    self.conditions = conditions
    self.changes = changes
  }
}

/// A value that state gets.
package struct PlannedStateChange: Sendable, Hashable, Codable {
  /// The name.
  package var name: String
  /// The value, seen from the request and the state before it.
  package var value: PlannedData

  /// Creates a change.
  package init(name: String, value: PlannedData) {
    self.name = name
    self.value = value
  }
}

/// A collection of items that requests read and change.
package struct PlannedStore: Sendable, Hashable, Codable {
  /// The name, by which state shows the items.
  package var name: String
  /// The URL of the collection, without templates.
  package var url: URLPattern
  /// The member that tells items apart.
  package var identifier: String
  /// The items at the beginning: maps, each with an identifier of its own.
  package var items: [Value]
  /// The seed that made identifiers derive from.
  package var seed: Int64

  /// Creates a collection.
  package init(
    name: String, url: URLPattern, identifier: String, items: [Value], seed: Int64
  ) {
    self.name = name
    self.url = url
    self.identifier = identifier
    self.items = items
    self.seed = seed
  }

  /// The address of a request for a store.
  package enum Address: Sendable, Hashable {
    /// The collection.
    case collection
    /// The item with that identifier.
    case item(String)
  }

  /// Returns the part of the store that a request is for; `nil` if it is for something else.
  package func address(of target: RequestTarget) -> Address? {
    guard url.matchesScheme(target), url.matchesHost(target), url.matchesPort(target),
      target.path.hasPrefix(url.path)
    else { return nil }
    let rest = target.path.dropFirst(url.path.count)
    if rest.isEmpty || rest == "/" { return .collection }
    guard rest.first == "/" || url.path.hasSuffix("/") else { return nil }
    let segment = rest.first == "/" ? rest.dropFirst() : rest
    guard !segment.contains("/") else { return nil }
    return .item(PercentEncoding.decoded(segment))
  }
}
