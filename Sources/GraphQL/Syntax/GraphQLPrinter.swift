internal import Foundations

extension GraphQLDocument {
  /// The document in its canonical form, on one line: the same for all documents that differ in
  /// nothing but ignored tokens, ways to write strings, and the order of their definitions.
  package var canonicalText: String {
    let operations = operations.map(\.text).sorted()
    let fragments = fragments.map(\.text).sorted()
    return (operations + fragments).joined(separator: " ")
  }
}

extension GraphQLOperation {
  /// The operation on one line.
  package var text: String {
    if kind == .query, name == nil, variables.isEmpty, directives.isEmpty {
      return GraphQLPrinter.selections(selections)
    }
    var head = kind.rawValue
    if let name { head += " " + name.text }
    if !variables.isEmpty {
      head += "(" + variables.map(\.text).joined(separator: ", ") + ")"
    }
    return head + GraphQLPrinter.directives(directives) + " "
      + GraphQLPrinter.selections(selections)
  }
}

extension GraphQLVariableDefinition {
  fileprivate var text: String {
    "$\(name.text): \(type.text)" + (defaultValue.map { " = " + $0.text } ?? "")
      + GraphQLPrinter.directives(directives)
  }
}

extension GraphQLFragment {
  fileprivate var text: String {
    "fragment \(name.text) on \(condition.text)" + GraphQLPrinter.directives(directives) + " "
      + GraphQLPrinter.selections(selections)
  }
}

extension GraphQLSelection {
  fileprivate var text: String {
    switch self {
    case .field(let field):
      (field.alias.map { "\($0.text): " } ?? "") + field.name.text
        + GraphQLPrinter.arguments(field.arguments) + GraphQLPrinter.directives(field.directives)
        + (field.selections.isEmpty ? "" : " " + GraphQLPrinter.selections(field.selections))
    case .spread(let spread):
      "...\(spread.name.text)" + GraphQLPrinter.directives(spread.directives)
    case .inline(let inline):
      "..." + (inline.condition.map { " on \($0.text)" } ?? "")
        + GraphQLPrinter.directives(inline.directives) + " "
        + GraphQLPrinter.selections(inline.selections)
    }
  }
}

extension GraphQLValue {
  /// The value as a document writes it.
  package var text: String {
    switch content {
    case .variable(let name): "$" + name
    case .integer(let text), .float(let text): text
    case .string(let text, _): Value.string(text).jsonText()
    case .boolean(let flag): flag ? "true" : "false"
    case .null: "null"
    case .enumeration(let name): name
    case .list(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
    case .object(let fields):
      "{" + fields.map { "\($0.name.text): \($0.value.text)" }.joined(separator: ", ") + "}"
    }
  }
}

extension GraphQLValue {
  /// The value with the fields of objects in the order of their names: the same for values that mean
  /// the same.
  var sortedText: String {
    switch content {
    case .list(let elements): return "[" + elements.map(\.sortedText).joined(separator: ", ") + "]"
    case .object(let fields):
      let texts = fields.map { "\($0.name.text): \($0.value.sortedText)" }
      return "{" + texts.sorted().joined(separator: ", ") + "}"
    default: return text
    }
  }
}

/// The parts that several definitions share.
enum GraphQLPrinter {
  static func selections(_ selections: [GraphQLSelection]) -> String {
    "{ " + selections.map(\.text).joined(separator: " ") + " }"
  }

  static func directives(_ directives: [GraphQLDirective]) -> String {
    directives.map { " @\($0.name.text)" + arguments($0.arguments) }.joined()
  }

  static func arguments(_ arguments: [GraphQLArgument]) -> String {
    guard !arguments.isEmpty else { return "" }
    return "(" + arguments.map { "\($0.name.text): \($0.value.text)" }.joined(separator: ", ") + ")"
  }
}
