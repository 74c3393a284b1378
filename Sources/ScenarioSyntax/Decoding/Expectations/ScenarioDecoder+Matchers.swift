internal import Foundations
internal import ScenarioModel

extension MatcherKind {
  /// The conditions, those on outputs among those on text.
  var grammar: MapGrammar<Matcher.Condition?> {
    switch self {
    case .text, .output: Grammar.outputConditions
    case .number: Grammar.numberConditions
    case .duration: Grammar.durationConditions
    case .data: Grammar.dataConditions
    }
  }

  /// The keys that may occur in every such matcher.
  var names: [String] { self == .text ? Grammar.textConditions.keys : grammar.keys }
}

extension ScenarioDecoder {
  /// A bare value, or a map of conditions that must all hold.
  ///
  /// `moreKeys` are keys that the caller knows beside the matcher's own, for the list of what is
  /// allowed.
  mutating func decodeMatcher(
    _ node: YAMLNode, _ kind: MatcherKind, _ subject: String, moreKeys: [String] = []
  ) -> Matcher? {
    guard case .mapping(let members) = node.content else {
      return decodeBareMatcher(node, kind, subject)
    }
    if kind == .data, !isMatcher(members) {
      return decodeDocument(node, subject, .condition).map {
        Matcher(.equals($0), at: node.range, broughtMap: undecidedMap)
      }
    }
    return decodeConditions(node, kind, subject, moreKeys: moreKeys)
  }

  /// Returns whether a map in a data position is a condition and not the data itself.
  ///
  /// A key that documents have as often, such as `type`, makes a condition only where no other key is beside it.
  private func isMatcher(_ members: [YAMLMember]) -> Bool {
    let known = members.filter { Grammar.dataConditions.knows($0.key.value) }
    return !known.isEmpty
      && (known.count == members.count
        || known.contains { ConditionWord($0.key.value)?.isClearOnData ?? true })
  }

  private mutating func decodeBareMatcher(
    _ node: YAMLNode, _ kind: MatcherKind, _ subject: String
  ) -> Matcher? {
    let example: String
    if case .sequence = node.content {
      example =
        switch kind {
        case .number: "{ in: [1, 2] }"
        case .duration: "{ between: [1s, 2s] }"
        case .text, .output, .data: "{ lines: [ … ] }"
        }
    } else {
      example = kind == .number ? "0 or { greater_than: 3 }" : "{ contains: text }"
    }
    switch (kind, node.content) {
    case (.text, .sequence(let nodes)) where subject.hasPrefix("an entry of"):
      let text = nodes.count == 1 ? nodes[0].inlineText : "…"
      reportType(
        node, subject, "must be a text or a map",
        help: "write \"\(text)\", without the brackets, as a separate entry")
      return nil
    case (.text, .sequence), (.output, .sequence):
      reportType(node, subject, "must be a text or a map", help: "write \"\(example)\"")
      return nil
    case (.number, .sequence):
      reportType(node, subject, "must be a number or a map", help: "write \"\(example)\"")
      return nil
    case (.duration, .sequence):
      reportType(node, subject, "must be a duration or a map", help: "write \"\(example)\"")
      return nil
    case (.text, _) where node.isNull, (.output, _) where node.isNull:
      reportType(
        node, subject, "must be a text or a map",
        help: "write \"{ empty: true }\" to expect no output")
      return nil
    case (.data, .sequence):
      return decodeDocument(node, subject, .condition).map {
        Matcher(.equals($0), at: node.range, broughtMap: undecidedMap)
      }
    default:
      return decodeOperand(node, kind, subject).map {
        Matcher(
          .equals($0), at: node.range, broughtMap: kind == .data ? undecidedMap : .mistake)
      }
    }
  }

  /// The meaning of a map that an expression brings to where nothing says that it is a document.
  private var undecidedMap: Matcher.BroughtMap { isNegated ? .negated : .undecided }

  private mutating func decodeConditions(
    _ node: YAMLNode, _ kind: MatcherKind, _ subject: String, moreKeys: [String]
  ) -> Matcher? {
    let known = (kind.names + moreKeys).sorted()
    guard
      let reader = mapping(
        node, keys: known, of: kind.grammar.definition, former: kind.grammar.former,
        subject: quoted(subject),
        elsewhere: advice(on: node, kind, known: known))
    else { return nil }
    guard case .mapping(let members) = node.content, !members.isEmpty else {
      report(
        "\(quoted(subject)) has no condition", code: .empty, at: node.range,
        help: "add one of: \(known.joined(separator: ", "))")
      return nil
    }
    refuseWhatSaysAll(beside: "snapshot", in: reader.members)
    let tolerance = reader.member("within")
    if let tolerance, reader["equals"] == nil {
      report(
        "\"within\" is the tolerance of \"equals\", which is missing",
        code: .missingKey, at: tolerance.key.range,
        help: "write { equals: 10, within: 0.5 }; for bounds, write { between: [9.5, 10.5] }")
      return nil
    }
    let conditions = reader.members.filter { $0.key.value != "within" }
    let matchers = conditions.compactMap { member -> Matcher? in
      if let tolerance, member.key.value == "equals" {
        return decodeNearness(member, tolerance, kind)
      }
      return decodeCondition(member, kind).map {
        Matcher(
          $0, at: member.value.range,
          broughtMap: kind != .data ? .mistake : member.key.value == "equals" ? .document : .operand
        )
      }
    }
    guard matchers.count + (tolerance == nil ? 0 : 1) == members.count else { return nil }
    return matchers.count == 1 ? matchers[0] : Matcher(.allOf(matchers), at: node.range)
  }

  /// Reads `{ equals: 10, within: 0.5 }`.
  private mutating func decodeNearness(
    _ member: YAMLMember, _ tolerance: YAMLMember, _ kind: MatcherKind
  ) -> Matcher? {
    // Both are read before either is missed.
    let value = decodeBound(member.value, kind, "equals")
    let most = decodeBound(tolerance.value, kind, "within")
    guard let value, let most else { return nil }
    return Matcher(.near(value, within: most), at: member.value.range, broughtMap: .mistake)
  }

  /// Returns the advice for conditions of other tools that this language writes by others.
  private func advice(
    on node: YAMLNode, _ kind: MatcherKind, known: [String]
  ) -> [String: String] {
    guard [.data, .text, .output].contains(kind), case .mapping(let members) = node.content else {
      return [:]
    }
    var advice: [String: String] = [:]
    for member in members where !known.contains(member.key.value) {
      guard let word = ConditionWord(member.key.value) else { continue }
      let operand = excerpt(member.value) ?? "…"
      advice[member.key.value] = word.advice(operand: operand, onText: kind != .data).map {
        "\($0); allowed keys: \(Suggestion.list(known.sorted(), for: member.key.value))"
      }
    }
    return advice
  }

  private mutating func decodeCondition(
    _ member: YAMLMember, _ kind: MatcherKind
  ) -> Matcher.Condition? {
    guard kind.grammar.keys.contains(member.key.value) else {
      return decodeNonEmptyMatchers(member.value, kind, member.key.value).map { .anyOf($0) }
    }
    var condition: Matcher.Condition?
    kind.grammar.read(member, by: &self, into: &condition)
    return condition
  }

  /// `contains:` a part, or all parts of a list.
  mutating func decodeContains(_ node: YAMLNode, _ kind: MatcherKind) -> Matcher.Condition? {
    if kind != .data, case .sequence = node.content {
      guard let nodes = decodeNonEmptyList(node, "contains") else { return nil }
      let parts = nodes.compactMap { part in
        decodeOperand(part, kind, "an entry of \"contains\"").map {
          Matcher(.contains($0), at: part.range, broughtMap: .mistake)
        }
      }
      return parts.count == nodes.count ? .allOf(parts) : nil
    }
    guard !(kind == .data && refuseUndecided(node, "contains", .operand)) else { return nil }
    return decodeOperand(node, kind, "contains").map { .contains($0) }
  }

  /// `matches:` a regular expression.
  mutating func decodePattern(_ node: YAMLNode, _ kind: MatcherKind) -> Matcher.Condition? {
    guard !refuseSeveral(node, "matches", kind) else { return nil }
    warnOfComment(behind: node)
    if case .scalar(let scalar) = node.content, TemplateParser.isNeeded(for: scalar.text) {
      return decodeTemplate(scalar, at: node.range).map { .matchesComputed($0) }
    }
    if case .scalar(let scalar) = node.content,
      refuseForeignTemplate(in: scalar.text, at: node.range, isFixed: false)
    {
      return nil
    }
    return decodeText(node, "matches").map { .matches($0) }
  }

  /// Refuses a list of texts where one is asked for; true if it was one.
  ///
  /// In data a list is a value like others.
  private mutating func refuseSeveral(
    _ node: YAMLNode, _ key: String, _ kind: MatcherKind
  ) -> Bool {
    guard kind != .data, case .sequence = node.content else { return false }
    reportType(
      node, key, "must be one text",
      help: "for several texts, write \"all_of: [{ \(key): … }, { \(key): … }]\"")
    return true
  }

  // MARK: - Operands

  mutating func decodeOperand(
    _ node: YAMLNode, _ kind: MatcherKind, _ subject: String
  ) -> DataNode? {
    switch kind {
    case .text, .output: return decodeTemplate(node, subject)
    case .data: return decodeData(node)
    case .duration:
      if case .scalar(let scalar) = node.content, let help = Self.comparisonHelp(scalar.text) {
        report(
          "\"\(scalar.text)\" is not a duration", code: .badDuration, at: node.range, help: help)
        return nil
      }
      return decodeDelay(node, subject).map {
        DataNode(.literal(.string($0.value.description)), at: $0.range)
      }
    case .number:
      // An expression may come out as a number; the plan will know.
      if case .scalar(let scalar) = node.content, TemplateParser.isNeeded(for: scalar.text) {
        return decodeTemplate(scalar, at: node.range)
      }
      return decodeInteger(node, subject).map {
        DataNode(.literal(.integer($0.value)), at: $0.range)
      }
    }
  }

  mutating func decodeOperands(
    _ node: YAMLNode, _ kind: MatcherKind, _ key: String
  ) -> [DataNode]? {
    guard let nodes = decodeNonEmptyList(node, key) else { return nil }
    let operands = nodes.compactMap { node -> DataNode? in
      let subject = "an entry of \"\(key)\""
      guard !(kind == .data && refuseUndecided(node, subject, .operand)) else { return nil }
      return decodeOperand(node, kind, subject)
    }
    return operands.count == nodes.count ? operands : nil
  }

  /// A number or a duration.
  mutating func decodeBound(
    _ node: YAMLNode, _ kind: MatcherKind, _ key: String
  ) -> DataNode? {
    if kind == .duration { return decodeOperand(node, kind, key) }
    guard case .scalar(let scalar) = node.content else {
      reportType(node, key, "must be a number or a duration", help: "write 3 or 250ms")
      return nil
    }
    switch scalar.meaning {
    case .integer, .number, .tooLarge, .notFinite: return decodeData(node)
    case .text where TemplateParser.isNeeded(for: scalar.text):
      return decodeTemplate(scalar, at: node.range)
    case .text where (try? Nanoseconds(text: scalar.text)) != nil:
      return DataNode(.literal(.string(scalar.text)), at: node.range)
    default:
      let isQuotedNumber =
        switch YAMLScalar(text: scalar.text, style: .plain).meaning {
        case .integer, .number: scalar.style != .plain
        default: false
        }
      let help =
        isQuotedNumber ? "write \(scalar.text) without the quotes" : "write 3 or 250ms"
      reportType(node, key, "must be a number or a duration", help: help)
      return nil
    }
  }

  mutating func decodeBetween(
    _ node: YAMLNode, _ kind: MatcherKind
  ) -> Matcher.Condition? {
    guard let nodes = decodeList(node, "between") else { return nil }
    guard nodes.count == 2 else {
      report(
        "\"between\" needs two bounds, not \(nodes.count)", code: .badRange, at: node.range,
        help:
          "write \"between: \(kind == .duration ? "[1s, 3s]" : "[1, 3]")\"; both ends are included")
      return nil
    }
    let bounds = nodes.compactMap { decodeBound($0, kind, "between") }
    return bounds.count == 2 ? .between(bounds[0], bounds[1]) : nil
  }

  mutating func decodeMatchers(
    _ node: YAMLNode, _ kind: MatcherKind, _ key: String
  ) -> [Matcher]? {
    guard let nodes = decodeList(node, key) else { return nil }
    let matchers = nodes.compactMap { decodeMatcher($0, kind, "an entry of \"\(key)\"") }
    return matchers.count == nodes.count ? matchers : nil
  }

  mutating func decodeNonEmptyMatchers(
    _ node: YAMLNode, _ kind: MatcherKind, _ key: String
  ) -> [Matcher]? {
    decodeNonEmptyList(node, key) == nil ? nil : decodeMatchers(node, kind, key)
  }

  // MARK: - JSON

  /// `json:` on text: `$.path` keys, `{ contains: … }`, `{ equals: … }`, or the whole document.
  mutating func decodeJSONCondition(_ node: YAMLNode) -> JSONCondition? {
    if case .mapping(let members) = node.content, members.contains(where: { isPath($0.key.value) })
    {
      return decodeJSONPaths(members)
    }
    if let member = jsonOperator(node) {
      if member.key.value == "schema" { return decodeSchema(member.value).map { .schema($0) } }
      guard let data = decodeOperand(of: member) else { return nil }
      return member.key.value == "contains" ? .subset(data) : .document(data)
    }
    if let matcher = decodeWholeConditions(node) {
      return matcher.map { .paths([FieldMatcher(name: Located("$", at: node.range), matcher: $0)]) }
    }
    guard !refusePath(node) else { return nil }
    guard isNegated, case .scalar = node.content else {
      return decodeDocument(node, "json", .whole).map { .document($0) }
    }
    return decodeBareMatcher(node, .data, "json").map {
      .paths([FieldMatcher(name: Located("$", at: node.range), matcher: $0)])
    }
  }

  /// Refuses a path alone, of which nothing is said, in the place of a document; false if there is none.
  private mutating func refusePath(_ node: YAMLNode) -> Bool {
    guard case .scalar(let scalar) = node.content, scalar.style == .plain, isPath(scalar.text)
    else {
      return false
    }
    report(
      "\"\(scalar.text)\" is a path without a condition",
      code: .conditionOrDocument, at: node.range,
      help:
        "write \"json: { \(scalar.text): … }\", or \"\(scalar.text)\" in quotes for a document that"
        + " consists of this text")
    return true
  }

  /// Decodes conditions on a whole document; `nil` where a map is a document, or is ambiguous.
  private mutating func decodeWholeConditions(_ node: YAMLNode) -> Matcher?? {
    guard case .mapping(let members) = node.content,
      Matcher.areConditionsOnData(members.map(\.key.value))
    else { return nil }
    return .some(decodeMatcher(node, .data, "json"))
  }

  /// `json:` of a request pattern: `$.path` keys, `{ contains: … }`, `{ equals: … }`, `{ schema: … }`,
  /// or the whole document.
  mutating func decodeJSONMatcher(_ node: YAMLNode) -> Matcher? {
    if case .mapping(let members) = node.content, members.contains(where: { isPath($0.key.value) })
    {
      return decodeJSONPaths(members).map { Matcher(.json($0), at: node.range) }
    }
    guard let member = jsonOperator(node) else {
      if let matcher = decodeWholeConditions(node) { return matcher }
      return decodeDocument(node, "json", .whole).map {
        Matcher(.equals($0), at: node.range, broughtMap: isNegated ? .negated : .document)
      }
    }
    if member.key.value == "schema" {
      return decodeSchema(member.value).map { Matcher(.schema($0), at: member.value.range) }
    }
    return decodeOperand(of: member).map {
      Matcher(
        member.key.value == "contains" ? .contains($0) : .equals($0), at: member.value.range)
    }
  }

  /// Reads the operand of `contains` or `equals`; the latter says that it is a document, whatever
  /// it looks like.
  private mutating func decodeOperand(of member: YAMLMember) -> DataNode? {
    member.key.value == "contains"
      ? decodeDocument(member.value, "contains", .operand) : decodeData(member.value)
  }

  /// Decodes a JSON Schema: a map or a Boolean is the schema, a text names its file.
  mutating func decodeSchema(_ node: YAMLNode) -> SchemaSource? {
    switch node.content {
    case .mapping: return decodePlainData(node).map { .inline($0) }
    case .scalar(let scalar):
      if case .bool = scalar.meaning { return decodeData(node).map { .inline($0) } }
      guard scalar.meaning == .text else { break }
      return decodeText(node, "schema").map { .file($0) }
    case .sequence: break
    }
    reportType(
      node, "schema", "must be a JSON Schema or its file",
      help: "write a map such as { type: object }, or a path; write { equals: … } around data")
    return nil
  }

  /// The one key of `{ contains: … }` or `{ equals: … }`; a document with more keys is a document.
  private func jsonOperator(_ node: YAMLNode) -> YAMLMember? {
    guard case .mapping(let members) = node.content, members.count == 1,
      Grammar.jsonOperator.keys.contains(members[0].key.value)
    else {
      return nil
    }
    return members[0]
  }

  private func isPath(_ key: String) -> Bool {
    key == "$" || key.hasPrefix("$.") || key.hasPrefix("$[")
  }

  private mutating func decodeJSONPaths(_ members: [YAMLMember]) -> JSONCondition? {
    var fields: [FieldMatcher] = []
    for member in members {
      guard isPath(member.key.value) else {
        report(
          "\"\(member.key.value)\" cannot be combined with a path", code: .contradictory,
          at: member.key.range,
          help: "write \"$.\(member.key.value)\", or use \"equals\" for a whole document")
        continue
      }
      guard checkFieldKey(member.key) else { continue }
      if let matcher = decodeMatcher(member.value, .data, member.key.value) {
        fields.append(FieldMatcher(name: member.key, matcher: matcher))
      }
    }
    return fields.count == members.count ? .paths(fields) : nil
  }
}
