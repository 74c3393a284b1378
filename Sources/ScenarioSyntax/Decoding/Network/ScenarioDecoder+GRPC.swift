internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `network: { grpc: … }`.
  mutating func decodeGRPCSettings(_ node: YAMLNode) -> GRPCSettings? {
    var settings = GRPCSettings()
    guard
      let reader = decode(
        node, as: Grammar.grpcTypes, subject: "\"grpc\" of the network", into: &settings)
    else { return nil }
    guard required("protos", in: reader, example: "protos: [api/shop.proto]") != nil else {
      return nil
    }
    return settings
  }

  /// `grpc:` messages and a status.
  mutating func decodeGRPC(_ node: YAMLNode) -> GRPCReply? {
    guard let reader = mapping(node, as: Grammar.grpc, subject: "\"grpc\"") else {
      return nil
    }
    let isComputed = reader["status"]?.isTemplate ?? false
    let status = isComputed ? nil : reader["status"].map { decodeGRPCStatus($0) }
    let computedStatus =
      isComputed ? reader["status"].flatMap { decodeTemplate($0, "status") } : nil
    let error = reader["error"].map { decodeTemplate($0, "error") }
    var messages: [GRPCStep] = []
    if let node = reader["messages"] {
      let nodes = if case .sequence(let nodes) = node.content { nodes } else { [node] }
      messages = nodes.compactMap { decodeGRPCMessage($0) }
      guard messages.count == nodes.count else { return nil }
    }
    // A key that is there and wrong has been reported.
    if let status, status == nil { return nil }
    if let error, error == nil { return nil }
    if isComputed, computedStatus == nil { return nil }
    var reply = GRPCReply(messages: messages, status: (status ?? nil) ?? 0, error: error ?? nil)
    reply.computedStatus = computedStatus
    return reply
  }

  private mutating func decodeGRPCMessage(_ node: YAMLNode) -> GRPCStep? {
    guard case .mapping = node.content else {
      return decodePiece(node, "message").map {
        GRPCStep(delay: .length(.zero), action: .send($0), range: node.range)
      }
    }
    guard let reader = mapping(node, as: Grammar.grpcMessage, subject: "a message of \"grpc\"")
    else {
      return nil
    }
    let delay = decodeStepDelay(reader)
    guard let expectation = reader["expect"] else {
      if let message = reader["message"] {
        return decodeWholeMessage(message, in: reader).map {
          GRPCStep(delay: delay, action: .send(.message($0)), range: node.range)
        }
      }
      return decodePiece(in: reader).map {
        GRPCStep(delay: delay, action: .send($0), range: node.range)
      }
    }
    if let other = reader.members.first(where: { $0.key.value != "expect" }) {
      report(
        "\"expect\" cannot be combined with \"\(other.key.value)\", which sends a message",
        code: .contradictory, at: other.key.range,
        help: "write \"\(other.key.value)\" as a separate step")
      return nil
    }
    return decodeGRPCExpectation(expectation).map {
      GRPCStep(delay: delay, action: $0, range: node.range)
    }
  }

  /// `message:`, which no other content can stand beside.
  private mutating func decodeWholeMessage(_ node: YAMLNode, in reader: MappingReader) -> DataNode?
  {
    if let other = reader.members.first(where: { Grammar.pieceContent.keys.contains($0.key.value) })
    {
      report(
        "\"message\" cannot be combined with \"\(other.key.value)\"", code: .contradictory,
        at: other.key.range, help: "write \"\(other.key.value)\" as a separate step")
      return nil
    }
    return decodeData(node)
  }

  /// `end`, the bytes of a message, or a condition on it or its text.
  private mutating func decodeGRPCExpectation(_ node: YAMLNode) -> GRPCStep.Action? {
    if case .scalar(let scalar) = node.content, scalar.text == "end" { return .expectEnd }
    if case .mapping(let members) = node.content, members.count == 1,
      members[0].key.value == "base64"
    {
      return decodeBytes(members[0].value).map { .expectBytes($0) }
    }
    if case .mapping(let members) = node.content, members.count == 1,
      members[0].key.value == "message"
    {
      return decodeJSONMatcher(members[0].value).map { .expectMessage($0) }
    }
    return decodeMatcher(node, .text, "expect", moreKeys: ["base64", "message"]).map {
      .expect($0)
    }
  }

  /// A number, or a name such as `NOT_FOUND`.
  private mutating func decodeGRPCStatus(_ node: YAMLNode) -> Int? {
    if case .scalar(let scalar) = node.content, case .integer = scalar.meaning {
      return decodeCount(node, "status", in: 0...Int(Int32.max))
    }
    let word: Located<GRPCStatus>? = decodeWord(node, "status")
    return word?.value.number
  }
}
