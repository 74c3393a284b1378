/// Reading of Base64 (RFC 4648, section 4); white space between the letters does not count.
public enum Base64Text {
  /// The bytes; `nil` if the text is not Base64.
  public static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    var padding = 0
    for letter in text.utf8 {
      if letter == 0x20 || (0x09...0x0D).contains(letter) { continue }
      if letter == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = value(of: letter) else { return nil }
      bits = bits << 6 | value
      count += 1
      guard count % 4 == 0 else { continue }
      bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
      bits = 0
    }
    switch count % 4 {
    case 0: return padding == 0 ? bytes : nil
    case 2:
      guard padding == 2 || padding == 0, bits & 0xF == 0 else { return nil }
      return bytes + [UInt8(truncatingIfNeeded: bits >> 4)]
    case 3:
      guard padding == 1 || padding == 0, bits & 0x3 == 0 else { return nil }
      return bytes + [10, 2].map { UInt8(truncatingIfNeeded: bits >> $0) }
    default: return nil
    }
  }

  private static func value(of letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
