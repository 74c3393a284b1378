package import Foundations

/// `{ store: … }`: a collection of items that requests read and change.
package struct StorePattern: Sendable {
  /// `store:` the name, by which state shows the items.
  package var name: Located<String>
  /// `at:` the URL of the collection.
  package var url: Located<String>
  /// `id:` the member that tells items apart; `id` unless said.
  package var identifier: Located<String>?
  /// `items:` the items at the beginning; none unless said.
  package var items: DataNode?

  /// Creates a collection.
  package init(name: Located<String>, url: Located<String>) {
    self.name = name
    self.url = url
  }
}

extension ResponseEntry {
  /// The names of the state that the entry sets, or holds as a store.
  package var stateNames: [Located<String>] {
    if case .store(let store) = match { return [store.name] }
    return changes.map(\.key)
  }
}
