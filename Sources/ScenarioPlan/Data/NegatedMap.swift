package import Foundations
internal import OrderedCollections

/// A map that an expression brings to a condition that must not hold: compared as a document, it would hold for nothing,
/// and `not` in front of it for everything.
package struct NegatedMap {
  /// The keys of the map.
  package let keys: [String]

  /// Looks for a map that has anything: the value itself, or the first in a list; `nil` if there is none.
  package init?(_ value: Value) {
    guard let keys = Self.keys(of: value) else { return nil }
    self.keys = keys
  }

  private static func keys(of value: Value) -> [String]? {
    switch value {
    case .map(let members): members.isEmpty ? nil : Array(members.keys)
    case .list(let values): values.lazy.compactMap { keys(of: $0) }.first
    default: nil
    }
  }

  /// What is wrong with it.
  package var message: String {
    let named = keys.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")
    return
      "this is a map (\(named)) that is either a document or conditions, in a negated condition"
  }

  /// What to do.
  package static let help =
    "for a document, write { equals: … } around it; conditions must be written literally"
}
