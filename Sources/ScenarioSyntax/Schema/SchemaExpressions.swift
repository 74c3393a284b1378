internal import Foundations
internal import OrderedCollections

/// Expressions in place of numbers, bools and words: they are put in before the language reads what stands there.
enum SchemaExpressions {
  /// The name of their definition.
  static let name = "expression"

  /// Text that holds one.
  static let definition = Value.map([
    "description": .string("An expression that gives the value."), "type": .string("string"),
    "pattern": .string(#"\$\{\{"#),
  ])

  /// Keywords behind which there are values of the same place, or of its parts.
  private static let parts: Set<String> = [
    "additionalProperties", "else", "items", "then",
  ]
  /// Keywords behind which there are values of its parts by names.
  private static let members: Set<String> = ["patternProperties", "properties"]

  /// Returns a schema that also takes an expression wherever it takes a number, a bool or a word.
  static func admitted(_ schema: Value) -> Value {
    guard case .map(let keywords) = schema else { return schema }
    return .map(refuses(keywords) ? beside(keywords) : admitted(in: keywords))
  }

  /// Returns the keywords of a schema that is no scalar's, its parts admitting expressions.
  static func admitted(
    in keywords: OrderedDictionary<String, Value>
  ) -> OrderedDictionary<String, Value> {
    var changed = keywords
    for (keyword, value) in keywords {
      if case .list(let alternatives) = value, keyword == "anyOf" {
        changed[keyword] = .list(admitted(among: alternatives))
      } else if case .list(let rules) = value, keyword == "allOf" {
        changed[keyword] = .list(rules.map(admitted))
      } else if parts.contains(keyword) {
        changed[keyword] = admitted(value)
      } else if members.contains(keyword), case .map(let schemas) = value {
        changed[keyword] = .map(schemas.mapValues(admitted))
      }
    }
    return changed
  }

  /// Returns alternatives with one more, if one of them is a scalar.
  private static func admitted(among alternatives: [Value]) -> [Value] {
    var isScalar = false
    let changed = alternatives.map { alternative in
      guard case .map(let keywords) = alternative, refuses(keywords) else {
        return admitted(alternative)
      }
      isScalar = true
      return alternative
    }
    return isScalar ? changed + [reference] : changed
  }

  private static let reference = Value.map(["$ref": .string("#/$defs/\(name)")])

  /// Returns whether keywords are those of a scalar which no text with an expression passes.
  private static func refuses(_ keywords: OrderedDictionary<String, Value>) -> Bool {
    switch keywords["type"] {
    case .string("integer"), .string("number"), .string("boolean"): true
    case .string("string"): keywords["pattern"] != nil
    default: keywords["enum"] != nil
    }
  }

  /// Documentation stays where editors look for it.
  private static func beside(
    _ keywords: OrderedDictionary<String, Value>
  ) -> OrderedDictionary<String, Value> {
    let documentation: Set<String> = [
      "default", "defaultSnippets", "description", "examples", "markdownDescription",
    ]
    var outer = keywords.filter { documentation.contains($0.key) }
    let inner = keywords.filter { !documentation.contains($0.key) }
    outer["anyOf"] = .list([.map(inner), reference])
    return outer
  }
}
