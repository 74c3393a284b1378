internal import Foundations
internal import ScenarioModel

/// The bodies of an archive's requests.
extension ScenarioDecoder {
  /// A member of `request:`.
  typealias ArchivedCondition = (key: String, value: YAMLNode)

  /// Returns the conditions on the body of an archived request; `nil` where a mistake was reported.
  mutating func archivedConditions(
    of request: MappingReader, _ method: String, at range: SourceRange
  ) -> [ArchivedCondition]? {
    // -1 says that the length is not known.
    let size = max(request["bodySize"]?.scalarText.flatMap { Int($0) } ?? 0, 0)
    guard let node = request["postData"], !node.isNull else {
      guard size == 0 else {
        return [unknownBody("the \(size) bytes of this request's body", at: range)]
      }
      return archivedEmptiness(of: request, method, at: range)
    }
    guard let body = archiveMap(node, ArchiveKeys.postData, "\"postData\""),
      let bytes = archivedBytes(body, node["_encoding"] ?? body["encoding"])
    else { return nil }
    let type = body["mimeType"]?.scalarText ?? ""
    let parameters = body["params"].flatMap { decodeList($0, "params") } ?? []
    let bareType = type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
    let isMultipart = bareType.hasPrefix("multipart/")
    if isMultipart, !parameters.isEmpty { return archivedParts(parameters, at: node.range) }
    guard bytes.isEmpty else {
      guard bytes.count >= size || isRedacted(body) else {
        return [
          unknownBody(
            "more than \(bytes.count) of the \(size) bytes of this request's body", at: node.range)
        ]
      }
      // The boundary in the bytes is another one each time.
      guard !isMultipart else {
        return [unknownBody("the parts of this request's body as \"params\"", at: node.range)]
      }
      return bodyCondition(bytes, mediaType: type, at: node.range).map { [$0] } ?? []
    }
    guard parameters.isEmpty else { return archivedForm(parameters, at: node.range) }
    return size > 0
      ? [unknownBody("the \(size) bytes of this request's body", at: node.range)]
      : archivedEmptiness(of: request, method, at: range)
  }

  /// The condition that a request has no body, where the archive says so.
  private func archivedEmptiness(
    of request: MappingReader, _ method: String, at range: SourceRange
  ) -> [ArchivedCondition] {
    guard request["bodySize"]?.scalarText == "0", !["GET", "HEAD"].contains(method) else {
      return []
    }
    return [("body", .map([("empty", .word("true", at: range))], at: range))]
  }

  /// Returns whether something of a body was hidden, so that its length says nothing.
  func isRedacted(_ body: MappingReader) -> Bool {
    let text = body["text"]?.scalarText ?? ""
    return text.contains("REDACTED") || text.contains(SecretRedactor.placeholder)
  }

  /// Reports a body that the archive lacks, and returns the condition that there is one.
  private mutating func unknownBody(_ what: String, at range: SourceRange) -> ArchivedCondition {
    report(
      "the archive does not contain \(what), so any body matches", code: .missingBody,
      at: range, help: "export the archive with its contents, or write the entry in \"responses\"")
    return ("body", .map([("empty", .word("false", at: range))], at: range))
  }

  private mutating func archivedForm(
    _ parameters: [YAMLNode], at range: SourceRange
  ) -> [ArchivedCondition]? {
    var names: [String] = []
    var values: [String: [YAMLNode]] = [:]
    for node in parameters {
      guard let field = archiveMap(node, ArchiveKeys.parameter, "a parameter"),
        let name = field["name"]?.scalarText
      else { return nil }
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(.text(field["value"]?.scalarText ?? "", at: node.range))
    }
    let fields = names.map { name -> (String, YAMLNode?) in
      let list = values[name] ?? []
      return (name, list.count == 1 ? list[0] : .list(list, at: range))
    }
    return [("form", .map(fields, at: range))]
  }

  private mutating func archivedParts(
    _ parameters: [YAMLNode], at range: SourceRange
  ) -> [ArchivedCondition]? {
    var names: Set<String> = []
    var parts: [(String, YAMLNode?)] = []
    for node in parameters {
      guard let field = archiveMap(node, ArchiveKeys.parameter, "a parameter"),
        let name = field["name"]?.scalarText
      else { return nil }
      guard names.insert(name).inserted else {
        report(
          "several parts have the name \"\(name)\", so any body matches",
          code: .missingBody, at: node.range, help: "write the entry in \"responses\"")
        return [("body", .map([("empty", .word("false", at: range))], at: range))]
      }
      let filename = field["fileName"].flatMap { $0.scalarText?.isEmpty == false ? $0 : nil }
      let value = field["value"]?.scalarText
      if value == nil {
        report(
          "the archive does not contain the content of the part \"\(name)\", so any content matches",
          code: .missingBody, at: node.range,
          help: "export the archive with its contents, or write the entry in \"responses\"")
      }
      let type = field["contentType"].flatMap { $0.scalarText?.isEmpty == false ? $0 : nil }
      // RFC 7578, section 4.4: text unless said.
      let isOpen = filename == nil && value == nil
      let content = YAMLNode.map(
        [
          ("filename", filename.map { .text($0.scalarText ?? "", at: $0.range) }),
          (
            "content_type",
            (type?.scalarText ?? (isOpen ? "text/plain" : nil)).map { .text($0, at: node.range) }
          ),
          ("text", value.map { .text($0, at: node.range) }),
        ], at: node.range)
      parts.append((name, content))
    }
    return [("parts", .map(parts, at: range))]
  }

  /// Returns the condition on a request's body, in the language's words.
  func bodyCondition(
    _ bytes: [UInt8], mediaType: String?, at range: SourceRange
  ) -> ArchivedCondition? {
    // Forms and the like say no type that is JSON's, and HAR's empty type says nothing.
    let type = mediaType.flatMap { $0.isEmpty ? nil : $0 }
    return switch RecordableBody(bytes, mediaType: type) {
    case .empty: nil
    case .json(let value): ("json", .map([("equals", .data(value, at: range))], at: range))
    case .text(let text): ("body", .text(text, at: range))
    case .bytes(let bytes):
      ("body", .map([("base64", .text(Base64.encoded(bytes), at: range))], at: range))
    }
  }
}
