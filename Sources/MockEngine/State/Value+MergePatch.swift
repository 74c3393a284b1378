package import Foundations
internal import OrderedCollections

extension Value {
  /// The value with a merge patch applied (RFC 7396): members of maps replace those of the same name, null takes one
  /// out, and anything but a map replaces the whole.
  package func merging(patch: Value) -> Value {
    guard case .map(let changes) = patch else { return patch }
    var members: OrderedDictionary<String, Value> = [:]
    if case .map(let own) = self { members = own }
    for (key, change) in changes {
      members[key] = change == .null ? nil : (members[key] ?? .null).merging(patch: change)
    }
    return .map(members)
  }
}
