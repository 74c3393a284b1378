/// Makes libyaml read `"\ud83d\ude00"`, as every JSON encoder writes characters beyond 16 bits.
///
/// libyaml takes each half for a character of its own and refuses it. So the twelve letters are
/// replaced by as many of a private plane, which it takes for any others and which no file has, and
/// converted back in its events: to one character in double quotes, and to the letters they were
/// everywhere else. All columns stay.
struct SurrogateEscapes {
  /// The bytes that libyaml reads.
  let bytes: [UInt8]
  /// True if anything was replaced.
  let isNeeded: Bool

  /// The first three bytes of U+10FE00 and the scalars behind it, which encode the letters of
  /// ASCII.
  private static let lead: [UInt8] = [0xF4, 0x8F, 0xB8]
  private static let base: UInt32 = 0x10FE00
  /// The letters of `\uD83D\uDE00`.
  private static let length = 12

  init(_ original: [UInt8]) {
    var result: [UInt8] = []
    var copied = 0
    var index = 0
    let last = original.count - Self.length
    while index <= last {
      guard original[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard Self.scalar(in: original, at: index) != nil else {
        // A backslash takes the letter behind it along: "\\ud83d" is no escape.
        index += 2
        continue
      }
      result += original[copied..<index]
      for byte in original[index..<(index + Self.length)] {
        // U+10FE00 + byte in UTF-8; bytes of ASCII need the last two of its four.
        result += Self.lead.prefix(2) + [0xB8 | byte >> 6, 0x80 | byte & 0x3F]
      }
      index += Self.length
      copied = index
    }
    // A file with letters of that plane is given to libyaml unchanged.
    isNeeded = copied > 0 && !Self.holdsPlane(original)
    if isNeeded { result += original[copied...] }
    bytes = isNeeded ? result : original
  }

  /// The text that an author meant by what libyaml gave.
  func restored(_ text: String, isDoubleQuoted: Bool) -> String {
    guard isNeeded else { return text }
    func letter(_ scalar: Unicode.Scalar) -> UInt8? {
      (Self.base..<(Self.base + 0x80)).contains(scalar.value)
        ? UInt8(truncatingIfNeeded: scalar.value &- Self.base) : nil
    }
    guard text.unicodeScalars.contains(where: { letter($0) != nil }) else { return text }
    var result = String.UnicodeScalarView()
    var letters: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard let byte = letter(scalar) else {
        result.append(scalar)
        continue
      }
      letters.append(byte)
      guard letters.count == Self.length else { continue }
      if isDoubleQuoted, let meant = Self.scalar(in: letters, at: 0) {
        result.append(meant)
      } else {
        result.append(contentsOf: letters.map { Unicode.Scalar($0) })
      }
      letters = []
    }
    result.append(contentsOf: letters.map { Unicode.Scalar($0) })
    return String(result)
  }

  /// The character that two halves make; `nil` if these letters are none.
  private static func scalar(in bytes: [UInt8], at index: Int) -> Unicode.Scalar? {
    guard let high = unit(in: bytes, at: index), (0xD800...0xDBFF).contains(high),
      let low = unit(in: bytes, at: index + length / 2), (0xDC00...0xDFFF).contains(low)
    else { return nil }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
  }

  /// The number in `\uXXXX`.
  private static func unit(in bytes: [UInt8], at index: Int) -> UInt32? {
    guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { return nil }
    var number: UInt32 = 0
    for byte in bytes[(index + 2)..<(index + 6)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      number = number << 4 | UInt32(digit)
    }
    return number
  }

  /// Returns whether a letter of the plane begins there.
  private static func isLetter(_ bytes: [UInt8], _ index: Int) -> Bool {
    index + 2 < bytes.count && bytes[index] == lead[0] && bytes[index + 1] == lead[1]
      && bytes[index + 2] & 0xFE == lead[2]
  }

  private static func holdsPlane(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { isLetter(bytes, $0) }
  }
}
