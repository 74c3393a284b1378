internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `stream:`, `websocket:` or `grpc:` of a reply.
  mutating func decodeStreamedBody(_ member: YAMLMember) -> Reply.Body? {
    switch member.key.value {
    case "stream": decodeStream(member.value).map { .stream($0) }
    case "websocket": decodeWebSocket(member.value).map { .webSocket($0) }
    default: decodeGRPC(member.value).map { .grpc($0) }
    }
  }

  /// `trailers:` of a reply.
  mutating func decodeTrailers(_ node: YAMLNode) -> [DataField] {
    (decodeMembers(node, "trailers") ?? []).compactMap {
      checkHeaderName($0.key) ? decodeTextField($0) : nil
    }
  }

  // MARK: - Pieces

  /// A text, or a map with one of `text`, `json`, `base64`, `file`.
  mutating func decodePiece(_ node: YAMLNode, _ subject: String) -> PieceContent? {
    guard case .mapping = node.content else {
      return decodeTemplate(node, subject).map { .text($0) }
    }
    guard let reader = mapping(node, as: Grammar.pieceContent, subject: "\"\(subject)\"")
    else {
      return nil
    }
    return decodePiece(in: reader)
  }

  mutating func decodePiece(in reader: MappingReader) -> PieceContent? {
    guard let member = single(among: Grammar.pieceContent.keys, in: reader) else {
      if reader.unknownCount == 0 {
        report(
          "\(reader.subject) has no content", code: .empty, at: reader.range,
          help: "add one of \(Grammar.pieceContent.keys.joined(separator: ", "))")
      }
      return nil
    }
    var content: PieceContent?
    Grammar.pieceContent.read(member, by: &self, into: &content)
    return content
  }

  mutating func decodeBytes(_ node: YAMLNode) -> [UInt8]? {
    guard let text = decodeText(node, "base64") else { return nil }
    if let bytes = Base64.decoded(text.value) { return bytes }
    report(
      "\"\(Self.shortened(text.value))\" is not Base64", code: .badBase64, at: text.range,
      help: "write the output of \"base64 -w0 FILE\"")
    return nil
  }

  mutating func decodeStepDelay(_ reader: MappingReader) -> ReplyDelay {
    reader["after"].flatMap { decodeReplyDelay($0) } ?? .length(.zero)
  }

  mutating func action(
    among keys: [String], in reader: MappingReader
  ) -> YAMLMember? {
    if let member = single(among: keys, in: reader) { return member }
    if reader.misspelledKeys.isDisjoint(with: keys) {
      report(
        "\(reader.subject) does nothing", code: .empty, at: reader.range,
        help: "add one of \(keys.joined(separator: ", "))")
    }
    return nil
  }

  // MARK: - Streams

  private mutating func decodeStream(_ node: YAMLNode) -> [StreamStep]? {
    guard let nodes = decodeNonEmptyList(node, "stream") else { return nil }
    var steps: [StreamStep] = []
    for (index, node) in nodes.enumerated() {
      guard let step = decodeStreamStep(node) else { continue }
      if case .close = step.action, index + 1 < nodes.count {
        report(
          "nothing can follow \"close\" in a stream", code: .afterEnd, at: nodes[index + 1].range,
          help: "move \"close\" to the end, or remove the steps after it")
      }
      steps.append(step)
    }
    return steps.count == nodes.count ? steps : nil
  }

  private mutating func decodeStreamStep(_ node: YAMLNode) -> StreamStep? {
    guard let reader = mapping(node, as: Grammar.streamStep, subject: "a step of \"stream\"")
    else { return nil }
    let delay = decodeStepDelay(reader)
    guard let member = action(among: Grammar.streamStep.keys(without: ["after"]), in: reader) else {
      return nil
    }
    var action: StreamStep.Action?
    Grammar.streamStep.read(member, by: &self, into: &action)
    return action.map { StreamStep(delay: delay, action: $0) }
  }

  // MARK: - WebSocket

  private mutating func decodeWebSocket(_ node: YAMLNode) -> [WebSocketStep]? {
    guard let nodes = decodeList(node, "websocket") else { return nil }
    var steps: [WebSocketStep] = []
    for (index, node) in nodes.enumerated() {
      guard let step = decodeWebSocketStep(node) else { continue }
      switch step.action {
      case .close, .computedClose, .leave:
        guard index + 1 < nodes.count else { break }
        report(
          "nothing can follow \"close\" in a WebSocket", code: .afterEnd,
          at: nodes[index + 1].range,
          help: "move \"close\" to the end, or remove the steps after it")
      case .expectEnd:
        guard index + 1 < nodes.count else { break }
        report(
          "nothing can follow \"expect: end\" in a WebSocket", code: .afterEnd,
          at: nodes[index + 1].range,
          help: "move \"expect: end\" to the end, or write { equals: end } for a message")
      case .expect, .expectBytes, .send, .ping: break
      }
      steps.append(step)
    }
    return steps.count == nodes.count ? steps : nil
  }

  private mutating func decodeWebSocketStep(_ node: YAMLNode) -> WebSocketStep? {
    let subject = "a step of \"websocket\""
    guard let reader = mapping(node, as: Grammar.webSocketStep, subject: subject) else {
      return nil
    }
    let delay = decodeStepDelay(reader)
    guard let member = action(among: Grammar.webSocketStep.keys(without: ["after"]), in: reader)
    else { return nil }
    var action: WebSocketStep.Action?
    Grammar.webSocketStep.read(member, by: &self, into: &action)
    if member.key.value == "expect", reader["after"] != nil {
      report(
        "\"expect\" cannot be combined with \"after\": it waits for the client, not for the clock",
        code: .contradictory,
        at: reader.range,
        help: "remove \"after\", or move it to the next step")
    }
    return action.map { WebSocketStep(delay: delay, action: $0, range: node.range) }
  }

  /// `end`, a condition on the text of a message, or the bytes of a binary one.
  mutating func decodeMessageCondition(_ node: YAMLNode) -> WebSocketStep.Action? {
    if case .scalar(let scalar) = node.content, scalar.text == "end" { return .expectEnd }
    if case .mapping(let members) = node.content, members.count == 1,
      members[0].key.value == "base64"
    {
      return decodeBytes(members[0].value).map { .expectBytes($0) }
    }
    return decodeMatcher(node, .text, "expect", moreKeys: ["base64"]).map { .expect($0) }
  }

  mutating func decodePing(_ node: YAMLNode) -> WebSocketStep.Action? {
    if node.isAbsent { return .ping("") }
    guard let text = decodeText(node, "ping") else { return nil }
    // RFC 6455, section 5.5.
    guard text.value.utf8.count <= 125 else {
      report(
        "the ping has \(text.value.utf8.count) bytes", code: .outOfRange, at: node.range,
        help: "a ping has at most 125 bytes")
      return nil
    }
    return .ping(text.value)
  }

  /// `close: 1000`, `close: { code: 1000, reason: … }`, `close: abrupt` or `close: reset`.
  mutating func decodeWebSocketClose(_ node: YAMLNode) -> WebSocketStep.Action? {
    switch node.content {
    case .mapping:
      guard let reader = mapping(node, as: Grammar.webSocketClose, subject: "\"close\"") else {
        return nil
      }
      guard let codeNode = required("code", in: reader, example: "code: 1000") else { return nil }
      if codeNode.isTemplate || reader["reason"]?.isTemplate ?? false {
        return decodeComputedClose(codeNode, reason: reader["reason"])
      }
      let reason = reader["reason"].flatMap { decodeText($0, "reason") }
      guard let code = decodeCloseCode(codeNode) else { return nil }
      // RFC 6455, section 5.5: a control frame has at most 125 bytes, two of them the code.
      if let reason, reason.value.utf8.count > 123 {
        report(
          "the reason has \(reason.value.utf8.count) bytes", code: .outOfRange, at: reason.range,
          help: "a reason has at most 123 bytes")
        return nil
      }
      return .close(code: code, reason: reason?.value ?? "")
    case .scalar(let scalar):
      if case .integer = scalar.meaning {
        return decodeCloseCode(node).map { .close(code: $0, reason: "") }
      }
      if node.isAbsent || scalar.text == ConnectionEnding.end.rawValue {
        return .close(code: 1000, reason: "")
      }
      if node.isTemplate { return decodeComputedClose(node, reason: nil) }
      let ending: Located<ConnectionEnding>? = decodeWord(node, "close")
      return ending.map { .leave($0.value) }
    default:
      reportType(node, "close", "must be a code, a word or a map", help: "write \"close: 1000\"")
      return nil
    }
  }

  /// Decodes a code and a reason of which an expression makes one at least.
  private mutating func decodeComputedClose(
    _ code: YAMLNode, reason: YAMLNode?
  ) -> WebSocketStep.Action? {
    let isWritten = !code.isTemplate
    if isWritten, decodeCloseCode(code) == nil { return nil }
    let text = reason.map { decodeTemplate($0, "reason") }
    guard let code = decodeTemplate(code, "close") else { return nil }
    // A reason that is there and wrong has been reported.
    if let text, text == nil { return nil }
    return .computedClose(code: code, reason: text ?? nil)
  }

  /// Decodes a close code that a frame may have (RFC 6455, section 7.4), or 1005 for a frame
  /// without one.
  private mutating func decodeCloseCode(_ node: YAMLNode) -> Int? {
    guard let code = decodeCount(node, "close", in: 1000...4999) else { return nil }
    guard ![1004, 1006, 1015].contains(code) else {
      report(
        "the code \(code) is never sent", code: .outOfRange, at: node.range,
        help: code == 1006 ? "write \"close: abrupt\"" : "write a code such as 1000 or 1011")
      return nil
    }
    return code
  }
}
