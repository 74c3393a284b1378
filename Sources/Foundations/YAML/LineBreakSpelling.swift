/// Makes libyaml, which reads YAML 1.1, take U+0085, U+2028 and U+2029 for letters like any others,
/// as YAML 1.2 does (section 5.4): only a line feed and a carriage return end a line.
///
/// Each is replaced by a private letter that the file neither holds nor names by an escape, and put
/// back in libyaml's events. All lines and columns stay. A file without them is given as it is.
struct LineBreakSpelling {
  /// The text.
  let original: [UInt8]
  /// The bytes that libyaml reads.
  let bytes: [UInt8]
  /// The letters of the text, by those that are in their places.
  private let meant: [Unicode.Scalar: Unicode.Scalar]

  /// True if anything was replaced.
  var isNeeded: Bool { !meant.isEmpty }

  /// The letters that end a line in YAML 1.1 and none in YAML 1.2.
  private static let formerBreaks: [Unicode.Scalar] = ["\u{85}", "\u{2028}", "\u{2029}"]

  /// The private letters that libyaml takes for any others, without those of `SurrogateEscapes`.
  private static let privateLetters: [ClosedRange<UInt32>] = [
    0xE000...0xF8FF, 0xF0000...0xFFFFD, 0x100000...0x10FDFF,
  ]

  /// Reads a text that is known to be UTF-8.
  ///
  /// - Throws: The failure of a text with so many private letters that none is left.
  init(_ original: [UInt8]) throws(YAMLStreamFailure) {
    self.original = original
    guard Self.holdsFormerBreak(original) else {
      bytes = original
      meant = [:]
      return
    }
    let scalars = String(decoding: original, as: UTF8.self).unicodeScalars
    let unused = Self.unusedLetters(in: scalars, original)
    guard unused.count == Self.formerBreaks.count else {
      throw YAMLStreamFailure(
        problem: "all private letters of Unicode stand beside U+0085, U+2028 or U+2029", context: ""
      )
    }
    let replacements = Dictionary(uniqueKeysWithValues: zip(Self.formerBreaks, unused))
    var replaced = String.UnicodeScalarView()
    for scalar in scalars { replaced.append(replacements[scalar] ?? scalar) }
    bytes = Array(String(replaced).utf8)
    meant = Dictionary(uniqueKeysWithValues: zip(unused, Self.formerBreaks))
  }

  /// The text that an author meant by what libyaml gave.
  func restored(_ text: String) -> String {
    guard isNeeded, text.unicodeScalars.contains(where: { meant[$0] != nil }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(meant[scalar] ?? scalar) }
    return String(result)
  }

  private static func holdsFormerBreak(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      for offset in bytes.indices.dropLast() {
        switch bytes[offset] {
        case 0xC2:
          if bytes[offset + 1] == 0x85 { return true }
        case 0xE2:
          guard bytes[offset + 1] == 0x80, offset + 2 < bytes.count else { continue }
          if bytes[offset + 2] & 0xFE == 0xA8 { return true }
        default: break
        }
      }
      return false
    }
  }

  // MARK: - Private letters

  /// As many letters as are needed, or fewer, that no text of the file can hold.
  private static func unusedLetters(
    in scalars: String.UnicodeScalarView, _ bytes: [UInt8]
  ) -> [Unicode.Scalar] {
    var used = escapedNumbers(in: bytes)
    for scalar in scalars where scalar.value >= 0xE000 { used.insert(scalar.value) }
    var unused: [Unicode.Scalar] = []
    for number in privateLetters.joined() where !used.contains(number) {
      guard let scalar = Unicode.Scalar(number) else { continue }
      unused.append(scalar)
      if unused.count == formerBreaks.count { break }
    }
    return unused
  }

  /// The numbers in `\uXXXX` and `\UXXXXXXXX`, and in what merely looks so.
  private static func escapedNumbers(in bytes: [UInt8]) -> Set<UInt32> {
    var numbers: Set<UInt32> = []
    for offset in bytes.indices.dropLast() where bytes[offset] == UInt8(ascii: "\\") {
      let length: Int
      switch bytes[offset + 1] {
      case UInt8(ascii: "u"): length = 4
      case UInt8(ascii: "U"): length = 8
      default: continue
      }
      let digits = String(decoding: bytes.dropFirst(offset + 2).prefix(length), as: UTF8.self)
      if let number = UInt32(digits, radix: 16) { numbers.insert(number) }
    }
    return numbers
  }
}
