internal import Foundations

/// Finds out how a document's bytes are to be read (XML 1.0, appendix F).
enum XMLEncoding {
  /// Returns a document's bytes as UTF-8, without a byte order mark.
  static func utf8(of bytes: [UInt8]) throws(XMLParseError) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return try valid(Array(bytes[3...])) }
    if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes[2...], isBigEndian: true) }
    if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes[2...], isBigEndian: false) }
    if bytes.starts(with: [0x00, 0x3C]) { return try utf16(bytes[...], isBigEndian: true) }
    if bytes.starts(with: [0x3C, 0x00]) { return try utf16(bytes[...], isBigEndian: false) }
    guard let name = declaredName(in: bytes) else { return try valid(bytes) }
    switch name.lowercased() {
    // What says UTF-16 in letters of one byte is not.
    case "utf-8", "utf8", "us-ascii", "ascii", "utf-16": return try valid(bytes)
    case "iso-8859-1", "latin1", "iso_8859-1": return bytes.flatMap { scalar(UInt32($0)) }
    case "windows-1252", "cp1252": return bytes.flatMap { scalar(windows1252(of: $0)) }
    default:
      throw XMLParseError(
        "the encoding \"\(name)\" is not known: UTF-8, UTF-16, ISO-8859-1 and Windows-1252 are")
    }
  }

  private static func valid(_ bytes: [UInt8]) throws(XMLParseError) -> [UInt8] {
    guard let place = UTF8Validation.firstInvalid(in: bytes) else { return bytes }
    throw XMLParseError(
      "the bytes are not valid UTF-8, and no other encoding is declared", line: place.line,
      column: place.column)
  }

  /// The name behind `encoding=` in `<?xml …?>`.
  private static func declaredName(in bytes: [UInt8]) -> String? {
    guard bytes.starts(with: "<?xml".utf8) else { return nil }
    let text = String(decoding: bytes.prefix(200), as: UTF8.self)
    guard let end = text.firstRange(of: "?>")?.lowerBound,
      let key = text[..<end].firstRange(of: "encoding")
    else { return nil }
    let rest = text[key.upperBound..<end].drop { " \t\r\n=".contains($0) }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    return String(rest.dropFirst().prefix { $0 != quote })
  }

  private static func utf16(
    _ bytes: ArraySlice<UInt8>, isBigEndian: Bool
  ) throws(XMLParseError) -> [UInt8] {
    guard bytes.count % 2 == 0 else {
      throw XMLParseError("the bytes are UTF-16 and end within a character")
    }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw XMLParseError("the bytes are not valid UTF-16")
    }
    return Array(text.utf8)
  }

  private static func scalar(_ value: UInt32) -> [UInt8] {
    Array(String(Character(Unicode.Scalar(value) ?? "\u{FFFD}")).utf8)
  }

  /// The characters of the bytes from 0x80 to 0x9F; zero where there is none.
  private static let windowsCharacters: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
    0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

  private static func windows1252(of byte: UInt8) -> UInt32 {
    guard (0x80...0x9F).contains(byte) else { return UInt32(byte) }
    let value = windowsCharacters[Int(byte) - 0x80]
    return value == 0 ? 0xFFFD : value
  }
}
