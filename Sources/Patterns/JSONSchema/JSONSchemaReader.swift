internal import Foundations
internal import OrderedCollections

/// Reads a JSON Schema into rules.
struct JSONSchemaReader {
  /// The greatest depth to which subschemas may be nested.
  private static let depthLimit = 100

  /// Keywords that say nothing about validity (core, section 8.3; validation, section 9).
  private static let annotations: Set<String> = [
    "$anchor", "$comment", "$defs", "$id", "$schema", "default", "definitions", "deprecated",
    "description", "else", "maxContains", "minContains", "readOnly", "then", "title",
    "writeOnly", "additionalProperties", "patternProperties", "prefixItems",
  ]
  private static let keywords = [
    "$ref", "allOf", "anyOf", "const", "contains", "dependentRequired", "dependentSchemas", "enum",
    "exclusiveMaximum", "exclusiveMinimum", "format", "if", "items", "maxItems", "maxLength",
    "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf",
    "not", "oneOf", "pattern", "properties", "propertyNames", "required", "type", "uniqueItems",
  ]
  private static let types = [
    "array", "boolean", "integer", "null", "number", "object", "string",
  ]

  private let source: Value
  private var definitions: [String: JSONSubschema] = [:]
  private var references: [(reference: String, place: String)] = []
  private var depth = 0

  init(_ source: Value) {
    self.source = source
  }

  mutating func read() throws(PatternError) -> JSONSchemaRules {
    let top = try subschema(source, "#")
    definitions["#"] = top
    // References may name places that no keyword made a subschema of.
    var index = 0
    while index < references.count {
      let (reference, place) = references[index]
      index += 1
      guard definitions[reference] == nil else { continue }
      guard let target = value(at: reference) else {
        throw problem("\"$ref\" names \"\(reference)\", which is not there", place)
      }
      definitions[reference] = try subschema(target, reference)
    }
    return JSONSchemaRules(top: top, definitions: definitions)
  }

  private func problem(_ what: String, _ place: String, help: String? = nil) -> PatternError {
    PatternError(
      "the schema is wrong at \(place): \(what)",
      help: help ?? "see JSON Schema, draft 2020-12; \(place) counts from the schema's top",
      place: place)
  }

  // MARK: - Subschemas

  private mutating func subschema(
    _ value: Value, _ place: String
  ) throws(PatternError) -> JSONSubschema {
    guard depth < Self.depthLimit else { throw problem("it stands too deep", place) }
    depth += 1
    defer { depth -= 1 }
    if case .bool(let isValid) = value { return .constant(isValid) }
    guard case .map(let members) = value else {
      throw problem("a schema is a map or a truth value, not \(value.kindWithArticle)", place)
    }
    var rules: [JSONRule] = []
    for (key, value) in members {
      rules += try self.rules(key, value, members, "\(place)/\(JSONPointer.escaped(key))")
    }
    let hasMemberRules = ["properties", "patternProperties", "additionalProperties"].contains {
      members[$0] != nil
    }
    if hasMemberRules { rules.append(.members(try memberRules(members, place))) }
    if members["items"] != nil || members["prefixItems"] != nil {
      rules.append(try itemRule(members, place))
    }
    for name in ["$defs", "definitions"] {
      for (key, value) in try map(members[name], "\(place)/\(name)") {
        let place = "\(place)/\(name)/\(JSONPointer.escaped(key))"
        definitions[place] = try subschema(value, place)
      }
    }
    if case .string(let anchor)? = members["$anchor"] { definitions["#\(anchor)"] = .rules(rules) }
    return .rules(rules)
  }

  private mutating func subschemas(
    _ value: Value, _ place: String
  ) throws(PatternError) -> [JSONSubschema] {
    guard case .list(let elements) = value, !elements.isEmpty else {
      throw problem("it must be a list of schemas", place)
    }
    var schemas: [JSONSubschema] = []
    for (index, element) in elements.enumerated() {
      schemas.append(try subschema(element, "\(place)/\(index)"))
    }
    return schemas
  }

  private mutating func named(
    _ value: Value?, _ place: String
  ) throws(PatternError) -> [String: JSONSubschema] {
    var schemas: [String: JSONSubschema] = [:]
    for (key, value) in try map(value, place) {
      schemas[key] = try subschema(value, "\(place)/\(JSONPointer.escaped(key))")
    }
    return schemas
  }

  // MARK: - Keywords

  private mutating func rules(
    _ key: String, _ value: Value, _ members: OrderedDictionary<String, Value>, _ place: String
  ) throws(PatternError) -> [JSONRule] {
    switch key {
    case "$ref": return [.reference(try reference(value, place))]
    case "type": return [.types(try types(value, place))]
    case "const": return [.choices([value])]
    case "enum":
      guard case .list(let choices) = value else { throw problem("it must be a list", place) }
      return [.choices(choices)]
    case "allOf": return [.allOf(try subschemas(value, place))]
    case "anyOf": return [.anyOf(try subschemas(value, place))]
    case "oneOf": return [.oneOf(try subschemas(value, place))]
    case "not": return [.not(try subschema(value, place))]
    case "if":
      let then = try members["then"].map { value throws(PatternError) in
        try subschema(value, place + "/then")
      }
      let otherwise = try members["else"].map { value throws(PatternError) in
        try subschema(value, place + "/else")
      }
      return [.conditional(try subschema(value, place), then: then, otherwise: otherwise)]
    case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
      let bound = JSONBound(rawValue: key) ?? .minimum
      return [.bound(bound, try number(value, place), text: value.jsonText())]
    case "multipleOf":
      let factor = try number(value, place)
      guard factor > 0 else { throw problem("it must be greater than 0", place) }
      return [.multiple(factor)]
    case "minLength": return [.length(.letters, minimum: true, try count(value, place))]
    case "maxLength": return [.length(.letters, minimum: false, try count(value, place))]
    case "minItems": return [.length(.elements, minimum: true, try count(value, place))]
    case "maxItems": return [.length(.elements, minimum: false, try count(value, place))]
    case "minProperties": return [.length(.members, minimum: true, try count(value, place))]
    case "maxProperties": return [.length(.members, minimum: false, try count(value, place))]
    case "pattern":
      let text = try text(value, place)
      return [.pattern(try expression(text, place), text)]
    case "format": return [.format(try format(value, place))]
    case "contains":
      return [
        .contains(
          try subschema(value, place),
          minimum: try members["minContains"].map { value throws(PatternError) in
            try count(value, place)
          } ?? 1,
          maximum: try members["maxContains"].map { value throws(PatternError) in
            try count(value, place)
          })
      ]
    case "uniqueItems":
      guard case .bool(let isUnique) = value else {
        throw problem("it must be true or false", place)
      }
      return isUnique ? [.uniqueItems] : []
    case "required": return [.required(try texts(value, place))]
    case "dependentRequired":
      var names: [String: [String]] = [:]
      for (key, value) in try map(value, place) { names[key] = try texts(value, place) }
      return [.dependentRequired(names)]
    case "dependentSchemas": return [.dependentSchemas(try named(value, place))]
    case "propertyNames": return [.propertyNames(try subschema(value, place))]
    case "items", "properties": return []
    case "examples":
      if case .list(let examples) = value, let first = examples.first { return [.example(first)] }
      return []
    case _ where Self.annotations.contains(key): return []
    default:
      throw problem(
        "the keyword \"\(key)\" is not known", place,
        help: Suggestion.help(for: key, in: Self.keywords, label: "known keywords"))
    }
  }

  private mutating func memberRules(
    _ members: OrderedDictionary<String, Value>, _ place: String
  ) throws(PatternError) -> JSONMemberRules {
    var rules = JSONMemberRules()
    rules.named = try named(members["properties"], "\(place)/properties")
    for (pattern, value) in try map(members["patternProperties"], "\(place)/patternProperties") {
      let place = "\(place)/patternProperties/\(JSONPointer.escaped(pattern))"
      rules.patterns.append(
        (try expression(pattern, place), pattern, try subschema(value, place)))
    }
    if let rest = members["additionalProperties"] {
      rules.rest = try subschema(rest, "\(place)/additionalProperties")
    }
    return rules
  }

  private mutating func itemRule(
    _ members: OrderedDictionary<String, Value>, _ place: String
  ) throws(PatternError) -> JSONRule {
    let prefix = try members["prefixItems"].map { value throws(PatternError) in
      try subschemas(value, "\(place)/prefixItems")
    }
    let rest = try members["items"].map { value throws(PatternError) in
      try subschema(value, "\(place)/items")
    }
    return .items(prefix: prefix ?? [], rest: rest)
  }

  // MARK: - References

  private mutating func reference(_ value: Value, _ place: String) throws(PatternError) -> String {
    let text = try text(value, place)
    guard text.hasPrefix("#") else {
      throw problem(
        "\"\(text)\" leads out of the schema", place,
        help: "copy what it names into $defs, and write \"#/$defs/NAME\"")
    }
    references.append((text, place))
    return text
  }

  /// Returns the value at the JSON pointer (RFC 6901) of a fragment.
  private func value(at reference: String) -> Value? {
    guard reference == "#" || reference.hasPrefix("#/") else { return nil }
    var current = source
    for part in reference.split(separator: "/").dropFirst() {
      let key = JSONPointer.unescaped(PercentEncoding.decoded(part))
      switch current {
      case .map(let members):
        guard let member = members[key] else { return nil }
        current = member
      case .list(let elements):
        guard let index = Int(key), elements.indices.contains(index) else { return nil }
        current = elements[index]
      default: return nil
      }
    }
    return current
  }

  // MARK: - Values

  private func map(
    _ value: Value?, _ place: String
  ) throws(PatternError) -> OrderedDictionary<String, Value> {
    guard let value else { return [:] }
    guard case .map(let members) = value else { throw problem("it must be a map", place) }
    return members
  }

  private func text(_ value: Value, _ place: String) throws(PatternError) -> String {
    guard case .string(let text) = value else { throw problem("it must be text", place) }
    return text
  }

  private func texts(_ value: Value, _ place: String) throws(PatternError) -> [String] {
    guard case .list(let elements) = value else { throw problem("it must be a list", place) }
    var texts: [String] = []
    for element in elements { texts.append(try text(element, place)) }
    return texts
  }

  private func number(_ value: Value, _ place: String) throws(PatternError) -> Double {
    switch value {
    case .integer(let integer): return Double(integer)
    case .number(let number): return number
    default: throw problem("it must be a number", place)
    }
  }

  private func count(_ value: Value, _ place: String) throws(PatternError) -> Int {
    let number = try number(value, place)
    guard let count = Int(exactly: number), count >= 0 else {
      throw problem("it must be a whole number from 0", place)
    }
    return count
  }

  private func types(_ value: Value, _ place: String) throws(PatternError) -> [String] {
    let names: [String]
    if case .string(let name) = value { names = [name] } else { names = try texts(value, place) }
    for name in names where !Self.types.contains(name) {
      throw problem(
        "\"\(name)\" is not a type", place,
        help: Suggestion.help(for: name, in: Self.types, label: "types"))
    }
    return names
  }

  private func expression(
    _ text: String, _ place: String
  ) throws(PatternError) -> LinearExpression {
    do throws(PatternError) {
      return try LinearExpression(text)
    } catch {
      throw problem(error.message, place, help: error.help)
    }
  }

  private func format(_ value: Value, _ place: String) throws(PatternError) -> JSONFormat {
    let name = try text(value, place)
    guard let format = JSONFormat(rawValue: name) else {
      throw problem(
        "the format \"\(name)\" is not known", place,
        help: Suggestion.help(
          for: name, in: JSONFormat.allCases.map(\.rawValue), label: "known formats"))
    }
    return format
  }
}
