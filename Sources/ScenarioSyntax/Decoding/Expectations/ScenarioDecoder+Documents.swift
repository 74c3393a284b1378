internal import Foundations
internal import ScenarioModel

/// The place of data that may be meant as a condition.
enum DocumentPlace: Hashable {
  /// Behind a path, `not` or a list of conditions: where a map of conditions is one.
  case condition
  /// Behind `json:` or `yaml:`: a place for a path, `contains`, `equals` and `schema`.
  case whole
  /// Behind an operator that takes data, such as `contains`.
  case operand
  /// Among the variables of GraphQL, where a map of conditions is one at any depth.
  case variable
}

extension ScenarioDecoder {
  /// Data that stands where a condition can stand, or in an operator's own place; `nil` with a report where nobody can
  /// know which of both is meant.
  ///
  /// The value of `equals` is a document in any case, and so is one that a program has written. In a condition that must
  /// not hold every map is in doubt: taken for a document, a mistake in it would hold for ever.
  mutating func decodeDocument(
    _ node: YAMLNode, _ subject: String, _ place: DocumentPlace
  ) -> DataNode? {
    if !isWrittenByProgram, refuseUndecided(node, subject, place) { return nil }
    return decodeData(node)
  }

  /// Reports what in data may be meant as a condition; true if there was such a thing.
  mutating func refuseUndecided(
    _ node: YAMLNode, _ subject: String, _ place: DocumentPlace
  ) -> Bool {
    guard !isWrittenByProgram else { return false }
    switch node.content {
    case .scalar: return false
    case .sequence(let nodes):
      if nodes.reduce(false, { refuseUndecidedPart($1, place) || $0 }) { return true }
      return refuseNegated(nodes.lazy.compactMap(Self.firstMap).first, node, subject, place)
    case .mapping(let members):
      guard !Self.holdsGenerator(members) else { return false }
      if let undecided = undecided(members, place) {
        report(undecided, of: members, node, subject, place)
        return true
      }
      if place == .whole, let path = members.first(where: { Self.isForeignPath($0.key.value) }) {
        reportForeignPath(path.key)
        return true
      }
      // What lies deeper among variables is looked at in its turn.
      guard place != .variable else { return false }
      if members.reduce(false, { refuseUndecidedPart($1.value, place) || $0 }) { return true }
      return refuseNegated(members, node, subject, place)
    }
  }

  /// Reports a map in a condition that must not hold, where it is not said to be a document; true if there was one.
  private mutating func refuseNegated(
    _ members: [YAMLMember]?, _ node: YAMLNode, _ subject: String, _ place: DocumentPlace
  ) -> Bool {
    guard isNegated, place != .operand, let members, let first = members.first else { return false }
    report(Undecided(member: first), of: members, node, subject, place)
    return true
  }

  /// The members of the first map in data that holds anything and generates nothing.
  private static func firstMap(in node: YAMLNode) -> [YAMLMember]? {
    switch node.content {
    case .scalar: nil
    case .sequence(let nodes): nodes.lazy.compactMap(firstMap).first
    case .mapping(let members): members.isEmpty || holdsGenerator(members) ? nil : members
    }
  }

  /// The same of a part of a document, where a map is one unless a key of it names a condition.
  private mutating func refuseUndecidedPart(_ node: YAMLNode, _ place: DocumentPlace) -> Bool {
    switch node.content {
    case .scalar: return false
    case .sequence(let nodes):
      return nodes.reduce(false) { refuseUndecidedPart($1, place) || $0 }
    case .mapping(let members):
      guard !Self.holdsGenerator(members) else { return false }
      if let undecided = undecidedPart(members, place) {
        report(undecided, of: members, node, nil, place)
        return true
      }
      return members.reduce(false) { refuseUndecidedPart($1.value, place) || $0 }
    }
  }

  // MARK: - Judging

  /// A key because of which the meaning of a map is ambiguous.
  private struct Undecided {
    var member: YAMLMember
    /// The condition that the key may be; `nil` for a key like any other in a map of one.
    var word: ConditionWord?
  }

  private static func holdsGenerator(_ members: [YAMLMember]) -> Bool {
    members.contains { $0.key.value.hasPrefix("$") }
  }

  /// Returns whether every key says a condition, and none is one that documents have as often.
  static func saysOnlyConditions(_ members: [YAMLMember]) -> Bool {
    !members.isEmpty
      && members.allSatisfy { ConditionWord($0.key.value)?.isClearOnData ?? false }
  }

  /// A key in a part of a document because of which nobody can know what the part is.
  ///
  /// A whole document that is compared with such a part is equal to nothing, which shows; only a condition's own name
  /// counts there, and of these none that documents have as a key as often. Where it must not hold, nothing shows.
  private func undecidedPart(_ members: [YAMLMember], _ place: DocumentPlace) -> Undecided? {
    let words = members.lazy.map { Undecided(member: $0, word: ConditionWord($0.key.value)) }
    if Self.saysOnlyConditions(members) { return words.first }
    let clear = words.first { part in
      guard place != .whole || isNegated || Grammar.dataConditions.knows(part.member.key.value)
      else { return false }
      return part.word?.isClearOnData ?? false
    }
    guard isNegated, clear == nil else { return clear }
    // An operator's own place holds data, so that a part is a document unless every key speaks against it.
    if words.allSatisfy({ $0.word != nil }) { return words.first }
    return place == .operand ? nil : words.first { $0.word != nil }
  }

  private func undecided(_ members: [YAMLMember], _ place: DocumentPlace) -> Undecided? {
    let words = members.lazy.map { Undecided(member: $0, word: ConditionWord($0.key.value)) }
    switch place {
    case .condition:
      // `{ length: 2, type: a }` is as likely a condition as a document.
      return words.first { $0.word != nil } ?? (members.count == 1 ? words.first : nil)
    case .whole:
      // Of a document with several keys it counts what could stand there alone.
      let operators = ["contains", "equals"]
      let clear = words.first { part in
        part.word.map { $0.isClearOnData && operators.contains($0.meant ?? "") } ?? false
      }
      return clear ?? (words.allSatisfy { $0.word != nil } ? words.first : nil)
    case .operand where isNegated:
      return words.allSatisfy { $0.word?.isMeantOnData ?? false || isCommonCondition($0) }
        ? words.first : nil
    case .operand: return Self.saysOnlyConditions(members) ? words.first : nil
    case .variable: return words.first { $0.word?.isClearOnData ?? false }
    }
  }

  /// Returns whether a key that documents have as often has a value such as its condition takes: `{ exists: true }`,
  /// `{ length: 1 }`, `{ type: string }`.
  private func isCommonCondition(_ part: Undecided) -> Bool {
    guard let meant = part.word?.meant else { return false }
    switch (meant, part.member.value.content) {
    case ("exists", .scalar(let scalar)), ("absent", .scalar(let scalar)):
      // Of words for a condition those of other tools are too often keys of documents: `present`, `missing`.
      guard case .bool = scalar.meaning else { return false }
      return WordForm(part.member.key.value) == WordForm(meant)
    case ("length", .scalar(let scalar)):
      if case .integer = scalar.meaning { return true }
      return TemplateParser.isNeeded(for: scalar.text)
    case ("length", .mapping(let members)):
      return !members.isEmpty
        && members.allSatisfy { Grammar.numberConditions.knows($0.key.value) }
    case ("type", .scalar(let scalar)):
      return DataType(rawValue: scalar.text) != nil
    case ("type", .sequence(let nodes)):
      return !nodes.isEmpty
        && nodes.allSatisfy { node in
          guard case .scalar(let scalar) = node.content else { return false }
          return DataType(rawValue: scalar.text) != nil
        }
    default: return false
    }
  }

  /// Returns whether a key is a path as other tools write it: `.items`, `/items/0`, `items[0].id`.
  private static func isForeignPath(_ key: String) -> Bool {
    guard key.count > 1, !key.contains(" ") else { return false }
    if key.hasPrefix(".") || key.hasPrefix("/") { return true }
    guard let open = key.firstIndex(of: "["), let close = key[open...].firstIndex(of: "]") else {
      return false
    }
    let index = key[open..<close].dropFirst()
    return !index.isEmpty && index.allSatisfy { $0.isNumber || $0 == "*" }
  }

  // MARK: - Reporting

  private mutating func report(
    _ undecided: Undecided, of members: [YAMLMember], _ node: YAMLNode, _ subject: String?,
    _ place: DocumentPlace
  ) {
    let key = undecided.member.key
    let isCondition = Grammar.dataConditions.keys.contains(key.value)
    var message: String
    switch (undecided.word, isCondition) {
    case (nil, _):
      message =
        "\(subject.map { quoted($0) } ?? "the data") contains a map that is either a document or an"
        + " unknown condition \"\(key.value)\""
    case (_?, true):
      message = "\"\(key.value)\" is a condition, which is not allowed here"
    case (_?, false):
      message =
        "\"\(key.value)\" is not a condition on data, and the map is not marked as a document"
    }
    let other = members.first { !Grammar.dataConditions.knows($0.key.value) }
    if case .variable = place, isCondition, let other {
      message = "\"\(key.value)\" is a condition, but \"\(other.key.value)\" is not"
    }
    var fix: DiagnosticFix?
    var help: [String] = []
    if let word = undecided.word {
      if let meant = word.meant, meant != key.value {
        help.append(Suggestion.question(meant))
        // Even another way to write the name may be the key of a document.
        fix = DiagnosticFix(respelling: key, as: meant, confidence: .likely, in: source)
      }
      word.advice(operand: excerpt(undecided.member.value) ?? "…").map { help.append($0 + ";") }
    }
    let document = excerpt(node)
    switch place {
    case .condition, .whole, .variable:
      let isWhole = subject != nil
      help.append(
        isWhole
          ? "for a document, write { equals: \(document ?? "…") }"
          : "write conditions as values of paths such as $.a.b; for a document, write { equals: … } around all of it"
      )
      if undecided.word == nil, let document, isWhole {
        fix = DiagnosticFix(
          replacing: node.range, with: "{ equals: \(document) }", confidence: .likely)
      }
    case .operand:
      help.append(
        "an operator takes data: combine conditions with all_of or any_of, or write { $raw: \(document ?? "…") }"
      )
    }
    report(
      Diagnostic(
        message, code: .conditionOrDocument, at: key.range, help: help.joined(separator: " "),
        fix: fix))
  }

  private mutating func reportForeignPath(_ key: Located<String>) {
    var steps = key.value
    if steps.hasPrefix("/") {
      steps = steps.split(separator: "/").map { $0.allSatisfy(\.isNumber) ? "[\($0)]" : ".\($0)" }
        .joined()
    } else if !steps.hasPrefix(".") {
      steps = ".\(steps)"
    }
    let path = "$" + (steps.hasPrefix(".[") ? String(steps.dropFirst()) : steps)
    report(
      Diagnostic(
        "\"\(key.value)\" looks like a path, but is read as a key of a document",
        code: .conditionOrDocument, at: key.range,
        help: "\(Suggestion.question(path)) for a document, write { equals: { … } }",
        fix: DiagnosticFix(replacing: key.range, with: "'\(path)'", confidence: .likely)))
  }

  /// Returns the text of a node, where it is short and on one line.
  func excerpt(_ node: YAMLNode) -> String? {
    guard node.lastLine == node.range.line, node.range.length <= 60,
      let text = source.text(at: node.range), !text.isEmpty, !text.hasPrefix("*")
    else { return nil }
    if case .mapping = node.content { return text.hasPrefix("{") ? text : "{ \(text) }" }
    return text
  }
}
