internal import Foundations

/// Makes captured text fit for a report that people read in a browser.
///
/// Complete terminal sequences (colours, titles) are noise and go; so does one that the end of the text
/// cuts off. Every other character that XML 1.0 has no way to say becomes visible, as `\x{01}`.
enum ReportText {
  /// The text, cleaned.
  static func cleaned(_ text: String) -> String {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.contains(where: mayNeedCleaning) else {
        return String(decoding: bytes, as: UTF8.self)
      }
      return String(decoding: cleanedBytes(bytes), as: UTF8.self)
    }
  }

  private static func mayNeedCleaning(_ byte: UInt8) -> Bool {
    // 0xC2 begins the C1 controls, 0xEF the two non-characters U+FFFE and U+FFFF.
    switch byte {
    case 0x09, 0x0A, 0x0D: false
    case 0x00...0x1F, 0xC2, 0xEF: true
    default: false
    }
  }

  private static func cleanedBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if !mayNeedCleaning(byte) {
        result.append(byte)
        index += 1
        continue
      }
      if let end = TerminalSequence.end(in: bytes, at: index) {
        index = end
        continue
      }
      let next = min(index + length(ofScalarAt: byte), bytes.count)
      switch byte {
      case 0x00...0x1F:
        result += Array(TerminalText.visible(Unicode.Scalar(byte)).utf8)
      case 0xC2 where next - index == 2 && TerminalSequence.isIntroducer(bytes[index + 1]):
        // Left as it is, it would begin a sequence with what comes to stand behind it.
        result += Array(TerminalText.visible(Unicode.Scalar(bytes[index + 1])).utf8)
      case 0xEF where next - index == 3 && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE:
        result += Array((bytes[index + 2] == 0xBE ? "\\x{FFFE}" : "\\x{FFFF}").utf8)
      default:
        result.append(contentsOf: bytes[index..<next])
      }
      index = next
    }
    return result
  }

  private static func length(ofScalarAt byte: UInt8) -> Int {
    switch byte {
    case 0xC2: 2
    case 0xEF: 3
    default: 1
    }
  }
}
