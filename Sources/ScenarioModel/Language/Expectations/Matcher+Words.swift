package import Foundations
internal import OrderedCollections

extension Matcher {
  /// The keys of conditions on data.
  static let dataKeys = MatcherKind.data.keys.map(\.rawValue)

  /// Returns whether a key of a map makes the map a condition where data is expected.
  package static func isConditionOnData(_ key: String) -> Bool {
    dataKeys.contains(key)
  }

  /// Returns whether the keys of a map are conditions on data, and not all of them words that documents have as often.
  package static func areConditionsOnData(_ keys: [String]) -> Bool {
    keys.allSatisfy(isConditionOnData)
      && keys.contains { ConditionWord($0)?.isClearOnData ?? false }
  }

  /// Returns whether a map in a value has a key that is a condition on data, or looks like one.
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
