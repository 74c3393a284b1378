internal import Foundations
internal import ScenarioModel

/// `tcp:` of an entry with `host:`.
extension ScenarioDecoder {
  mutating func decodeConversation(
    _ reader: MappingReader, name: String?, times: Int?
  ) -> ResponseEntry? {
    if let fault = reader.members(among: ["fault"]).first {
      report(
        "\"fault\" cannot be combined with \"tcp\"", code: .contradictory, at: fault.key.range,
        help: "write an entry for each; \"times\" says for how many connections")
      return nil
    }
    let isSecure = reader["tls"].flatMap { decodeBool($0, "tls") }
    let hostNode = required("host", in: reader, example: "host: mail.example.org:25")
    guard let host = hostNode.flatMap({ decodeName($0, "host") }),
      let steps = reader["tcp"].flatMap({ decodeConversationSteps($0) }),
      (reader["times"] == nil) == (times == nil), (reader["tls"] == nil) == (isSecure == nil)
    else { return nil }
    return ResponseEntry(
      name: name ?? "\(host.value): tcp",
      match: .conversation(
        ConversationPattern(
          host: host, isSecure: isSecure?.value ?? false, times: times, steps: steps)),
      replies: [], repeats: times == nil, range: reader.range)
  }

  private mutating func decodeConversationSteps(_ node: YAMLNode) -> [ConversationStep]? {
    guard let nodes = decodeNonEmptyList(node, "tcp") else { return nil }
    var steps: [ConversationStep] = []
    for (index, node) in nodes.enumerated() {
      guard let step = decodeConversationStep(node) else { continue }
      if case .close = step.action, index + 1 < nodes.count {
        report(
          "nothing can follow \"close\" on a connection", code: .afterEnd,
          at: nodes[index + 1].range,
          help: "move \"close\" to the end, or remove the steps after it")
      }
      if case .expectEnd = step.action, let later = firstAfterEnd(in: nodes[(index + 1)...]) {
        report(
          "\"expect: end\" is the end of what the client says", code: .afterEnd, at: later,
          help: "only \"send\" and \"close\" can follow it")
      }
      steps.append(step)
    }
    return steps.count == nodes.count ? steps : nil
  }

  /// The place of the first step that needs a client that goes on.
  private func firstAfterEnd(in nodes: ArraySlice<YAMLNode>) -> SourceRange? {
    nodes.first { node in
      guard case .mapping(let members) = node.content else { return false }
      return members.contains { ["expect", "starttls"].contains($0.key.value) }
    }?.range
  }

  private mutating func decodeConversationDelay(_ reader: MappingReader) -> Nanoseconds {
    reader["after"].flatMap { decodeDelay($0, "after") }?.value ?? .zero
  }

  private mutating func decodeConversationStep(_ node: YAMLNode) -> ConversationStep? {
    let subject = "a step of \"tcp\""
    guard let reader = mapping(node, as: Grammar.conversationStep, subject: subject) else {
      return nil
    }
    let delay = decodeConversationDelay(reader)
    let keys = Grammar.conversationStep.keys(without: ["after", "until", "bytes"])
    guard let member = action(among: keys, in: reader) else { return nil }
    guard member.key.value != "expect" else {
      if reader["after"] != nil {
        report(
          "\"expect\" cannot be combined with \"after\": it waits for the client, not for the clock",
          code: .contradictory, at: reader.range,
          help: "remove \"after\", or move it to the next step")
      }
      return decodeExpectation(member.value, reader).map {
        ConversationStep(delay: delay, action: $0, range: node.range)
      }
    }
    if let end = reader.members(among: ["until", "bytes"]).first {
      report(
        "\"\(end.key.value)\" needs \"expect\"", code: .noEffect, at: end.key.range,
        help: "it says where the client's piece ends")
      return nil
    }
    var action: ConversationStep.Action?
    Grammar.conversationStep.read(member, by: &self, into: &action)
    return action.map { ConversationStep(delay: delay, action: $0, range: node.range) }
  }

  private mutating func decodeExpectation(
    _ node: YAMLNode, _ reader: MappingReader
  ) -> ConversationStep.Action? {
    guard let condition = decodeMessageCondition(node) else { return nil }
    let ends = reader.members(among: ["until", "bytes"])
    switch condition {
    case .expect(let matcher):
      guard ends.count < 2 else {
        report(
          "\"until\" cannot be combined with \"bytes\"", code: .contradictory,
          at: ends[1].key.range, help: "keep one of them")
        return nil
      }
      guard let end = ends.first else { return .expect(matcher, upTo: .line) }
      return decodeEnd(end).map { .expect(matcher, upTo: $0) }
    case .expectBytes, .expectEnd:
      if let end = ends.first {
        report(
          "\"\(end.key.value)\" has no effect beside \"\(condition.isEnd ? "expect: end" : "base64")\"",
          code: .noEffect, at: end.key.range, help: "remove it")
        return nil
      }
      if case .expectBytes(let bytes) = condition { return .expectBytes(bytes) }
      return .expectEnd
    case .send, .ping, .close, .computedClose, .leave: return nil
    }
  }

  private mutating func decodeEnd(_ member: YAMLMember) -> PieceEnd? {
    guard member.key.value == "until" else {
      // What a client may send before it is judged is bounded.
      return decodeCount(member.value, "bytes", in: 1...(1 << 24)).map { .length($0) }
    }
    guard let text = decodeText(member.value, "until") else { return nil }
    guard !text.value.isEmpty else {
      report("\"until\" is empty", code: .empty, at: text.range, help: "write \"until: '\\r\\n'\"")
      return nil
    }
    return .text(text.value)
  }

  mutating func decodeStartTLS(_ node: YAMLNode) -> ConversationStep.Action? {
    if node.isAbsent { return .startTLS }
    reportType(node, "starttls", "takes no value", help: "write \"- starttls:\"")
    return nil
  }

  mutating func decodeConversationClose(_ node: YAMLNode) -> ConversationStep.Action? {
    if node.isAbsent { return .close(.end) }
    let ending: Located<ConnectionEnding>? = decodeWord(node, "close")
    return ending.map { .close($0.value) }
  }
}

extension WebSocketStep.Action {
  fileprivate var isEnd: Bool {
    if case .expectEnd = self { true } else { false }
  }
}
