/// Detects where a text was cut off, by the marks that every shortening puts there: an ellipsis, or
/// a note of how many bytes are missing.
enum TextCut {
  private static let ellipsis: [UInt8] = [0xE2, 0x80, 0xA6]
  /// The replacement of a letter that was cut itself.
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  /// Returns whether a mark is at a place, so that the text before it was cut off.
  static func follows(_ bytes: [UInt8], at index: Int) -> Bool {
    switch bytes[index] {
    case ellipsis[0]: isEllipsis(bytes, at: index)
    case 0x0A: isEllipsis(bytes, at: index + 1) || isNote(bytes, at: index + 1)
    case UInt8(ascii: "\\"), UInt8(ascii: "%"): isCutEscape(bytes, at: index)
    case replacement[0]:
      bytes[index...].starts(with: replacement) && index + 3 < bytes.count
        && follows(bytes, at: index + 3)
    default: false
    }
  }

  /// Returns the places behind marks, in order: the text there has a beginning that was cut off.
  static func ends(in bytes: [UInt8]) -> [Int] {
    var places: [Int] = []
    for index in bytes.indices where isEllipsis(bytes, at: index) {
      var place = index + ellipsis.count
      if place < bytes.count, bytes[place] == 0x0A { place += 1 }
      while bytes[min(place, bytes.count)...].starts(with: replacement) {
        place += replacement.count
      }
      if place < bytes.count { places.append(place) }
    }
    return places
  }

  private static func isEllipsis(_ bytes: [UInt8], at index: Int) -> Bool {
    index + 2 < bytes.count && bytes[index] == ellipsis[0] && bytes[index + 1] == ellipsis[1]
      && bytes[index + 2] == ellipsis[2]
  }

  /// Returns whether a line says how much is missing: `[12 bytes of stdout were not kept]`.
  private static func isNote(_ bytes: [UInt8], at index: Int) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "[") else { return false }
    let rest = bytes[(index + 1)...].drop { (0x30...0x39).contains($0) }
    return rest.startIndex > index + 1 && rest.starts(with: " bytes of ".utf8)
  }

  /// Returns whether the beginning of an escape is before an ellipsis, as in `\\u00…`: the cut went
  /// through a letter that was written with it.
  private static func isCutEscape(_ bytes: [UInt8], at index: Int) -> Bool {
    let digits = bytes[(index + 1)...].prefix(5).prefix {
      switch $0 {
      case UInt8(ascii: "u"), 0x30...0x39, UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
      default: false
      }
    }
    return isEllipsis(bytes, at: digits.endIndex)
  }
}
