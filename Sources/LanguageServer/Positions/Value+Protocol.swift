internal import Foundations
internal import OrderedCollections

extension Value {
  /// A map, without members that have no value.
  static func object(_ members: KeyValuePairs<String, Value?>) -> Value {
    var value = Value.map([:])
    guard case .map(var map) = value else { return value }
    for (key, member) in members { map[key] = member }
    value = .map(map)
    return value
  }

  /// The text of a string.
  var stringValue: String? { if case .string(let text) = self { text } else { nil } }

  /// A whole number that fits a place in a text.
  var intValue: Int? {
    guard case .integer(let integer) = self else { return nil }
    return Int(clamping: integer)
  }

  /// The elements of a list.
  var listValue: [Value]? { if case .list(let elements) = self { elements } else { nil } }

  /// True or false.
  var boolValue: Bool? { if case .bool(let bool) = self { bool } else { nil } }

  /// The value behind several keys.
  func at(_ keys: String...) -> Value? {
    keys.reduce(Optional(self)) { $0?.member($1) }
  }
}

extension Value {
  static func int(_ number: Int) -> Value { .integer(Int64(number)) }
}

extension EditorPosition {
  /// A position of a message; `nil` if it is none.
  init?(_ value: Value?) {
    guard let line = value?.member("line")?.intValue, line >= 0,
      let character = value?.member("character")?.intValue, character >= 0
    else { return nil }
    self.init(line: line, character: character)
  }

  var value: Value { .object(["line": .int(line), "character": .int(character)]) }
}

extension EditorRange {
  /// A range of a message; `nil` if it is none.
  init?(_ value: Value?) {
    guard let start = EditorPosition(value?.member("start")),
      let end = EditorPosition(value?.member("end"))
    else { return nil }
    self.init(start: start, end: end)
  }

  var value: Value { .object(["start": start.value, "end": end.value]) }
}
