package import Foundations
internal import OrderedCollections

/// Values of scalars and enums in a response (specification of October 2021, section 3.5).
package enum GraphQLLeaf {
  /// The reason why a value does not fit.
  package struct Problem: Error, Sendable, Hashable {
    /// Lower case, no full stop.
    package var message: String
    /// The exact fix, if one is known.
    package var help: String?
    /// True if the value of `__typename` is to blame.
    var isAboutName = false
  }

  /// The value as a response carries it; scalars that a schema defines itself may be anything.
  package static func serialize(_ value: Value, _ type: GraphQLType) -> Result<Value, Problem> {
    let name = type.name.text
    if type.kind == .enumeration { return enumeration(value, type) }
    switch (name, value) {
    case ("Int", .integer(let integer)) where Int32(exactly: integer) != nil:
      return .success(value)
    case ("Int", .number(let number)) where Int32(exactly: number) != nil:
      return .success(.integer(Int64(number)))
    case ("Int", .integer), ("Int", .number):
      return failure("\(value.jsonText()) is no Int, which is a whole number of 32 bits", nil)
    case ("Float", .integer), ("Float", .number), ("String", .string), ("Boolean", .bool),
      ("ID", .string):
      return .success(value)
    case ("ID", .integer(let integer)):
      return .success(.string(String(integer)))
    case ("Int", _), ("Float", _):
      return failure("expected \(name), got \(value.excerptOfKind)", "write a number")
    case ("Boolean", _):
      return failure("expected Boolean, got \(value.excerptOfKind)", "write true or false")
    case ("String", .integer), ("String", .number), ("String", .bool):
      return failure(
        "expected String, got \(value.excerptOfKind)", "write it in quotes: \"\(value.jsonText())\""
      )
    case ("String", _), ("ID", _):
      return failure("expected \(name), got \(value.excerptOfKind)", "write text")
    default:
      return .success(value)
    }
  }

  private static func enumeration(_ value: Value, _ type: GraphQLType) -> Result<Value, Problem> {
    let names = type.values.map(\.name.text)
    guard case .string(let name) = value else {
      return failure(
        "expected \(type.name.text), got \(value.excerptOfKind)",
        "write one of \(names.joined(separator: ", "))")
    }
    guard !names.contains(name) else { return .success(value) }
    return failure(
      "\"\(name)\" is no value of the enum \(type.name.text)",
      Suggestion.help(for: name, in: names, label: "values"))
  }

  private static func failure(_ message: String, _ help: String?) -> Result<Value, Problem> {
    .failure(Problem(message: message, help: help))
  }
}

extension GraphQLSchema {
  /// The object that data of a type is: what `__typename` says, or the only one that it can be.
  func concreteType(
    of members: OrderedDictionary<String, Value>, _ type: GraphQLType
  ) -> Result<GraphQLType, GraphQLLeaf.Problem> {
    let possible = possibleTypes(of: type)
    if let name = members["__typename"] {
      guard case .string(let text) = name, possible.contains(text), let found = types[text] else {
        let word = if case .string(let text) = name { text } else { name.jsonText() }
        return .failure(
          .init(
            message: "\"\(word)\" is no type of \(type.name.text)",
            help: Suggestion.help(for: word, in: possible, label: "types"), isAboutName: true))
      }
      return .success(found)
    }
    if possible.count == 1, let found = types[possible[0]] { return .success(found) }
    let keys = members.keys
    let fitting = possible.filter { name in
      keys.allSatisfy { types[name]?.field($0) != nil }
    }
    if fitting.count == 1, let found = types[fitting[0]] { return .success(found) }
    return .failure(
      .init(
        message: "it is not said which \(type.name.text) this is",
        help: "add \"__typename: \(possible.first ?? "…")\"; types: "
          + possible.joined(separator: ", ")))
  }
}

extension Value {
  /// The value with what it is, cut short: `the text "abc"`.
  var excerptOfKind: String {
    switch self {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .integer, .number: "the number \(jsonText())"
    case .string(let text): "the text \"\(text.prefix(60))\""
    case .list: "a list"
    case .map: "a map"
    }
  }
}
