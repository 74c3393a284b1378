internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `explore:`.
  mutating func decodeExploration(_ node: YAMLNode) -> ExploreSettings? {
    let settings = ExploreSettings(at: node.range)
    if node.isNull { return settings }
    return decode(node, as: Grammar.explore, subject: "\"explore\"", from: settings)
  }

  mutating func decodePoints(_ node: YAMLNode) -> [FaultTarget] {
    if case .scalar = node.content {
      return decodeText(node, "call").map { [.calls([$0])] } ?? []
    }
    return (decodeNonEmptyList(node, "call") ?? []).compactMap { node -> FaultTarget? in
      let subject = "an entry of \"call\""
      guard case .mapping = node.content else {
        return decodeText(node, subject).map { .calls([$0]) }
      }
      guard let reader = mapping(node, as: Grammar.explorePoint, subject: subject),
        let function = required("function", in: reader, example: "{ function: malloc }")
      else { return nil }
      let names = decodeTexts(function, "function")
      guard !names.isEmpty else { return nil }
      return .functions(names, in: reader["in"].flatMap { decodeText($0, "in") })
    }
  }

  mutating func decodeExploredErrors(_ node: YAMLNode) -> ExploreSettings.Errors? {
    if case .scalar(let scalar) = node.content {
      switch scalar.text {
      case "documented": return .documented
      case "practical": return .practical
      default: break
      }
      guard let text = decodeText(node, "errors") else { return nil }
      let isError = text.value.hasPrefix("E") && text.value == text.value.uppercased()
      guard !isError else { return .among([text]) }
      report(
        "unknown value \"\(text.value)\" for \"errors\"", code: .unknownValue, at: text.range,
        help: "write practical, documented, or a list such as [EIO, ENOSPC]")
      return nil
    }
    let names = decodeTexts(node, "errors")
    return names.isEmpty ? nil : .among(names)
  }

  /// Reads one word, or a list of some, each once.
  mutating func decodeWords<Word: CaseIterable & RawRepresentable<String> & Equatable>(
    _ node: YAMLNode, _ key: String
  ) -> [Word] {
    let nodes: [YAMLNode]
    if case .scalar = node.content {
      nodes = [node]
    } else {
      nodes = decodeNonEmptyList(node, key) ?? []
    }
    var words: [Word] = []
    for node in nodes {
      let word: Located<Word>? = decodeWord(node, key)
      if let word, !words.contains(word.value) { words.append(word.value) }
    }
    return words
  }

  mutating func decodeTimeLimit(_ node: YAMLNode) -> Nanoseconds? {
    guard let time = decodeDuration(node, "timeout") else { return nil }
    if time.value <= .zero {
      report(
        "the budget must be longer than 0s, not \"\(time.value)\"", code: .outOfRange,
        at: time.range,
        help: "write a real duration, such as 60s")
    }
    return time.value
  }

  mutating func decodeLeaks(_ node: YAMLNode, into settings: inout ExploreSettings) {
    let subject = "\"leaks\""
    guard let reader = decode(node, as: Grammar.exploreLeaks, subject: subject, into: &settings)
    else { return }
    guard reader.members.isEmpty, reader.unknownCount == 0 else { return }
    _ = required("ignore", in: reader, example: "ignore: \"*-journal\"")
  }

  // MARK: - Expectations

  /// Reads `tolerated:`, conditions that hold unless the target reports a failure.
  mutating func decodeTolerated(_ node: YAMLNode) -> ExpectationBlock.Subject? {
    // Without conditions it still fails where the target hangs or crashes.
    if case .mapping(let members) = node.content, members.isEmpty { return .tolerated([]) }
    return decodeExpectations(node).map { .tolerated($0.entries) }
  }

  /// `processes:` how many are left at the end, how many have crashed.
  mutating func decodeProcessCounts(_ node: YAMLNode) -> [ExpectationBlock.Entry] {
    guard let reader = mapping(node, as: Grammar.processes, subject: "\"processes\"") else {
      return []
    }
    if reader.members.isEmpty, reader.unknownCount == 0 {
      _ = required("left", in: reader, example: "left: 0")
    }
    return reader.members.compactMap { member in
      guard let kind = ProcessCount(rawValue: member.key.value),
        let matcher = decodeMatcher(member.value, .number, member.key.value)
      else { return nil }
      return .init(.processes(kind, matcher), at: member.key.range)
    }
  }
}
