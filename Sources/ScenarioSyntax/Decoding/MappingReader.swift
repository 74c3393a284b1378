internal import Foundations

/// A map whose keys belong to the language.
struct MappingReader {
  /// The members whose keys are known, in file order.
  let members: [YAMLMember]
  /// The place of the map.
  let range: SourceRange
  /// The name of the map in messages: "the file", "a step".
  let subject: String
  /// Keys that the author most likely meant by unknown ones; they need not be missed a second time.
  let misspelledKeys: Set<String>
  /// The number of members with unknown keys.
  let unknownCount: Int
  private let keys: [String]

  fileprivate init(
    members: [YAMLMember], range: SourceRange, subject: String, keys: [String],
    misspelledKeys: Set<String>, unknownCount: Int
  ) {
    self.members = members
    self.range = range
    self.subject = subject
    self.keys = keys
    self.misspelledKeys = misspelledKeys
    self.unknownCount = unknownCount
  }

  /// The value of a key that the map was opened with.
  subscript(key: String) -> YAMLNode? {
    assert(keys.contains(key), "\"\(key)\" is not declared in the grammar of \(subject)")
    return member(key)?.value
  }

  /// The first member with a key.
  func member(_ key: String) -> YAMLMember? {
    members.first { $0.key.value == key }
  }

  /// Returns the place of a key.
  func keyRange(_ key: String) -> SourceRange? {
    member(key)?.key.range
  }

  /// The members whose keys are in a list, in file order.
  func members(among wanted: [String]) -> [YAMLMember] {
    members.filter { wanted.contains($0.key.value) }
  }
}

/// The members of a map with a key that it does not have, prepared once for the helps of all such keys: there may be
/// thousands.
struct WrittenMembers {
  /// The members in file order.
  let all: [YAMLMember]
  /// Their keys.
  let names: Set<String>
  private let places: [String: Int]

  /// Prepares the members of one map.
  init(_ members: [YAMLMember]) {
    all = members
    places = Dictionary(
      members.enumerated().lazy.map { ($0.element.key.value, $0.offset) }
    ) { first, _ in first }
    names = Set(places.keys)
  }

  /// The first member with a key.
  subscript(key: String) -> YAMLMember? { places[key].map { all[$0] } }
}

extension ScenarioDecoder {
  /// Opens a map of the grammar, reporting every key that it does not have; `elsewhere` has help for keys that stand
  /// in other places of the language.
  mutating func mapping<Owner>(
    _ node: YAMLNode, as grammar: MapGrammar<Owner>, subject: String,
    elsewhere: [String: String] = [:]
  ) -> MappingReader? {
    mapping(
      node, keys: grammar.keys, of: grammar.definition, former: grammar.former, subject: subject,
      elsewhere: elsewhere)
  }

  /// Opens a map, reporting every key that is not in `keys`, nor among their names of version 1.
  ///
  /// - Parameter definition: The map of the grammar that has the keys, or most of them, for what helps can show.
  mutating func mapping(
    _ node: YAMLNode, keys: [String], of definition: LanguageDefinition? = nil,
    former: FormerNames = .none, subject: String, elsewhere: [String: String] = [:]
  ) -> MappingReader? {
    guard
      let members = decodeMembers(node, subject, of: definition).map({
        underCurrentNames($0, former, keys: keys, of: definition, subject: subject)
          .withoutExtensions(besides: keys)
      })
    else { return nil }
    guard !members.allSatisfy({ keys.contains($0.key.value) }) else {
      return MappingReader(
        members: members, range: node.range, subject: subject, keys: keys, misspelledKeys: [],
        unknownCount: 0)
    }
    var known: [YAMLMember] = []
    var misspelledKeys: Set<String> = []
    var unknownCount = 0
    let names = Set(keys)
    let written = WrittenMembers(members)
    var present = written.names.intersection(names)
    /// The key without a value below which the following ones belong.
    var parent: YAMLMember?
    for member in members {
      guard !names.contains(member.key.value) else {
        known.append(member)
        parent = member.value.isAbsent ? member : nil
        continue
      }
      unknownCount += 1
      let isTold = parent.map { misspelledKeys.contains($0.key.value) } ?? false
      let isBelow = reportOutdented(member, below: parent, isTold: isTold)
      if isBelow || reportNoBreakSpace(member) {
        // What is missing there stands here.
        if let key = parent?.key.value, isBelow || Self.word(in: member, isKeyOf: key) {
          known.removeAll { $0.key.value == key }
          misspelledKeys.insert(key)
        }
        continue
      }
      if let key = reportMisplacedKey(
        member, of: definition, beside: written, keys, subject, elsewhere)
      {
        misspelledKeys.insert(key)
        continue
      }
      guard let meant = reportUnknownKey(member, keys, present, subject, elsewhere) else {
        continue
      }
      misspelledKeys.insert(meant.name)
      guard meant.isAdopted else { continue }
      present.insert(meant.name)
      known.append(
        YAMLMember(key: Located(meant.name, at: member.key.range), value: member.value))
    }
    return MappingReader(
      members: known, range: node.range, subject: subject, keys: keys,
      misspelledKeys: misspelledKeys, unknownCount: unknownCount)
  }

  /// Reports a key that lacks the indentation by which it would belong to the empty one above;
  /// false if it does not belong there.
  ///
  /// - Parameter isTold: Whether that was reported of the key in front of it already, whose help is
  ///   about both.
  private mutating func reportOutdented(
    _ member: YAMLMember, below parent: YAMLMember?, isTold: Bool
  ) -> Bool {
    guard let parent, KeySuggestions.isKey(member.key.value, of: parent.key.value),
      member.key.range.column == parent.key.range.column
    else { return false }
    guard !isTold else { return true }
    report(
      "\"\(member.key.value)\" belongs to \"\(parent.key.value)\", but is not indented",
      code: .badIndentation, at: member.key.range,
      help: "indent it and the lines that belong to it by two spaces",
      notes: [Diagnostic.Note("\"\(parent.key.value)\" is here", at: parent.key.range)])
    return true
  }

  /// Returns whether a key, without the spaces that it begins with, is one of the map behind another.
  private static func word(in member: YAMLMember, isKeyOf parent: String) -> Bool {
    KeySuggestions.isKey(String(member.key.value.drop { !$0.isLetter }), of: parent)
  }

  /// Reports a key that begins with a space that is none for YAML and looks like one; false if it does not.
  private mutating func reportNoBreakSpace(_ member: YAMLMember) -> Bool {
    let scalars = member.key.value.unicodeScalars
    let blanks = scalars.prefix { $0.properties.isWhitespace || $0.value == 0x200B || $0 == " " }
    guard let first = blanks.first(where: { !$0.isASCII }) else { return false }
    let digits = String(first.value, radix: 16, uppercase: true)
    let range = SourceRange(
      file: member.key.range.file, line: member.key.range.line, column: member.key.range.column,
      length: blanks.count)
    report(
      Diagnostic(
        "the line is indented with an unusual space (U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits))",
        code: .badIndentation, at: range,
        help: "replace it with normal spaces",
        fix: DiagnosticFix(
          replacing: range, with: String(repeating: " ", count: blanks.count),
          confidence: .likely)))
    return true
  }

  /// Reports a key that a map does not have where the grammar knows what to write in its place, with the author's
  /// value; the key of the map that takes it.
  private mutating func reportMisplacedKey(
    _ member: YAMLMember, of definition: LanguageDefinition?, beside written: WrittenMembers,
    _ keys: [String], _ subject: String, _ elsewhere: [String: String]
  ) -> String? {
    let word = member.key.value
    guard let definition, elsewhere[word] == nil else { return nil }
    var diagnostic = Diagnostic(
      "unknown key \"\(word)\" in \(subject)", code: .unknownKey, at: member.key.range)
    if let placed = PlacedWord.of(member, in: definition.name, among: keys) {
      diagnostic.help = placed.help(for: member.value)
      let isFree = !written.names.contains(placed.key)
      if placed.isRespelling(of: member.value), isFree {
        diagnostic.fix = DiagnosticFix(
          respelling: member.key, as: placed.key, confidence: .likely, in: source)
      }
      report(diagnostic)
      return placed.key
    }
    let meant = MeantKey(word, among: keys, present: written.names)
    guard meant?.isAdopted != true,
      let place = placeBelow(member, of: definition, beside: written)
        ?? (meant == nil ? placeAmongFields(member, of: definition, beside: written) : nil),
      KeySuggestions.synonym(of: word, in: keys) == nil
    else { return nil }
    diagnostic.help = place.help
    report(diagnostic)
    return place.key
  }

  /// Reports a key that a map does not have; the one that was meant, if one is likely.
  private mutating func reportUnknownKey(
    _ member: YAMLMember, _ keys: [String], _ present: Set<String>, _ subject: String,
    _ elsewhere: [String: String]
  ) -> MeantKey? {
    let key = member.key
    let meant = MeantKey(key.value, among: keys, present: present)
    var diagnostic = Diagnostic(
      "unknown key \"\(key.value)\" in \(subject)", code: .unknownKey, at: key.range,
      help: elsewhere[key.value])
    if diagnostic.help == nil {
      diagnostic.help =
        (meant.map { Suggestion.question($0.name) + " " } ?? KeySuggestions.opening(for: key.value))
        + (KeySuggestions.translation(of: key.value, as: meant?.name).map { $0 + "; " } ?? "")
        + "allowed keys: \(Suggestion.list(keys.sorted(), for: key.value, showing: meant?.name))"
      diagnostic.fix = meant.flatMap {
        DiagnosticFix(respelling: key, as: $0.name, confidence: $0.confidence, in: source)
      }
      if let meant, meant.isAdopted { adopt(member, finding: diagnostics.count) }
    }
    report(diagnostic)
    return meant.map {
      MeantKey($0, isAdopted: $0.isAdopted && elsewhere[key.value] == nil)
    }
  }

  /// The members of a map; its definition, where its keys are not of the author's choice.
  mutating func decodeMembers(
    _ node: YAMLNode, _ subject: String, of definition: LanguageDefinition? = nil
  ) -> [YAMLMember]? {
    guard case .mapping(let members) = node.content else {
      reportType(
        node, subject, "must be a map", help: helpForMap(node, subject, of: definition))
      return nil
    }
    return members
  }

  /// The value of a key that must be there.
  mutating func required(
    _ key: String, in reader: MappingReader, example: String
  ) -> YAMLNode? {
    if let node = reader[key] { return node }
    // Of a map whose keys are all unknown, one may have been meant as this one.
    guard !reader.misspelledKeys.contains(key), !unfilled.contains(reader.range),
      reader.unknownCount == 0 || !reader.members.isEmpty
    else { return nil }
    report(
      "missing required key \"\(key)\" in \(reader.subject)", code: .missingKey, at: reader.range,
      help: "add the key, as in \"\(example)\"")
    return nil
  }

  /// The one member among keys of which a map may have one; reports a second one.
  mutating func single(among keys: [String], in reader: MappingReader) -> YAMLMember? {
    let members = reader.members(among: keys)
    guard let first = members.first else { return nil }
    for extra in members.dropFirst() {
      report(
        "\"\(extra.key.value)\" cannot be combined with \"\(first.key.value)\" in \(reader.subject)",
        code: .contradictory, at: extra.key.range, help: "keep one of them",
        notes: [Diagnostic.Note("the other one is here", at: first.key.range)])
    }
    return first
  }

  /// The entries of a list.
  mutating func decodeList(_ node: YAMLNode, _ subject: String) -> [YAMLNode]? {
    guard case .sequence(let nodes) = node.content else {
      reportType(node, subject, "must be a list", help: helpForList(node, subject))
      return nil
    }
    return nodes
  }

  /// The entries of a list that must have one.
  mutating func decodeNonEmptyList(
    _ node: YAMLNode, _ subject: String, help: String = "add an entry, or remove the key"
  ) -> [YAMLNode]? {
    guard let nodes = decodeList(node, subject) else { return nil }
    guard !nodes.isEmpty else {
      report("\(quoted(subject)) is empty", code: .empty, at: node.range, help: help)
      return nil
    }
    return nodes
  }

  // MARK: - Messages

  /// `"steps" must be a list, not the text "x"`.
  mutating func reportType(
    _ node: YAMLNode, _ subject: String, _ expected: String, help: String
  ) {
    report(
      "\(quoted(subject)) \(expected), not \(Self.described(node))", code: .wrongType,
      at: node.range,
      help: help + (node.isTemplate && !isEarly(subject) ? "; \(LateValue.help)" : ""))
  }

  /// Returns a subject in quotes if it is a key; descriptions such as "a step" have none.
  func quoted(_ subject: String) -> String {
    subject.contains(" ") || subject.hasPrefix("\"") ? subject : "\"\(subject)\""
  }

  /// Returns the description of a node, for the end of "… must be a list, not".
  static func described(_ node: YAMLNode) -> String {
    switch node.content {
    case .sequence: return "a list"
    case .mapping: return "a map"
    case .scalar(let scalar):
      let text = shortened(scalar.text)
      return switch scalar.meaning {
      case .null: node.isAbsent ? "nothing" : "null"
      case .bool: text
      case .integer, .number, .tooLarge, .notFinite: "the number \(text)"
      case .text: "the text \"\(text)\""
      }
    }
  }

  /// The first line of a text, at most 60 characters of it.
  static func shortened(_ text: String) -> String {
    let line = text.prefix { !["\n", "\r\n", "\r"].contains($0) }
    let cut = line.prefix(60)
    return cut.count == text.count ? text : "\(cut)…"
  }
}

extension [YAMLMember] {
  /// The members without those that the language leaves to authors: parts to which anchors are tied.
  fileprivate func withoutExtensions(besides keys: [String]) -> [YAMLMember] {
    guard contains(where: { $0.isExtension }) else { return self }
    return filter { !$0.isExtension || keys.contains($0.key.value) }
  }
}

extension YAMLMember {
  fileprivate var isExtension: Bool { key.value.hasPrefix("x-") }
}
