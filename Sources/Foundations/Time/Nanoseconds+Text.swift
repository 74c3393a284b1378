extension Nanoseconds {
  private static let units: [(name: String, length: Int64)] = [
    ("w", 604_800_000_000_000), ("d", 86_400_000_000_000), ("h", 3_600_000_000_000),
    ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1),
  ]

  /// The other names that authors give to units, and what to write for each.
  private static let otherUnits: [(names: Set<String>, help: String)] = [
    (["y", "yr", "year", "years"], "write 365d for a year"),
    (["M", "month", "months"], "write m for minutes, or 30d for a month"),
    (["W", "week", "weeks"], "write w for weeks"),
    (["D", "day", "days"], "write d for days"),
    (["H", "hr", "hrs", "hour", "hours"], "write h for hours"),
    (["min", "mins", "minute", "minutes"], "write m for minutes"),
    (["S", "sec", "secs", "second", "seconds"], "write s for seconds"),
    (["msec", "millis", "millisecond", "milliseconds"], "write ms for milliseconds"),
  ]

  /// The forms that can be written, for the help of an error.
  package static let forms = "write numbers with units, such as 250ms, 3s, 1h30m or 14d"

  // MARK: - Reading

  /// Reads a duration such as `250ms`, `3s`, `1h30m`, `1.5s` or `-14d`.
  ///
  /// Units are w, d, h, m, s, ms, us and ns, each at most once, from long to short; the last number
  /// may have a fraction. A number without a unit is an error.
  package init(text: String) throws(ValueGrammarError) {
    var scanner = TextScanner(text)
    let isNegative = scanner.take("-")
    guard !scanner.isAtEnd else { throw Self.malformed(text) }
    var total: Int64 = 0
    var nextUnit = 0
    var hasFraction = false
    while !scanner.isAtEnd {
      let whole = scanner.takeDigits()
      let fraction = scanner.take(".") ? scanner.takeDigits() : nil
      guard !hasFraction, !whole.isEmpty, fraction != "" else { throw Self.malformed(text) }
      hasFraction = fraction != nil
      let name = scanner.takeLetters()
      let unit = try Self.unit(name, in: text)
      guard unit >= nextUnit else {
        throw ValueGrammarError(
          "the units of the duration \"\(text)\" are out of order",
          help: "write each unit once, from long to short, as in \"1h30m\"")
      }
      nextUnit = unit + 1
      let length = try Self.length(
        whole: whole, fraction: fraction ?? "", unit: Self.units[unit].length, in: text)
      let (sum, overflow) = total.addingReportingOverflow(length)
      guard !overflow else { throw Self.tooLong(text) }
      total = sum
    }
    self.init(isNegative ? -total : total)
  }

  private static func unit(_ name: String, in text: String) throws(ValueGrammarError) -> Int {
    if let index = units.firstIndex(where: { $0.name == (name == "µs" ? "us" : name) }) {
      return index
    }
    guard name.isEmpty else {
      let help = otherUnits.first { $0.names.contains(name) }.map { "\($0.help); " } ?? ""
      throw ValueGrammarError(
        "unknown unit \"\(name)\" in the duration \"\(text)\"",
        help: help + "the units are w, d, h, m, s, ms, us, ns")
    }
    guard Double(text) != nil else { throw malformed(text) }
    throw ValueGrammarError(
      "the duration \"\(text)\" has no unit",
      help: "write \"\(text)s\" for seconds or \"\(text)ms\" for milliseconds")
  }

  /// The length in nanoseconds of a decimal number of units, which must come out whole.
  private static func length(
    whole: String, fraction: String, unit: Int64, in text: String
  ) throws(ValueGrammarError) -> Int64 {
    guard let count = Int64(whole) else { throw tooLong(text) }
    let (length, overflow) = count.multipliedReportingOverflow(by: unit)
    guard !overflow else { throw tooLong(text) }
    var digits = Substring(fraction)
    while digits.hasSuffix("0") { digits.removeLast() }
    guard let numerator = Int64(digits.isEmpty ? "0" : digits), digits.utf8.count <= 18 else {
      throw tooFine(text)
    }
    let denominator = (0..<digits.utf8.count).reduce(Int64(1)) { power, _ in power * 10 }
    let (rest, remainder) = denominator.dividingFullWidth(unit.multipliedFullWidth(by: numerator))
    guard remainder == 0 else { throw tooFine(text) }
    let (sum, sumOverflow) = length.addingReportingOverflow(rest)
    guard !sumOverflow else { throw tooLong(text) }
    return sum
  }

  private static func malformed(_ text: String) -> ValueGrammarError {
    // The commonest slip: a time of day where a length of time is meant.
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 2, let first = UInt16(parts[0]), let second = UInt16(parts[1]) {
      return ValueGrammarError(
        "\"\(text)\" is not a duration",
        help: "write \"\(first)m\(second)s\" or \"\(first)h\(second)m\"")
    }
    if (try? WallInstant(text: text)) != nil {
      return ValueGrammarError(
        "\"\(text)\" is an instant, not a duration",
        help: "\(forms); the step \"travel:\" goes to an instant")
    }
    let bare = text.filter { $0 != " " && $0 != "+" }
    let isRepaired = bare != text && (try? Nanoseconds(text: bare)) != nil
    return ValueGrammarError(
      "\"\(text)\" is not a duration", help: isRepaired ? "write \(bare)" : forms)
  }

  private static func tooLong(_ text: String) -> ValueGrammarError {
    ValueGrammarError(
      "the duration \"\(text)\" is too long", help: "the longest duration is 292 years")
  }

  private static func tooFine(_ text: String) -> ValueGrammarError {
    ValueGrammarError(
      "the duration \"\(text)\" is finer than a nanosecond",
      help: "write fewer digits behind the point")
  }
}

// MARK: - Writing

extension Nanoseconds: CustomStringConvertible {
  /// The length as scenario files write it: `1h30m`, `2.5s`, `250ms`, `0s`; `forever` without end.
  package var description: String {
    guard self != .forever else { return "forever" }
    guard count != 0 else { return "0s" }
    let sign = count < 0 ? "-" : ""
    var rest = count.magnitude
    guard rest >= 1_000_000_000 else {
      let unit = rest >= 1_000_000 ? ("ms", 6) : rest >= 1_000 ? ("us", 3) : ("ns", 0)
      return sign + Self.decimal(rest, places: unit.1) + unit.0
    }
    var text = sign
    for (name, length) in Self.units[1...3] {
      let unit = UInt64(length)
      if rest >= unit { text += "\(rest / unit)\(name)" }
      rest %= unit
    }
    return rest == 0 ? text : text + Self.decimal(rest, places: 9) + "s"
  }

  /// `value` with the point moved `places` to the left, without zeros at the end.
  private static func decimal(_ value: UInt64, places: Int) -> String {
    let power = (0..<places).reduce(UInt64(1)) { power, _ in power * 10 }
    var fraction = Substring(String(value % power).padded(to: places))
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return fraction.isEmpty ? "\(value / power)" : "\(value / power).\(fraction)"
  }
}
