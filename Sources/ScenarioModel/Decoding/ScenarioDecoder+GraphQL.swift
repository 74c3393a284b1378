extension ScenarioDecoder {
  /// An entry of `responses:` with `query:` or `mutation:`.
  mutating func decodeGraphQLResponse(_ node: YAMLNode) -> ResponseEntry? {
    let subject = "a GraphQL entry of \"responses\""
    guard let reader = mapping(node, keys: Vocabulary.graphQLResponse, subject: subject) else {
      return nil
    }
    let name = reader["name"].flatMap { decodeName($0, "name") }
    let url = reader["url"].flatMap { decodeText($0, "url") }
    let isURLValid = url.map { checkURL($0) } ?? true
    let variables = reader["variables"].map { decodeVariables($0) }
    let replies = decodeReplies(reader) { $0.decodeGraphQLReply($1) }
    guard let member = single(among: Vocabulary.graphQLKinds, in: reader),
      let kind = GraphQLPattern.OperationKind(rawValue: member.key.value),
      let operation = decodeOperationName(member.value, member.key.value), isURLValid, let replies
    else {
      return nil
    }
    return ResponseEntry(
      name: name?.value ?? "\(kind.rawValue) \(operation.value)",
      match: .graphQL(
        GraphQLPattern(kind: kind, operation: operation, url: url, variables: variables ?? nil)),
      replies: replies, repeats: false,
      then: reader["then"].flatMap { decodeWord($0, "then") }, range: node.range)
  }

  /// GraphQL, section 2.1.9: a name is a letter or "_", then letters, digits and "_".
  private mutating func decodeOperationName(
    _ node: YAMLNode, _ key: String
  ) -> Located<String>? {
    guard let name = decodeText(node, key) else { return nil }
    let isValid =
      !name.value.isEmpty && !("0"..."9").contains(name.value.prefix(1))
      && name.value.unicodeScalars.allSatisfy {
        $0 == "_" || $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
      }
    guard isValid else {
      report(
        "\"\(Self.shortened(name.value))\" is not the name of an operation", at: name.range,
        help: "write the operation's name alone, as in \"\(key): GetUser\"")
      return nil
    }
    return name
  }

  private mutating func decodeVariables(_ node: YAMLNode) -> GraphQLVariables? {
    guard case .mapping(let members) = node.content else {
      reportType(node, "variables", "must be a map", help: "write \"{ id: 42 }\"")
      return nil
    }
    guard members.count == 1, members[0].key.value == "exact" else {
      return decodeData(node).map { GraphQLVariables(values: $0, exact: false) }
    }
    return decodeData(members[0].value).map { GraphQLVariables(values: $0, exact: true) }
  }

  private mutating func decodeGraphQLReply(_ node: YAMLNode) -> Reply? {
    guard let reader = mapping(node, keys: Vocabulary.graphQLReply, subject: "a GraphQL reply")
    else {
      return nil
    }
    var reply = decodeReplyHead(reader, hasTimes: true)
    let data = reader["data"].map { decodeData($0) }
    let errors = reader["errors"].map { decodeErrors($0) }
    if data != nil || errors != nil {
      reply.body = .graphQL(data: data ?? nil, errors: errors ?? nil)
    }
    return checkFault(of: reply, in: reader) ? reply : nil
  }

  private mutating func decodeErrors(_ node: YAMLNode) -> DataNode? {
    guard decodeNonEmptyList(node, "errors") != nil else { return nil }
    return decodeData(node)
  }
}
