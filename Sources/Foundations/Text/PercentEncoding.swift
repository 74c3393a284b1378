/// Percent-encoding as RFC 3986 defines it.
package enum PercentEncoding {
  private static let hexDigits = Array("0123456789ABCDEF".utf8)

  /// Returns the one spelling of all equal paths: unreserved letters as themselves, capitals in the
  /// triplets, triplets for everything that a path may not have.
  package static func normalizedPath(_ text: some StringProtocol) -> String {
    normalized(text, keeping: isPathByte)
  }

  /// Returns the text as `normalizedPath` does, but keeps `{`, `}` and `*`: they have a meaning in
  /// a pattern.
  package static func normalizedPattern(_ text: some StringProtocol) -> String {
    normalized(text) { byte in
      isPathByte(byte) || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
    }
  }

  /// Returns the text with triplets in place of the letters that have a meaning in a pattern.
  package static func shieldedPattern(_ text: String) -> String {
    text.replacing("{", with: "%7B").replacing("}", with: "%7D").replacing("*", with: "%2A")
  }

  /// Returns the text with triplets decoded; invalid UTF-8 is repaired, a broken triplet is kept.
  package static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      return String(text)
    }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if let byte = triplet(in: bytes, at: index) {
        output.append(byte)
        index += 3
      } else {
        let isSpace = plusIsSpace && bytes[index] == UInt8(ascii: "+")
        output.append(isSpace ? UInt8(ascii: " ") : bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The place of the first `%` without two hexadecimal digits behind it, as the text from there
  /// on.
  package static func firstBrokenTriplet(in text: some StringProtocol) -> String? {
    let bytes = Array(text.utf8)
    for index in bytes.indices
    where bytes[index] == UInt8(ascii: "%") && triplet(in: bytes, at: index) == nil {
      return String(decoding: bytes[index..<min(index + 3, bytes.count)], as: UTF8.self)
    }
    return nil
  }

  /// A query item's name or value, written so that `decoded` gives it back: all but unreserved letters are triplets.
  package static func encodedQuery(_ text: String) -> String {
    encoded(text.utf8, keeping: isUnreserved)
  }

  /// A path of files, whose bytes may be any.
  package static func encodedPath(_ bytes: some Sequence<UInt8>) -> String {
    encoded(bytes) { isUnreserved($0) || $0 == UInt8(ascii: "/") }
  }

  /// Triplets for all bytes but those that are kept, which must be of ASCII.
  package static func encoded(
    _ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool
  ) -> String {
    String(decoding: bytes.flatMap { isKept($0) ? [$0] : encoded($0) }, as: UTF8.self)
  }

  private static func normalized(
    _ text: some StringProtocol, keeping isKept: (UInt8) -> Bool
  ) -> String {
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if let byte = triplet(in: bytes, at: index) {
        output += isUnreserved(byte) ? [byte] : encoded(byte)
        index += 3
      } else {
        output += isKept(bytes[index]) ? [bytes[index]] : encoded(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the byte that a triplet at a place encodes; `nil` if there is none.
  static func triplet(in bytes: [UInt8], at index: Int) -> UInt8? {
    guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
      let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
    else {
      return nil
    }
    return high << 4 | low
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func encoded(_ byte: UInt8) -> [UInt8] {
    [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 0xF)]]
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static let pathPunctuation = Set("/!$&'()*+,;=:@".utf8)

  private static func isPathByte(_ byte: UInt8) -> Bool {
    isUnreserved(byte) || pathPunctuation.contains(byte)
  }
}
