internal import Foundations
internal import OrderedCollections

/// Describes in words the values at a place of the language.
struct ShapeText {
  /// The names of definitions that have a heading of their own.
  let headings: Set<String>

  /// The form for texts without links.
  static let plain = ShapeText(headings: [])

  /// A definition's name in plain words: "chaos number" for `chaosNumber`, "GraphQL reply" for `graphQLReply`.
  static func title(_ name: String) -> String {
    var words: [String] = []
    var last: Character?
    for letter in name.replacing("graphQL", with: "graphql").replacing("GRPC", with: "Grpc") {
      if letter.isUppercase, last?.isUppercase == false { words.append("") }
      if words.isEmpty { words.append("") }
      words[words.count - 1].append(letter)
      last = letter
    }
    return words.map { $0.lowercased() }.joined(separator: " ")
  }

  /// A shape in Markdown, without line breaks or bars.
  func text(of shape: SchemaShape) -> String {
    alternatives(of: shape.schema).joined(separator: ", or ")
  }

  /// The values that are allowed there, each named once.
  private func alternatives(of schema: Value) -> [String] {
    var seen: Set<String> = []
    return named(schema).filter { seen.insert($0).inserted }
  }

  private func named(_ schema: Value) -> [String] {
    guard case .map(let keywords) = schema, !keywords.isEmpty else { return ["anything"] }
    if case .string(let reference)? = keywords["$ref"] { return [link(to: reference)] }
    if let value = keywords["const"] { return [code(value)] }
    if case .list(let words)? = keywords["enum"] { return words.map(code) }
    if case .list(let choices)? = keywords["anyOf"], !choices.allSatisfy(isCondition) {
      return choices.flatMap(named)
    }
    if keywords["if"] != nil {
      return [keywords["then"], keywords["else"]].compactMap { $0 }.flatMap(named)
    }
    return [byType(schema)]
  }

  /// Returns whether a schema says which keys there are, and not what.
  private func isCondition(_ schema: Value) -> Bool {
    guard case .map(let keywords) = schema else { return false }
    return Set(keywords.keys) == ["required"]
  }

  private func byType(_ schema: Value) -> String {
    switch schema["type"] {
    case .string("string")?:
      guard case .string(let pattern)? = schema["pattern"] else { return "text" }
      return "text that matches \(code(.string(pattern)))"
    case .string("integer")?: return "a whole number" + range(of: schema)
    case .string("number")?: return "a number" + range(of: schema)
    case .string("boolean")?: return "`true` or `false`"
    case .string("null")?: return "nothing"
    case .string("array")?: return list(schema)
    case .string("object")?: return map(schema)
    default: return "anything"
    }
  }

  private func range(of schema: Value) -> String {
    switch (schema["minimum"], schema["maximum"]) {
    case (.integer(let least)?, .integer(let most)?): " from \(least) to \(most)"
    case (.integer(let least)?, nil): " from \(least) up"
    default: ""
    }
  }

  private func list(_ schema: Value) -> String {
    let entry = schema["items"].map { alternatives(of: $0).joined(separator: " or ") } ?? "anything"
    guard case .integer(let least)? = schema["minItems"], schema["minItems"] == schema["maxItems"]
    else { return "a list of \(entry)" }
    return "a list of \(least) of \(entry)"
  }

  private func map(_ schema: Value) -> String {
    if let value = schema["additionalProperties"], case .map = value {
      return "a map of \(alternatives(of: value).joined(separator: " or "))"
    }
    if case .map(let patterns)? = schema["patternProperties"] {
      let values = patterns.values.flatMap { alternatives(of: $0) }
      return "a map of \(values.joined(separator: " or "))"
    }
    return "a map"
  }

  private func link(to reference: String) -> String {
    let name = reference.split(separator: "/").last.map(String.init) ?? reference
    let title = Self.title(name)
    return headings.contains(name)
      ? "[\(title)](#\(title.replacing(" ", with: "-")))" : title
  }

  /// A value as code; a bar would end the cell of a table.
  private func code(_ value: Value) -> String {
    let text = if case .string(let text) = value { text } else { value.jsonText(pretty: false) }
    return "`\(text.replacing("|", with: "\\|"))`"
  }
}

extension Value {
  fileprivate subscript(key: String) -> Value? {
    guard case .map(let keywords) = self else { return nil }
    return keywords[key]
  }
}
