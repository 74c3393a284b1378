/// The replacement vDSO that the supervisor maps into each program under test.
///
/// The build compiles `Image/virtual_clock.c` freestanding and embeds the ELF image; it reads the
/// clock page that lies one page before it.
package enum VirtualClockImage {
  /// The bytes of the ELF image, as they are to be mapped.
  package static func bytes() -> [UInt8] {
    decodeBase64(virtualClockImageBase64)
  }

  private static func decodeBase64(_ text: StaticString) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8CodeUnitCount * 3 / 4)
    var pending: UInt32 = 0
    var bitCount: UInt32 = 0
    text.withUTF8Buffer { characters in
      for character in characters {
        guard let digit = digit(of: character) else { continue }
        pending = pending << 6 | UInt32(digit)
        bitCount += 6
        if bitCount >= 8 {
          bitCount -= 8
          bytes.append(UInt8(truncatingIfNeeded: pending >> bitCount))
        }
      }
    }
    return bytes
  }

  private static func digit(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
