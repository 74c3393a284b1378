internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `headers:` of a reply.
  mutating func decodeHeaders(_ node: YAMLNode) -> [DataField] {
    (decodeMembers(node, "headers") ?? []).flatMap {
      checkHeaderName($0.key) ? decodeHeader($0) : []
    }
  }

  /// Reads one header field for each value of a list.
  private mutating func decodeHeader(_ member: YAMLMember) -> [DataField] {
    guard case .sequence = member.value.content else {
      return decodeTextField(member).map { [$0] } ?? []
    }
    let subject = "the header \"\(member.key.value)\""
    return (decodeNonEmptyList(member.value, subject) ?? []).compactMap { node in
      decodeTextField(YAMLMember(key: member.key, value: node))
    }
  }

  /// RFC 9112, section 4: a reason phrase is text on one line.
  mutating func decodeReason(_ node: YAMLNode) -> String? {
    guard let text = decodeText(node, "reason") else { return nil }
    guard text.value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      report(
        "\"reason\" contains a character that is not allowed in a status line", code: .badHeader,
        at: text.range,
        help: "write ASCII characters on one line")
      return nil
    }
    return text.value
  }

  // MARK: - Faults of replies

  /// `fault:` of a reply.
  mutating func decodeReplyFault(_ node: YAMLNode) -> ReplyFaultRule? {
    if node.isTemplate { return decodeTemplate(node, "fault").map { .computed($0) } }
    return decodeWrittenFault(node).map { .written($0) }
  }

  private mutating func decodeWrittenFault(_ node: YAMLNode) -> Located<ReplyFault>? {
    guard case .mapping = node.content else {
      let elsewhere = ConnectionFault.words.map(\.word) + Grammar.connectionFault.keys
      return decodeFaultWord(
        node, ReplyFault.words, maps: Grammar.replyFault.keys,
        elsewhere: (elsewhere, Self.connectionFaultHelp))
    }
    let elsewhere = Grammar.connectionFault.keys.map { ($0, Self.connectionFaultHelp) }
    guard
      let member = decodeFaultMember(
        node, Grammar.replyFault.keys, elsewhere: Dictionary(uniqueKeysWithValues: elsewhere))
    else { return nil }
    if member.key.value == "truncate" {
      return decodeByteCount(member.value, "truncate", isRate: false).map {
        Located(.truncate(bytes: $0), at: node.range)
      }
    }
    guard let rate = decodeByteCount(member.value, "bandwidth", isRate: true) else { return nil }
    guard rate > 0 else {
      report(
        "\"bandwidth\" must be at least 1B/s", code: .outOfRange,
        at: member.value.range,
        help: "write \"fault: hang\" for a reply that never arrives")
      return nil
    }
    return Located(.slow(bytesPerSecond: rate), at: node.range)
  }

  /// The one key of a fault that has a value.
  private mutating func decodeFaultMember(
    _ node: YAMLNode, _ keys: [String], elsewhere: [String: String]
  ) -> YAMLMember? {
    guard
      let reader = mapping(
        node, keys: keys, of: Grammar.replyFault.definition, former: Grammar.replyFault.former,
        subject: "\"fault\"",
        elsewhere: elsewhere)
    else {
      return nil
    }
    if reader.members.isEmpty, reader.unknownCount == 0 {
      report(
        "\"fault\" is empty", code: .empty, at: node.range,
        help: "write one of: \(keys.map { "{ \($0): … }" }.joined(separator: ", "))")
    }
    return single(among: keys, in: reader)
  }

  mutating func decodeByteCount(
    _ node: YAMLNode, _ subject: String, isRate: Bool
  ) -> Int? {
    decode(node, subject, as: .byteCount(isRate: isRate))?.value
  }

  private static let connectionFaultHelp =
    "to break all connections to a host, write a separate entry: { host: HOST, fault: refuse }, "
    + "{ dns: nxdomain } or { tls: expired }"
  private static let replyFaultHelp =
    "to break replies, write an entry for a request: METHOD URL: { fault: reset }"

  /// Reads one of the faults that are a word; `elsewhere` are those of the other kind, with the
  /// help for them.
  private mutating func decodeFaultWord<Fault>(
    _ node: YAMLNode, _ words: [(word: String, fault: Fault)], maps: [String],
    elsewhere: (words: [String], help: String)
  ) -> Located<Fault>? {
    guard let text = decodeText(node, "fault") else { return nil }
    if let known = words.first(where: { $0.word == text.value }) {
      return Located(known.fault, at: text.range)
    }
    guard !maps.contains(text.value) else {
      report(
        "\"\(text.value)\" needs a value", code: .empty, at: text.range,
        help: "write \"fault: { \(text.value): … }\"")
      return nil
    }
    report(
      "unknown value \"\(text.value)\" for \"fault\"", code: .unknownValue, at: text.range,
      help: elsewhere.words.contains(text.value)
        ? elsewhere.help
        : Suggestion.help(
          for: text.value, in: words.map(\.word) + maps, label: "allowed values"))
    return nil
  }

  /// Checks that a fault that sends nothing is alone, and that one that breaks a body has a body.
  mutating func checkFault(of reply: Reply, in reader: MappingReader) -> Bool {
    guard let fault = reply.fault?.written else { return true }
    if !fault.value.sendsReply {
      let bodies =
        Grammar.replyBodies + Grammar.streamedBodies + Grammar.graphQLReplyBody
      let sent = bodies + ["encoding", "trailers"] + ["headers", "reason", "status"]
      guard let other = reader.memberBeside(sent) else { return true }
      report(
        "\"\(other.value)\" cannot be combined with \"fault: \(fault.value.text)\", which does not send it",
        code: .contradictory, at: other.range, help: "keep one of them")
      return false
    }
    guard fault.value.needsBody else { return true }
    switch reply.body {
    case .stream, .webSocket, .grpc, .graphQLStream, .handler:
      report(
        "\"fault: \(fault.value.text)\" applies only to a body that is sent in one piece",
        code: .contradictory, at: fault.range,
        help: "remove it, and end the script where the reply breaks off")
      return false
    case .empty: break
    default: return true
    }
    report(
      "\"fault: \(fault.value.text)\" needs a body, but the reply has none", code: .badReply,
      at: fault.range,
      help: "add one of: base64, file, json, text; or write \"fault: empty\"")
    return false
  }

  // MARK: - Faults of connections

  /// An entry of `responses:` with `host:`.
  mutating func decodeHostResponse(_ node: YAMLNode) -> ResponseEntry? {
    let subject = "an entry of \"responses\" with \"host\""
    guard let reader = mapping(node, as: Grammar.hostResponse, subject: subject) else {
      return nil
    }
    let name = reader["name"].flatMap { decodeName($0, "name") }
    let times = reader["times"].flatMap { decodeCount($0, "times", in: 1...Int.max) }
    if reader["tcp"] != nil {
      return decodeConversation(reader, name: name?.value, times: times)
    }
    if let tls = reader["tls"] {
      report(
        "\"tls\" needs \"tcp\"", code: .noEffect, at: tls.range,
        help: "remove it, or write \"fault: { tls: … }\" for a handshake that fails")
      return nil
    }
    guard let host = reader["host"].flatMap({ decodeName($0, "host") }),
      let faultNode = required(
        "fault", in: reader, example: "fault: refuse\", or \"tcp: [{ send: hello }]"),
      let fault = decodeConnectionFault(faultNode), (reader["times"] == nil) == (times == nil)
    else {
      return nil
    }
    return ResponseEntry(
      name: name?.value ?? "\(host.value): \(fault.value.text)",
      match: .host(HostPattern(host: host, fault: fault.value, times: times)), replies: [],
      repeats: times == nil, range: node.range)
  }

  private mutating func decodeConnectionFault(_ node: YAMLNode) -> Located<ConnectionFault>? {
    guard case .mapping = node.content else {
      let elsewhere = ReplyFault.words.map(\.word) + Grammar.replyFault.keys
      return decodeFaultWord(
        node, ConnectionFault.words, maps: Grammar.connectionFault.keys,
        elsewhere: (elsewhere, Self.replyFaultHelp))
    }
    let elsewhere = Grammar.replyFault.keys.map { ($0, Self.replyFaultHelp) }
    guard
      let member = decodeFaultMember(
        node, Grammar.connectionFault.keys, elsewhere: Dictionary(uniqueKeysWithValues: elsewhere))
    else { return nil }
    if member.key.value == "dns" {
      let fault: Located<ConnectionFault.NameFault>? = decodeWord(member.value, "dns")
      return fault.map { Located(.dns($0.value), at: node.range) }
    }
    let fault: Located<ConnectionFault.HandshakeFault>? = decodeWord(member.value, "tls")
    return fault.map { Located(.tls($0.value), at: node.range) }
  }
}

extension ValueGrammar<Int> {
  /// Such as `10KiB`, or `500B/s`.
  fileprivate static func byteCount(isRate: Bool) -> ValueGrammar {
    ValueGrammar(
      name: "a number of bytes", code: .badSize,
      help: isRate ? "write a number and a unit, such as 500B/s" : "write 100B or 10KiB"
    ) { text throws(ValueGrammarError) in
      try ByteCountText.parse(text, isRate: isRate)
    }
  }
}

extension MappingReader {
  /// The first key among some.
  func memberBeside(_ keys: [String]) -> Located<String>? {
    members(among: keys).first?.key
  }
}
