package import Foundations
internal import OrderedCollections

/// A place of a scenario file, as the language knows it: what may stand there, and what it means.
///
/// It follows from `Grammar`, as the JSON Schema does, and is good for files that cannot be read, too.
package struct LanguagePlace: Sendable {
  /// The key by which a place is reached.
  struct Origin: Sendable {
    var definition: String
    var key: LanguageKey
    /// The number of maps with keys of the author's choice below it.
    var depth = 0
  }

  /// The schema of the values that are allowed there; `nil` where the language says nothing.
  let schema: Value?
  let origin: Origin?

  /// A whole file.
  package static let file = LanguagePlace(
    schema: SchemaShape.the(LanguageDescription.rootName).schema, origin: nil)

  /// A place of which nothing is known.
  private static let unknown = LanguagePlace(schema: nil, origin: nil)
}

// MARK: - Going on

extension LanguagePlace {
  /// Returns the place behind a key.
  ///
  /// - Parameter present: All keys that the map has, by which maps are distinguished.
  package func value(of key: String, beside present: Set<String>) -> LanguagePlace {
    let shapes = shapes(beside: present)
    for case .map(let definition) in shapes {
      guard let own = definition.key(key) else { continue }
      return Self.place(behind: own, of: definition)
    }
    // Files of version 1 have names of their own for keys.
    for case .map(let definition) in shapes {
      guard let (own, change) = definition.key(formerly: key) else { continue }
      let place = Self.place(behind: own, of: definition)
      guard case .below(let inner) = change else { return place }
      return place.value(of: inner, beside: [inner])
    }
    for case .names(let value, let known) in shapes {
      var origin = origin
      origin?.depth += 1
      return LanguagePlace(schema: known[key] == nil ? value : .map([:]), origin: origin)
    }
    return .unknown
  }

  private static func place(
    behind key: LanguageKey, of definition: LanguageDefinition
  ) -> LanguagePlace {
    LanguagePlace(
      schema: key.shape.schema, origin: Origin(definition: definition.name, key: key))
  }

  /// The place of an entry of a list.
  package var entry: LanguagePlace {
    for case .list(let entry) in shapes(beside: []) {
      return LanguagePlace(schema: entry, origin: origin)
    }
    return .unknown
  }
}

// MARK: - What stands there

extension LanguagePlace {
  /// A key that may be written.
  package struct Key: Sendable {
    /// The key.
    package var name: String
    /// The meaning, in Markdown.
    package var summary: String
    /// The shape of the value behind it, in Markdown.
    package var shape: String
    /// Whether the map cannot do without it.
    package var isRequired: Bool
    /// The layout in which its value is most likely written.
    package var layout: Layout
  }

  /// The layout in which a value is most likely written.
  package enum Layout: Sendable {
    /// Behind the key.
    case scalar
    /// A map in the lines below.
    case map
    /// A list in the lines below.
    case list
    /// No value.
    case nothing
  }

  /// A value that may be written.
  package struct Word: Hashable, Sendable {
    /// The value as YAML.
    package var text: String
    /// True if it is one of many that are possible, and shows how they look.
    package var isExample: Bool
  }

  /// The keys that a map here may have, beside those that it has.
  package func keys(beside present: Set<String>) -> [Key] {
    let shapes = shapes(beside: present)
    var names: Set<String> = []
    var keys: [Key] = []
    for shape in shapes {
      switch shape {
      case .map(let definition) where definition.fits(present):
        for key in definition.keys
        where definition.allows(key.name, beside: present) && names.insert(key.name).inserted {
          keys.append(Self.key(key))
        }
      case .names(_, let known):
        for (name, summary) in known where names.insert(name).inserted {
          keys.append(Self.key(LanguageKey(name, .anything, summary)))
        }
      default: break
      }
    }
    return keys.filter { !present.contains($0.name) }
  }

  private static func key(_ key: LanguageKey) -> Key {
    let place = LanguagePlace(schema: key.shape.schema, origin: nil)
    return Key(
      name: key.name, summary: key.summary, shape: ShapeText.plain.text(of: key.shape),
      isRequired: key.isRequired,
      layout: place.layout)
  }

  private var layout: Layout {
    switch shapes(beside: []).first {
    case .map?, .names?: .map
    case .list?: .list
    case .scalar(let keywords)? where keywords["type"] == .string("null"): .nothing
    case .scalar?, nil: .scalar
    }
  }

  /// The values that the language knows to be right, and examples of others.
  package var words: [Word] {
    var words: [Word] = []
    let scalars = shapes(beside: []).compactMap { shape in
      if case .scalar(let keywords) = shape { keywords } else { nil }
    }
    // Where any text may stand, a truth value is one of very many.
    let takesText = scalars.contains { $0["type"] == .string("string") && $0["pattern"] == nil }
    for keywords in scalars {
      if let value = keywords["const"] { words.append(Self.word(value)) }
      if case .list(let values)? = keywords["enum"] { words += values.map { Self.word($0) } }
      if keywords["type"] == .string("boolean"), !takesText {
        words += ["true", "false"].map { Word(text: $0, isExample: false) }
      }
      if case .list(let values)? = keywords["examples"] {
        words += values.map { Self.word($0, isExample: true) }
      }
    }
    words +=
      (origin?.depth == 0 ? origin?.key.examples : nil)?.map { Self.word($0, isExample: true) }
      ?? []
    var seen: Set<String> = []
    return words.filter { seen.insert($0.text).inserted }
  }

  private static func word(_ value: Value, isExample: Bool = false) -> Word {
    switch value {
    case .string(let text):
      Word(text: isPlain(text) ? text : YAMLQuoting.quoted(text), isExample: isExample)
    default: Word(text: value.jsonText(), isExample: isExample)
    }
  }

  /// Returns whether a text needs no quotes behind a key: also one that begins with a digit or a sign.
  private static func isPlain(_ text: String) -> Bool {
    if YAMLQuoting.isPlain(text) { return true }
    guard let first = text.utf8.first, text.utf8.count > 1, first != UInt8(ascii: ".") else {
      return false
    }
    return YAMLScalar(text: text, style: .plain).meaning == .text
      && text.utf8.allSatisfy { byte in
        "+-.:_".utf8.contains(byte) || (0x30...0x39).contains(byte)
          || (0x61...0x7A).contains(byte | 0x20)
      } && !text.hasSuffix(":") && !text.hasPrefix(":")
  }

  /// Values with places to fill in, as YAML: `${1:text}`.
  package var snippets: [(label: String, body: String)] {
    guard let origin, origin.depth == 0 else { return [] }
    return origin.key.snippets.map { ($0.label, $0.body) }
  }

  /// The documentation, in Markdown, of the key by which the place was reached; `nil` if the
  /// language has none.
  ///
  /// Keys of the author's choice get that of the language's key above them.
  package var documentation: String? {
    guard let origin else { return nil }
    let key = Self.key(origin.key)
    var parts = ["**\(key.name)**: \(key.shape)", key.summary]
    if key.isRequired { parts.append("Required.") }
    for case .map(let definition) in shapes(beside: []) {
      guard case .map(_, let rules) = definition.content else { continue }
      let keys = definition.keys.map { "`\($0.name)`" }.joined(separator: ", ")
      parts.append((["Keys: \(keys)."] + rules.map(\.sentence)).joined(separator: " "))
    }
    let examples = words.filter(\.isExample).map { "`\($0.text)`" }
    if !examples.isEmpty { parts.append("For example \(examples.joined(separator: ", ")).") }
    return parts.joined(separator: "\n\n")
  }

  /// The key of the language by which the place was reached, however many keys of the author's
  /// choice are between.
  package var keyName: String? { origin?.key.name }

  /// The role of a text here as a name.
  package var role: NameRole? {
    if refers(to: "targetName") { return .uses(.target) }
    // Where any data may stand, such as in a list behind `$seq`, a text is no name.
    if refers(to: "data") { return nil }
    return origin.flatMap { NameRole.ofValue($0.definition, $0.key.name) }
  }

  /// Returns the role of a key of the author's choice here; `nil` for one of the language.
  package func role(ofKey key: String, beside present: Set<String>) -> NameRole? {
    let shapes = shapes(beside: present)
    let isOfLanguage = shapes.contains { shape in
      if case .map(let definition) = shape {
        definition.key(key) != nil || definition.key(formerly: key) != nil
      } else {
        false
      }
    }
    return isOfLanguage ? nil : keyRole
  }

  /// The role of keys of the author's choice here.
  package var keyRole: NameRole? {
    origin.flatMap { NameRole.ofKey($0.definition, $0.key.name, depth: $0.depth) }
  }

  private func refers(to definition: String) -> Bool {
    guard let schema else { return false }
    let reference = SchemaShape.the(definition).keywords["$ref"]
    func holds(_ schema: Value, _ depth: Int) -> Bool {
      guard depth > 0, case .map(let keywords) = schema else { return false }
      if keywords["$ref"] == reference { return true }
      var parts = [keywords["then"], keywords["else"]].compactMap { $0 }
      if case .list(let choices)? = keywords["anyOf"] { parts += choices }
      return parts.contains { holds($0, depth - 1) }
    }
    return holds(schema, 4)
  }
}

extension LanguagePlace {
  /// The tree of a file; of one that cannot be read to its end, what stands in front of that place.
  ///
  /// `isWhole` is false for such a part.
  package static func tree(of source: SourceText) -> (node: YAMLNode, isWhole: Bool)? {
    let read = YAMLReader.read(source)
    return (read.root ?? read.part).map { ($0, read.root != nil) }
  }
}

// MARK: - Shapes

/// One of several shapes at a place.
private enum PlaceShape {
  /// A map with keys of the language.
  case map(LanguageDefinition)
  /// A map with keys of the author's choice, and some that the language knows, with their documentation.
  case names(Value?, known: OrderedDictionary<String, String>)
  /// A list.
  case list(Value?)
  /// Any other value.
  case scalar(OrderedDictionary<String, Value>)
}

extension LanguagePlace {
  /// References within each other; the language has no deeper ones.
  private static let depthLimit = 16

  private static let definitions = Dictionary(
    uniqueKeysWithValues: LanguageDescription.definitions.map { ($0.name, $0) })

  private func shapes(beside present: Set<String>) -> [PlaceShape] {
    guard let schema else { return [] }
    return Self.shapes(of: schema, present, depth: Self.depthLimit)
  }

  private static func shapes(
    of schema: Value, _ present: Set<String>, depth: Int
  ) -> [PlaceShape] {
    guard depth > 0, case .map(let keywords) = schema else { return [] }
    func within(_ schema: Value?) -> [PlaceShape] {
      schema.map { shapes(of: $0, present, depth: depth - 1) } ?? []
    }
    if case .string(let reference)? = keywords["$ref"] {
      guard let definition = definitions[String(reference.dropFirst("#/$defs/".count))] else {
        return []
      }
      switch definition.content {
      case .map: return [.map(definition)]
      case .shape(let shape):
        let examples = definition.examples
        let all =
          examples.isEmpty ? shape : shape.and(["examples": .list(examples)])
        return within(all.schema)
      }
    }
    if let condition = keywords["if"] {
      switch decision(condition, present) {
      case true?: return within(keywords["then"])
      case false?: return within(keywords["else"])
      case nil: return within(keywords["then"]) + within(keywords["else"])
      }
    }
    if case .list(let choices)? = keywords["anyOf"] {
      return choices.flatMap { within($0) } + examples(of: keywords)
    }
    switch keywords["type"] {
    case .string("object")?: return [names(keywords)]
    case .string("array")?: return [.list(keywords["items"])]
    case nil where keywords["properties"] != nil: return [names(keywords)]
    case nil where keywords["items"] != nil: return [.list(keywords["items"])]
    default: return [.scalar(keywords)]
    }
  }

  /// Examples that belong to a choice as a whole.
  private static func examples(of keywords: OrderedDictionary<String, Value>) -> [PlaceShape] {
    keywords["examples"].map { [.scalar(["examples": $0])] } ?? []
  }

  private static func names(_ keywords: OrderedDictionary<String, Value>) -> PlaceShape {
    var value = keywords["additionalProperties"]
    if case .map(let patterns)? = keywords["patternProperties"], !(value?.isMap ?? false) {
      value = patterns.values.first { $0.isMap }
    }
    var known: OrderedDictionary<String, String> = [:]
    if case .map(let properties)? = keywords["properties"] {
      for (name, property) in properties {
        if case .string(let text)? = property.member("description") {
          known[name] = text
        } else {
          known[name] = ""
        }
      }
    }
    return .names(value?.isMap ?? false ? value : nil, known: known)
  }

  /// Whether a condition on the keys of a map holds; `nil` where it is about something else, or no key is there yet.
  private static func decision(_ condition: Value, _ present: Set<String>) -> Bool? {
    func requires(_ condition: Value) -> Bool? {
      guard case .list(let keys)? = condition.member("required") else { return nil }
      return keys.allSatisfy { key in
        if case .string(let name) = key { present.contains(name) } else { false }
      }
    }
    if let holds = requires(condition) { return holds }
    guard case .list(let choices)? = condition.member("anyOf") else { return nil }
    let answers = choices.compactMap(requires)
    return answers.count == choices.count ? answers.contains(true) : nil
  }
}

extension LanguageDefinition {
  fileprivate var keys: [LanguageKey] {
    if case .map(let keys, _) = content { keys } else { [] }
  }

  fileprivate func key(_ name: String) -> LanguageKey? { keys.first { $0.name == name } }

  /// The key that version 1 of the language called so, and what has changed beside the name.
  fileprivate func key(
    formerly name: String
  ) -> (key: LanguageKey, change: FormerName.Change)? {
    for key in keys {
      if let former = key.formerNames.first(where: { $0.name == name }) {
        return (key, former.change)
      }
    }
    return nil
  }

  /// Returns whether keys may all occur in such a map; unknown ones decide nothing, they are being
  /// written.
  fileprivate func fits(_ present: Set<String>) -> Bool {
    guard case .map(let keys, let rules) = content, !present.isEmpty else { return true }
    let own = keys.count { present.contains($0.name) }
    guard own > 0 || !present.contains(where: { KeySuggestions.isKey($0) }) else { return false }
    return !rules.contains { rule in
      if case .exactlyOneKey = rule { own > 0 } else { false }
    }
  }

  /// Returns whether the rules allow a key beside others.
  fileprivate func allows(_ key: String, beside present: Set<String>) -> Bool {
    guard case .map(_, let rules) = content, !present.isEmpty else { return true }
    return rules.allSatisfy { rule in
      switch rule {
      case .atMostOne(let keys), .exactlyOne(let keys):
        !keys.contains(key) || present.isDisjoint(with: keys)
      case .apart(let own, let others):
        !(own == key && !present.isDisjoint(with: others))
          && !(present.contains(own) && others.contains(key))
      case .atLeastOneKey, .exactlyOneKey, .someOf, .needs: true
      }
    }
  }
}

extension Value {
  fileprivate var isMap: Bool { if case .map = self { true } else { false } }
}
