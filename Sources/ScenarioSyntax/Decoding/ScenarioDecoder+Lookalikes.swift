internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// Warns of a text without quotes that readers of YAML 1.1 take for something else.
  ///
  /// Only data is looked at: an argument or a variable is text for everybody, and typed places of the language
  /// refuse it.
  mutating func warnOfAmbiguity(_ text: String, at range: SourceRange) {
    guard let ambiguity = YAML11Ambiguity(text) else { return }
    report(
      Diagnostic(
        "\"\(text)\" is text here, but \(ambiguity.meaning) in YAML 1.1",
        code: ambiguity.code, at: range,
        help: "write \"\(text)\" with the quotes for the text, or \(ambiguity.plainly)",
        fix: DiagnosticFix(replacing: range, with: "\"\(text)\"", confidence: .likely)))
  }

  // MARK: - Comments

  /// Warns of `name: issue #12`, where the text ends in front of the sign.
  ///
  /// Comments are written with a blank behind their sign; numbers of issues, colours and anchors are not.
  mutating func warnOfComment(behind node: YAMLNode) {
    guard case .scalar(let scalar) = node.content else { return }
    if node.lastLine > node.range.line {
      warnOfComment(behindLastLineOf: scalar, node)
    } else {
      warnOfComment(behind: scalar, at: node.range)
    }
  }

  /// The comment that begins what follows a text on its line, if it is one that may belong to the text.
  private static func tightComment(in rest: String) -> String? {
    let comment = rest.drop { $0 == " " || $0 == "\t" }
    guard comment.count < rest.count, comment.hasPrefix("#"),
      let first = comment.dropFirst().first, first.isLetter || first.isNumber
    else { return nil }
    return shortened(String(comment))
  }

  /// Warns of a text of several lines without quotes whose last line ends in that way.
  private mutating func warnOfComment(behindLastLineOf scalar: YAMLScalar, _ node: YAMLNode) {
    let number = node.lastLine
    guard linesWithTightComments.contains(number), scalar.style == .plain,
      let line = source.text(line: number, from: 1, limit: 1000),
      let sign = line.firstRange(of: " #")?.lowerBound ?? line.firstRange(of: "\t#")?.lowerBound,
      let shown = Self.tightComment(in: String(line[sign...]))
    else { return }
    // What stands in front of the sign is the text's own end, and no other entry of a list in brackets.
    let last = Self.trimmed(String(line[..<sign].drop { $0.isWhitespace }))
    guard !last.isEmpty, scalar.text.hasSuffix(last) else { return }
    report(
      "the text ends before \"\(shown)\", which is a comment", code: .tightComment,
      at: node.range,
      help:
        "put the whole text into quotes if the \"#\" belongs to it, or add a space after the \"#\"")
  }

  /// Warns in the same way of a scalar at a place.
  private mutating func warnOfComment(behind scalar: YAMLScalar, at range: SourceRange) {
    guard linesWithTightComments.contains(range.line), scalar.style == .plain, !scalar.text.isEmpty,
      let rest = source.text(line: range.line, from: range.endColumn, limit: 200),
      let shown = Self.tightComment(in: rest)
    else { return }
    let whole = Self.trimmed(Self.shortened(scalar.text) + rest)
    let isAlone = source.text(line: range.line, from: 1, limit: range.column).map {
      !$0.contains("{") && !$0.contains("[")
    }
    let isQuotable = isAlone == true && !whole.contains("\"") && !whole.contains("\\")
    report(
      Diagnostic(
        "the text ends before \"\(shown)\", which is a comment", code: .tightComment,
        at: range,
        help: isQuotable
          ? "write \"\(whole)\" with the quotes if the \"#\" belongs to the text, or add a space after the \"#\""
          : "put the whole text into quotes if the \"#\" belongs to it, or add a space after the \"#\"",
        fix: isQuotable && rest.unicodeScalars.count < 200
          ? DiagnosticFix(
            replacing: SourceRange(
              file: range.file, line: range.line, column: range.column,
              length: whole.unicodeScalars.count), with: "\"\(whole)\"", confidence: .likely)
          : nil))
  }

  private static func trimmed(_ text: String) -> String {
    var text = text
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }

  // MARK: - Numbers

  /// Warns of numbers that names and texts show otherwise than their author wrote them: `3.10` is 3.1.
  ///
  /// Generators that hand data on are looked into; others compute with their numbers.
  ///
  /// - Parameter decimalsAlone: whether only decimals such as `3.10` count, and no other ways to write a number.
  mutating func warnOfChangedNumbers(_ node: YAMLNode, decimalsAlone: Bool = false) {
    guard !isWrittenByProgram else { return }
    switch node.content {
    case .sequence(let nodes):
      for node in nodes { warnOfChangedNumbers(node, decimalsAlone: decimalsAlone) }
    case .mapping(let members):
      for member in members
      where !member.key.value.hasPrefix("$") || Self.handsOn(member.key.value, member.value) {
        warnOfChangedNumbers(member.value, decimalsAlone: decimalsAlone)
      }
    case .scalar(let scalar):
      let value: Value
      switch scalar.meaning {
      case .integer(let integer): value = .integer(integer)
      case .number(let number): value = .number(number)
      default: return
      }
      guard !decimalsAlone || scalar.text.allSatisfy({ $0.isNumber || $0 == "." }) else { return }
      let shown = value.jsonText()
      guard scalar.tag == nil, shown != scalar.text else { return }
      report(
        Diagnostic(
          "\(scalar.text) is a number and is read as \(shown)", code: .changedNumber,
          at: node.range,
          help: "write \"\(scalar.text)\" with the quotes for the text, or \(shown)",
          fix: DiagnosticFix(
            replacing: node.range, with: "\"\(scalar.text)\"", confidence: .likely)))
    }
  }

  /// Returns whether a generator gives the data behind it as it is.
  private static func handsOn(_ generator: String, _ node: YAMLNode) -> Bool {
    switch generator {
    case "$append", "$json", "$merge", "$raw": return true
    case "$cycle", "$pick", "$seq":
      guard case .sequence = node.content else { return false }
      return true
    default: return false
    }
  }

  // MARK: - Templates

  /// Refuses `{{ name }}`, which is an expression in other tools and text here; true if there was one.
  ///
  /// In fixed text that a target may see, such as a path, and in text of several lines, which is often a template for the
  /// target itself, only expressions of this language count.
  ///
  /// - Parameters:
  ///   - isFixed: whether expressions are not allowed there.
  ///   - isOfLanguage: whether it is fixed text of this language, such as a name or a key, and no template for others.
  mutating func refuseForeignTemplate(
    in text: String, at range: SourceRange, isFixed: Bool, isOfLanguage: Bool = false
  ) -> Bool {
    let isLong = text.utf8.contains(UInt8(ascii: "\n"))
    guard !isWrittenByProgram,
      let found = ForeignTemplate(in: text, oursAlone: isLong || isFixed && !isOfLanguage)
    else { return false }
    guard !isFixed else {
      report(
        "\"\(found.text)\" is text, and expressions are not allowed here", code: .fixedText,
        at: range,
        help: "write fixed text")
      return true
    }
    let plain =
      found.text.contains("'")
      ? "${{ '{{' }}\(found.text.dropFirst(2))" : "${{ '\(found.text)' }}"
    let help: String
    if let expression = found.expression {
      let value = found.text == "{{\(expression)}}" ? "$\(found.text)" : "${{ \(expression) }}"
      help = "write \"\(value)\" for the value, or \"\(plain)\" for the text"
    } else {
      help =
        "write \"\(plain)\" for the text, or an expression for the value"
        + (found.filterHelp.map { ": \($0)" } ?? "")
    }
    report(
      "\"\(found.text)\" is text: an expression begins with \"${{\"", code: .badExpression,
      at: range, help: help)
    return true
  }

  /// Reads fixed text for readers and for the selection of scenarios: a name, a tag, a description, a reason.
  mutating func decodeCaption(_ node: YAMLNode, _ subject: String) -> Located<String>? {
    if case .scalar(let scalar) = node.content,
      refuseForeignTemplate(in: scalar.text, at: node.range, isFixed: true, isOfLanguage: true)
    {
      return nil
    }
    return decodeText(node, subject)
  }

  /// Reads a regular expression that is fixed, in which `{{ name }}` is none that anybody means.
  mutating func decodeFixedPattern(
    _ node: YAMLNode, _ subject: String, example: String? = nil
  ) -> Located<String>? {
    if case .scalar(let scalar) = node.content, !isWrittenByProgram,
      let found = ForeignTemplate(in: scalar.text)
    {
      let text = found.text.replacing("{", with: "\\{").replacing("}", with: "\\}")
      report(
        "\"\(found.text)\" is text, and expressions are not allowed here", code: .fixedText,
        at: node.range, help: "write fixed text, or '\(text)' for literal braces")
      return nil
    }
    return decodeText(node, subject, example: example)
  }
}

/// The meaning in YAML 1.1 of a text without quotes that is text by the YAML 1.2 core schema.
struct YAML11Ambiguity: Hashable {
  /// The code of its warning.
  var code: DiagnosticCode
  /// The meaning in YAML 1.1.
  var meaning: String
  /// The way to write that meaning.
  var plainly: String

  /// `nil` if the text is text by YAML 1.1, too (<https://yaml.org/type/>).
  init?(_ text: String) {
    if let word = Self.words[text.lowercased()], Self.isWritten(text, as: text.lowercased()) {
      self.init(code: .looksLikeBool, meaning: "\(word)", plainly: "\(word)")
      return
    }
    let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
    guard let first = unsigned.utf8.first, (0x30...0x39).contains(first) else { return nil }
    if let length = Self.sexagesimal(unsigned) {
      self.init(code: .looksLikeTime, meaning: "the number \(length)", plainly: "\(length)")
    } else if unsigned.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // Whatever is a whole number without a leading zero never gets here.
      let number = Int64(unsigned, radix: 8)
      let decimal = Int64(unsigned).map { "\($0)" } ?? "the number without zeros"
      self.init(
        code: .looksLikeOctal, meaning: number.map { "the number \($0)" } ?? "a number",
        plainly: decimal)
    } else if let number = Self.grouped(unsigned) {
      self.init(code: .looksLikeNumber, meaning: "the number \(number)", plainly: "\(number)")
    } else {
      return nil
    }
  }

  private init(code: DiagnosticCode, meaning: String, plainly: String) {
    self.code = code
    self.meaning = meaning
    self.plainly = plainly
  }

  private static let words = ["no": false, "off": false, "on": true, "yes": true]

  /// `no`, `No` and `NO`, and not `nO`.
  private static func isWritten(_ text: String, as word: String) -> Bool {
    text == word || text == word.uppercased()
      || text == word.prefix(1).uppercased() + word.dropFirst()
  }

  /// `1:30` is 90 by YAML 1.1.
  private static func sexagesimal(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 1, !(parts[0].count > 1 && parts[0].first == "0") else { return nil }
    var sum: Int64 = 0
    for (index, part) in parts.enumerated() {
      guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(part),
        index == 0 || number < 60 && part.utf8.count <= 2
      else { return nil }
      let (scaled, isLarge) = sum.multipliedReportingOverflow(by: 60)
      let (added, isLarger) = scaled.addingReportingOverflow(number)
      guard !isLarge, !isLarger else { return nil }
      sum = added
    }
    return sum
  }

  /// `1_000` and `0b11`.
  private static func grouped(_ text: Substring) -> Int64? {
    let digits = text.filter { $0 != "_" }
    if digits.hasPrefix("0b") { return Int64(digits.dropFirst(2), radix: 2) }
    guard text.contains("_"), !text.hasSuffix("_") else { return nil }
    if digits.hasPrefix("0x") { return Int64(digits.dropFirst(2), radix: 16) }
    return Int64(digits)
  }
}
