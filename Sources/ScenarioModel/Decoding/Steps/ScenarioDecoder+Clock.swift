extension ScenarioDecoder {
  /// `clock:`.
  mutating func decodeClock(_ node: YAMLNode) -> ClockSettings? {
    guard let reader = mapping(node, keys: Grammar.clock.keys, subject: "\"clock\"") else {
      return nil
    }
    let at = reader["at"].flatMap { decodeFixedInstant($0, "at") }
    let flow = reader["flow"].flatMap { decodeFlow($0) }
    let settable = reader["settable"].flatMap { decodeBool($0, "settable") }
    let files: Located<FileTimes>? = reader["files"].flatMap { decodeWord($0, "files") }
    let escapes: Located<ClockEscapes>? = reader["escapes"].flatMap { decodeWord($0, "escapes") }
    return ClockSettings(
      at: at, flow: flow, isSettable: settable?.value, files: files?.value, escapes: escapes?.value)
  }

  private mutating func decodeFlow(_ node: YAMLNode) -> Located<ClockFlow>? {
    decode(node, "flow", as: .flow)
  }

  // MARK: - Steps

  /// `suspend:`.
  mutating func decodeSuspend(_ node: YAMLNode) -> Step.Action? {
    checkNoBlock(node, "suspend", example: "8h")
      ? decodeDelay(node, "suspend").map { .suspend($0) } : nil
  }

  /// `rate:`, alone or as a block.
  mutating func decodeRate(_ node: YAMLNode) -> Step.Action? {
    guard case .mapping = node.content else {
      return decode(node, "rate", as: .rate).map { .rate($0) }
    }
    guard let reader = mapping(node, keys: Grammar.rateBlock.keys, subject: "\"rate\"") else {
      return nil
    }
    let during = decodeDuring(reader)
    guard let to = required("to", in: reader, example: "to: x60"),
      let rate = decode(to, "to", as: .rate), let during
    else {
      return nil
    }
    return .block(.rate(rate), during: during)
  }

  // MARK: - Expectations

  /// `expect.timers`: a list of waits, or a map that says which waits count.
  mutating func decodeTimers(_ node: YAMLNode) -> TimersCondition? {
    if case .sequence = node.content {
      return decodeWaits(node, "timers").map { TimersCondition(waits: $0, at: node.range) }
    }
    guard case .mapping = node.content else {
      reportType(
        node, "timers", "must be a list or a map",
        help: "write the waits as a list: \"timers: [1s, 2s]\"")
      return nil
    }
    guard let reader = mapping(node, keys: Grammar.timers.keys, subject: "\"timers\"") else {
      return nil
    }
    var condition = TimersCondition(at: node.range)
    condition.process = reader["process"].flatMap {
      decodeText($0, "process", example: "write a program's name, such as curl")
    }
    condition.calls = reader["call"].map { decodeCallNames($0) } ?? []
    condition.shortest = reader["at_least"].flatMap { decodeDelay($0, "at_least") }
    condition.count = reader["count"].flatMap { decodeMatcher($0, .number, "count") }
    if let waits = reader["waits"] {
      guard let decoded = decodeWaits(waits, "waits") else { return nil }
      condition.waits = decoded
    }
    guard reader["waits"] != nil || reader["count"] != nil else {
      report(
        "\"timers\" says nothing that must hold", code: .empty, at: node.range,
        help: "add \"waits: [1s, 2s]\" or \"count: 3\"")
      return nil
    }
    return condition
  }

  private mutating func decodeCallNames(_ node: YAMLNode) -> [Located<String>] {
    if case .sequence = node.content { return decodeTextList(node, "call") }
    return decodeText(node, "call", example: "write a call such as nanosleep").map { [$0] } ?? []
  }

  private mutating func decodeWaits(_ node: YAMLNode, _ subject: String) -> [Matcher]? {
    guard let nodes = decodeList(node, subject) else { return nil }
    let waits = nodes.compactMap { decodeMatcher($0, .duration, "an entry of \"\(subject)\"") }
    return waits.count == nodes.count ? waits : nil
  }

  /// `expect.clock`: an instant, or two with `between`.
  mutating func decodeClockCondition(_ node: YAMLNode) -> ClockCondition? {
    guard case .mapping = node.content else {
      return decodeFixedInstant(node, "clock").map { .at($0.value) }
    }
    guard let reader = mapping(node, keys: Grammar.clockCondition.keys, subject: "\"clock\""),
      let bounds = required(
        "between", in: reader,
        example: "between: [2026-03-01T09:00:00Z, 2026-03-01T09:00:05Z]"),
      let nodes = decodeList(bounds, "between")
    else { return nil }
    guard nodes.count == 2 else {
      report(
        "\"between\" needs two bounds, not \(nodes.count)", code: .badRange, at: bounds.range,
        help: "write \"between: [INSTANT, INSTANT]\"; both ends are included")
      return nil
    }
    let instants = nodes.compactMap { decodeFixedInstant($0, "an entry of \"between\"") }
    guard instants.count == 2 else { return nil }
    guard instants[0].value <= instants[1].value else {
      report(
        "nothing lies between \(instants[0].value) and \(instants[1].value)",
        code: .badRange, at: instants[0].range, help: "write the earlier one first")
      return nil
    }
    return .between(instants[0].value, instants[1].value)
  }
}
