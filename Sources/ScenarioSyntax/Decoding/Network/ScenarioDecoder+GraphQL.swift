internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `network: { graphql: … }`.
  mutating func decodeGraphQLSettings(_ node: YAMLNode) -> GraphQLSettings? {
    decode(node, as: Grammar.graphQL, subject: "\"graphql\"", from: GraphQLSettings())
  }

  mutating func decodeInitialisation(_ node: YAMLNode) -> GraphQLInitialisation? {
    var settings = GraphQLInitialisation()
    let grammar = Grammar.graphQLInitialisation
    guard let reader = decode(node, as: grammar, subject: "\"init\"", into: &settings) else {
      return nil
    }
    if reader.members.isEmpty, reader.unknownCount == 0 {
      report(
        "\"init\" is empty", code: .empty, at: node.range,
        help: "write \"within: 3s\", \"payload: { … }\" or \"reply: { … }\"")
    }
    return settings
  }

  /// Returns whether a key makes an entry of `responses:` one for GraphQL.
  func isGraphQLKey(_ key: String) -> Bool {
    Grammar.graphQLKinds.contains(key) || key == "document"
  }

  /// An entry of `responses:` with `query:`, `mutation:`, `subscription:`, `operation:` or
  /// `document:`.
  mutating func decodeGraphQLResponse(_ node: YAMLNode) -> ResponseEntry? {
    let subject = "a GraphQL entry of \"responses\""
    guard let reader = mapping(node, as: Grammar.graphQLResponse, subject: subject) else {
      return nil
    }
    let name = reader["name"].flatMap { decodeName($0, "name") }
    let url = reader["url"].flatMap { decodeText($0, "url") }
    let isURLValid = url.map { checkURL($0) } ?? true
    let variables = reader["variables"].map { decodeVariables($0, "variables") }
    let document = reader["document"].map { decodeText($0, "document") }
    let replies = decodeReplies(reader) { $0.decodeGraphQLReply($1) }
    let member = single(among: Grammar.graphQLKinds, in: reader)
    let operation = member.map { decodeOperationName($0.value, $0.key.value) }
    // What is `.some(nil)` was there and wrong; the report is written.
    if case .some(.none) = operation { return nil }
    if case .some(.none) = document { return nil }
    guard isURLValid, let replies else { return nil }
    var pattern = GraphQLPattern(
      kind: member.flatMap { GraphQLOperationKind(rawValue: $0.key.value) },
      operation: operation.flatMap { $0 }.flatMap { $0.value == "*" ? nil : $0 },
      document: document.flatMap { $0 }, url: url, variables: variables.flatMap { $0 })
    if let found = reader["document"], case .scalar(let scalar) = found.content {
      pattern.documentPlaces = TextPlaces(scalar, at: found.range, in: source)
    }
    let line = member.map { "\($0.key.value) \(operation.flatMap { $0 }?.value ?? "")" }
    var entry = ResponseEntry(
      name: name?.value ?? line
        ?? "document \(Self.shortened(document.flatMap { $0 }?.value ?? ""))",
      match: .graphQL(pattern), replies: replies, repeats: false,
      then: reader["then"].flatMap { decodeWord($0, "then") }, range: node.range)
    decodeState(reader, into: &entry)
    return entry
  }

  /// GraphQL, section 2.1.9: a name is a letter or "_", then letters, digits and "_"; `*` is any.
  private mutating func decodeOperationName(
    _ node: YAMLNode, _ key: String
  ) -> Located<String>? {
    guard let name = decodeText(node, key) else { return nil }
    let isName =
      !name.value.isEmpty && !("0"..."9").contains(name.value.prefix(1))
      && name.value.unicodeScalars.allSatisfy {
        $0 == "_" || $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
      }
    guard isName || name.value == "*" else {
      report(
        "\"\(Self.shortened(name.value))\" is not the name of an operation", code: .badName,
        at: name.range,
        help: """
          write only the operation's name, as in \"\(key): GetUser\"; write a whole document \
          as the value of \"document:\"
          """)
      return nil
    }
    return name
  }

  // MARK: - Variables

  mutating func decodeVariables(_ node: YAMLNode, _ key: String) -> GraphQLVariables? {
    guard case .mapping(let members) = node.content else {
      reportType(node, key, "must be a map", help: "write \"{ id: 42 }\"")
      return nil
    }
    let isExact = members.count == 1 && members[0].key.value == "exact"
    let found = isExact ? members[0].value : node
    var matchers: [FieldMatcher] = []
    let values = decodeVariableValues(found, "$", &matchers)
    return values.map { GraphQLVariables(values: $0, exact: isExact, matchers: matchers) }
  }

  /// Decodes the values of a map; a map of conditions becomes a matcher for its path.
  private mutating func decodeVariableValues(
    _ node: YAMLNode, _ path: String, _ matchers: inout [FieldMatcher]
  ) -> DataNode? {
    guard case .mapping(let members) = node.content,
      !members.contains(where: { $0.key.value.hasPrefix("$") })
    else {
      return decodeData(node)
    }
    var fields: [DataField] = []
    var isComplete = true
    for member in members {
      let place = path + PathStep.key(member.key.value).text
      if isConditions(member.value) {
        let matcher = decodeMatcher(member.value, .data, member.key.value)
        if let matcher {
          matchers.append(
            FieldMatcher(name: Located(place, at: member.key.range), matcher: matcher))
        }
        isComplete = isComplete && matcher != nil
      } else if refuseUndecided(member.value, member.key.value, .variable) {
        isComplete = false
      } else if case .mapping(let inner) = member.value.content, !inner.isEmpty {
        let value = decodeVariableValues(member.value, place, &matchers)
        if let value { fields.append(DataField(key: member.key, value: value)) }
        isComplete = isComplete && value != nil
      } else if let field = decodeField(member) {
        fields.append(field)
      } else {
        isComplete = false
      }
    }
    return isComplete ? DataNode(.map(fields), at: node.range) : nil
  }

  /// Returns whether a map says nothing but conditions.
  private func isConditions(_ node: YAMLNode) -> Bool {
    guard case .mapping(let members) = node.content, !members.isEmpty else { return false }
    let former = Grammar.dataConditions.former
    return Matcher.areConditionsOnData(
      members.map { former.successor(of: $0.key.value)?.key ?? $0.key.value })
  }

  // MARK: - Replies

  private mutating func decodeGraphQLReply(_ node: YAMLNode) -> Reply? {
    var reply = Reply(range: node.range)
    let subject = "a GraphQL reply"
    guard let reader = decode(node, as: Grammar.graphQLReply, subject: subject, into: &reply)
    else { return nil }
    if let stream = reader["stream"] {
      for member in reader.members(among: Grammar.graphQLReplyBody) {
        report(
          "\"\(member.key.value)\" cannot be combined with \"stream\" in a GraphQL reply",
          code: .contradictory, at: member.key.range,
          help: "write it as \"- next: { \(member.key.value): … }\"")
      }
      reply.body = .graphQLStream(decodeStream(stream))
      return checkFault(of: reply, in: reader) ? reply : nil
    }
    let data = reader["data"].map { decodeData($0) }
    let errors = reader["errors"].map { decodeErrors($0) }
    let extensions = reader["extensions"].map { decodeExtensions($0) }
    let isSilent = data == nil && errors == nil && extensions == nil
    if isSilent, reader.unknownCount == 0, reader["status"] == nil, reader["fault"] == nil {
      report(
        "the reply has no result", code: .badReply, at: reader.range,
        help: "add \"data: …\" or \"errors: [ … ]\", a \"status\" or a \"fault\"")
      return nil
    }
    if data != nil || errors != nil || extensions != nil {
      reply.body = .graphQL(
        data: data ?? nil, errors: errors ?? nil, extensions: extensions ?? nil)
    }
    return checkFault(of: reply, in: reader) ? reply : nil
  }

  private mutating func decodeErrors(_ node: YAMLNode) -> DataNode? {
    guard let elements = decodeNonEmptyList(node, "errors") else { return nil }
    for element in elements { checkError(element) }
    return decodeData(node)
  }

  /// October 2021, section 7.1.3: extensions are a map.
  private mutating func decodeExtensions(_ node: YAMLNode) -> DataNode? {
    switch node.content {
    case .mapping: break
    case .scalar(let scalar) where scalar.text.contains("${{"): break
    default:
      reportType(node, "extensions", "must be a map", help: "write { code: … }")
      return nil
    }
    return decodeData(node)
  }

  private static let errorKeys = ["extensions", "locations", "message", "path"]

  /// October 2021, section 7.1.2: an error has a message, and a path is a list.
  private mutating func checkError(_ node: YAMLNode) {
    guard case .mapping(let members) = node.content else {
      if case .scalar(let scalar) = node.content {
        if scalar.text.contains("${{") { return }
        let text = Self.shortened(scalar.text)
        return report(
          "the error \"\(text)\" must be a map", code: .wrongType, at: node.range,
          help: "write { message: \(text) }")
      }
      return report(
        "an error must be a map", code: .wrongType, at: node.range, help: "write { message: … }")
    }
    // What a generator makes is known later.
    if members.contains(where: { $0.key.value.hasPrefix("$") }) { return }
    var isMisspelled = false
    for member in members where !Self.errorKeys.contains(member.key.value) {
      let key = member.key.value
      guard let meant = Suggestion.closest(to: key, in: Self.errorKeys) else { continue }
      isMisspelled = isMisspelled || meant == "message"
      report(
        "unknown key \"\(key)\" in an error", code: .unknownKey, at: member.key.range,
        help: "\(Suggestion.question(meant)) write other data of an error in \"extensions\"")
    }
    if !isMisspelled, !members.contains(where: { $0.key.value == "message" }) {
      report(
        "the error has no \"message\"", code: .missingKey, at: node.range,
        help: "add \"message: …\"")
    }
    if let path = members.first(where: { $0.key.value == "path" })?.value,
      case .scalar(let scalar) = path.content, !scalar.text.contains("${{")
    {
      let steps = scalar.text.split(whereSeparator: { ".[]".contains($0) })
      report(
        "the path of an error must be a list", code: .wrongType, at: path.range,
        help: "write [\(steps.joined(separator: ", "))]")
    }
  }

  private mutating func decodeStream(_ node: YAMLNode) -> [GraphQLStreamEntry] {
    var entries: [GraphQLStreamEntry] = []
    var end: SourceRange?
    for entry in decodeNonEmptyList(node, "stream") ?? [] {
      guard let decoded = decodeStreamEntry(entry) else { continue }
      if let end {
        report(
          "nothing can follow the end of a stream", code: .afterEnd, at: decoded.range,
          help: "remove it, or move the end of the stream after it",
          notes: [Diagnostic.Note("the stream ends here", at: end)])
        break
      }
      switch decoded.event {
      case .complete, .error, .close, .leave: end = decoded.range
      case .next, nil: break
      }
      entries.append(decoded)
    }
    return entries
  }

  private mutating func decodeStreamEntry(_ node: YAMLNode) -> GraphQLStreamEntry? {
    let subject = "an entry of \"stream\""
    if case .mapping(let members) = node.content,
      let member = members.first(where: { Grammar.graphQLReplyBody.contains($0.key.value) })
    {
      let key = member.key.value
      report(
        "\"\(key)\" belongs below \"next\", not directly in \(subject)", code: .misplaced,
        at: member.key.range,
        help: "write \"- next: { \(key): … }\"")
      return nil
    }
    guard let reader = mapping(node, as: Grammar.graphQLStreamEntry, subject: subject) else {
      return nil
    }
    let delay = reader["after"].flatMap { decodeDelay($0, "after") }?.value
    var event: GraphQLStreamEntry.Event?
    if let member = single(among: Grammar.graphQLStreamEntry.keys(without: ["after"]), in: reader) {
      switch member.key.value {
      case "next":
        let subject = "\"next\""
        guard
          let result = mapping(member.value, as: Grammar.graphQLResult, subject: subject)
        else {
          return nil
        }
        if let errors = result["errors"], decodeErrors(errors) == nil { return nil }
        guard let data = decodeData(member.value)
        else {
          return nil
        }
        event = .next(data)
      case "error":
        guard let errors = decodeStreamError(member.value) else { return nil }
        event = .error(errors)
      case "close":
        switch decodeWebSocketClose(member.value) {
        case .close(let code, let reason)?: event = .close(code: code, reason: reason)
        case .leave(let ending)?: event = .leave(ending)
        case .computedClose?:
          report(
            "\"close\" of a subscription cannot contain an expression", code: .fixedText,
            at: member.value.range, help: "write a code such as 4403")
          return nil
        default: return nil
        }
      default:
        guard let flag = decodeBool(member.value, "complete")?.value else { return nil }
        event = flag ? .complete : nil
      }
    } else if delay == nil {
      report(
        "\(subject) is empty", code: .empty, at: node.range,
        help: """
          write "next: { data: … }", "error: …", "complete: true", "close: 4403" or "after: 1s"
          """)
      return nil
    }
    return GraphQLStreamEntry(event: event, delay: delay ?? .zero, range: node.range)
  }

  /// A message, an error, or a list of errors.
  private mutating func decodeStreamError(_ node: YAMLNode) -> DataNode? {
    guard let data = decodeData(node) else { return nil }
    switch node.content {
    case .sequence: return data
    case .mapping: return DataNode(.list([data]), at: node.range)
    case .scalar:
      let field = DataField(key: Located("message", at: node.range), value: data)
      return DataNode(.list([DataNode(.map([field]), at: node.range)]), at: node.range)
    }
  }
}
