internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  // MARK: - Text

  /// Text as written: a number or truth value in a text position is text, too.
  ///
  /// Expressions have no place here; `decodeTemplate` allows them. `example` is the help where nothing
  /// stands and an empty text would not do.
  mutating func decodeText(
    _ node: YAMLNode, _ subject: String, example: String? = nil
  ) -> Located<String>? {
    if let example, node.isNull {
      reportType(node, subject, "must be a text", help: example)
      return nil
    }
    guard let content = decodeTemplate(node, subject, isFixed: true) else { return nil }
    switch content.content {
    case .literal(.string(let text)):
      guard !text.unicodeScalars.contains("\0") else {
        report(
          "\(quoted(subject)) contains a NUL character", code: .badCharacter, at: node.range,
          help: "remove the \"\\0\"")
        return nil
      }
      return Located(text, at: node.range)
    case .template(let template) where template.roots.contains("secrets"):
      report(
        "\(quoted(subject)) cannot contain a secret, because reports show it", code: .fixedText,
        at: node.range, help: "write other text; use secrets only in what is passed to the target")
      return nil
    default:
      report(
        "\(quoted(subject)) cannot contain an expression", code: .fixedText,
        at: node.range,
        help: "write fixed text, or use only vars and matrix; write \"$${{\" for a literal \"${{\"")
      return nil
    }
  }

  /// Decodes text that may have expressions; where it is fixed, the caller refuses them.
  mutating func decodeTemplate(
    _ node: YAMLNode, _ subject: String, isFixed: Bool = false
  ) -> DataNode? {
    guard case .scalar(let scalar) = node.content else {
      reportType(node, subject, "must be a text", help: "write a text, in quotes if necessary")
      return nil
    }
    guard scalar.meaning != .null else {
      let help =
        node.isAbsent
        ? "write \"\" for an empty text" : "write \"\(scalar.text)\" in quotes for the text"
      reportType(node, subject, "must be a text", help: help)
      return nil
    }
    if !isFixed {
      warnOfComment(behind: node)
    } else if scalar.text.utf8.contains(UInt8(ascii: "$")) {
      fixedTexts.insert(node.range)
    }
    return decodeTemplate(scalar, at: node.range, isFixed: isFixed)
  }

  /// The text of a scalar, whatever it looks like.
  mutating func decodeTemplate(
    _ scalar: YAMLScalar, at range: SourceRange, isFixed: Bool = false
  ) -> DataNode? {
    guard TemplateParser.isNeeded(for: scalar.text) else {
      guard !refuseForeignTemplate(in: scalar.text, at: range, isFixed: isFixed) else { return nil }
      return DataNode(.literal(.string(scalar.text)), at: range)
    }
    let places = TextPlaces(scalar, at: range, in: source)
    do throws(Diagnostic) {
      let template = try TemplateParser(text: scalar.text, places: places).parse()
      for case .literal(let text) in template.segments
      where refuseForeignTemplate(in: text, at: range, isFixed: isFixed) { return nil }
      return DataNode(
        template.literal.map { .literal(.string($0)) } ?? .template(template), at: range)
    } catch {
      report(error)
      return nil
    }
  }

  mutating func decodeTextList(_ node: YAMLNode, _ subject: String) -> [Located<String>] {
    (decodeList(node, subject) ?? []).compactMap {
      warnOfComment(behind: $0)
      return decodeText($0, "an entry of \"\(subject)\"")
    }
  }

  mutating func decodeCaptions(_ node: YAMLNode, _ subject: String) -> [Located<String>] {
    (decodeList(node, subject) ?? []).compactMap {
      warnOfComment(behind: $0)
      return decodeCaption($0, "an entry of \"\(subject)\"")
    }
  }

  mutating func decodeTemplateList(_ node: YAMLNode, _ subject: String) -> [DataNode] {
    (decodeList(node, subject) ?? []).compactMap {
      decodeArgument($0, "an entry of \"\(subject)\"")
    }
  }

  /// Decodes text that may have expressions, or a generator that gives text.
  mutating func decodeValueText(_ node: YAMLNode, _ subject: String) -> DataNode? {
    guard case .mapping(let members) = node.content,
      members.contains(where: { $0.key.value.hasPrefix("$") })
    else {
      return decodeTemplate(node, subject)
    }
    return decodeData(node)
  }

  /// Text that the kernel takes as a C string, so that a NUL would end it silently.
  mutating func decodeArgument(_ node: YAMLNode, _ subject: String) -> DataNode? {
    guard let text = decodeValueText(node, subject) else { return nil }
    if case .scalar(let scalar) = node.content, scalar.text.unicodeScalars.contains("\0") {
      report(
        "\(quoted(subject)) contains a NUL character", code: .badCharacter, at: node.range,
        help: "remove the \"\\0\"")
      return nil
    }
    return text
  }

  // MARK: - Numbers and truth values

  mutating func decodeInteger(_ node: YAMLNode, _ subject: String) -> Located<Int64>? {
    guard case .scalar(let scalar) = node.content else {
      reportType(node, subject, "must be a whole number", help: "write a number such as 1")
      return nil
    }
    switch scalar.meaning {
    case .integer(let integer): return Located(integer, at: node.range)
    case .tooLarge:
      report(
        "the number \(Self.shortened(scalar.text)) is out of range", code: .outOfRange,
        at: node.range,
        help: "write a whole number from \(Int64.min) to \(Int64.max)")
    default:
      let help =
        subject == "exit" ? Self.endings[scalar.text.filter(\.isLetter).lowercased()] : nil
      reportType(
        node, subject, "must be a whole number", help: help ?? Self.integerHelp(for: scalar))
    }
    return nil
  }

  /// Words for how a program ends, and what is written for them.
  private static let endings = [
    "nonzero": "write { not: 0 }", "failure": "write { not: 0 }", "fail": "write { not: 0 }",
    "error": "write { not: 0 }", "success": "write 0", "ok": "write 0", "zero": "write 0",
  ]

  /// Returns the help for a comparison with a sign, as other tools have it: `!= 0`.
  static func comparisonHelp(_ text: String) -> String? {
    let keys = Grammar.numberConditions.keys
    for (sign, names) in comparisons where text.hasPrefix(sign) {
      let rest = text.dropFirst(sign.count).drop { $0 == " " }
      guard Double(rest) != nil || (try? Nanoseconds(text: String(rest))) != nil else { return nil }
      guard let first = names.first else { return "write \(rest)" }
      guard names.allSatisfy(keys.contains) else { continue }
      let inner = names.dropFirst().reduce(String(rest)) { "{ \($1): \($0) }" }
      return "write { \(first): \(inner) }"
    }
    return nil
  }

  /// Signs, the longer ones first, and the conditions for each, the outer ones first.
  private static let comparisons: [(sign: String, keys: [String])] = [
    ("!=", ["not"]), (">=", ["at_least"]), (">=", ["not", "less_than"]), ("<=", ["at_most"]),
    ("<=", ["not", "greater_than"]), ("==", []), (">", ["greater_than"]), ("<", ["less_than"]),
  ]

  private static func integerHelp(for scalar: YAMLScalar) -> String {
    let text = scalar.text
    if let help = comparisonHelp(text) { return help }
    if scalar.style != .plain, case .integer = YAMLScalar(text: text, style: .plain).meaning {
      return "write \(text) without the quotes"
    }
    let digits = text.filter { $0 != "_" }
    // What YAML 1.1 would have read as octal, or as digits in groups.
    if let number = Int64(digits), digits.utf8.allSatisfy({ $0 < 0x3A }) {
      return digits == text
        ? "write \(number), or 0o\(text.drop { $0 == "0" }) for octal"
        : "write \(number)"
    }
    return "write a number such as 1"
  }

  /// A whole number within bounds.
  mutating func decodeCount(
    _ node: YAMLNode, _ subject: String, in range: ClosedRange<Int>,
    code: DiagnosticCode = .outOfRange
  ) -> Int? {
    guard let integer = decodeInteger(node, subject) else { return nil }
    guard let count = Int(exactly: integer.value), range.contains(count) else {
      let bound =
        range.upperBound == Int.max
        ? "at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      report(
        "\(quoted(subject)) must be \(bound), not \(integer.value)", code: code,
        at: node.range,
        help: "write a number \(bound)")
      return nil
    }
    return count
  }

  mutating func decodeBool(_ node: YAMLNode, _ subject: String) -> Located<Bool>? {
    guard case .scalar(let scalar) = node.content else {
      reportType(node, subject, "must be true or false", help: "write true or false")
      return nil
    }
    if case .bool(let bool) = scalar.meaning { return Located(bool, at: node.range) }
    // YAML 1.1 spelled truth values in more ways.
    let help =
      switch scalar.text.lowercased() {
      case "yes", "on", "y", "true": "write true"
      case "no", "off", "n", "false": "write false"
      default: "write true or false"
      }
    reportType(node, subject, "must be true or false", help: help)
    return nil
  }

  // MARK: - Words

  /// Reads one of the words of an enumeration.
  mutating func decodeWord<Word: CaseIterable & RawRepresentable<String>>(
    _ node: YAMLNode, _ subject: String
  ) -> Located<Word>? {
    let words = Word.allCases.map(\.rawValue)
    let list = "write one of: \(words.sorted().joined(separator: ", "))"
    guard let text = decodeText(node, subject, example: list) else { return nil }
    if let word = Word(rawValue: text.value) { return Located(word, at: text.range) }
    // Nothing but its letters speaks for the word: no value behind it fits, as behind a key.
    let slip =
      KeySuggestions.isWord(text.value) ? nil : Suggestion.misspelled(text.value, in: words)
    report(
      Diagnostic(
        "unknown value \"\(text.value)\" for \(quoted(subject))", code: .unknownValue,
        at: text.range,
        help: Suggestion.help(for: text.value, in: words, label: "allowed values"),
        fix: slip.flatMap {
          DiagnosticFix(respelling: text, as: $0, confidence: .likely, in: source)
        }))
    return nil
  }
}
