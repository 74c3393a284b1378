internal import Foundations
internal import OrderedCollections

/// Writes the description of the language as a JSON Schema.
struct SchemaWriter {
  /// Words that a project's own files bring in.
  var names = ProjectNames()

  /// The whole schema.
  func schema() -> Value {
    var root: OrderedDictionary<String, Value> = [
      "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
      "title": .string("Scenario file"),
    ]
    var definitions: OrderedDictionary<String, Value> = [:]
    for definition in LanguageDescription.definitions {
      let keywords = keywords(of: definition)
      if definition.name == LanguageDescription.rootName {
        root.merge(keywords) { $1 }
      } else {
        definitions[definition.name] = .map(keywords)
      }
    }
    definitions = definitions.mapValues(SchemaExpressions.admitted)
    for (name, words) in names.definitions { definitions[name] = words }
    definitions[SchemaExpressions.name] = SchemaExpressions.definition
    root = SchemaExpressions.admitted(in: root)
    root["$defs"] = .map(definitions)
    return .map(root)
  }

  private func keywords(
    of definition: LanguageDefinition
  ) -> OrderedDictionary<String, Value> {
    var keywords = Self.documentation(definition.summary, examples: definition.examples)
    switch definition.content {
    case .shape(let shape): keywords.merge(shape.keywords) { $1 }
    case .map(let keys, let rules):
      keywords["type"] =
        definition.mayBeNull ? .list([.string("object"), .string("null")]) : .string("object")
      keywords["additionalProperties"] = .bool(false)
      var properties: OrderedDictionary<String, Value> = [:]
      for key in keys { properties[key.name] = .map(property(key, of: definition)) }
      keywords["properties"] = .map(properties)
      keywords["patternProperties"] = .map([Self.extensions: .map([:])])
      let required = keys.filter(\.isRequired).map { Value.string($0.name) }
      if !required.isEmpty { keywords["required"] = .list(required) }
      keywords.merge(Self.keywords(of: rules, keys: keys.map(\.name))) { $1 }
    }
    return keywords
  }

  private func property(
    _ key: LanguageKey, of definition: LanguageDefinition
  ) -> OrderedDictionary<String, Value> {
    var keywords = Self.documentation(key.summary, examples: key.examples)
    let shape = names.shape(of: key.name, in: definition.name) ?? key.shape
    keywords.merge(shape.keywords) { $1 }
    if !key.snippets.isEmpty {
      keywords["defaultSnippets"] = .list(key.snippets.map { .map($0.keywords) })
    }
    return keywords
  }

  /// The plain text for readers, and the Markdown where it says more.
  private static func documentation(
    _ summary: String, examples: [Value]
  ) -> OrderedDictionary<String, Value> {
    var keywords: OrderedDictionary<String, Value> = [
      "description": .string(summary.replacing("`", with: "\""))
    ]
    if summary.contains("`") { keywords["markdownDescription"] = .string(summary) }
    if !examples.isEmpty { keywords["examples"] = .list(examples) }
    return keywords
  }

  // MARK: - Rules

  private static func keywords(
    of rules: [KeyRule], keys: [String]
  ) -> OrderedDictionary<String, Value> {
    var keywords: OrderedDictionary<String, Value> = [:]
    var all: [Value] = []
    var dependencies: OrderedDictionary<String, Value> = [:]
    for rule in rules {
      switch rule {
      case .atLeastOneKey: keywords["minProperties"] = .integer(1)
      case .exactlyOneKey:
        keywords["minProperties"] = .integer(1)
        keywords["maxProperties"] = .integer(1)
      case .someOf(let some): all.append(someOf(some))
      case .atMostOne(let alternatives): all += atMostOne(alternatives, keys: keys)
      case .exactlyOne(let alternatives):
        all.append(someOf(alternatives))
        all += atMostOne(alternatives, keys: keys)
      case .apart(let key, let others):
        all.append(allow(keys.filter { !others.contains($0) }, with: key))
      case .needs(let key, let other): dependencies[key] = .list([.string(other)])
      }
    }
    if !dependencies.isEmpty { keywords["dependentRequired"] = .map(dependencies) }
    if !all.isEmpty { keywords["allOf"] = .list(all) }
    return keywords
  }

  private static func someOf(_ keys: [String]) -> Value {
    .map(["anyOf": .list(keys.map { .map(["required": .list([.string($0)])]) })])
  }

  private static func atMostOne(_ alternatives: [String], keys: [String]) -> [Value] {
    alternatives.map { chosen in
      allow(keys.filter { $0 == chosen || !alternatives.contains($0) }, with: chosen)
    }
  }

  /// Returns the rule that allows only these keys beside a key, so that an editor lists them there.
  private static func allow(_ names: [String], with key: String) -> Value {
    let words = Value.map(["enum": .list(names.map { .string($0) })])
    return .map([
      "if": .map(["required": .list([.string(key)])]),
      "then": .map([
        "propertyNames": .map(["anyOf": .list([words, .map(["pattern": .string(extensions)])])])
      ]),
    ])
  }

  /// The keys that the language leaves to authors, in every map that has keys of its own.
  private static let extensions = "^x-"
}

extension Snippet {
  /// The snippet as editors read it.
  fileprivate var keywords: OrderedDictionary<String, Value> {
    ["label": .string(label), "body": (try? JSONText.parse(body)) ?? .string(body)]
  }
}
