package import Foundations
internal import OrderedCollections

extension Matcher {
  /// The keys of conditions on text.
  static let textKeys = [
    "all_of", "any_of", "between", "contains", "empty", "equals", "greater_than", "json",
    "less_than", "lines", "matches", "not", "one_of", "schema",
    "line_count", "yaml",
  ]
  /// The keys of conditions on output, which may be compared with a snapshot.
  static let outputKeys = textKeys + ["snapshot"]
  /// The keys of conditions on data.
  static let dataKeys = textKeys.filter {
    !["json", "lines", "line_count", "yaml"].contains($0)
  }

  /// Returns whether a key of a map makes the map a condition where data stands.
  package static func isConditionOnData(_ key: String) -> Bool {
    dataKeys.contains(key)
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
