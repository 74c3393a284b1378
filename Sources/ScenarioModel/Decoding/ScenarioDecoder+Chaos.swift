extension ScenarioDecoder {
  /// `chaos:`.
  mutating func decodeChaos(_ node: YAMLNode) -> [ChaosEntry] {
    (decodeList(node, "chaos") ?? []).compactMap { decodeChaosEntry($0) }
  }

  private mutating func decodeChaosEntry(_ node: YAMLNode) -> ChaosEntry? {
    let subject = "an entry of \"chaos\""
    guard let reader = mapping(node, keys: Vocabulary.chaos, subject: subject) else { return nil }
    let name = reader["name"].map { decodeName($0, "name") }
    let condition = reader["where"].flatMap {
      mapping($0, keys: Vocabulary.chaosWhere, subject: "\"where\"")
    }
    let path = condition?["path"].flatMap { decodeText($0, "path") }
    let host = condition?["host"].flatMap { decodeText($0, "host") }
    let count = reader["when"].flatMap {
      mapping($0, keys: Vocabulary.chaosWhen, subject: "\"when\"")
    }
    let after = count?["after"].flatMap { decodeCount($0, "after", in: 0...Int.max) }
    let times = count?["times"].flatMap { decodeCount($0, "times", in: 1...Int.max) }
    let calls = required("call", in: reader, example: "call: fsync").map { decodeCalls($0) }
    let error = required("provide", in: reader, example: "provide: { error: EIO }").flatMap {
      decodeProvidedError($0)
    }
    guard let calls, let firstCall = calls.first, let error else { return nil }
    let joined = calls.map(\.value).joined(separator: "/")
    return ChaosEntry(
      name: (name ?? nil) ?? Located(joined, at: firstCall.range), calls: calls, path: path,
      host: host, after: after ?? 0, times: times, error: error, range: node.range)
  }

  private mutating func decodeCalls(_ node: YAMLNode) -> [Located<String>] {
    switch node.content {
    case .scalar: return decodeText(node, "call").map { [$0] } ?? []
    default:
      return (decodeNonEmptyList(node, "call") ?? []).compactMap {
        decodeText($0, "an entry of \"call\"")
      }
    }
  }

  private mutating func decodeProvidedError(_ node: YAMLNode) -> Located<String>? {
    guard let reader = mapping(node, keys: Vocabulary.chaosProvide, subject: "\"provide\""),
      let error = required("error", in: reader, example: "error: EIO")
    else {
      return nil
    }
    return decodeText(error, "error")
  }
}
