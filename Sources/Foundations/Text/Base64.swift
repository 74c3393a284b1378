/// Base64 as RFC 4648 section 4 has it.
package enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of bytes.
  package static func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bits <<= UInt32(8 * (3 - group.count))
      for index in 0..<4 {
        let isPadding = index > group.count
        text.append(
          isPadding ? UInt8(ascii: "=") : letters[Int(bits >> UInt32(18 - 6 * index) & 63)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text, in which white space does not count and padding may be missing; `nil` if it is
  /// no Base64.
  package static func decoded(_ text: String) -> [UInt8]? {
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
