/// A text with its escapes resolved, and where each of its bytes came from.
package struct DecodedText: Sendable {
  /// The escapes of a text.
  package enum Escapes: Sendable {
    /// `%41`, as in URLs; `+` is a plus sign.
    case percent
    /// `%41`, as in forms; `+` is a blank.
    case form
    /// `\n`, `\"`, `\u0041`, `\x41`, `\x{41}`: JSON, the languages like C, and this program's own.
    case backslash

    /// Returns whether a text may hold any.
    func areIn(_ bytes: [UInt8]) -> Bool {
      switch self {
      case .percent: bytes.contains(UInt8(ascii: "%"))
      case .form: bytes.contains(UInt8(ascii: "+"))
      case .backslash: bytes.contains(UInt8(ascii: "\\"))
      }
    }
  }

  /// The decoded bytes of the text.
  package private(set) var bytes: [UInt8] = []
  /// The offset of each byte in the text, and of the text's end.
  package private(set) var starts: [Int32] = []

  /// Resolves the escapes of a text.
  package init(_ text: [UInt8], _ escapes: Escapes) {
    bytes.reserveCapacity(text.count)
    starts.reserveCapacity(text.count + 1)
    var index = 0
    while index < text.count {
      let (decoded, length) = Self.unit(text, at: index, escapes)
      for byte in decoded {
        bytes.append(byte)
        starts.append(Int32(truncatingIfNeeded: index))
      }
      index += length
    }
    starts.append(Int32(truncatingIfNeeded: text.count))
  }

  /// Returns the decoded bytes at a place, and the length of their encoded form.
  private static func unit(
    _ text: [UInt8], at index: Int, _ escapes: Escapes
  ) -> (decoded: [UInt8], length: Int) {
    let byte = text[index]
    switch (escapes, byte) {
    case (.form, UInt8(ascii: "+")):
      return ([0x20], 1)
    case (.percent, UInt8(ascii: "%")), (.form, UInt8(ascii: "%")):
      return PercentEncoding.triplet(in: text, at: index).map { ([$0], 3) } ?? ([byte], 1)
    case (.backslash, UInt8(ascii: "\\")):
      return backslashed(text, at: index)
    default:
      return ([byte], 1)
    }
  }

  private static func backslashed(
    _ text: [UInt8], at index: Int
  ) -> (decoded: [UInt8], length: Int) {
    guard index + 1 < text.count else { return ([text[index]], 1) }
    switch text[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"):
      return ([text[index + 1]], 2)
    case UInt8(ascii: "n"): return ([0x0A], 2)
    case UInt8(ascii: "t"): return ([0x09], 2)
    case UInt8(ascii: "r"): return ([0x0D], 2)
    case UInt8(ascii: "b"): return ([0x08], 2)
    case UInt8(ascii: "f"): return ([0x0C], 2)
    case UInt8(ascii: "x"), UInt8(ascii: "u"):
      return numbered(text, at: index)
    default:
      return ([text[index]], 1)
    }
  }

  private static func numbered(
    _ text: [UInt8], at index: Int
  ) -> (decoded: [UInt8], length: Int) {
    let plain = ([text[index]], 1)
    if index + 2 < text.count, text[index + 2] == UInt8(ascii: "{") {
      let rest = text[(index + 3)...].prefix(7)
      guard let close = rest.firstIndex(of: UInt8(ascii: "}")),
        let value = number(text, from: index + 3, digits: close - index - 3),
        let scalar = Unicode.Scalar(value)
      else { return plain }
      return (Array(String(Character(scalar)).utf8), close + 1 - index)
    }
    if text[index + 1] == UInt8(ascii: "x") {
      guard let value = number(text, from: index + 2, digits: 2) else { return plain }
      return ([UInt8(truncatingIfNeeded: value)], 4)
    }
    guard let unit = number(text, from: index + 2, digits: 4) else { return plain }
    if let scalar = Unicode.Scalar(unit) {
      return (Array(String(Character(scalar)).utf8), 6)
    }
    // Two surrogates are one character.
    guard (0xD800...0xDBFF).contains(unit), index + 7 < text.count,
      text[index + 6] == UInt8(ascii: "\\"), text[index + 7] == UInt8(ascii: "u"),
      let low = number(text, from: index + 8, digits: 4), (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { return plain }
    return (Array(String(Character(scalar)).utf8), 12)
  }

  private static func number(_ text: [UInt8], from start: Int, digits: Int) -> UInt32? {
    guard digits > 0, start + digits <= text.count else { return nil }
    var value: UInt32 = 0
    for byte in text[start..<(start + digits)] {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
