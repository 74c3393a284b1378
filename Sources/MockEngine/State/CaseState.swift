package import Foundations
internal import OrderedCollections
internal import ScenarioPlan

/// A change of a case's state by a request.
package struct StateChange: Sendable, Hashable {
  /// The name.
  package var name: String
  /// The result: the value as JSON, or the change of a store's item.
  package var text: String

  /// Creates a change.
  package init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

/// The state that the responses of a case share: values by name, and the items of stores.
package struct CaseState: Sendable {
  private var values: OrderedDictionary<String, Value> = [:]
  private var stores: OrderedDictionary<String, StoreContents>

  /// Creates the state at the beginning: stores with their items, and values.
  init(stores: [PlannedStore], values: [PlannedStateChange]) {
    for value in values { self.values[value.name] = value.value.literal }
    self.stores = OrderedDictionary(
      stores.map { ($0.name, StoreContents($0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// The value of a name, or the items of a store as a list; `nil` if there is none.
  package subscript(name: String) -> Value? {
    stores[name].map { .list($0.list) } ?? values[name]
  }

  /// All values by name, stores first.
  package var value: Value {
    guard !stores.isEmpty else { return .map(values) }
    var all = stores.mapValues { Value.list($0.list) }
    for (name, value) in values { all[name] = value }
    return .map(all)
  }

  /// Sets values, all of which are seen from the state before.
  ///
  /// - Throws: `RunScopeError` if an expression has no value; nothing is set then.
  mutating func apply(
    _ changes: [PlannedStateChange], in scope: some RunScope
  ) throws(RunScopeError) -> [StateChange] {
    var made: [(name: String, value: Value)] = []
    for change in changes { made.append((change.name, try change.value.resolve(in: scope))) }
    for change in made { values[change.name] = change.value }
    return made.map { StateChange(name: $0.name, text: $0.value.excerpt(limit: 200)) }
  }

  /// Answers a request for a store; `nil` if there is no store of the name.
  mutating func answer(_ request: StoreRequest, ofStore name: String) -> StoreReply? {
    stores[name]?.answer(request)
  }
}
