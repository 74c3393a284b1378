/// The value of an expression (XPath 1.0, section 1).
enum XPathValue {
  /// Places of nodes in document order, each once.
  case nodes([Int])
  case text(String)
  case number(Double)
  case truth(Bool)
}

/// Numbers as XPath reads and writes them (sections 4.2 and 4.4).
enum XPathNumber {
  /// Returns what a text says; no number where it says none.
  static func value(of text: String) -> Double {
    let bytes = XMLDocument.trimmed(Array(text.utf8)[...])
    var digits = 0
    var points = 0
    for (offset, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "."): points += 1
      case UInt8(ascii: "-") where offset == 0: break
      default: return .nan
      }
    }
    guard digits > 0, points <= 1 else { return .nan }
    var written = String(decoding: bytes, as: UTF8.self)
    if written.hasSuffix(".") { written.removeLast() }
    return Double(written) ?? .nan
  }

  static func text(of number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    if number == 0 { return "0" }
    if let integer = Int64(exactly: number) { return String(integer) }
    return decimal(of: number.description)
  }

  /// Returns a number without an exponent, which XPath does not write.
  private static func decimal(of text: String) -> String {
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return text }
    let isNegative = parts[0].hasPrefix("-")
    let digits = parts[0].filter(\.isNumber)
    let whole = parts[0].filter { $0 != "-" }.prefix { $0 != "." }.count
    let point = whole + exponent
    var trimmed = String(digits)
    while trimmed.count > max(1, point), trimmed.hasSuffix("0") { trimmed.removeLast() }
    let sign = isNegative ? "-" : ""
    if point <= 0 { return "\(sign)0.\(String(repeating: "0", count: -point))\(trimmed)" }
    guard point < trimmed.count else {
      return sign + trimmed + String(repeating: "0", count: point - trimmed.count)
    }
    return "\(sign)\(trimmed.prefix(point)).\(trimmed.dropFirst(point))"
  }

  /// Section 4.4: to the nearest whole number, up from the middle between two.
  static func rounded(_ number: Double) -> Double {
    guard number.isFinite else { return number }
    let low = number.rounded(.down)
    return number - low < 0.5 ? low : low + 1
  }
}
