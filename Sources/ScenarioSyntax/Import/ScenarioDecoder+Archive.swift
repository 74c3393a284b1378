internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// The keys of HAR 1.2; others begin with "_" (section "Custom fields").
  enum ArchiveKeys {
    static let log = ["browser", "comment", "creator", "entries", "pages", "version"]
    static let entry = [
      "cache", "comment", "connection", "pageref", "request", "response", "serverIPAddress",
      "startedDateTime", "time", "timings",
    ]
    static let request = [
      "bodySize", "comment", "cookies", "headers", "headersSize", "httpVersion", "method",
      "postData", "queryString", "url",
    ]
    static let postData = ["comment", "encoding", "mimeType", "params", "text"]
    static let parameter = ["comment", "contentType", "fileName", "name", "value"]
    static let response = [
      "bodySize", "comment", "content", "cookies", "headers", "headersSize", "httpVersion",
      "redirectURL", "status", "statusText",
    ]
    static let content = ["comment", "compression", "encoding", "mimeType", "size", "text"]
    static let field = ["comment", "name", "value"]
  }

  /// HAR 1.2: each entry answers once, for its method and URL.
  mutating func decodeArchive(_ node: YAMLNode) -> [ResponseEntry] {
    guard let file = mapping(node, keys: ["log"], subject: "the archive"),
      let logNode = file["log"],
      let log = archiveMap(logNode, ArchiveKeys.log, "\"log\""),
      let entries = log["entries"].flatMap({ decodeList($0, "entries") })
    else { return [] }
    if let version = log["version"], version.scalarText?.hasPrefix("1.") != true {
      report(
        "unknown version of HAR \"\(version.scalarText ?? "")\"", code: .unreadableImport,
        at: version.range,
        help: "versions 1.1 and 1.2 are supported")
      return []
    }
    return decodeTranslated(mostSpecificFirst(entries.compactMap { translateArchived($0) }))
  }

  /// A map of HAR, custom fields left out.
  mutating func archiveMap(
    _ node: YAMLNode, _ keys: [String], _ subject: String
  ) -> MappingReader? {
    guard let members = decodeMembers(node, subject) else { return nil }
    var plain = node
    plain.content = .mapping(members.filter { !$0.key.value.hasPrefix("_") })
    return mapping(plain, keys: keys, subject: subject)
  }

  private mutating func translateArchived(_ node: YAMLNode) -> YAMLNode? {
    guard let entry = archiveMap(node, ArchiveKeys.entry, "an entry"),
      let requestNode = required("request", in: entry, example: "\"request\": { … }"),
      let responseNode = required("response", in: entry, example: "\"response\": { … }"),
      let request = translateArchivedRequest(requestNode),
      let reply = node["_webSocketMessages"].map({ translateArchivedMessages($0) })
        ?? translateArchivedResponse(responseNode, to: requestNode["method"]?.scalarText ?? "")
    else { return nil }
    return .map([("request", request), ("reply", reply)], at: requestNode.range)
  }

  private mutating func translateArchivedRequest(_ node: YAMLNode) -> YAMLNode? {
    guard let request = archiveMap(node, ArchiveKeys.request, "\"request\""),
      let method = required("method", in: request, example: "\"method\": \"GET\""),
      let urlNode = required("url", in: request, example: "\"url\": \"https://api.example.com/\""),
      let url = decodeText(urlNode, "url")
    else { return nil }
    guard let conditions = archivedConditions(of: request, method.scalarText ?? "", at: url.range)
    else { return nil }
    return .map(
      [
        ("method", method), ("url", .text(plainURL(url.value), at: url.range)),
        ("exact", .word("true", at: url.range)),
      ] + conditions.map { ($0.key, $0.value) }, at: node.range)
  }

  private mutating func translateArchivedResponse(
    _ node: YAMLNode, to method: String
  ) -> YAMLNode? {
    guard let response = archiveMap(node, ArchiveKeys.response, "\"response\""),
      let status = required("status", in: response, example: "\"status\": 200")
    else { return nil }
    // What browsers write for a request that got no answer.
    guard status.scalarText != "0" else {
      return .map([("fault", .word("reset", at: status.range))], at: node.range)
    }
    var headers: [(name: String, value: YAMLNode)] = []
    for field in response["headers"].flatMap({ decodeList($0, "headers") }) ?? [] {
      guard let reader = archiveMap(field, ArchiveKeys.field, "a header"),
        let name = reader["name"]?.scalarText, let value = reader["value"]
      else { continue }
      headers.append((name, .text(value.scalarText ?? "", at: value.range)))
    }
    var body: (key: String, value: YAMLNode)?
    if let contentNode = response["content"], !contentNode.isNull {
      guard let content = archiveMap(contentNode, ArchiveKeys.content, "\"content\"") else {
        return nil
      }
      if let file = contentNode["_file"], let name = file.scalarText, content["text"] == nil {
        // Playwright lays bodies beside the archive.
        body = ("file", .text(name, at: file.range))
      } else {
        guard let bytes = archivedBytes(content, content["encoding"]) else { return nil }
        // What has no body by its method or its status has the length of what was asked about.
        let mayHaveBody = method != "HEAD" && !["204", "304"].contains(status.scalarText ?? "")
        let size = content["size"]?.scalarText.flatMap { Int($0) } ?? 0
        if mayHaveBody, bytes.count < size, !isRedacted(content) {
          report(
            bytes.isEmpty
              ? "the archive does not contain the \(size) bytes of this reply, which is sent without a body"
              : "the archive contains only \(bytes.count) of the \(size) bytes of this reply, and only these are sent",
            code: .missingBody, at: contentNode.range,
            help: "export the archive with its contents, or write the reply in \"responses\"")
        }
        body = replyBody(bytes, mediaType: content["mimeType"]?.scalarText, at: contentNode.range)
      }
      let hasType = headers.contains { $0.name.lowercased() == "content-type" }
      if !hasType, let type = content["mimeType"], type.scalarText?.isEmpty == false, body != nil {
        headers.append(("content-type", .text(type.scalarText ?? "", at: type.range)))
      }
    }
    return .map(
      [
        ("status", status), ("headers", replyHeaders(headers, at: node.range)),
        (body?.key ?? "json", body?.value),
      ], at: node.range)
  }

  /// Translates Chrome's record of a WebSocket: the client's messages are expected, the host's are
  /// sent.
  private mutating func translateArchivedMessages(_ node: YAMLNode) -> YAMLNode? {
    guard let messages = decodeList(node, "_webSocketMessages") else { return nil }
    var steps: [YAMLNode] = []
    for message in messages {
      let text = message["data"]?.scalarText ?? ""
      let isBinary = message["opcode"]?.scalarText == "2"
      let isFromClient = message["type"]?.scalarText == "send"
      let key = isBinary ? "base64" : isFromClient ? "equals" : "text"
      let content = YAMLNode.map([(key, .text(text, at: message.range))], at: message.range)
      steps.append(.map([(isFromClient ? "expect" : "send", content)], at: message.range))
    }
    return .map([("websocket", .list(steps, at: node.range))], at: node.range)
  }

  mutating func archivedBytes(_ content: MappingReader, _ encoding: YAMLNode?) -> [UInt8]? {
    let text = content["text"]?.scalarText ?? ""
    guard let encoding, let name = encoding.scalarText, !name.isEmpty else {
      return Array(text.utf8)
    }
    guard name == "base64" else {
      report(
        "unknown encoding \"\(name)\"", code: .unreadableImport, at: encoding.range,
        help: "write \"base64\", the only encoding of HAR")
      return nil
    }
    guard let bytes = Base64.decoded(text) else {
      report(
        "the text is not Base64", code: .badBase64, at: content["text"]?.range ?? encoding.range,
        help: "remove \"encoding\" if the text is plain")
      return nil
    }
    return bytes
  }
}
