internal import OrderedCollections

extension Matcher {
  /// Whether a key of a map makes the map a condition where data stands.
  package static func isConditionOnData(_ key: String) -> Bool {
    Grammar.dataConditions.keys.contains(key)
  }

  /// Whether a map in a value has a key that is a condition on data, or looks like one.
  package static func mayStand(in value: Value) -> Bool {
    switch value {
    case .list(let elements): elements.contains { mayStand(in: $0) }
    case .map(let members):
      members.contains {
        ConditionWord($0.key)?.isClearOnData ?? false || mayStand(in: $0.value)
      }
    case .null, .bool, .integer, .number, .string: false
    }
  }
}
