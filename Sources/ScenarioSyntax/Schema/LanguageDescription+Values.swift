internal import Foundations
internal import OrderedCollections
internal import _StringProcessing

extension LanguageDescription {
  /// The definitions by their names.
  static let named = Dictionary(uniqueKeysWithValues: definitions.map { ($0.name, $0) })

  /// References within each other; the language has no deeper ones.
  private static let depthLimit = 16

  // MARK: - Keys of maps behind keys

  /// A key of a map behind which, or behind each entry of whose list, a map of the language may stand.
  struct Parent: Hashable {
    /// The key.
    var key: String
    /// The map behind it.
    var definition: String
    /// True if it is one of a list.
    var isEntry: Bool
  }

  /// The keys behind which a word is a key of the language, by the map that has them and the word, in the order of the
  /// reference.
  static let parents: [String: [String: [Parent]]] = Dictionary(
    uniqueKeysWithValues: definitions.compactMap { definition in
      guard case .map(let keys, _) = definition.content else { return nil }
      var parents: [String: [Parent]] = [:]
      for key in keys {
        for (inner, isEntry) in maps(behind: key.shape.schema, depth: depthLimit) {
          guard case .map(let own, _) = inner.content else { continue }
          let parent = Parent(key: key.name, definition: inner.name, isEntry: isEntry)
          for word in own where parents[word.name]?.contains(parent) != true {
            parents[word.name, default: []].append(parent)
          }
        }
      }
      return (definition.name, parents)
    })

  private static func maps(
    behind schema: Value, depth: Int
  ) -> [(definition: LanguageDefinition, isEntry: Bool)] {
    guard depth > 0, case .map(let keywords) = schema else { return [] }
    if let definition = definition(of: keywords) {
      switch definition.content {
      case .map: return [(definition, false)]
      case .shape(let shape): return maps(behind: shape.schema, depth: depth - 1)
      }
    }
    if let entry = keywords["items"] {
      return maps(behind: entry, depth: depth - 1).filter { !$0.isEntry }.map {
        ($0.definition, true)
      }
    }
    return choices(of: keywords).flatMap { maps(behind: $0, depth: depth - 1) }
  }

  private static func definition(
    of keywords: OrderedDictionary<String, Value>
  ) -> LanguageDefinition? {
    guard case .string(let reference)? = keywords["$ref"] else { return nil }
    return named[String(reference.dropFirst("#/$defs/".count))]
  }

  /// The shapes of which one is that of a value; none if there is no choice.
  private static func choices(of keywords: OrderedDictionary<String, Value>) -> [Value] {
    if keywords["if"] != nil { return [keywords["then"], keywords["else"]].compactMap(\.self) }
    if case .list(let choices)? = keywords["anyOf"] { return choices }
    return []
  }

  // MARK: - Values behind keys

  /// How much a shape says about a value that it takes.
  enum Fit: Int, Comparable {
    /// A word that is listed.
    case word
    /// A number, a truth value, a text of a form of its own, a list or a map.
    case form
    /// Any text, as the language has it.
    case text
    /// Any text, as YAML has it.
    case string
    /// Whatever there is.
    case anything

    static func < (one: Fit, other: Fit) -> Bool { one.rawValue < other.rawValue }
  }

  /// Returns how well a value fits behind a key; `nil` if it does not.
  static func fit(_ node: YAMLNode, behind key: LanguageKey) -> Fit? {
    fit(node, key.shape.schema, depth: depthLimit)
  }

  private static func fit(_ node: YAMLNode, _ schema: Value, depth: Int) -> Fit? {
    guard depth > 0, case .map(let keywords) = schema else { return nil }
    if let definition = definition(of: keywords) {
      switch definition.content {
      case .map: return node.isMap ? .form : nil
      case .shape(let shape):
        let fit = fit(node, shape.schema, depth: depth - 1)
        switch definition.name {
        case "text" where fit != nil: return .text
        case "instant":
          // The schema has no pattern for all the forms that it has.
          guard case .scalar(let scalar) = node.content else { return fit }
          return (try? InstantExpression.fixed(text: scalar.text)) == nil ? fit : .form
        default: return fit
        }
      }
    }
    let choices = choices(of: keywords)
    guard choices.isEmpty else {
      return choices.compactMap { fit(node, $0, depth: depth - 1) }.min()
    }
    switch node.content {
    case .mapping:
      let isMap = keywords["type"] == .string("object") || keywords["properties"] != nil
      return isMap ? .form : keywords.isEmpty ? .anything : nil
    case .sequence(let nodes):
      guard let entry = keywords["items"] else { return keywords.isEmpty ? .anything : nil }
      return nodes.allSatisfy { fit($0, entry, depth: depth - 1) != nil } ? .form : nil
    case .scalar(let scalar): return fit(scalar, keywords)
    }
  }

  private static func fit(
    _ scalar: YAMLScalar, _ keywords: OrderedDictionary<String, Value>
  ) -> Fit? {
    func isWithinBounds(_ number: Double) -> Bool {
      (keywords["minimum"]?.number ?? number) <= number
        && number <= (keywords["maximum"]?.number ?? number)
    }
    let own: Value =
      switch scalar.meaning {
      case .bool(let bool): .bool(bool)
      case .integer(let integer): .integer(integer)
      default: .string(scalar.text)
      }
    if let value = keywords["const"] { return value == own ? .word : nil }
    if case .list(let words)? = keywords["enum"] { return words.contains(own) ? .word : nil }
    switch (keywords["type"], scalar.meaning) {
    case (nil, _): return keywords.isEmpty ? .anything : nil
    case (.string("boolean"), .bool): return .form
    case (.string("integer"), .integer(let integer)):
      return isWithinBounds(Double(integer)) ? .form : nil
    case (.string("number"), .integer(let integer)):
      return isWithinBounds(Double(integer)) ? .form : nil
    case (.string("number"), .number(let number)): return isWithinBounds(number) ? .form : nil
    case (.string("string"), .text):
      guard case .string(let pattern)? = keywords["pattern"] else { return .string }
      let isFound = (try? Regex(pattern).firstMatch(in: scalar.text)) ?? nil
      return isFound == nil ? nil : .form
    default: return nil
    }
  }

  /// Returns the key of a map behind which a value most likely belongs that stands in the map's place: one that lists
  /// the word, that the map needs, or that says most about such values.
  ///
  /// - Parameter isBlock: Whether it is the name of a block.
  static func key(
    taking node: YAMLNode, in definition: LanguageDefinition, isBlock: Bool
  ) -> LanguageKey? {
    guard case .map(let keys, _) = definition.content else { return nil }
    if isBlock, let key = keys.first(where: { $0.name == "block" }) { return key }
    let fitting = keys.compactMap { key -> (key: LanguageKey, rank: Int)? in
      guard !["block", "with", "name", "description"].contains(key.name) || key.isRequired,
        let fit = fit(node, behind: key), fit != .anything || key.isRequired
      else { return nil }
      return (key, fit == .word ? -2 : key.isRequired ? -1 : fit.rawValue)
    }
    return fitting.min { $0.rank < $1.rank }?.key
  }
}

extension Value {
  fileprivate var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }
}

extension YAMLNode {
  /// True if it is a map.
  var isMap: Bool { if case .mapping = content { true } else { false } }
}
