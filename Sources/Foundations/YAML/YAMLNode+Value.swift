internal import OrderedCollections

extension YAMLNode {
  /// The data that a node means, keys with a `$` and expressions unchanged.
  package var plainValue: Value {
    switch content {
    case .sequence(let nodes): return .list(nodes.map(\.plainValue))
    case .mapping(let members):
      var map: OrderedDictionary<String, Value> = [:]
      for member in members { map[member.key.value] = member.value.plainValue }
      return .map(map)
    case .scalar(let scalar):
      return switch scalar.meaning {
      case .null: .null
      case .bool(let bool): .bool(bool)
      case .integer(let integer): .integer(integer)
      case .number(let number): .number(number)
      case .text, .tooLarge, .notFinite: .string(scalar.text)
      }
    }
  }
}
