internal import OrderedCollections

extension Value {
  /// The value of a key; `nil` where there is none, or where this is no map.
  package func member(_ key: String) -> Value? {
    if case .map(let members) = self { members[key] } else { nil }
  }
}
