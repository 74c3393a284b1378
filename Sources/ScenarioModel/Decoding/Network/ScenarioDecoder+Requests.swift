extension ScenarioDecoder {
  /// `request:` a line, or a map of conditions.
  mutating func decodeRequest(_ node: YAMLNode) -> HTTPRequestPattern? {
    guard case .mapping = node.content else {
      return decodeText(node, "request").flatMap { decodeRequestLine($0) }
    }
    guard let reader = mapping(node, keys: Grammar.request.keys, subject: "\"request\"") else {
      return nil
    }
    let method = reader["method"].flatMap { decodeText($0, "method") }
    let isMethodValid = method.map { checkMethod($0) } ?? (reader["method"] == nil)
    let url = reader["url"].flatMap { decodeURLCondition($0) }
    var more = RequestConditions()
    more.host = reader["host"].flatMap { decodeAddress($0, "host") }
    more.path = reader["path"].flatMap { decodePathCondition($0) }
    more.query = reader["query"].map { decodeFields($0, "query") } ?? []
    more.cookies = reader["cookies"].map { decodeFields($0, "cookies") } ?? []
    more.form = reader["form"].map { decodeFields($0, "form") } ?? []
    more.parts = reader["parts"].map { decodeParts($0) } ?? []
    more.process = reader["from"].flatMap { decodeOrigin($0) }
    var pattern = HTTPRequestPattern(
      method: method, url: url,
      headers: reader["headers"].map { decodeHeaderConditions($0) } ?? [],
      json: reader["json"].flatMap { decodeJSONMatcher($0) })
    pattern.more = more
    decodeBodyCondition(reader, into: &pattern)
    guard checkAddress(reader), checkBodies(reader), isMethodValid else { return nil }
    let isComplete =
      (reader["url"] == nil) == (url == nil) && (reader["host"] == nil) == (more.host == nil)
      && (reader["path"] == nil) == (more.path == nil)
    return isComplete ? pattern : nil
  }

  // MARK: - Addresses

  /// A whole URL, or its parts; one of both must be there.
  private mutating func checkAddress(_ reader: MappingReader) -> Bool {
    guard let url = reader.keyRange("url") else {
      if reader["path"] != nil || reader["host"] != nil { return true }
      return required("url", in: reader, example: "url: https://api.example.com/users") != nil
    }
    for key in ["host", "path"] {
      guard let range = reader.keyRange(key) else { continue }
      report(
        "\"\(key)\" stands beside \"url\" in \"request\"", code: .contradictory, at: range,
        help: "keep one of the two", notes: [Diagnostic.Note("the other one is here", at: url)])
      return false
    }
    return true
  }

  private mutating func decodeURLCondition(_ node: YAMLNode) -> AddressCondition? {
    guard let condition = decodeAddress(node, "url") else { return nil }
    if case .pattern(let url) = condition, !checkURL(url) { return nil }
    return condition
  }

  private mutating func decodePathCondition(_ node: YAMLNode) -> AddressCondition? {
    guard let condition = decodeAddress(node, "path") else { return nil }
    if case .pattern(let path) = condition, !path.value.hasPrefix("/") {
      report(
        "the path \"\(path.value)\" does not begin with \"/\"", code: .badRequest, at: path.range,
        help: "write a path such as /orders/{id}")
      return nil
    }
    return condition
  }

  /// A text is a pattern, a map a matcher.
  private mutating func decodeAddress(_ node: YAMLNode, _ key: String) -> AddressCondition? {
    guard case .mapping = node.content else { return decodeText(node, key).map { .pattern($0) } }
    return decodeMatcher(node, .text, key).map { .matcher($0) }
  }

  // MARK: - Fields

  /// Names with conditions on their values.
  private mutating func decodeFields(_ node: YAMLNode, _ subject: String) -> [NamedCondition] {
    (decodeMembers(node, subject) ?? []).compactMap { member in
      decodeFieldCondition(member.value, member.key.value).map {
        NamedCondition(name: member.key, condition: $0)
      }
    }
  }

  private mutating func decodeHeaderConditions(_ node: YAMLNode) -> [NamedCondition] {
    (decodeMembers(node, "headers") ?? []).compactMap { member in
      guard checkHeaderName(member.key) else { return nil }
      return decodeFieldCondition(member.value, member.key.value).map {
        NamedCondition(name: member.key, condition: $0)
      }
    }
  }

  private mutating func decodeFieldCondition(
    _ node: YAMLNode, _ subject: String
  ) -> FieldCondition? {
    switch node.content {
    case .sequence(let nodes):
      guard decodeNonEmptyList(node, subject) != nil else { return nil }
      let matchers = nodes.compactMap { decodeMatcher($0, .text, "an entry of \"\(subject)\"") }
      return matchers.count == nodes.count ? .each(matchers) : nil
    case .mapping(let members) where members.count == 1:
      let state = members[0]
      guard Grammar.fileState.keys.contains(state.key.value) else { break }
      guard let isSo = decodeBool(state.value, state.key.value) else { return nil }
      return (state.key.value == "absent") == isSo.value ? .absent : .exists
    case .mapping(let members):
      // What is not there has no value of which more could be said.
      if let state = members.first(where: { Grammar.fileState.keys.contains($0.key.value) }),
        let other = members.first(where: { $0.key.value != state.key.value })
      {
        report(
          "\"\(other.key.value)\" stands beside \"\(state.key.value)\"", code: .contradictory,
          at: other.key.range, help: "keep one of the two",
          notes: [Diagnostic.Note("the other one is here", at: state.key.range)])
        return nil
      }
    default: break
    }
    return decodeMatcher(node, .text, subject, moreKeys: Grammar.fileState.keys).map { .some($0) }
  }

  // MARK: - Bodies

  /// A body has one form only.
  private mutating func checkBodies(_ reader: MappingReader) -> Bool {
    let forms = reader.members(among: ["json", "form", "parts"])
    guard let first = forms.first, let second = forms.dropFirst().first else { return true }
    report(
      "\"\(second.key.value)\" stands beside \"\(first.key.value)\" in \"request\"",
      code: .contradictory, at: second.key.range, help: "a body has one form; keep one of the two",
      notes: [Diagnostic.Note("the other one is here", at: first.key.range)])
    return false
  }

  private mutating func decodeBodyCondition(
    _ reader: MappingReader, into pattern: inout HTTPRequestPattern
  ) {
    guard let node = reader["body"] else { return }
    guard case .mapping(let members) = node.content,
      members.contains(where: { Grammar.exactBytes.keys.contains($0.key.value) })
    else {
      pattern.body = decodeMatcher(node, .text, "body", moreKeys: Grammar.exactBytes.keys)
      return
    }
    guard let body = mapping(node, keys: Grammar.exactBytes.keys, subject: "\"body\"") else {
      return
    }
    pattern.more.bytes = decodeExactBytes(body)
  }

  private mutating func decodeExactBytes(_ reader: MappingReader) -> ExactBytes? {
    guard let member = single(among: Grammar.exactBytes.keys, in: reader) else { return nil }
    return member.key.value == "file"
      ? decodeText(member.value, "file").map { .file($0) }
      : decodeBase64(member.value, "base64").map { .literal($0) }
  }

  mutating func decodeBase64(_ node: YAMLNode, _ subject: String) -> [UInt8]? {
    guard let text = decodeText(node, subject) else { return nil }
    guard let bytes = Base64.decoded(text.value) else {
      report(
        "\"\(Self.shortened(text.value))\" is not Base64", code: .badBase64, at: text.range,
        help: "write letters, digits, \"+\" and \"/\", filled with \"=\" to a multiple of four")
      return nil
    }
    return bytes
  }

  private mutating func decodeParts(_ node: YAMLNode) -> [PartCondition] {
    (decodeMembers(node, "parts") ?? []).compactMap { decodePart($0) }
  }

  private mutating func decodePart(_ member: YAMLMember) -> PartCondition? {
    var part = PartCondition(name: member.key)
    let subject = "the part \"\(member.key.value)\""
    guard case .mapping(let members) = member.value.content,
      members.contains(where: { Grammar.part.keys.contains($0.key.value) })
    else {
      part.text = decodeMatcher(
        member.value, .text, subject, moreKeys: Grammar.part.keys)
      return part.text == nil ? nil : part
    }
    guard let reader = mapping(member.value, keys: Grammar.part.keys, subject: subject) else {
      return nil
    }
    part.filename = reader["filename"].flatMap { decodeMatcher($0, .text, "filename") }
    part.contentType = reader["content_type"].flatMap { decodeMatcher($0, .text, "content_type") }
    part.text = reader["text"].flatMap { decodeMatcher($0, .text, "text") }
    part.json = reader["json"].flatMap { decodeJSONMatcher($0) }
    part.bytes = decodeExactBytes(reader)
    return part
  }

  // MARK: - Origins

  private mutating func decodeOrigin(_ node: YAMLNode) -> Located<String>? {
    guard let reader = mapping(node, keys: Grammar.requestOrigin.keys, subject: "\"from\""),
      let process = required("process", in: reader, example: "from: { process: curl }")
    else {
      return nil
    }
    return decodeName(process, "process")
  }
}

extension HTTPRequestPattern {
  /// The request as one line, for messages: `POST https://api.example.com/orders`.
  var line: String {
    var words = [method?.value].compactMap { $0 }
    switch url {
    case .pattern(let url)?: words.append(url.value)
    case .matcher?: words.append("a URL by condition")
    case nil:
      var place = ""
      if case .pattern(let host)? = more.host { place = host.value }
      if case .pattern(let path)? = more.path { place += path.value }
      words.append(place.isEmpty ? "an address by condition" : place)
    }
    return words.joined(separator: " ")
  }
}
