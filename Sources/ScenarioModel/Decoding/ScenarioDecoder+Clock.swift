extension ScenarioDecoder {
  /// `clock:`.
  mutating func decodeClock(_ node: YAMLNode) -> ClockSettings? {
    guard let reader = mapping(node, keys: Vocabulary.clock, subject: "\"clock\"") else {
      return nil
    }
    let at = reader["at"].flatMap { decodeInstant($0, "at") }
    let flow: Located<ClockFlow>? = reader["flow"].flatMap { decodeWord($0, "flow") }
    return ClockSettings(at: at, flow: flow ?? Located(.real, at: node.range))
  }
}
