internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  private enum WireMockKeys {
    static let mapping = [
      "id", "insertionIndex", "metadata", "name", "newScenarioState", "persistent", "priority",
      "request", "requiredScenarioState", "response", "scenarioName", "uuid",
    ]
    /// The state in which a scenario of WireMock's begins.
    static let firstState = "Started"
    static let request = [
      "basicAuth", "basicAuthCredentials", "bodyPatterns", "cookies", "formParameters", "headers",
      "method", "queryParameters", "url", "urlPath", "urlPathPattern", "urlPathTemplate",
      "urlPattern",
    ]
    static let locations = ["url", "urlPath", "urlPathPattern", "urlPathTemplate", "urlPattern"]
    static let response = [
      "base64Body", "body", "bodyFileName", "delayDistribution", "fault", "fixedDelayMilliseconds",
      "headers", "jsonBody", "status", "statusMessage",
    ]
    static let bodies = ["base64Body", "body", "bodyFileName", "jsonBody"]
    /// The priority of a mapping that names none.
    static let priority: Int64 = 5
    /// WireMock's words for faults, and this language's.
    static let faults = [
      "CONNECTION_RESET_BY_PEER": "reset", "EMPTY_RESPONSE": "empty",
      "MALFORMED_RESPONSE_CHUNK": "malformed_chunk", "RANDOM_DATA_THEN_CLOSE": "garbage",
    ]
    /// Keys that WireMock has and this language says otherwise.
    static let otherwise = [
      "transformers": "write the reply in this language, with ${{ request.… }} in it",
      "transformerParameters": "write the reply in this language, with ${{ request.… }} in it",
      "proxyBaseUrl": "write \"network: { hosts: { HOST: spy } }\"",
      "chunkedDribbleDelay": "write the reply in this language, with \"stream:\"",
      "postServeActions": "write the reply in this language, with \"webhooks:\"",
      "serveEventListeners": "write the reply in this language, with \"webhooks:\"",
      "multipartPatterns": "write the request in this language",
      "customMatcher": "code is not supported; write the request in this language",
      "host": "write the host into \"url\", with its scheme",
      "port": "write the port into \"url\", with scheme and host",
      "scheme": "write the scheme into \"url\", with the host",
      "clientIp": "every request comes from the scenario's target; remove it",
    ]
  }

  /// Reads one mapping, or a list of them below `mappings`.
  ///
  /// WireMock tries higher priorities first (1 is the highest), and later mappings before earlier
  /// ones; the result is in the order in which this language tries them.
  mutating func decodeWireMock(_ node: YAMLNode) -> [ResponseEntry] {
    var nodes = [node]
    if node["mappings"] != nil {
      guard let reader = mapping(node, keys: ["mappings", "meta"], subject: "the file"),
        let list = reader["mappings"].flatMap({ decodeList($0, "mappings") })
      else { return [] }
      nodes = list
    }
    let ranked = nodes.enumerated().compactMap { index, node in
      translateMapping(node).map { (priority: $0.priority, index: index, entry: $0.entry) }
    }
    let sorted = ranked.sorted { left, right in
      left.priority != right.priority ? left.priority < right.priority : left.index > right.index
    }
    return decodeTranslated(sorted.map(\.entry)).map { entry in
      var entry = entry
      // A stub of WireMock's answers any number of requests.
      entry.repeats = true
      return entry
    }
  }

  /// Reads a map of WireMock's; a key that this language writes otherwise is reported with the way.
  private mutating func wireMockMap(
    _ node: YAMLNode, _ keys: [String], _ subject: String
  ) -> MappingReader? {
    guard let members = decodeMembers(node, subject) else { return nil }
    var plain = node
    plain.content = .mapping(
      members.filter { member in
        guard let help = WireMockKeys.otherwise[member.key.value] else { return true }
        report(
          "\"\(member.key.value)\" of WireMock is not supported", code: .unreadableImport,
          at: member.key.range, help: help)
        return false
      })
    return mapping(plain, keys: keys, subject: subject)
  }

  private mutating func translateMapping(
    _ node: YAMLNode
  ) -> (priority: Int64, entry: YAMLNode)? {
    guard let reader = wireMockMap(node, WireMockKeys.mapping, "a mapping"),
      let requestNode = required("request", in: reader, example: "\"request\": { … }"),
      let responseNode = required("response", in: reader, example: "\"response\": { … }"),
      let request = translateMappedRequest(requestNode),
      let reply = translateMappedResponse(responseNode)
    else { return nil }
    let priority = reader["priority"].map { decodeInteger($0, "priority")?.value }
    let name = reader["name"]?.scalarText.map { YAMLNode.text($0, at: node.range) }
    let state = translateScenario(reader)
    return (
      (priority ?? WireMockKeys.priority) ?? WireMockKeys.priority,
      .map(
        [
          ("name", name), ("request", request), ("when", state.when), ("set", state.set),
          ("reply", reply),
        ], at: node.range)
    )
  }

  /// Translates `scenarioName`, `requiredScenarioState` and `newScenarioState`.
  ///
  /// A scenario of WireMock's is a state by its name, which begins as "Started": what is not set here is that.
  private mutating func translateScenario(
    _ reader: MappingReader
  ) -> (when: YAMLNode?, set: YAMLNode?) {
    let required = reader["requiredScenarioState"].flatMap {
      decodeText($0, "requiredScenarioState")
    }
    let next = reader["newScenarioState"].flatMap { decodeText($0, "newScenarioState") }
    guard let place = required?.range ?? next?.range else { return (nil, nil) }
    guard let name = reader["scenarioName"].flatMap({ decodeText($0, "scenarioName") }) else {
      report(
        "the mapping has a state, but no \"scenarioName\"", code: .unreadableImport, at: place,
        help: "add \"scenarioName\": \"NAME\", which WireMock needs, too")
      return (nil, nil)
    }
    let when = required.map { state -> YAMLNode in
      let value = YAMLNode.text(state.value, at: state.range)
      guard state.value == WireMockKeys.firstState else { return value }
      let unset = YAMLNode.map(
        [("exists", .word("false", at: state.range))], at: state.range)
      return .map([("any_of", .list([value, unset], at: state.range))], at: state.range)
    }
    let set = next.map { YAMLNode.text($0.value, at: $0.range) }
    return (
      when.map { .map([(name.value, $0)], at: name.range) },
      set.map { .map([(name.value, $0)], at: name.range) }
    )
  }

  // MARK: - Requests

  private mutating func translateMappedRequest(_ node: YAMLNode) -> YAMLNode? {
    guard let reader = wireMockMap(node, WireMockKeys.request, "\"request\"") else { return nil }
    var method = reader["method"]
    if method?.scalarText == "ANY" { method = nil }
    var url: (key: String, value: YAMLNode) = ("url", .text("*://*/**", at: node.range))
    if let member = single(among: WireMockKeys.locations, in: reader) {
      guard let text = decodeText(member.value, member.key.value) else { return nil }
      let range = text.range
      switch member.key.value {
      case "urlPattern":
        // The expression is about path and query.
        let whole = "^[^/?#]+://[^/?#]+(?:\(text.value))$"
        url.value = .map([("matches", .text(whole, at: range))], at: range)
      case "urlPathPattern":
        url = ("path", .map([("matches", .text("^(?:\(text.value))$", at: range))], at: range))
      default:
        url.value = translateLocation(text, isTemplate: member.key.value == "urlPathTemplate")
      }
    }
    // WireMock compares "url" with the whole of path and query.
    let isExact = reader["url"] != nil && reader["formParameters"] == nil
    return translateMappedRequest(reader, method, url, isExact: isExact, at: node.range)
  }

  private func translateLocation(_ text: Located<String>, isTemplate: Bool) -> YAMLNode {
    let path = isTemplate ? text.value : plainURL(text.value)
    return .text(path.contains("://") ? path : "*://*" + path, at: text.range)
  }

  private mutating func translateMappedRequest(
    _ reader: MappingReader, _ method: YAMLNode?, _ url: (key: String, value: YAMLNode),
    isExact: Bool, at range: SourceRange
  ) -> YAMLNode {
    var headers: [(String, YAMLNode?)] = []
    for member in reader["headers"].flatMap({ decodeMembers($0, "headers") }) ?? [] {
      headers.append((member.key.value, translateValuePattern(member.value)))
    }
    if let credentials = reader["basicAuth"] ?? reader["basicAuthCredentials"] {
      let text =
        "\(credentials["username"]?.scalarText ?? ""):\(credentials["password"]?.scalarText ?? "")"
      headers.append(
        (
          "authorization",
          .text("Basic " + Base64.encoded(Array(text.utf8)), at: credentials.range)
        ))
    }
    func fields(_ key: String) -> [(String, YAMLNode?)] {
      (reader[key].flatMap { decodeMembers($0, key) } ?? []).map {
        ($0.key.value, translateValuePattern($0.value))
      }
    }
    let query = fields("queryParameters")
    let cookies = fields("cookies")
    let form = fields("formParameters")
    let body = reader["bodyPatterns"].flatMap { translateBodyPatterns($0) }
    return .map(
      [
        ("method", method), (url.key, url.value),
        ("exact", isExact ? .word("true", at: range) : nil),
        ("query", query.isEmpty ? nil : .map(query, at: range)),
        ("headers", headers.isEmpty ? nil : .map(headers, at: range)),
        ("cookies", cookies.isEmpty ? nil : .map(cookies, at: range)),
        ("form", form.isEmpty ? nil : .map(form, at: range)),
        (body?.key ?? "json", body?.value),
      ], at: range)
  }

  /// `{ "equalTo": "x" }` and its like.
  mutating func translateValuePattern(_ node: YAMLNode) -> YAMLNode? {
    guard let members = decodeMembers(node, "a value pattern") else { return nil }
    if members.count == 1, members[0].key.value == "absent",
      members[0].value.scalarText == "true"
    {
      return .map([("absent", members[0].value)], at: node.range)
    }
    let isCaseless = members.contains { member in
      member.key.value == "caseInsensitive" && member.value.scalarText == "true"
    }
    let rest = members.filter { $0.key.value != "caseInsensitive" }
    guard rest.count == 1, let member = rest.first else {
      report(
        "a value pattern must have exactly one condition", code: .unreadableImport, at: node.range,
        help: "write { \"equalTo\": \"x\" }")
      return nil
    }
    let text = member.value.scalarText ?? ""
    func value(_ text: String) -> YAMLNode { .text(text, at: member.value.range) }
    func map(_ key: String, _ text: String) -> YAMLNode {
      .map([(key, value(text))], at: member.value.range)
    }
    switch member.key.value {
    case "equalTo" where isCaseless: return map("matches", "(?i)^\(escaped(text))$")
    case "equalTo": return map("equals", text)
    case "contains": return map("contains", text)
    case "doesNotContain":
      return .map([("not", map("contains", text))], at: member.value.range)
    case "matches": return map("matches", "^(?:\(text))$")
    case "doesNotMatch":
      return .map([("not", map("matches", "^(?:\(text))$"))], at: member.value.range)
    default:
      report(
        "the condition \"\(member.key.value)\" of WireMock is not supported",
        code: .unreadableImport,
        at: member.key.range,
        help: Suggestion.help(
          for: member.key.value,
          in: ["absent", "contains", "doesNotContain", "doesNotMatch", "equalTo", "matches"],
          label: "supported conditions"))
      return nil
    }
  }

  /// A text as a regular expression that finds it.
  private func escaped(_ text: String) -> String {
    text.map { "\\.+*?()[]{}|^$/-".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  /// Translates `bodyPatterns`, all of which must hold.
  private mutating func translateBodyPatterns(
    _ node: YAMLNode
  ) -> (key: String, value: YAMLNode)? {
    guard let patterns = decodeNonEmptyList(node, "bodyPatterns") else { return nil }
    var conditions: [YAMLNode] = []
    for pattern in patterns {
      guard let members = decodeMembers(pattern, "a body pattern") else { return nil }
      if let json = members.first(where: { $0.key.value == "equalToJson" }) {
        guard let condition = translateEqualToJSON(json, members) else { return nil }
        guard patterns.count == 1 else { return reportMixedPatterns(node) }
        return ("json", condition)
      }
      if let bytes = members.first(where: { $0.key.value == "binaryEqualTo" }) {
        guard patterns.count == 1 else { return reportMixedPatterns(node) }
        return ("body", .map([("base64", bytes.value)], at: bytes.value.range))
      }
      if let xml = members.first(where: { ["equalToXml", "matchesXPath"].contains($0.key.value) }) {
        guard let condition = translateXML(xml, members) else { return nil }
        conditions.append(condition)
        continue
      }
      if let path = members.first(where: { $0.key.value == "matchesJsonPath" }) {
        if let condition = translateJSONPath(path.value) {
          conditions.append(condition)
          continue
        }
        report(
          "\"matchesJsonPath\" of WireMock is not supported", code: .unreadableImport,
          at: path.key.range,
          help: "write the request in this language: json: { contains: { … } }")
        return nil
      }
      guard let condition = translateValuePattern(pattern) else { return nil }
      conditions.append(condition)
    }
    guard conditions.count > 1 else { return conditions.first.map { ("body", $0) } }
    return (
      "body", .map([("all_of", .list(conditions, at: node.range))], at: node.range)
    )
  }

  /// `{ "expression": "$.a.b", "equalTo": "x" }`; `nil` for an expression that filters.
  private mutating func translateJSONPath(_ node: YAMLNode) -> YAMLNode? {
    guard case .mapping(let members) = node.content,
      let expression = node["expression"]?.scalarText,
      expression.hasPrefix("$."), !expression.contains("..")
    else { return nil }
    guard expression.allSatisfy({ $0.isLetter || $0.isNumber || "$._-[]".contains($0) }) else {
      return nil
    }
    var rest = node
    rest.content = .mapping(members.filter { $0.key.value != "expression" })
    guard let condition = translateValuePattern(rest) else { return nil }
    return .map(
      [("json", .map([(expression, condition)], at: node.range))], at: node.range)
  }

  private mutating func reportMixedPatterns(
    _ node: YAMLNode
  ) -> (key: String, value: YAMLNode)? {
    report(
      "\"equalToJson\" or \"binaryEqualTo\" cannot be combined with other body patterns",
      code: .unreadableImport, at: node.range,
      help: "write the request in this language, with \"json:\" and \"body:\"")
    return nil
  }

  private mutating func translateEqualToJSON(
    _ member: YAMLMember, _ members: [YAMLMember]
  ) -> YAMLNode? {
    var value = member.value.jsonValue
    if case .string(let text) = value {
      guard let parsed = try? JSONText.parse(text) else {
        report(
          "\"equalToJson\" is not JSON", code: .unreadableImport, at: member.value.range,
          help: "write JSON")
        return nil
      }
      value = parsed
    }
    func isTrue(_ key: String) -> Bool {
      members.first { $0.key.value == key }?.value.scalarText == "true"
    }
    if isTrue("ignoreArrayOrder") {
      report(
        "\"ignoreArrayOrder\" of WireMock is not supported", code: .unreadableImport,
        at: member.key.range,
        help: "write the request in this language")
      return nil
    }
    if String(describing: value).contains("${json-unit.") {
      report(
        "placeholders of JsonUnit are not supported", code: .unreadableImport,
        at: member.value.range,
        help: "remove the key and add \"ignoreExtraElements\": true")
      return nil
    }
    let key = isTrue("ignoreExtraElements") ? "contains" : "equals"
    return .map(
      [(key, .data(value, at: member.value.range))], at: member.value.range)
  }

  // MARK: - Responses

  private mutating func translateMappedResponse(_ node: YAMLNode) -> YAMLNode? {
    guard let reader = wireMockMap(node, WireMockKeys.response, "\"response\"") else { return nil }
    let delay = translateDelay(of: reader)
    if let fault = reader["fault"], let word = decodeText(fault, "fault") {
      guard let known = WireMockKeys.faults[word.value] else {
        report(
          "unknown fault \"\(word.value)\"", code: .unreadableImport, at: word.range,
          help: Suggestion.help(
            for: word.value, in: WireMockKeys.faults.keys.sorted(), label: "known faults"))
        return nil
      }
      return .map([("fault", .word(known, at: fault.range)), ("after", delay)], at: node.range)
    }
    var headers: [(name: String, value: YAMLNode)] = []
    for member in reader["headers"].flatMap({ decodeMembers($0, "headers") }) ?? [] {
      let texts = (member.value.elements ?? [member.value]).compactMap { node in
        node.scalarText.map { YAMLNode.text($0, at: node.range) }
      }
      let value = texts.count == 1 ? texts[0] : YAMLNode.list(texts, at: member.value.range)
      headers.append((member.key.value, value))
    }
    let body = translateMappedBody(reader)
    return .map(
      [
        ("status", reader["status"]), ("reason", reader["statusMessage"]),
        ("headers", replyHeaders(headers, at: node.range)), ("after", delay),
        (body?.key ?? "json", body?.value),
      ], at: node.range)
  }

  private mutating func translateMappedBody(
    _ reader: MappingReader
  ) -> (key: String, value: YAMLNode)? {
    guard let member = single(among: WireMockKeys.bodies, in: reader) else { return nil }
    let range = member.value.range
    switch member.key.value {
    case "jsonBody":
      let text = member.value.jsonValue.jsonText()
      return replyBody(Array(text.utf8), mediaType: "application/json", at: range)
    case "bodyFileName":
      // WireMock keeps bodies in a folder beside that of the mappings.
      return member.value.scalarText.map { ("file", .text("../__files/\($0)", at: range)) }
    case "base64Body":
      guard let bytes = member.value.scalarText.flatMap({ Base64.decoded($0) }) else {
        report(
          "the text is not Base64", code: .badBase64, at: range,
          help: "write plain text below \"body\"")
        return nil
      }
      return replyBody(bytes, mediaType: "application/octet-stream", at: range)
    default:
      guard let text = decodeText(member.value, "body") else { return nil }
      return ("text", .text(text.value, at: range))
    }
  }
}
