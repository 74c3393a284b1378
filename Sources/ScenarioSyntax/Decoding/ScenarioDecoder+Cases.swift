internal import Foundations
internal import OrderedCollections
internal import ScenarioModel

extension ScenarioDecoder {
  // MARK: - Other files

  /// `include:` paths of files.
  mutating func decodeUses(_ node: YAMLNode) -> [Located<String>] {
    let help = "name files, as in include: [shared/login.yaml], or remove the key"
    return (decodeNonEmptyList(node, "include", help: help) ?? []).compactMap { entry in
      guard let path = decodeText(entry, "an entry of \"include\"", example: help) else {
        return nil
      }
      guard !path.value.isEmpty else {
        report("an entry of \"include\" is empty", code: .empty, at: path.range, help: help)
        return nil
      }
      return path
    }
  }

  // MARK: - Matrix

  /// `matrix:` lists to combine, or rows written out.
  mutating func decodeMatrix(_ node: YAMLNode) -> Matrix? {
    let help = "write lists, as in matrix: { plan: [basic, pro] }, or remove the key"
    var matrix = Matrix(range: node.range)
    switch node.content {
    case .sequence:
      matrix.rows = decodeRows(node, "matrix", help: help)
      return matrix.rows.isEmpty ? nil : matrix
    case .mapping(let members):
      guard !members.isEmpty else {
        report("\"matrix\" is empty", code: .badMatrix, at: node.range, help: help)
        return nil
      }
      var isComplete = true
      for member in members {
        switch member.key.value {
        case "$file":
          matrix.source = decodeText(member.value, "$file", example: Self.matrixFileHelp)
          isComplete = isComplete && matrix.source != nil
        case "include": matrix.include = decodeRows(member.value, "include", help: help)
        case "exclude": matrix.exclude = decodeRows(member.value, "exclude", help: help)
        default:
          if let axis = decodeAxis(member) { matrix.axes.append(axis) } else { isComplete = false }
        }
      }
      guard isComplete else { return nil }
      if let source = matrix.source {
        guard matrix.axes.isEmpty else {
          report(
            "\"matrix\" has both lists and \"$file\"", code: .contradictory, at: source.range,
            help: "keep one of them; only include and exclude can be combined with \"$file\"")
          return nil
        }
        return matrix
      }
      guard !matrix.axes.isEmpty || !matrix.include.isEmpty else {
        report("\"matrix\" has no lists to combine", code: .badMatrix, at: node.range, help: help)
        return nil
      }
      return matrix
    case .scalar:
      reportType(node, "matrix", "must be a map of lists, or a list of maps", help: help)
      return nil
    }
  }

  private static let matrixFileHelp = "name a file of rows, as in matrix: { $file: rows.csv }"

  private mutating func decodeAxis(_ member: YAMLMember) -> Matrix.Axis? {
    let name = member.key
    let isNamed = checkCellName(name)
    guard case .sequence(let nodes) = member.value.content else {
      reportType(
        member.value, "\"matrix.\(name.value)\"", "must be a list",
        help: name.value == "file"
          ? "write \"matrix: { $file: \(member.value.inlineText) }\""
          : "write \(name.value): [\(member.value.isNull ? "a, b" : member.value.inlineText)]")
      return nil
    }
    guard !nodes.isEmpty else {
      report(
        "\"matrix.\(name.value)\" is empty", code: .badMatrix, at: member.value.range,
        help: "add a value, or remove the key: without values there is no case to run")
      return nil
    }
    // What is a list of maps, and nearly called so, was not meant as values.
    let isOfMaps = nodes.allSatisfy { if case .mapping = $0.content { true } else { false } }
    if isOfMaps, let question = Suggestion.question(for: name.value, in: ["exclude", "include"]) {
      report(
        "unknown key \"\(name.value)\" in \"matrix\"", code: .unknownKey, at: name.range,
        help: "\(question) otherwise, give the list of maps another name")
      return nil
    }
    var values: [Located<Value>] = []
    var places: [Value: SourceRange] = [:]
    for node in nodes {
      guard let value = decodeCell(node) else { continue }
      if let first = places[value] {
        report(
          "\"matrix.\(name.value)\" has the value \(Self.shortened(value.jsonText())) twice",
          code: .badMatrix,
          at: node.range, help: "remove one: both are the same case",
          notes: [Diagnostic.Note("the first one is here", at: first)])
      }
      places[value] = node.range
      values.append(Located(value, at: node.range))
    }
    guard isNamed, values.count == nodes.count else { return nil }
    return Matrix.Axis(name: name, values: values)
  }

  private mutating func decodeRows(
    _ node: YAMLNode, _ subject: String, help: String
  ) -> [Matrix.Row] {
    (decodeNonEmptyList(node, subject, help: help) ?? []).compactMap { entry in
      guard let members = decodeMembers(entry, "an entry of \"\(subject)\"") else { return nil }
      guard !members.isEmpty else {
        report(
          "an entry of \"\(subject)\" is empty", code: .empty, at: entry.range,
          help: "write names and values, as in { plan: basic, price: 1 }")
        return nil
      }
      let cells = members.compactMap { member -> Matrix.Row.Cell? in
        guard checkCellName(member.key) else { return nil }
        return decodeCell(member.value).map { Matrix.Row.Cell(name: member.key, value: $0) }
      }
      guard cells.count == members.count else { return nil }
      return Matrix.Row(cells: cells, range: entry.range, lastLine: entry.lastLine)
    }
  }

  /// Expressions name it behind "matrix.", and reports show it.
  private mutating func checkCellName(_ name: Located<String>) -> Bool {
    checkWord(name, "a name in a matrix", help: "so that ${{ matrix.NAME }} can refer to it")
  }

  /// A name that a path in an expression can hold.
  mutating func checkWord(_ name: Located<String>, _ what: String, help: String) -> Bool {
    let letters = name.value.utf8
    let isWord = letters.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isWord, let first = letters.first, !(0x30...0x39).contains(first) else {
      report(
        "\"\(name.value)\" cannot be \(what)", code: .badName, at: name.range,
        help: "write letters, digits and \"_\", \(help)")
      return false
    }
    return true
  }

  /// Decodes a value without generators and expressions: their inputs would have to be known before
  /// there is a case.
  private mutating func decodeCell(_ node: YAMLNode) -> Value? {
    if let generator = Self.generator(in: node) {
      report(
        "a matrix cannot contain a generator, but \"\(generator.value)\" is one", code: .badMatrix,
        at: generator.range,
        help: "generate it in \"build\", which can use ${{ matrix.NAME }}")
      return nil
    }
    guard let data = decodePlainData(node) else { return nil }
    warnOfChangedNumbers(node)
    do throws(Diagnostic) {
      return try data.plainValue(of: "a value of \"matrix\"", code: .badMatrix)
    } catch {
      report(error)
      return nil
    }
  }

  /// Returns the first key that would make a value in data.
  private static func generator(in node: YAMLNode) -> Located<String>? {
    switch node.content {
    case .scalar: return nil
    case .sequence(let nodes): return nodes.lazy.compactMap(generator).first
    case .mapping(let members):
      return members.lazy.compactMap {
        Grammar.generators.contains($0.key.value) ? $0.key : generator(in: $0.value)
      }.first
    }
  }

  // MARK: - Capture

  /// `capture: { NAME: { stdout: REGEX } }`, `capture: { NAME: { stdout: { json: PATH } } }`, or several of them.
  mutating func decodeCapture(_ node: YAMLNode) -> Step.Action? {
    let example = "write a name and its source: { token: { stdout: 'token=(\\S+)' } }"
    guard let members = decodeMembers(node, "capture") else { return nil }
    guard !members.isEmpty else {
      report("\"capture\" is empty", code: .empty, at: node.range, help: example)
      return nil
    }
    let rules = members.compactMap { decodeCaptureRule($0, example) }
    return rules.count == members.count ? .capture(rules) : nil
  }

  private mutating func decodeCaptureRule(
    _ member: YAMLMember, _ example: String
  ) -> CaptureRule? {
    let isNamed = checkWord(
      member.key, "a name of \"capture\"", help: "so that ${{ capture.NAME }} can refer to it")
    let subject = "\"capture.\(member.key.value)\""
    guard case .mapping = member.value.content else {
      reportType(member.value, subject, "must be a map", help: example)
      return nil
    }
    guard let reader = mapping(member.value, as: Grammar.capture, subject: subject) else {
      return nil
    }
    guard let source = single(among: Grammar.capture.keys, in: reader) else {
      if reader.unknownCount == 0 {
        report(
          "\(subject) does not say where to find the value", code: .missingKey,
          at: member.value.range,
          help: example)
      }
      return nil
    }
    let stream: CaptureRule.Source = source.key.value == "stderr" ? .errorOutput : .output
    guard case .mapping = source.value.content else {
      guard
        let text = decodeFixedPattern(source.value, source.key.value, example: example), isNamed
      else { return nil }
      return CaptureRule(name: member.key, source: stream, pattern: .expression(text))
    }
    let place = quoted(source.key.value)
    guard let reader = mapping(source.value, as: Grammar.capturedJSON, subject: place),
      let path = required("json", in: reader, example: "json: $.id"),
      let text = decodeText(path, "json", example: "write a path, as in json: $.id"), isNamed
    else { return nil }
    return CaptureRule(name: member.key, source: stream, pattern: .json(text))
  }

  // MARK: - Skip and only

  /// `skip: REASON` or `skip: { if: "${{ … }}", reason: REASON }`.
  mutating func decodeSkip(_ node: YAMLNode) -> SkipRule? {
    let help = "write the reason, as in skip: \"waits for the new billing API\""
    switch node.content {
    case .mapping:
      guard
        let reader = mapping(node, as: Grammar.skip, subject: "\"skip\""),
        let reasonNode = required("reason", in: reader, example: "reason: not on ARM yet"),
        let conditionNode = required("if", in: reader, example: "if: ${{ matrix.plan == 'pro' }}")
      else { return nil }
      guard case .scalar = conditionNode.content else {
        reportType(
          conditionNode, "if", "must be true or false",
          help: "write a condition, as in if: ${{ matrix.plan == 'pro' }}")
        return nil
      }
      let condition = decodeData(conditionNode)
      guard let reason = decodeReason(reasonNode, help: help), let condition else { return nil }
      return SkipRule(reason: reason, condition: condition)
    case .sequence:
      reportType(node, "skip", "must be a reason", help: help)
      return nil
    case .scalar:
      return decodeReason(node, help: help).map { SkipRule(reason: $0) }
    }
  }

  private mutating func decodeReason(_ node: YAMLNode, help: String) -> Located<String>? {
    guard case .scalar(let scalar) = node.content else {
      reportType(node, "skip", "must be a reason", help: help)
      return nil
    }
    // What YAML 1.1 took for truth is no reason either.
    let word = scalar.style == .plain ? scalar.text.lowercased() : ""
    if ["true", "false", "yes", "no", "on", "off", "y", "n"].contains(word) {
      let isSkipped = ["true", "yes", "on", "y"].contains(word)
      reportType(
        node, "skip", "must be a reason",
        help: isSkipped ? help : "remove the key to run the scenario; otherwise \(help)")
      return nil
    }
    guard scalar.meaning != .null else {
      reportType(node, "skip", "must be a reason", help: help)
      return nil
    }
    return decodeName(node, "skip")
  }
}
