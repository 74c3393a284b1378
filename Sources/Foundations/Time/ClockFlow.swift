/// The flow of time when no step says otherwise.
package enum ClockFlow: Sendable, Hashable {
  /// Time flows as fast as real time.
  case real
  /// Time does not flow until a step moves it.
  case held
  /// Time moves to the next deadline whenever everything sleeps.
  case auto
  /// `x60`: so many times as fast as real time.
  case rate(ClockRate)

  /// The flows that are words.
  package static let words: [(word: String, flow: ClockFlow)] = [
    ("real", .real), ("held", .held), ("auto", .auto),
  ]

  /// The rate at which time flows by itself; `nil` where it does not.
  package var rate: ClockRate? {
    switch self {
    case .real: .one
    case .rate(let rate): rate
    case .held, .auto: nil
    }
  }
}

extension ClockFlow: CustomStringConvertible, Codable {
  /// Reads a word, or a rate such as `x60`.
  package init(text: String) throws(ValueGrammarError) {
    if let word = Self.words.first(where: { $0.word == text }) {
      self = word.flow
      return
    }
    if let first = text.utf8.first(where: { $0 != UInt8(ascii: "x") && $0 != UInt8(ascii: "-") }),
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    {
      self = .rate(try ClockRate(text: text, toHold: "to hold the clocks write held"))
      return
    }
    throw ValueGrammarError(
      "unknown value \"\(text)\" for \"flow\"",
      help: Suggestion.help(
        for: text, in: Self.words.map(\.word) + ["x60"], label: "allowed values"))
  }

  /// The flow as scenario files write it.
  package var description: String {
    switch self {
    case .real: "real"
    case .held: "held"
    case .auto: "auto"
    case .rate(let rate): rate.description
    }
  }

  /// Reads the text.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      self = try ClockFlow(text: text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  /// Writes the text.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
