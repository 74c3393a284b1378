extension ScenarioDecoder {
  /// `network: { graphql: … }`.
  mutating func decodeGraphQLSettings(_ node: YAMLNode) -> GraphQLSettings? {
    guard let reader = mapping(node, keys: Vocabulary.graphQL, subject: "\"graphql\"") else {
      return nil
    }
    let url = reader["url"].flatMap { decodeText($0, "url") }
    return GraphQLSettings(
      schema: reader["schema"].flatMap { decodeText($0, "schema") },
      persisted: reader["persisted"].flatMap { decodeText($0, "persisted") },
      url: url.flatMap { checkURL($0) ? $0 : nil })
  }

  /// Whether a key makes an entry of `responses:` one for GraphQL.
  func isGraphQLKey(_ key: String) -> Bool {
    Vocabulary.graphQLKinds.contains(key) || key == "document"
  }

  /// An entry of `responses:` with `query:`, `mutation:`, `subscription:`, `operation:` or
  /// `document:`.
  mutating func decodeGraphQLResponse(_ node: YAMLNode) -> ResponseEntry? {
    let subject = "a GraphQL entry of \"responses\""
    guard let reader = mapping(node, keys: Vocabulary.graphQLResponse, subject: subject) else {
      return nil
    }
    let name = reader["name"].flatMap { decodeName($0, "name") }
    let url = reader["url"].flatMap { decodeText($0, "url") }
    let isURLValid = url.map { checkURL($0) } ?? true
    let variables = reader["variables"].map { decodeVariables($0) }
    let document = reader["document"].map { decodeText($0, "document") }
    let replies = decodeReplies(reader) { $0.decodeGraphQLReply($1) }
    let member = single(among: Vocabulary.graphQLKinds, in: reader)
    let operation = member.map { decodeOperationName($0.value, $0.key.value) }
    // What is `.some(nil)` was there and wrong; the report is written.
    if case .some(.none) = operation { return nil }
    if case .some(.none) = document { return nil }
    guard isURLValid, let replies else { return nil }
    let pattern = GraphQLPattern(
      kind: member.flatMap { GraphQLPattern.OperationKind(rawValue: $0.key.value) },
      operation: operation.flatMap { $0 }.flatMap { $0.value == "*" ? nil : $0 },
      document: document.flatMap { $0 }, url: url, variables: variables.flatMap { $0 })
    let line = member.map { "\($0.key.value) \(operation.flatMap { $0 }?.value ?? "")" }
    return ResponseEntry(
      name: name?.value ?? line
        ?? "document \(Self.shortened(document.flatMap { $0 }?.value ?? ""))",
      match: .graphQL(pattern), replies: replies, repeats: false,
      then: reader["then"].flatMap { decodeWord($0, "then") }, range: node.range)
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
        "\"\(Self.shortened(name.value))\" is not the name of an operation", at: name.range,
        help: """
          write the operation's name alone, as in \"\(key): GetUser\"; a whole document stands \
          behind \"document:\"
          """)
      return nil
    }
    return name
  }

  // MARK: - Variables

  private mutating func decodeVariables(_ node: YAMLNode) -> GraphQLVariables? {
    guard case .mapping(let members) = node.content else {
      reportType(node, "variables", "must be a map", help: "write \"{ id: 42 }\"")
      return nil
    }
    let isExact = members.count == 1 && members[0].key.value == "exact"
    let found = isExact ? members[0].value : node
    var matchers: [FieldMatcher] = []
    let values = decodeVariableValues(found, "$", &matchers)
    return values.map { GraphQLVariables(values: $0, exact: isExact, matchers: matchers) }
  }

  /// The values of a map; where a map of conditions stands, it becomes a matcher for its path.
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
      let place = path + Self.pathStep(member.key.value)
      if isConditions(member.value) {
        let matcher = decodeMatcher(member.value, .data, member.key.value)
        if let matcher {
          matchers.append(
            FieldMatcher(name: Located(place, at: member.key.range), matcher: matcher))
        }
        isComplete = isComplete && matcher != nil
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

  /// Whether a map says nothing but conditions.
  private func isConditions(_ node: YAMLNode) -> Bool {
    guard case .mapping(let members) = node.content, !members.isEmpty else { return false }
    return members.allSatisfy { Vocabulary.dataMatcher.contains($0.key.value) }
  }

  private static func pathStep(_ key: String) -> String {
    let isPlain = key.unicodeScalars.allSatisfy {
      $0 == "_" || $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
    }
    return isPlain ? ".\(key)" : "['\(key)']"
  }

  // MARK: - Replies

  private mutating func decodeGraphQLReply(_ node: YAMLNode) -> Reply? {
    guard let reader = mapping(node, keys: Vocabulary.graphQLReply, subject: "a GraphQL reply")
    else {
      return nil
    }
    var reply = decodeReplyHead(reader, hasTimes: true)
    if let stream = reader["stream"] {
      for member in reader.members(among: Vocabulary.graphQLReplyBody) {
        report(
          "\"\(member.key.value)\" stands beside \"stream\" in a GraphQL reply",
          at: member.key.range, help: "write it as \"- next: { \(member.key.value): … }\"")
      }
      reply.body = .graphQLStream(decodeStream(stream))
      return checkFault(of: reply, in: reader) ? reply : nil
    }
    let data = reader["data"].map { decodeData($0) }
    let errors = reader["errors"].map { decodeErrors($0) }
    let extensions = reader["extensions"].map { decodeData($0) }
    if data != nil || errors != nil || extensions != nil {
      reply.body = .graphQL(
        data: data ?? nil, errors: errors ?? nil, extensions: extensions ?? nil)
    }
    return checkFault(of: reply, in: reader) ? reply : nil
  }

  private mutating func decodeErrors(_ node: YAMLNode) -> DataNode? {
    guard decodeNonEmptyList(node, "errors") != nil else { return nil }
    return decodeData(node)
  }

  private mutating func decodeStream(_ node: YAMLNode) -> [GraphQLStreamEntry] {
    var entries: [GraphQLStreamEntry] = []
    var end: SourceRange?
    for entry in decodeNonEmptyList(node, "stream") ?? [] {
      guard let decoded = decodeStreamEntry(entry) else { continue }
      if let end {
        report(
          "nothing can follow the end of a stream", at: decoded.range,
          help: "take it out, or move the end behind it",
          notes: [Diagnostic.Note("the stream ends here", at: end)])
        break
      }
      switch decoded.event {
      case .complete, .error: end = decoded.range
      case .next, nil: break
      }
      entries.append(decoded)
    }
    return entries
  }

  private mutating func decodeStreamEntry(_ node: YAMLNode) -> GraphQLStreamEntry? {
    let subject = "an entry of \"stream\""
    guard let reader = mapping(node, keys: Vocabulary.graphQLStreamEntry, subject: subject) else {
      return nil
    }
    let delay = reader["after"].flatMap { decodeDelay($0, "after") }?.value
    var event: GraphQLStreamEntry.Event?
    if let member = single(among: Vocabulary.graphQLStreamEvents, in: reader) {
      switch member.key.value {
      case "next":
        guard mapping(member.value, keys: Vocabulary.graphQLResult, subject: "\"next\"") != nil,
          let data = decodeData(member.value)
        else {
          return nil
        }
        event = .next(data)
      case "error":
        guard let errors = decodeStreamError(member.value) else { return nil }
        event = .error(errors)
      default:
        guard let flag = decodeBool(member.value, "complete")?.value else { return nil }
        event = flag ? .complete : nil
      }
    } else if delay == nil {
      report(
        "\(subject) says nothing", at: node.range,
        help: "write \"next: { data: … }\", \"error: …\", \"complete: true\" or \"after: 1s\"")
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
