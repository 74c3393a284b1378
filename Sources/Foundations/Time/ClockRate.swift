/// The rate of a clock: virtual time per unit of real time.
///
/// A decimal number with up to nine digits behind the point, from x0.000001 to x1000000. What a length
/// of real time comes to is reckoned with `fixed`, by the supervisor and by the replacement vDSO alike,
/// so that both round to the same nanosecond.
package struct ClockRate: Hashable, Comparable, Sendable {
  /// The rate times 1,000,000,000.
  package let billionths: Int64

  /// The rate of real time.
  package static let one = ClockRate(unchecked: 1_000_000_000)
  /// The slowest rate, x0.000001.
  package static let slowest = ClockRate(unchecked: 1_000)
  /// The fastest rate, x1000000.
  package static let fastest = ClockRate(unchecked: 1_000_000_000_000_000)

  private init(unchecked billionths: Int64) {
    self.billionths = billionths
  }

  /// A rate in billionths; `nil` outside the bounds.
  package init?(billionths: Int64) {
    guard (Self.slowest.billionths...Self.fastest.billionths).contains(billionths) else {
      return nil
    }
    self.billionths = billionths
  }

  /// The rate as a number with 32 bits behind the point, rounded to the nearest; below 2⁵².
  package var fixed: UInt64 {
    let product = UInt64(billionths).multipliedFullWidth(by: 1 << 32)
    let (quotient, remainder) = UInt64(1_000_000_000).dividingFullWidth(product)
    return quotient + (remainder >= 500_000_000 ? 1 : 0)
  }

  /// Orders by speed.
  package static func < (left: ClockRate, right: ClockRate) -> Bool {
    left.billionths < right.billionths
  }

  // MARK: - Lengths of time

  /// A length of virtual time with what is left of a nanosecond.
  package struct Flowed: Hashable, Sendable {
    /// Whole nanoseconds.
    package var length: Nanoseconds
    /// The rest, in units of 2⁻³² ns.
    package var fraction: UInt32
  }

  /// Virtual time that passes in a length of real time, saturating; none for a negative length.
  ///
  /// - Parameters:
  ///   - real: the length of real time.
  ///   - fraction: what was left of a nanosecond before, in units of 2⁻³² ns.
  package func flowed(in real: Nanoseconds, after fraction: UInt32 = 0) -> Flowed {
    let product = UInt64(max(0, real.count)).multipliedFullWidth(by: fixed)
    let (low, overflow) = product.low.addingReportingOverflow(UInt64(fraction))
    let high = product.high + (overflow ? 1 : 0)
    guard high < 1 << 31 else { return Flowed(length: .forever, fraction: 0) }
    return Flowed(
      length: Nanoseconds(Int64(high << 32 | low >> 32)),
      fraction: UInt32(truncatingIfNeeded: low))
  }

  /// The shortest length of real time in which so much virtual time has surely passed, saturating.
  package func realTime(for virtual: Nanoseconds) -> Nanoseconds {
    guard virtual > .zero else { return .zero }
    let dividend = (high: UInt64(virtual.count) >> 32, low: UInt64(virtual.count) << 32)
    guard dividend.high < fixed else { return .forever }
    let (quotient, remainder) = fixed.dividingFullWidth(dividend)
    let rounded = remainder == 0 ? quotient : quotient &+ 1
    return Nanoseconds(Int64(exactly: rounded) ?? .max)
  }
}

// MARK: - Text

extension ClockRate {
  /// The forms that can be written, for the help of an error.
  package static let forms =
    "write x and a number, such as x60 for a minute in each second, or x0.5 for half as fast"

  /// The way to do what a rate of zero would do.
  package static let holding = "to hold the clocks write \"freeze:\" in place of \"rate:\""
}

extension ClockRate: CustomStringConvertible, Codable {
  /// Reads a rate such as `x60` or `x0.5`.
  package init(text: String) throws(ValueGrammarError) {
    try self.init(text: text, toHold: Self.holding)
  }

  /// Reads a rate; `toHold` is the help for one that is zero.
  package init(text: String, toHold: String) throws(ValueGrammarError) {
    var scanner = TextScanner(text)
    let hasSign = scanner.take("x")
    let isNegative = scanner.take("-")
    let whole = scanner.takeDigits()
    let fraction = scanner.take(".") ? scanner.takeDigits() : nil
    let hasSignBehind = !hasSign && scanner.take("x")
    guard scanner.isAtEnd, !whole.isEmpty, fraction != "" else {
      throw ValueGrammarError("\"\(text)\" is not a rate", help: Self.forms)
    }
    guard let digits = Self.places(fraction ?? "") else {
      throw ValueGrammarError(
        "the rate \"\(text)\" is finer than a billionth",
        help: "write at most 9 digits behind the point")
    }
    let billionths = Int64(whole + digits)
    guard billionths != 0 else {
      throw ValueGrammarError(
        "the rate \"\(text)\" lets no time pass", help: toHold)
    }
    guard !isNegative else {
      throw ValueGrammarError(
        "the rate \"\(text)\" would let time pass backwards",
        help: "to put the wall clock back write a step \"jump: -1h\" or \"travel:\"")
    }
    guard let billionths, let rate = ClockRate(billionths: billionths) else {
      throw ValueGrammarError(
        "the rate \"\(text)\" is out of range",
        help: "rates go from \(Self.slowest) to \(Self.fastest)")
    }
    guard hasSign else {
      let number = hasSignBehind ? String(text.dropLast()) : text
      throw ValueGrammarError("\"\(text)\" is not a rate", help: "write \"x\(number)\"")
    }
    self = rate
  }

  /// Nine digits behind the point; `nil` if there are more that count.
  private static func places(_ fraction: String) -> String? {
    var digits = Substring(fraction)
    while digits.hasSuffix("0") { digits.removeLast() }
    guard digits.utf8.count <= 9 else { return nil }
    return digits + String(repeating: "0", count: 9 - digits.utf8.count)
  }

  /// The rate as scenario files write it: `x60`, `x0.5`.
  package var description: String {
    var fraction = Substring(String(billionths % 1_000_000_000).padded(to: 9))
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "x\(billionths / 1_000_000_000)" + (fraction.isEmpty ? "" : ".\(fraction)")
  }

  /// Reads the text.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      self = try ClockRate(text: text)
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
