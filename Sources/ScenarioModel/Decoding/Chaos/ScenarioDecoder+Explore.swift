extension ScenarioDecoder {
  /// `explore:`.
  mutating func decodeExploration(_ node: YAMLNode) -> ExploreSettings? {
    var settings = ExploreSettings(at: node.range)
    if node.isNull { return settings }
    let keys = Grammar.explore.keys
    guard let reader = mapping(node, keys: keys, subject: "\"explore\"") else { return nil }
    settings.points = reader["points"].map { decodePoints($0) } ?? []
    settings.conditions = reader["where"].flatMap { node in
      decodeChaosConditions(node, "\"where\"").map { Located($0, at: node.range) }
    }
    settings.errors = reader["errors"].flatMap { decodeExploredErrors($0) }
    settings.modes = reader["modes"].map { decodeWords($0, "modes") } ?? []
    settings.kinds = reader["faults"].map { decodeWords($0, "faults") } ?? []
    let grain: Located<PointGranularity>? = reader["by"].flatMap { decodeWord($0, "by") }
    settings.grain = grain?.value
    if let budget = reader["budget"] { decodeBudget(budget, into: &settings) }
    settings.ignored = reader["ignore"].map { decodeTexts($0, "ignore") } ?? []
    if let leaks = reader["leaks"] { decodeLeaks(leaks, into: &settings) }
    settings.includesStartup = reader["startup"].flatMap { decodeBool($0, "startup") }?.value
    settings.then = reader["then"].flatMap { decodeSteps($0, "then") } ?? []
    settings.save = reader["save"].flatMap { decodeName($0, "save") }
    return settings
  }

  private mutating func decodePoints(_ node: YAMLNode) -> [FaultTarget] {
    if case .scalar = node.content {
      return decodeText(node, "points").map { [.calls([$0])] } ?? []
    }
    return (decodeNonEmptyList(node, "points") ?? []).compactMap { node -> FaultTarget? in
      let subject = "an entry of \"points\""
      guard case .mapping = node.content else {
        return decodeText(node, subject).map { .calls([$0]) }
      }
      guard let reader = mapping(node, keys: Grammar.explorePoint.keys, subject: subject),
        let function = required("function", in: reader, example: "{ function: malloc }")
      else { return nil }
      let names = decodeTexts(function, "function")
      guard !names.isEmpty else { return nil }
      return .functions(names, in: reader["in"].flatMap { decodeText($0, "in") })
    }
  }

  private mutating func decodeExploredErrors(_ node: YAMLNode) -> ExploreSettings.Errors? {
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

  /// One word, or a list of some, each once.
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

  private mutating func decodeBudget(_ node: YAMLNode, into settings: inout ExploreSettings) {
    let keys = Grammar.exploreBudget.keys
    guard let reader = mapping(node, keys: keys, subject: "\"budget\"") else { return }
    settings.runLimit = reader["runs"].flatMap { decodeCount($0, "runs", in: 1...Int.max) }
    guard let time = reader["time"].flatMap({ decodeDuration($0, "time") }) else { return }
    if time.value <= .zero {
      report(
        "the budget \"\(time.value)\" leaves no time", code: .outOfRange, at: time.range,
        help: "write a length of real time, such as 60s")
    }
    settings.timeLimit = time.value
  }

  private mutating func decodeLeaks(_ node: YAMLNode, into settings: inout ExploreSettings) {
    let keys = Grammar.exploreLeaks.keys
    guard let reader = mapping(node, keys: keys, subject: "\"leaks\"") else { return }
    settings.leakGrace = reader["grace"].flatMap { decodeDuration($0, "grace") }?.value
    settings.acceptedLeaks = reader["accept"].map { decodeTexts($0, "accept") } ?? []
    guard reader.members.isEmpty, reader.unknownCount == 0 else { return }
    _ = required("accept", in: reader, example: "accept: \"*-journal\"")
  }

  // MARK: - Expectations

  /// `borne:` conditions that hold unless the target tells of a failure.
  mutating func decodeBorne(
    _ node: YAMLNode, at range: SourceRange
  ) -> ExpectationBlock.Entry? {
    // Without conditions it still fails where the target hangs or crashes.
    if case .mapping(let members) = node.content, members.isEmpty {
      return .init(.borne([]), at: range)
    }
    return decodeExpectations(node).map { .init(.borne($0.entries), at: range) }
  }

  /// `processes:` how many are left at the end, how many have crashed.
  mutating func decodeProcessCounts(_ node: YAMLNode) -> [ExpectationBlock.Entry] {
    let keys = Grammar.processes.keys
    guard let reader = mapping(node, keys: keys, subject: "\"processes\"") else { return [] }
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
