internal import Foundations
internal import OrderedCollections

/// The language, key by key: what the JSON Schema and the book's reference are written from.
///
/// Maps come from `Grammar`, where a key is declared once. `make schema` writes schemas/scenario.schema.json.
enum LanguageDescription {
  /// The definitions, in the order of the schema.
  static let definitions: [LanguageDefinition] =
    scenarioDefinitions + blockDefinitions + scalarDefinitions + dataDefinitions
    + generatorDefinitions + secretDefinitions + inputDefinitions + stepSettingDefinitions
    + targetDefinitions + factoryDefinitions + networkDefinitions + nameDefinitions
    + requestDefinitions + stateDefinitions
    + replyDefinitions + streamDefinitions + graphQLDefinitions + chaosDefinitions
    + chaosProviderDefinitions + linkDefinitions + exploreDefinitions + stepDefinitions
    + expectationDefinitions + matcherDefinitions

  /// Each word that the language has: the keys of its maps, and the words that stand behind them.
  static let words: Set<String> = {
    var words: Set<String> = []
    for definition in definitions {
      switch definition.content {
      case .map(let keys, _):
        for key in keys {
          words.insert(key.name)
          collectWords(in: key.shape.schema, &words)
        }
      case .shape(let shape): collectWords(in: shape.schema, &words)
      }
    }
    return words
  }()

  private static func collectWords(in schema: Value, _ words: inout Set<String>) {
    switch schema {
    case .list(let elements): for element in elements { collectWords(in: element, &words) }
    case .map(let members):
      for (keyword, value) in members {
        if keyword == "enum", case .list(let own) = value {
          for case .string(let word) in own { words.insert(word) }
        } else if keyword == "const", case .string(let word) = value {
          words.insert(word)
        } else {
          collectWords(in: value, &words)
        }
      }
    default: break
    }
  }
}

/// A part of the language that other parts name.
struct LanguageDefinition: Sendable {
  /// The content of a definition.
  enum Content: Sendable {
    /// A map with keys of the language.
    case map([LanguageKey], [KeyRule])
    /// Any other shape.
    case shape(SchemaShape)
  }

  /// The name by which others refer to it.
  var name: String
  /// The summary, in one or two sentences in Markdown.
  var summary: String
  /// The content.
  var content: Content
  /// Values as they may be written.
  var examples: [Value] = []
  /// True if `null` means the empty map.
  var mayBeNull = false

  /// A map with keys of the language.
  static func map(
    _ name: String, _ summary: String, _ keys: [LanguageKey], rules: [KeyRule] = [],
    mayBeNull: Bool = false
  ) -> LanguageDefinition {
    LanguageDefinition(
      name: name, summary: summary, content: .map(keys, rules), mayBeNull: mayBeNull)
  }

  /// A value of one shape.
  static func shape(
    _ name: String, _ summary: String, _ shape: SchemaShape, examples: [Value] = []
  ) -> LanguageDefinition {
    LanguageDefinition(name: name, summary: summary, content: .shape(shape), examples: examples)
  }
}

/// A key of the language.
struct LanguageKey: Sendable {
  /// The key.
  var name: String
  /// The shape of the value behind it.
  var shape: SchemaShape
  /// The summary, in one or two sentences in Markdown.
  var summary: String
  /// True if the map cannot do without it.
  var isRequired: Bool
  /// Values as they may be written.
  var examples: [Value]
  /// The snippets that editors offer.
  var snippets: [Snippet]
  /// The names in version 1 of the language.
  var formerNames: [FormerName] = []
  /// Words of version 1 behind it, and what they are called today.
  var formerWords: [String: String] = [:]

  /// Describes a key.
  init(
    _ name: String, _ shape: SchemaShape, _ summary: String, isRequired: Bool = false,
    examples: [Value] = [], snippets: [Snippet] = []
  ) {
    self.name = name
    self.shape = shape
    self.summary = summary
    self.isRequired = isRequired
    self.examples = examples
    self.snippets = snippets
  }
}

/// A value that an editor writes, with places to fill in: `${1:text}`.
struct Snippet: Sendable {
  /// The label in the editor.
  var label: String
  /// The value as JSON.
  var body: String

  /// Describes a snippet.
  init(_ label: String, _ body: String) {
    self.label = label
    self.body = body
  }
}

/// A rule on which keys of a map go together.
enum KeyRule: Sendable {
  /// The map is not empty.
  case atLeastOneKey
  /// The map has one key, whichever.
  case exactlyOneKey
  /// At least one of these keys.
  case someOf([String])
  /// At most one of these keys.
  case atMostOne([String])
  /// Exactly one of these.
  case exactlyOne([String])
  /// A key that has no place beside others.
  case apart(String, from: [String])
  /// A key that has its place only beside another.
  case needs(String, String)
}
