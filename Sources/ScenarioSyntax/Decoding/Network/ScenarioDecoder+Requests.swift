internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `request:` a line, or a map of conditions.
  mutating func decodeRequest(_ node: YAMLNode) -> HTTPRequestPattern? {
    guard case .mapping = node.content else {
      return decodeText(node, "request").flatMap { decodeRequestLine($0) }
    }
    var pattern = HTTPRequestPattern(methods: nil, url: nil)
    guard
      let reader = decode(node, as: Grammar.request, subject: "\"request\"", into: &pattern)
    else { return nil }
    guard checkAddress(reader), checkBodies(reader) else { return nil }
    let isComplete =
      (reader["method"] == nil) == (pattern.methods == nil)
      && (reader["url"] == nil) == (pattern.url == nil)
      && (reader["host"] == nil) == (pattern.more.host == nil)
      && (reader["path"] == nil) == (pattern.more.path == nil)
    return isComplete ? pattern : nil
  }

  mutating func decodeMethod(_ node: YAMLNode) -> Located<String>? {
    decodeText(node, "method").flatMap { checkMethod($0) ? $0 : nil }
  }

  /// A method, or a list of those that the entry answers.
  mutating func decodeMethods(_ node: YAMLNode) -> Located<[String]>? {
    guard case .sequence = node.content else {
      return decodeMethod(node).map { Located([$0.value], at: $0.range) }
    }
    guard let nodes = decodeNonEmptyList(node, "method") else { return nil }
    let methods = nodes.compactMap { decodeText($0, "a method") }
    guard methods.count == nodes.count, methods.allSatisfy({ checkMethod($0) }) else { return nil }
    return Located(methods.map(\.value), at: node.range)
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
        "\"\(key)\" cannot be combined with \"url\" in \"request\"", code: .contradictory,
        at: range,
        help: "keep one of them", notes: [Diagnostic.Note("the other one is here", at: url)])
      return false
    }
    return true
  }

  mutating func decodeURLCondition(_ node: YAMLNode) -> AddressCondition? {
    guard let condition = decodeAddress(node, "url") else { return nil }
    if case .pattern(let url) = condition, !checkURL(url) { return nil }
    return condition
  }

  mutating func decodePathCondition(_ node: YAMLNode) -> AddressCondition? {
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
  mutating func decodeAddress(_ node: YAMLNode, _ key: String) -> AddressCondition? {
    guard case .mapping = node.content else { return decodeText(node, key).map { .pattern($0) } }
    return decodeMatcher(node, .text, key).map { .matcher($0) }
  }

  // MARK: - Fields

  /// Names with conditions on their values.
  mutating func decodeNamedConditions(
    _ node: YAMLNode, _ subject: String
  ) -> [NamedCondition] {
    (decodeMembers(node, subject) ?? []).compactMap { member in
      decodeFieldCondition(member.value, member.key.value).map {
        NamedCondition(name: member.key, condition: $0)
      }
    }
  }

  mutating func decodeHeaderConditions(_ node: YAMLNode) -> [NamedCondition] {
    (decodeMembers(node, "headers") ?? []).compactMap { member in
      guard checkHeaderName(member.key) else { return nil }
      return decodeFieldCondition(member.value, member.key.value).map {
        NamedCondition(name: member.key, condition: $0)
      }
    }
  }

  mutating func decodeClientCertificate(_ node: YAMLNode) -> CertificateConditions? {
    var conditions = CertificateConditions(at: node.range)
    guard
      let reader = decode(
        node, as: Grammar.clientCertificate, subject: "\"client_certificate\"", into: &conditions)
    else { return nil }
    if reader.members.isEmpty {
      report(
        "\"client_certificate\" is empty", code: .empty, at: node.range,
        help: "write { exists: true }, or a condition such as { common_name: alice }")
      return nil
    }
    return isStateAlone(in: reader.members) ? conditions : nil
  }

  /// Reports what is said beside whether something is there; true if nothing is.
  private mutating func isStateAlone(in members: [YAMLMember]) -> Bool {
    // What is not there has no value of which more could be said.
    guard let state = members.first(where: { Grammar.fileState.knows($0.key.value) }),
      let other = members.first(where: { $0.key.value != state.key.value })
    else { return true }
    report(
      "\"\(other.key.value)\" cannot be combined with \"\(state.key.value)\"",
      code: .contradictory, at: other.key.range, help: "keep one of them",
      notes: [Diagnostic.Note("the other one is here", at: state.key.range)])
    return false
  }

  mutating func decodePresence(
    _ node: YAMLNode, isThere: Bool, into conditions: inout CertificateConditions
  ) {
    conditions.isThere = decodeBool(node, isThere ? "exists" : "absent").map {
      $0.value == isThere
    }
  }

  mutating func decodeCertificateCondition(
    _ node: YAMLNode, _ name: String, into conditions: inout CertificateConditions
  ) {
    guard let condition = decodeFieldCondition(node, name) else { return }
    conditions.fields.append(
      NamedCondition(name: Located(name, at: node.range), condition: condition))
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
      guard isStateAlone(in: members) else { return nil }
    default: break
    }
    return decodeMatcher(node, .text, subject, moreKeys: Grammar.fileState.keys).map { .some($0) }
  }

  // MARK: - Bodies

  /// A body has one form only.
  private mutating func checkBodies(_ reader: MappingReader) -> Bool {
    let forms = reader.members(among: ["json", "xml", "form", "parts"])
    guard let first = forms.first, let second = forms.dropFirst().first else { return true }
    report(
      "\"\(second.key.value)\" cannot be combined with \"\(first.key.value)\" in \"request\"",
      code: .contradictory, at: second.key.range, help: "a body has one form; keep one of them",
      notes: [Diagnostic.Note("the other one is here", at: first.key.range)])
    return false
  }

  mutating func decodeBodyCondition(
    _ node: YAMLNode, into pattern: inout HTTPRequestPattern
  ) {
    guard case .mapping(let members) = node.content,
      members.contains(where: { Grammar.exactBytes.knows($0.key.value) })
    else {
      pattern.body = decodeMatcher(node, .text, "body", moreKeys: Grammar.exactBytes.keys)
      return
    }
    guard let body = mapping(node, as: Grammar.exactBytes, subject: "\"body\"") else {
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
        help: "write letters, digits, \"+\" and \"/\", padded with \"=\" to a multiple of four")
      return nil
    }
    return bytes
  }

  mutating func decodeParts(_ node: YAMLNode) -> [PartCondition] {
    (decodeMembers(node, "parts") ?? []).compactMap { decodePart($0) }
  }

  private mutating func decodePart(_ member: YAMLMember) -> PartCondition? {
    var part = PartCondition(name: member.key)
    let subject = "the part \"\(member.key.value)\""
    guard case .mapping(let members) = member.value.content,
      members.contains(where: { Grammar.part.knows($0.key.value) })
    else {
      part.text = decodeMatcher(
        member.value, .text, subject, moreKeys: Grammar.part.keys)
      return part.text == nil ? nil : part
    }
    guard let reader = decode(member.value, as: Grammar.part, subject: subject, into: &part)
    else { return nil }
    part.bytes = decodeExactBytes(reader)
    return part
  }
}

extension HTTPRequestPattern {
  /// The request as one line, for messages: `POST https://api.example.com/orders`.
  var line: String {
    var words = [methods?.value.joined(separator: " or ")].compactMap { $0 }
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
