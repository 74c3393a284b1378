extension InstantExpression {
  /// Reads an instant in any form of `WallInstant`, a shift such as `+14d` or `-1d`, or a day seen from
  /// the current one with or without a time, such as `tomorrow 09:00`.
  package init(text: String) throws(ValueGrammarError) {
    if text.hasPrefix("+"), !text.hasPrefix("+-") {
      self = .shift(try Nanoseconds(text: String(text.dropFirst())))
      return
    }
    if text.hasPrefix("-") {
      self = .shift(try Nanoseconds(text: text))
      return
    }
    // A lone duration reads as a shift, but of which sign is the author's to say.
    if (try? Nanoseconds(text: text)) != nil {
      throw ValueGrammarError(
        "\"\(text)\" is a duration, not an instant",
        help: "write \"+\(text)\" for a shift from the current virtual time")
    }
    if let (day, time) = try Self.relativeDay(text) {
      self = .day(day, at: time)
      return
    }
    if text == "now" {
      throw ValueGrammarError(
        "\"now\" is not an instant", help: "write +0s for the current virtual time")
    }
    self = .absolute(try WallInstant(text: text))
    try Self.checkRange(self, text)
  }

  /// Reads an instant that a clock can show, and that does not depend on when it is read.
  package static func fixed(text: String) throws(ValueGrammarError) -> WallInstant {
    let isShift = (text.hasPrefix("+") || text.hasPrefix("-")) && text.utf8.count > 1
    if isShift, (try? InstantExpression(text: text)) != nil {
      throw Self.dependsOnReading(text)
    }
    if try relativeDay(text) != nil || text == "now" { throw Self.dependsOnReading(text) }
    let instant = try WallInstant(text: text)
    try checkRange(.absolute(instant), text)
    return instant
  }

  private static func dependsOnReading(_ text: String) -> ValueGrammarError {
    ValueGrammarError(
      "\"\(text)\" is another instant each time it is read",
      help: """
        write the instant out, such as 2026-03-01T09:00:00Z, so that every run is the same; the steps \
        \"travel\" and \"freeze\" can start from the current virtual time
        """)
  }

  private static func checkRange(
    _ expression: InstantExpression, _ text: String
  ) throws(ValueGrammarError) {
    guard case .absolute(let instant) = expression, !instant.isOnClocks else { return }
    throw ValueGrammarError(
      "the instant \"\(text)\" is beyond what clocks can show",
      help: WallInstant.clockBounds)
  }

  /// `monday`, `tomorrow 09:00`; `nil` if the text does not begin with a day.
  private static func relativeDay(
    _ text: String
  ) throws(ValueGrammarError) -> (RelativeDay, Nanoseconds)? {
    let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard let word = words.first.map({ $0.lowercased() }) else { return nil }
    guard let day = RelativeDay(rawValue: word) else {
      let names = RelativeDay.allCases.map(\.rawValue)
      let isLetters = word.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      // Months have their own suggestions.
      guard isLetters, Suggestion.closest(to: word, in: CivilDate.monthNames) == nil,
        let question = Suggestion.question(for: word, in: names)
      else { return nil }
      throw ValueGrammarError(
        "unknown day \"\(words[0])\" in the instant \"\(text)\"",
        help: question
      )
    }
    guard words.count == 2 else { return (day, .zero) }
    var parser = InstantParser(
      text: text, from: String(words[1]),
      help: "write the time of day with two digits for each part, such as \(day) 09:00")
    return (day, try parser.parseTimeOfDayAlone())
  }

  /// The expression in a form that reads as the same one.
  package var text: String {
    switch self {
    case .absolute(let instant): instant.description
    case .shift(let length): length < .zero ? "\(length)" : "+\(length)"
    case .day(let day, at: let time):
      // Whole seconds since 1970 at that time of day show it in RFC 3339.
      "\(day.rawValue) " + (WallInstant(seconds: 0) + time).description.dropFirst(11).dropLast()
    }
  }

  /// The instant that is meant at `now`.
  package func instant(at now: WallInstant) -> WallInstant {
    switch self {
    case .absolute(let instant): instant
    case .shift(let length): now + length
    case .day(let day, at: let time): day.instant(at: time, from: now)
    }
  }
}
