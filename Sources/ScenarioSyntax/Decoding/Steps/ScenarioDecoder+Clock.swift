internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `clock:`.
  mutating func decodeClock(_ node: YAMLNode) -> ClockSettings? {
    if case .scalar(let scalar) = node.content, scalar.text.first?.isNumber == true {
      reportType(
        node, "clock", "must be a map",
        help: "write \"clock: { at: \(Self.shortened(scalar.text)) }\"")
      return nil
    }
    return decode(node, as: Grammar.clock, subject: "\"clock\"", from: ClockSettings())
  }

  /// `computing:`, a word, a rate, or a map.
  mutating func decodeComputing(_ node: YAMLNode) -> Located<ComputingCost>? {
    guard case .mapping = node.content else {
      return decode(node, "computing", as: .computing)
    }
    guard
      let reading = decode(
        node, as: Grammar.computing, subject: "\"computing\"", from: ComputingReading())
    else { return nil }
    return Located(
      .charged(
        after: reading.after?.value ?? ComputingCost.freeTime, rate: reading.rate?.value ?? .one),
      at: node.range)
  }

  // MARK: - Steps

  /// `pause:`, alone or with a bound.
  mutating func decodePause(_ node: YAMLNode) -> Step.Action? {
    node.isNull
      ? .pause(nil)
      : checkNoBlock(node, "pause", example: "10m")
        ? decodePositive(node, "pause").map { .pause($0) } : nil
  }

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
    return decodeBlock(node, "rate", as: Grammar.rateBlock)
  }

  // MARK: - Expectations

  /// `expect.watchdog`.
  mutating func decodeWatchdog(_ node: YAMLNode) -> Located<Nanoseconds>? {
    decode(node, as: Grammar.watchdog, subject: "\"watchdog\"", from: WatchdogReading())?.within
  }

  /// `expect.timers`: a list of waits, or a map that says which waits count.
  mutating func decodeTimers(_ node: YAMLNode) -> TimersCondition? {
    if case .sequence = node.content {
      return decodeWaits(node, "timers").map { TimersCondition(waits: $0) }
    }
    guard case .mapping = node.content else {
      reportType(
        node, "timers", "must be a list or a map",
        help: "write the waits as a list: \"timers: [1s, 2s]\"")
      return nil
    }
    var condition = TimersCondition()
    guard
      let reader = decode(node, as: Grammar.timers, subject: "\"timers\"", into: &condition)
    else { return nil }
    guard (reader["waits"] == nil) == (condition.waits == nil) else { return nil }
    guard reader["waits"] != nil || reader["count"] != nil else {
      report(
        "\"timers\" has no condition", code: .empty, at: node.range,
        help: "add \"waits: [1s, 2s]\" or \"count: 3\"")
      return nil
    }
    return condition
  }

  mutating func decodeCallNames(_ node: YAMLNode) -> [Located<String>] {
    if case .sequence = node.content { return decodeTextList(node, "call") }
    return decodeText(node, "call", example: "write a call such as nanosleep").map { [$0] } ?? []
  }

  mutating func decodeWaits(_ node: YAMLNode, _ subject: String) -> [Matcher]? {
    guard let nodes = decodeList(node, subject) else { return nil }
    let waits = nodes.compactMap { decodeMatcher($0, .duration, "an entry of \"\(subject)\"") }
    return waits.count == nodes.count ? waits : nil
  }

  /// `expect.clock`: an instant, or two with `between`.
  mutating func decodeClockCondition(_ node: YAMLNode) -> ClockCondition? {
    guard case .mapping = node.content else {
      return decodeFixedInstant(node, "clock").map { .at($0.value) }
    }
    guard let reader = mapping(node, as: Grammar.clockCondition, subject: "\"clock\""),
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
        "the range from \(instants[0].value) to \(instants[1].value) is empty",
        code: .badRange, at: instants[0].range, help: "write the earlier instant first")
      return nil
    }
    return .between(instants[0].value, instants[1].value)
  }
}

/// `expect.watchdog` as it is read.
struct WatchdogReading {
  /// `within:`.
  var within: Located<Nanoseconds>?
}
