extension ScenarioDecoder {
  /// `expect:`.
  mutating func decodeExpectations(_ node: YAMLNode) -> ExpectationBlock? {
    guard let reader = mapping(node, keys: Grammar.expect.keys, subject: "\"expect\"") else {
      return nil
    }
    var entries: [ExpectationBlock.Entry] = []
    for member in reader.members {
      let range = member.key.range
      switch member.key.value {
      case "exit":
        decodeMatcher(member.value, .number, "exit").map {
          entries.append(.init(.exit($0), at: range))
        }
      case "signal":
        decodeSignal(member.value).map { entries.append(.init(.signal($0), at: range)) }
      case "stdout":
        decodeOutputMatcher(member.value, "stdout").map {
          entries.append(.init(.standardOutput($0), at: range))
        }
      case "stderr":
        decodeOutputMatcher(member.value, "stderr").map {
          entries.append(.init(.standardError($0), at: range))
        }
      case "screen":
        decodeMatcher(member.value, .text, "screen").map {
          entries.append(.init(.screen($0), at: range))
        }
      case "files":
        warnOfNothing(
          in: member, help: "write { NAME: { absent: true } } for a file that must not be there")
        entries += decodeFileConditions(member.value)
      case "requests":
        warnOfNothing(
          in: member, help: "write { request: METHOD URL, count: 0 } for one that must not be made")
        entries += decodeRequestConditions(member.value)
      case "timers":
        decodeTimers(member.value).map { entries.append(.init(.timers($0), at: range)) }
      case "elapsed":
        decodeMatcher(member.value, .duration, "elapsed").map {
          entries.append(.init(.elapsed($0), at: range))
        }
      case "clock":
        decodeClockCondition(member.value).map { entries.append(.init(.clock($0), at: range)) }
      case "processes": entries += decodeProcessCounts(member.value)
      case "borne": decodeBorne(member.value, at: range).map { entries.append($0) }
      case "targets":
        warnOfNothing(in: member, help: "name a target and its conditions")
        entries += decodeTargetExpectations(member.value)
      default:
        warnOfNothing(
          in: member, help: "write { NAME: { fired: 0 } } for an entry that must not fire")
        entries += decodeChaosCounts(member.value)
      }
    }
    if reader.members.isEmpty, reader.unknownCount == 0 {
      report(
        "\"expect\" holds no condition: it cannot fail", code: .cannotFail, at: node.range,
        help: "write what must hold, such as exit: 0, or take it out")
    }
    return ExpectationBlock(entries: entries)
  }

  /// Warns of a key below which no condition stands: it may be meant to say that there is nothing.
  private mutating func warnOfNothing(in member: YAMLMember, help: String) {
    let isEmpty =
      switch member.value.content {
      case .mapping(let members): members.isEmpty
      case .sequence(let nodes): nodes.isEmpty
      case .scalar: false
      }
    guard isEmpty else { return }
    report(
      "\"\(member.key.value)\" holds no condition: it cannot fail", code: .cannotFail,
      at: member.value.range, help: help)
  }

  // MARK: - Files

  private mutating func decodeFileConditions(_ node: YAMLNode) -> [ExpectationBlock.Entry] {
    (decodeMembers(node, "files") ?? []).compactMap { member in
      guard checkFieldKey(member.key) else { return nil }
      let isFolder = member.key.value.hasSuffix("/")
      let condition =
        isFolder ? decodeFolderCondition(member.value) : decodeFileCondition(member.value)
      return condition.map {
        .init(.file(pattern: member.key, $0), at: member.key.range)
      }
    }
  }

  private mutating func decodeFileCondition(_ node: YAMLNode) -> FileCondition? {
    if case .mapping(let members) = node.content {
      if members.contains(where: { Grammar.fileState.keys.contains($0.key.value) }) {
        return decodeFileState(members)
      }
      if refuseTree(node, of: members) { return nil }
    }
    if case .mapping(let members) = node.content,
      members.contains(where: { Grammar.fileProperties.keys.contains($0.key.value) })
    {
      return decodeFileProperties(node)
    }
    return decodeMatcher(
      node, .text, "an entry of \"files\"",
      moreKeys: Grammar.fileState.keys + Grammar.fileProperties.keys + ["snapshot"]
    ).map { .content($0) }
  }

  /// `{ absent: true }` or `{ exists: true }`.
  mutating func decodeFileState(_ members: [YAMLMember]) -> FileCondition? {
    guard let state = members.first(where: { Grammar.fileState.keys.contains($0.key.value) }) else {
      return nil
    }
    for other in members where other.key.value != state.key.value {
      report(
        "\"\(other.key.value)\" stands beside \"\(state.key.value)\"", code: .contradictory,
        at: other.key.range,
        help: "keep one of the two",
        notes: [Diagnostic.Note("the other one is here", at: state.key.range)])
    }
    guard let isTrue = decodeBool(state.value, state.key.value) else { return nil }
    let opposite = state.key.value == "absent" ? "exists" : "absent"
    guard isTrue.value else {
      report(
        "\"\(state.key.value)\" can only be true", code: .unknownValue, at: isTrue.range,
        help: "write \"\(opposite): true\"")
      return nil
    }
    return state.key.value == "absent" ? .absent : .exists
  }

  // MARK: - Requests

  private mutating func decodeRequestConditions(_ node: YAMLNode) -> [ExpectationBlock.Entry] {
    (decodeList(node, "requests") ?? []).compactMap { node in
      let subject = "an entry of \"requests\""
      if case .mapping(let members) = node.content,
        members.contains(where: { $0.key.value == "order" })
      {
        return decodeRequestOrder(node, subject)
      }
      guard let reader = mapping(node, keys: Grammar.requestCondition.keys, subject: subject) else {
        return nil
      }
      let count = reader["count"].flatMap { decodeMatcher($0, .number, "count") }
      let gaps = reader["apart"].flatMap { decodeGaps($0) }
      guard let line = required("request", in: reader, example: "request: POST /orders"),
        let request = decodeText(line, "request")
      else {
        return nil
      }
      return .init(
        .request(RequestCondition(request: request, count: count, apart: gaps)), at: node.range)
    }
  }

  /// `order: [POST /login, POST /orders]`: which request comes behind which.
  private mutating func decodeRequestOrder(
    _ node: YAMLNode, _ subject: String
  ) -> ExpectationBlock.Entry? {
    guard let reader = mapping(node, keys: Grammar.requestOrder.keys, subject: subject),
      let list = reader["order"], let nodes = decodeList(list, "order")
    else {
      return nil
    }
    guard nodes.count > 1 else {
      report(
        "\"order\" needs two requests at least", code: .outOfRange, at: list.range,
        help: "write \"order: [POST /login, POST /orders]\"")
      return nil
    }
    let lines = nodes.compactMap { decodeText($0, "an entry of \"order\"") }
    return lines.count == nodes.count ? .init(.requestOrder(lines), at: node.range) : nil
  }

  private mutating func decodeGaps(_ node: YAMLNode) -> Located<[Nanoseconds]>? {
    guard let nodes = decodeList(node, "apart") else { return nil }
    let gaps = nodes.compactMap { decodeDelay($0, "an entry of \"apart\"")?.value }
    return gaps.count == nodes.count ? Located(gaps, at: node.range) : nil
  }

  // MARK: - Chaos

  private mutating func decodeChaosCounts(_ node: YAMLNode) -> [ExpectationBlock.Entry] {
    (decodeMembers(node, "chaos") ?? []).flatMap { member -> [ExpectationBlock.Entry] in
      let subject = "the chaos entry \"\(member.key.value)\""
      let keys = Grammar.chaosCondition.keys
      guard let reader = mapping(member.value, keys: keys, subject: subject) else { return [] }
      if reader.members.isEmpty {
        _ = required("fired", in: reader, example: "fired: 1")
      }
      return reader.members.compactMap { count in
        guard let kind = ChaosCount(rawValue: count.key.value),
          let matcher = decodeMatcher(count.value, .number, count.key.value)
        else { return nil }
        return .init(.chaos(entry: member.key, kind, matcher), at: member.key.range)
      }
    }
  }
}
