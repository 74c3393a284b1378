internal import Foundations
internal import ScenarioModel

extension Grammar {
  static let targetClock = MapGrammar<TargetClockReading>(
    "targetClock",
    """
    How the wall clock of one target deviates: CLOCK_REALTIME, and TAI with it. All targets \
    share the monotonic clock.
    """, rules: [.atLeastOneKey]
  ) {
    Field(
      "skew", .either(.duration, .pattern("^\\+[0-9][0-9.a-z]*$")),
      "How far it is ahead at the start, such as +90s; negative if it is behind.", \.skew
    ) { $0.decode($1, "skew", as: .skew) }
    Field(
      "drift", .pattern("^[-+]?[0-9]+(\\.[0-9]{1,3})?ppm$"),
      "How much too fast it runs, in parts per million; negative if it is slow.", \.drift
    ) { $0.decode($1, "drift", as: .drift) }
  }
}

/// `clock:` of a target as it is read.
struct TargetClockReading {
  /// `skew:`; `nil` is none.
  var skew: Located<Nanoseconds>?
  /// `drift:`; `nil` is none.
  var drift: Located<FrequencyError>?
}

extension ScenarioDecoder {
  /// `clock:` of a target.
  mutating func decodeTargetClock(_ node: YAMLNode) -> Located<ClockDeviation>? {
    var reading = TargetClockReading()
    guard
      let reader = decode(
        node, as: Grammar.targetClock, subject: "\"clock\" of a target",
        elsewhere: ClockKeysElsewhere.ofScenario, into: &reading)
    else { return nil }
    guard reading.skew != nil || reading.drift != nil else {
      // What is wrong with its keys has been reported.
      let isEmpty =
        reader.unknownCount == 0 && !Grammar.targetClock.keys.contains { reader[$0] != nil }
      guard isEmpty else { return nil }
      report(
        "\"clock\" of a target is empty", code: .empty, at: node.range,
        help: "write skew: +90s, drift: 50ppm, or both")
      return nil
    }
    return Located(
      ClockDeviation(
        skew: reading.skew?.value ?? .zero, drift: reading.drift?.value ?? .none), at: node.range)
  }
}

/// Keys of a clock that are written in the place of another one.
private enum ClockKeysElsewhere {
  /// The help for keys of the scenario's clock.
  static let ofScenario = Dictionary(
    uniqueKeysWithValues: Grammar.clock.keys.map {
      ($0, "write \"\($0)\" below the scenario's own \"clock\"")
    })
}

extension ValueGrammar<Nanoseconds> {
  /// A length with either sign, such as `+90s`.
  static var skew: ValueGrammar {
    ValueGrammar(name: "a duration", code: .badDuration, help: Nanoseconds.forms) {
      text throws(ValueGrammarError) in
      let isAhead =
        text.utf8.first == UInt8(ascii: "+") && text.utf8.dropFirst().first != UInt8(ascii: "-")
      return try Nanoseconds(text: isAhead ? String(text.dropFirst()) : text)
    }
  }
}

extension ValueGrammar<FrequencyError> {
  /// `50ppm`.
  static var drift: ValueGrammar {
    ValueGrammar(name: "a drift", code: .badRate, help: "write parts per million, such as 50ppm") {
      text throws(ValueGrammarError) in
      try FrequencyError(text: text)
    }
  }
}
