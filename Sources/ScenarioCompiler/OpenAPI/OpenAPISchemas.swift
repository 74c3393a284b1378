internal import Foundations
internal import OrderedCollections
internal import Patterns

/// Turns the schemas of a document into definitions of one JSON Schema, for one direction.
///
/// OpenAPI 3.0 has a dialect of its own; what says nothing of validity is left out, and so is what clients never send or
/// never get.
struct OpenAPISchemas {
  /// The direction in which values go.
  enum Direction {
    /// From clients: what is for reading only need not be there.
    case request
    /// To clients: what is for writing only is not there.
    case reply
  }

  private static let schemaKeys: Set<String> = [
    "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then",
  ]
  private static let listKeys: Set<String> = ["allOf", "anyOf", "oneOf", "prefixItems"]
  private static let mapKeys: Set<String> = ["dependentSchemas", "patternProperties", "properties"]
  private static let dataKeys: Set<String> = [
    "const", "dependentRequired", "enum", "exclusiveMaximum", "exclusiveMinimum", "maxContains",
    "maxItems", "maxLength", "maxProperties", "maximum", "minContains", "minItems", "minLength",
    "minProperties", "minimum", "multipleOf", "type", "uniqueItems",
  ]
  /// Keys whose values are schemas that hold for the same value.
  private static let partKeys = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"]

  /// The maximum number of parts of a schema in which members are looked for.
  private static let partLimit = 100

  private let direction: Direction
  /// True for OpenAPI 3.0.
  private let isOld: Bool
  private var names: Set<String> = []
  private var pending: [OpenAPIPlace] = []
  private var places: [String: OpenAPIPlace] = [:]
  /// The names of members that only the other direction has, by the schema.
  private var marked: [String: Set<String>] = [:]

  init(_ direction: Direction, isOld: Bool) {
    self.direction = direction
    self.isOld = isOld
  }

  /// Returns the reference to a schema's definition.
  mutating func reference(to place: OpenAPIPlace) -> String {
    if names.insert(place.name).inserted {
      pending.append(place)
      places[place.name] = place
    }
    return JSONSchema.reference(toDefinition: place.name)
  }

  /// The schema of all definitions; `nil` if one is wrong, which has been reported.
  mutating func schema(_ files: inout OpenAPIFiles) -> JSONSchema? {
    var definitions: OrderedDictionary<String, Value> = [:]
    while let place = pending.popLast() {
      definitions[place.name] = convert(place, &files)
    }
    // The order in which schemas are met is no part of what they say.
    definitions.sort { $0.key < $1.key }
    guard !reportCircle(in: definitions, &files) else { return nil }
    do throws(PatternError) {
      return try JSONSchema(.map(["$defs": .map(definitions)]))
    } catch {
      report(error, &files)
      return nil
    }
  }

  // MARK: - Mistakes

  private func report(_ error: PatternError, _ files: inout OpenAPIFiles) {
    let steps = (error.place ?? "").split(separator: "/").dropFirst(2)
    guard let first = steps.first, var place = places[JSONPointer.unescaped(first)] else { return }
    for step in steps.dropFirst() {
      guard let next = place.step(JSONPointer.unescaped(step)) else { break }
      place = next
    }
    let prefix = "the schema is wrong at \(error.place ?? ""): "
    let message = error.message.replacing(prefix, with: "")
    let isGeneral = error.help.hasPrefix("see JSON Schema")
    files.report(
      "the schema is wrong: \(message)", at: place.range,
      help: isGeneral ? "see \"Schema Object\" in the specification of OpenAPI" : error.help)
  }

  /// Reports a schema that is a part of itself, which no value could ever be compared with; answers whether there is one.
  private func reportCircle(
    in definitions: OrderedDictionary<String, Value>, _ files: inout OpenAPIFiles
  ) -> Bool {
    var parts: [String: [String]] = [:]
    for (name, schema) in definitions { parts[name] = Self.definitions(in: schema) }
    var done: Set<String> = []
    for start in definitions.keys where !done.contains(start) {
      var path: [(name: String, next: Int)] = [(start, 0)]
      var open: Set<String> = [start]
      while let last = path.last {
        let next = parts[last.name] ?? []
        guard last.next < next.count else {
          done.insert(last.name)
          open.remove(last.name)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let name = next[last.next]
        if open.contains(name) {
          guard let place = places[name] else { return true }
          files.report(
            "the schema is a part of itself: it refers to itself by $ref, allOf, anyOf or oneOf",
            at: place.range, help: "let a property or a list refer to it")
          return true
        }
        guard !done.contains(name) else { continue }
        open.insert(name)
        path.append((name, 0))
      }
    }
    return false
  }

  /// The definitions that a schema refers to for the same value.
  private static func definitions(in schema: Value) -> [String] {
    guard case .map(let members) = schema else { return [] }
    var found: [String] = []
    if case .string(let reference)? = members["$ref"] {
      found.append(JSONPointer.unescaped(reference.dropFirst(JSONSchema.definitionPrefix.count)))
    }
    for key in partKeys {
      switch members[key] {
      case .list(let parts)?: found += parts.flatMap { definitions(in: $0) }
      case .map(let part)?: found += definitions(in: .map(part))
      default: break
      }
    }
    return found
  }

  // MARK: - Conversion

  /// - Parameter hidden: members that a schema around this one says only the other direction has.
  private mutating func convert(
    _ place: OpenAPIPlace, hidden: Set<String> = [], _ files: inout OpenAPIFiles
  ) -> Value {
    guard place.isMap else {
      if case .bool(let isValid) = place.value { return .bool(isValid) }
      files.report(
        "a schema is a map, not \(place.value.kindWithArticle)", at: place.range,
        help: "write { type: string }, or another schema")
      return .bool(true)
    }
    var result: OrderedDictionary<String, Value> = [:]
    if let reference = place["$ref"] {
      guard let target = files.target(of: reference) else { return .bool(true) }
      result["$ref"] = .string(self.reference(to: target))
      // In 3.0 nothing counts beside a reference, but "nullable" is often written there.
      if isOld { return Self.nullable(result, place) }
    }
    let needsHidden = place["required"] != nil || place["allOf"] != nil || !hidden.isEmpty
    let hidden = needsHidden ? hidden.union(onlyOthers(place, &files)) : []
    for (key, value) in place.members {
      if Self.schemaKeys.contains(key.value) {
        result[key.value] = convert(value, &files)
      } else if Self.listKeys.contains(key.value), !value.elements.isEmpty {
        let isSame = key.value != "prefixItems"
        result[key.value] = .list(
          value.elements.map { convert($0, hidden: isSame ? hidden : [], &files) })
      } else if Self.mapKeys.contains(key.value), value.isMap {
        result[key.value] = convertMembers(value, isProperties: key.value == "properties", &files)
      } else if Self.dataKeys.contains(key.value) || Self.listKeys.contains(key.value)
        || Self.mapKeys.contains(key.value)
      {
        result[key.value] = value.value
      }
    }
    if let required = required(place, without: hidden) { result["required"] = required }
    convertTexts(place, &result)
    if isOld { Self.convertBounds(&result) }
    if let example = example(of: place, &files) { result["examples"] = .list([example]) }
    discriminate(place, &result, &files)
    return isOld ? Self.nullable(result, place) : .map(result)
  }

  private mutating func convertMembers(
    _ place: OpenAPIPlace, isProperties: Bool, _ files: inout OpenAPIFiles
  ) -> Value {
    var result: OrderedDictionary<String, Value> = [:]
    for (key, value) in place.members {
      if isProperties, direction == .reply, isMarked(value, &files) {
        continue
      }
      result[key.value] = convert(value, &files)
    }
    return .map(result)
  }

  /// The members that must be there, but for those that only the other direction has.
  private func required(_ place: OpenAPIPlace, without hidden: Set<String>) -> Value? {
    guard let list = place["required"] else { return nil }
    // Written at a property, as in Swagger's first version, it says nothing of the property's own value.
    guard case .list(let names) = list.value else { return isOld ? nil : list.value }
    return .list(
      names.filter { name in
        if case .string(let name) = name { !hidden.contains(name) } else { true }
      })
  }

  /// The members of a schema and of all its parts that only the other direction has.
  private mutating func onlyOthers(
    _ place: OpenAPIPlace, _ files: inout OpenAPIFiles
  ) -> Set<String> {
    if let known = marked[place.name] { return known }
    var found: Set<String> = []
    for part in parts(of: place, &files) {
      for (name, property) in part["properties"]?.members ?? []
      where isMarked(property, &files) {
        found.insert(name.value)
      }
    }
    marked[place.name] = found
    return found
  }

  /// Whether a property is one that only the other direction has: it says so itself, beside a reference, or what it is
  /// made of does.
  private func isMarked(_ property: OpenAPIPlace, _ files: inout OpenAPIFiles) -> Bool {
    let word = direction == .reply ? "writeOnly" : "readOnly"
    return parts(of: property, &files).contains { $0[word]?.isTrue == true }
  }

  /// The place of a member of a schema, also one that a part of it names.
  func property(
    _ name: String, of place: OpenAPIPlace, _ files: inout OpenAPIFiles
  ) -> OpenAPIPlace? {
    parts(of: place, &files).lazy.compactMap { $0["properties"]?[name] }.first
  }

  /// A schema and those that hold for the same value with it: the parts of `allOf`, and what references name.
  private func parts(of schema: OpenAPIPlace, _ files: inout OpenAPIFiles) -> [OpenAPIPlace] {
    var found: [OpenAPIPlace] = []
    var seen: Set<String> = []
    var open = [schema]
    while let part = open.popLast(), found.count < Self.partLimit {
      guard seen.insert(part.name).inserted else { continue }
      found.append(part)
      open += part["allOf"]?.elements ?? []
      if let reference = part["$ref"], let target = files.target(of: reference) {
        open.append(target)
      }
    }
    return found
  }

  /// `pattern` and `format`, as far as they can be checked: others are for readers.
  private func convertTexts(
    _ place: OpenAPIPlace, _ result: inout OrderedDictionary<String, Value>
  ) {
    if let format = place["format"]?.text, JSONFormat(rawValue: format) != nil {
      result["format"] = .string(format)
    }
    // Documents are written for backtracking engines, whose look-around no linear search has.
    if let pattern = place["pattern"]?.text, (try? LinearExpression(pattern)) != nil {
      result["pattern"] = .string(pattern)
    }
  }

  /// `exclusiveMinimum: true` of 3.0.
  private static func convertBounds(_ result: inout OrderedDictionary<String, Value>) {
    for (flag, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
      guard case .bool(let isExclusive)? = result[flag] else { continue }
      result[flag] = isExclusive ? result.removeValue(forKey: bound) : nil
    }
  }

  /// `nullable: true` of 3.0.
  private static func nullable(
    _ schema: OrderedDictionary<String, Value>, _ place: OpenAPIPlace
  ) -> Value {
    guard place["nullable"]?.isTrue == true else { return .map(schema) }
    var schema = schema
    if case .list(let values)? = schema["enum"], !values.contains(.null) {
      schema["enum"] = .list(values + [.null])
    }
    if case .string(let type)? = schema["type"] {
      schema["type"] = .list([.string(type), .string("null")])
      return .map(schema)
    }
    guard !schema.isEmpty else { return .map(schema) }
    return .map(["anyOf": .list([.map(schema), .map(["type": .string("null")])])])
  }

  /// The value that shows what is meant: `example`, the first of `examples`, or `default`.
  private mutating func example(of place: OpenAPIPlace, _ files: inout OpenAPIFiles) -> Value? {
    guard direction == .reply, case .map(var members)? = writtenExample(of: place) else {
      return writtenExample(of: place)
    }
    for name in onlyOthers(place, &files) { members[name] = nil }
    return .map(members)
  }

  private func writtenExample(of place: OpenAPIPlace) -> Value? {
    if let example = place["example"] { return example.value }
    if case .list(let examples)? = place["examples"]?.value, let first = examples.first {
      return first
    }
    if let usual = place["default"] { return usual.value }
    return place["format"]?.text == "byte" && place["pattern"] == nil
      ? .string("c2NlbmFyaW8=") : nil
  }

  /// Ties each choice of `oneOf` or `anyOf` to the words by which `discriminator` tells them apart.
  private func discriminate(
    _ place: OpenAPIPlace, _ result: inout OrderedDictionary<String, Value>,
    _ files: inout OpenAPIFiles
  ) {
    guard let property = place["discriminator"]?["propertyName"]?.text else { return }
    let mapping = files.members(of: place["discriminator"]?["mapping"])
    for key in ["oneOf", "anyOf"] {
      guard case .list(let choices)? = result[key], let parts = place[key]?.elements,
        parts.count == choices.count
      else { continue }
      let words = parts.map { part -> [Value] in
        guard let reference = part["$ref"], let text = reference.text else { return [] }
        let name = text.split(separator: "/").last.map { JSONPointer.unescaped($0) } ?? text
        let mapped = mapping.filter { $0.value.text == text || $0.value.text == name }
        return mapped.isEmpty ? [.string(name)] : mapped.map { .string($0.key.value) }
      }
      guard !words.contains(where: \.isEmpty) else { continue }
      result[key] = .list(
        zip(words, choices).map { words, choice in
          let word: Value = .map([
            "required": .list([.string(property)]),
            "properties": .map([property: .map(["enum": .list(words)])]),
          ])
          return .map(["allOf": .list([word, choice])])
        })
    }
  }
}
