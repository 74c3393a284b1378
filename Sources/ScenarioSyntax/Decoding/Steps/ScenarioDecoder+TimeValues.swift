internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// A length of time, of either sign.
  mutating func decodeDuration(_ node: YAMLNode, _ subject: String) -> Located<Nanoseconds>? {
    decode(node, subject, as: .duration)
  }

  /// A duration that may not be negative.
  mutating func decodeDelay(_ node: YAMLNode, _ subject: String) -> Located<Nanoseconds>? {
    guard let duration = decodeDuration(node, subject) else { return nil }
    guard duration.value >= .zero else {
      report(
        "\(quoted(subject)) must not be negative", code: .outOfRange, at: duration.range,
        help: "write \(-duration.value)")
      return nil
    }
    return duration
  }

  /// An instant that may depend on when it is read.
  mutating func decodeInstantExpression(
    _ node: YAMLNode, _ subject: String
  ) -> Located<InstantExpression>? {
    decode(node, subject, as: .instantExpression)
  }

  /// An instant that is the same each time it is read.
  mutating func decodeFixedInstant(
    _ node: YAMLNode, _ subject: String
  ) -> Located<WallInstant>? {
    decode(node, subject, as: .fixedInstant)
  }

  /// A text in a grammar of its own, such as a duration.
  mutating func decode<Value>(
    _ node: YAMLNode, _ subject: String, as grammar: ValueGrammar<Value>
  ) -> Located<Value>? {
    guard case .scalar(let scalar) = node.content, scalar.meaning != .null else {
      reportType(node, subject, "must be \(grammar.name)", help: grammar.help)
      return nil
    }
    guard !TemplateParser.isNeeded(for: scalar.text) else {
      let names = foreignRoots(of: scalar, at: node.range)
      report(
        "\(quoted(subject)) cannot contain an expression"
          + (names.isEmpty ? "" : " that uses \(names.joined(separator: " or "))"),
        code: .fixedText, at: node.range,
        help: grammar.help + (isEarly(subject) ? "" : "; \(LateValue.help)"))
      return nil
    }
    do throws(ValueGrammarError) {
      return Located(try grammar.parse(scalar.text), at: node.range)
    } catch {
      // A help that names one text in full leaves nothing to decide if that is a value.
      let form = Self.onlyForm(in: error.help).flatMap { form in
        (try? grammar.parse(form)) != nil && source.text(at: node.range) == scalar.text ? form : nil
      }
      report(
        Diagnostic(
          error.message, code: grammar.code, at: node.range, help: error.help,
          fix: form.map { DiagnosticFix(replacing: node.range, with: $0) }))
      return nil
    }
  }

  /// The text of a help that says to write one, and no more.
  private static func onlyForm(in help: String) -> String? {
    guard help.hasPrefix("write \""), help.hasSuffix("\"") else { return nil }
    let form = help.dropFirst("write \"".count).dropLast()
    return form.isEmpty || form.contains("\"") ? nil : String(form)
  }
}

/// A kind of value that is written as a text of its own form.
struct ValueGrammar<Value> {
  /// The name of a value, for "… must be a duration".
  var name: String
  /// The code of the mistake for a text of another form.
  var code: DiagnosticCode
  /// The help on what can be written.
  var help: String
  /// Reads a value.
  var parse: (String) throws(ValueGrammarError) -> Value
}

extension ValueGrammar<Nanoseconds> {
  /// Such as `1h30m`.
  static var duration: ValueGrammar {
    ValueGrammar(name: "a duration", code: .badDuration, help: Nanoseconds.forms) {
      text throws(ValueGrammarError) in
      try Nanoseconds(text: text)
    }
  }
}

extension ValueGrammar<InstantExpression> {
  /// Such as `1985-10-26`, `+14d` or `tomorrow 09:00`.
  static var instantExpression: ValueGrammar {
    ValueGrammar(name: "an instant", code: .badInstant, help: InstantParser.forms) {
      text throws(ValueGrammarError) in
      try InstantExpression(text: text)
    }
  }
}

extension ValueGrammar<WallInstant> {
  /// Such as `1985-10-26`.
  static var fixedInstant: ValueGrammar {
    ValueGrammar(name: "an instant", code: .badInstant, help: InstantParser.forms) {
      text throws(ValueGrammarError) in
      try InstantExpression.fixed(text: text)
    }
  }
}

extension ValueGrammar<LeapSecond> {
  /// Such as `2026-12-31`.
  static var leapSecond: ValueGrammar {
    ValueGrammar(name: "a day", code: .badInstant, help: LeapSecond.form) {
      text throws(ValueGrammarError) in
      try LeapSecond(text: text)
    }
  }
}

extension ValueGrammar<ClockFlow> {
  /// Such as `held` or `x60`.
  static var flow: ValueGrammar {
    ValueGrammar(
      name: "a flow of the clock", code: .badRate, help: "write one of: auto, held, real, x60"
    ) {
      text throws(ValueGrammarError) in
      try ClockFlow(text: text)
    }
  }
}

extension ValueGrammar<ComputingCost> {
  /// `free`, `real` or `x2`.
  static var computing: ValueGrammar {
    let help = "write one of: free, real, x2, { after: 2s }"
    return ValueGrammar(name: "a cost of computing", code: .badRate, help: help) {
      text throws(ValueGrammarError) in
      switch text {
      case "free": return .free
      case "real": return .charged(after: .zero, rate: .one)
      default: break
      }
      guard text.utf8.contains(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else {
        throw ValueGrammarError(
          "unknown value \"\(text)\" for \"computing\"",
          help: Suggestion.question(for: text, in: ["free", "real"]) ?? help)
      }
      if (try? Nanoseconds(text: text)) != nil, Double(text) == nil {
        throw ValueGrammarError(
          "\"\(text)\" is a duration", help: "write computing: { after: \(text) }")
      }
      return .charged(after: .zero, rate: try ValueGrammar<ClockRate>.computingRate.parse(text))
    }
  }
}

/// `computing:` as a map is read.
struct ComputingReading {
  /// `after:`; `nil` is ``ComputingCost/freeTime``.
  var after: Located<Nanoseconds>?
  /// `rate:`; `nil` is as fast as real time.
  var rate: Located<ClockRate>?
}

extension ValueGrammar<ClockRate> {
  /// `x2`, virtual time for processor time.
  static var computingRate: ValueGrammar {
    ValueGrammar(name: "a rate", code: .badRate, help: ClockRate.forms) {
      text throws(ValueGrammarError) in
      try ClockRate(text: text, toHold: "if computing takes no time, write computing: free")
    }
  }

  /// `x60`; the words of `flow:` are answered with the steps that do as much.
  static var rate: ValueGrammar {
    ValueGrammar(name: "a rate", code: .badRate, help: ClockRate.forms) {
      text throws(ValueGrammarError) in
      guard let word = ClockFlow.words.first(where: { $0.word == text }) else {
        return try ClockRate(text: text)
      }
      let help =
        switch word.flow {
        case .held: ClockRate.holding
        case .auto: "to return to the flow of \"clock:\", write \"return:\""
        default: "write x1, or \"return:\" to return to the flow of \"clock:\""
        }
      throw ValueGrammarError("\"\(text)\" is a flow of the clock, not a rate", help: help)
    }
  }
}

extension ValueGrammar<TickAmount> {
  /// A duration, `next` or `idle`.
  static var tick: ValueGrammar {
    let help = "write a duration such as 3s, or next, or idle"
    return ValueGrammar(name: "a duration, next or idle", code: .badDuration, help: help) {
      text throws(ValueGrammarError) in
      if text == "next" { return .next }
      if text == "idle" { return .idle }
      let isWord = !text.isEmpty && text.utf8.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
      if isWord {
        throw ValueGrammarError(
          "\"\(text)\" is not a duration, and neither next nor idle",
          help: Suggestion.question(for: text, in: ["idle", "next"]) ?? help)
      }
      let length = try Nanoseconds(text: text)
      guard length >= .zero else {
        throw ValueGrammarError(
          "\"tick\" must not be negative",
          help: "write \(-length); to set the wall clock back, write \"jump: \(length)\"")
      }
      return .duration(length)
    }
  }
}
