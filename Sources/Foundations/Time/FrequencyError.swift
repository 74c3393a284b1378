/// The frequency error of a clock, in parts per billion; positive for one that is fast, negative
/// for one that is slow.
package struct FrequencyError: Hashable, Sendable {
  /// The error in parts per billion.
  package let partsPerBillion: Int64

  /// The largest error: 10 %, by which the tick of adjtimex(2) may be off.
  package static let greatest = FrequencyError(unchecked: 100_000_000)
  /// The error of an exact clock.
  package static let none = FrequencyError(unchecked: 0)

  private init(unchecked partsPerBillion: Int64) {
    self.partsPerBillion = partsPerBillion
  }

  /// An error in parts per billion; `nil` outside the bounds.
  package init?(partsPerBillion: Int64) {
    guard abs(partsPerBillion) <= Self.greatest.partsPerBillion else { return nil }
    self.partsPerBillion = partsPerBillion
  }

  /// The number of bits of `fixed` behind the point.
  package static let fractionBits = 56

  /// The error as a number with 56 bits behind the point, rounded up: what it comes to in a length of time is rounded
  /// down, and is exact where it is a whole number of nanoseconds.
  package var fixed: Int64 {
    let scaled = Int128(partsPerBillion) << Self.fractionBits
    let (quotient, remainder) = scaled.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Int64(remainder > 0 ? quotient + 1 : quotient)
  }
}

// MARK: - Text

extension FrequencyError: CustomStringConvertible, Codable {
  /// The form that is written, for the help of an error.
  private static let form = "write parts per million, such as 50ppm or -0.5ppm"

  /// Reads an error such as `50ppm` or `-0.5ppm`.
  package init(text: String) throws(ValueGrammarError) {
    var scanner = TextScanner(text)
    let isNegative = scanner.take("-")
    if !isNegative { _ = scanner.take("+") }
    let whole = scanner.takeDigits()
    let fraction = scanner.take(".") ? scanner.takeDigits() : nil
    guard scanner.takeLetters() == "ppm", scanner.isAtEnd, !whole.isEmpty, fraction != "" else {
      throw ValueGrammarError("\"\(text)\" is not a drift", help: Self.form)
    }
    guard (fraction ?? "").utf8.count <= 3 else {
      throw ValueGrammarError(
        "the drift \"\(text)\" is finer than a part per billion",
        help: "write at most 3 digits behind the point")
    }
    let digits = (fraction ?? "") + String(repeating: "0", count: 3 - (fraction ?? "").utf8.count)
    guard let count = Int64(whole + digits),
      let error = FrequencyError(partsPerBillion: isNegative ? -count : count)
    else {
      throw ValueGrammarError(
        "the drift \"\(text)\" is out of range",
        help: "drifts go from -\(Self.greatest) to \(Self.greatest)")
    }
    self = error
  }

  /// The error as scenario files write it: `50ppm`, `-0.5ppm`.
  package var description: String {
    let magnitude = abs(partsPerBillion)
    var fraction = Substring(String(magnitude % 1_000).padded(to: 3))
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return (partsPerBillion < 0 ? "-" : "") + "\(magnitude / 1_000)"
      + (fraction.isEmpty ? "" : ".\(fraction)") + "ppm"
  }

  /// Reads the text.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      self = try FrequencyError(text: text)
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
