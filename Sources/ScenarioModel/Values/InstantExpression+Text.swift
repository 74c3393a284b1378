extension InstantExpression {
  /// Reads an instant in any form of `WallInstant`, or a shift such as `+14d` or `-1d`.
  public init(text: String) throws(ValueGrammarError) {
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
    self = .absolute(try WallInstant(text: text))
  }
}
