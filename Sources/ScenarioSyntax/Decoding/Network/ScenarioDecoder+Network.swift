internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `network:`.
  mutating func decodeNetwork(_ node: YAMLNode) -> NetworkSettings? {
    var settings = NetworkSettings()
    guard
      let reader = decode(node, as: Grammar.network, subject: "\"network\"", into: &settings)
    else { return nil }
    settings.keys = reader.members.map(\.key)
    settings.range = node.range
    return settings
  }

  /// `responses:`.
  mutating func decodeResponses(_ node: YAMLNode) -> [ResponseEntry] {
    (decodeList(node, "responses") ?? []).compactMap { decodeResponse($0) }
  }

  private mutating func decodeResponse(_ node: YAMLNode) -> ResponseEntry? {
    let subject = "an entry of \"responses\""
    if case .scalar(let scalar) = node.content, isRequestLine(scalar.text) {
      reportType(
        node, subject, "must be a map", help: "write \"{ \(scalar.text): { status: 200 } }\"")
      return nil
    }
    guard let members = decodeMembers(node, subject, of: Grammar.httpResponse.definition) else {
      return nil
    }
    if let line = members.first(where: { isRequestLine($0.key.value) }) {
      guard members.count == 1 else {
        report(
          "the short form \"\(line.key.value)\" cannot be combined with other keys",
          code: .misplaced,
          at: line.key.range,
          help: "indent the keys of the reply, or write \"request:\" and \"reply:\"")
        return nil
      }
      return decodeShortResponse(line, node)
    }
    if let member = members.first(where: { $0.key.value == "graphql" }) {
      reportGraphQL(member, subject)
      return nil
    }
    if members.contains(where: { isGraphQLKey($0.key.value) }) {
      return decodeGraphQLResponse(node)
    }
    if members.contains(where: { ["host", "tcp"].contains($0.key.value) }) {
      return decodeHostResponse(node)
    }
    if members.contains(where: { $0.key.value == "store" }) { return decodeStoreResponse(node) }
    let keys = Set(
      Grammar.httpResponse.keys + Grammar.graphQLKinds + ["document", "host", "store"]
    ).sorted()
    guard
      let reader = mapping(
        node, keys: keys, of: Grammar.httpResponse.definition,
        former: Grammar.httpResponse.former, subject: subject)
    else { return nil }
    let name = reader["name"].flatMap { decodeName($0, "name") }
    let replies = decodeReplies(reader) { $0.decodeReply($1, as: Grammar.reply) }
    guard let requestNode = required("request", in: reader, example: "request: GET https://…"),
      let request = decodeRequest(requestNode), let replies
    else {
      return nil
    }
    var entry = ResponseEntry(
      name: name?.value ?? request.line, match: .http(request), replies: replies, repeats: false,
      then: reader["then"].flatMap { decodeWord($0, "then") }, range: node.range)
    decodeState(reader, into: &entry)
    return entry
  }

  /// Reports `graphql:`, the word of other tools for an operation; what stands beside it is read when that is.
  private mutating func reportGraphQL(_ member: YAMLMember, _ subject: String) {
    var help = "write \"query: NAME\", \"mutation: NAME\" or \"subscription: NAME\""
    if case .scalar(let scalar) = member.value.content, !member.value.isNull {
      let key = scalar.text.contains("{") ? "document" : "query"
      help = "write \"\(key): \(member.value.inlineText)\""
    }
    report(
      "unknown key \"graphql\" in \(subject)", code: .unknownKey, at: member.key.range, help: help)
  }

  // MARK: - Requests

  /// Returns whether a key is meant as `METHOD URL` and not as a word of the language.
  func isRequestLine(_ key: String) -> Bool {
    key.contains(" ") || key.contains("://")
  }

  private mutating func decodeShortResponse(
    _ member: YAMLMember, _ node: YAMLNode
  ) -> ResponseEntry? {
    let request = decodeRequestLine(member.key)
    guard let reply = decodeReply(member.value, as: Grammar.shortReply), let request else {
      return nil
    }
    return ResponseEntry(
      name: member.key.value, match: .http(request), replies: [reply], repeats: true,
      range: node.range)
  }

  /// `METHOD URL`.
  mutating func decodeRequestLine(_ line: Located<String>) -> HTTPRequestPattern? {
    let text = line.value
    guard let space = text.firstIndex(of: " ") else {
      report(
        "the request \"\(text)\" has no method", code: .badRequest, at: line.range,
        help: "write \"GET \(text)\", or \"request: { url: … }\" for any method")
      return nil
    }
    let methodText = String(text[..<space])
    let urlText = String(text[text.index(after: space)...])
    let places = TextPlaces(text, at: line.range)
    // A quoted key has its quote in front; exact columns are worth less than never a wrong one.
    let isPlain = line.range.length == text.unicodeScalars.count
    let methodLength = methodText.unicodeScalars.count
    let method = Located(
      methodText, at: isPlain ? places.range(at: 0, length: methodLength) : line.range)
    let url = Located(
      urlText,
      at: isPlain
        ? places.range(at: methodLength + 1, length: urlText.unicodeScalars.count) : line.range)
    guard checkMethod(method), checkURL(url) else { return nil }
    return HTTPRequestPattern(
      methods: Located([method.value], at: method.range), url: .pattern(url))
  }

  mutating func checkMethod(_ method: Located<String>) -> Bool {
    let isValid =
      !method.value.isEmpty
      && method.value.unicodeScalars.allSatisfy { ("A"..."Z").contains($0) || $0 == "-" }
    if !isValid {
      let capitals = method.value.uppercased()
      let help =
        ["*", "ANY", "ALL"].contains(capitals)
        ? "write \"request: { url: URL }\" and \"reply:\" for any method"
        : capitals == method.value ? "write a method such as GET" : "write \(capitals)"
      report(
        "\"\(method.value)\" is not a request method", code: .badRequest, at: method.range,
        help: help)
    }
    return isValid
  }

  mutating func checkURL(_ url: Located<String>) -> Bool {
    for scheme in ["http://", "https://", "*://"] where url.value.hasPrefix(scheme) {
      let rest = url.value.dropFirst(scheme.count)
      let hasSpace = rest.unicodeScalars.contains { $0.value <= 0x20 || $0.value == 0x7F }
      guard let first = rest.utf8.first, first != UInt8(ascii: "/"), !hasSpace else { break }
      return true
    }
    for (scheme, web) in [("ws://", "http://"), ("wss://", "https://")]
    where url.value.hasPrefix(scheme) {
      report(
        "\"\(url.value)\" is not a URL of an HTTP request", code: .badAddress, at: url.range,
        help:
          "write \(web)\(url.value.dropFirst(scheme.count)): a WebSocket connection starts with an HTTP request"
      )
      return false
    }
    if url.value.hasPrefix("tcp://") {
      report(
        "\"\(url.value)\" is not a URL of an HTTP request", code: .badAddress, at: url.range,
        help:
          "a connection of another protocol has a script, which says what the client must send: { host: "
          + "\(url.value.dropFirst(6).prefix { $0 != "/" }), tcp: [ … ] }"
      )
      return false
    }
    report(
      "\"\(url.value)\" is not a URL", code: .badAddress, at: url.range,
      help: "write http:// or https:// with host and path, such as https://api.example.com/users")
    return false
  }

  /// Checks the name of a header; true if it is one.
  mutating func checkHeaderName(_ name: Located<String>) -> Bool {
    let isValid = HeaderField.isName(name.value)
    if !isValid {
      report(
        "\"\(name.value)\" is not a header name", code: .badHeader, at: name.range,
        help: "use letters, digits and \"-\"")
    }
    return isValid
  }

  // MARK: - Replies

  /// `reply:` one, or a queue of some.
  mutating func decodeReplies(
    _ reader: MappingReader, _ decode: (inout ScenarioDecoder, YAMLNode) -> Reply?
  ) -> [Reply]? {
    guard
      let node = required(
        "reply", in: reader, example: "reply: { … }\", or \"reply: [ … ]\" for a queue")
    else { return nil }
    guard case .sequence = node.content else { return decode(&self, node).map { [$0] } }
    guard let nodes = decodeNonEmptyList(node, "reply") else { return nil }
    let replies = nodes.compactMap { decode(&self, $0) }
    return replies.count == nodes.count ? replies : nil
  }

  private static let queueExample =
    "{ request: METHOD URL, reply: [{ status: 503, times: 2 }, { status: 200 }] }"

  mutating func decodeReply(_ node: YAMLNode, as grammar: MapGrammar<Reply>) -> Reply? {
    var reply = Reply(range: node.range)
    guard
      let reader = decode(
        node, as: grammar, subject: "a reply",
        elsewhere: ["times": "replies with times form a queue: \(Self.queueExample)"],
        into: &reply)
    else { return nil }
    guard let member = single(among: Grammar.allBodies, in: reader) else {
      return checkFault(of: reply, in: reader) ? reply : nil
    }
    let body: Reply.Body? =
      switch member.key.value {
      case "json": decodeData(member.value).map { .json($0) }
      case "file": decodeFileContent(member.value).map { .file($0) }
      case "base64": decodeBase64(member.value, "base64").map { .bytes($0) }
      case "text": decodeTemplate(member.value, "text").map { .text($0) }
      case Grammar.handledBody: decodeHandler(member, in: reader).map { .handler($0) }
      default: decodeStreamedBody(member)
      }
    guard let body else { return nil }
    reply.body = body
    return checkFault(of: reply, in: reader) ? reply : nil
  }
}
