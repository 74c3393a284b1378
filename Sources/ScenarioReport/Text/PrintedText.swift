/// The kind of text on a standard stream, by the meaning of its lines to a reader.
///
/// CI systems read the log of a step for commands: GitHub Actions `::` at the beginning of a line and `##[` anywhere,
/// Azure Pipelines `##vso[` and `##[`, TeamCity `##teamcity[`. What a target writes must not command them.
package enum PrintedText: Sendable {
  /// Text for people: a backslash disarms a control sequence.
  case text
  /// JSON, or lines of it: an escape in a string takes a command its effect, and its reader sees no difference.
  case json
  /// Documents, whose reader wants each byte, and workflow commands that are meant.
  case verbatim

  private static let namesAfterMarks: [[UInt8]] = ["[", "vso[", "teamcity["].map { Array($0.utf8) }

  /// The text as it is printed.
  func inert(_ text: String) -> String {
    if case .verbatim = self { return text }
    var text = text
    return text.withUTF8 { bytes in
      guard Self.mayCommand(bytes) else { return String(decoding: bytes, as: UTF8.self) }
      return String(decoding: inertBytes(bytes), as: UTF8.self)
    }
  }

  private static func mayCommand(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var last: UInt8 = 0
    for byte in bytes {
      if byte == last, byte == UInt8(ascii: ":") || byte == UInt8(ascii: "#") { return true }
      last = byte
    }
    return false
  }

  private func inertBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    // Whether nothing but space came since the line began.
    var isBeginning = true
    for (index, byte) in bytes.enumerated() {
      let follows = index + 1 < bytes.count && bytes[index + 1] == byte
      result.append(byte)
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): isBeginning = true
      case UInt8(ascii: " "), UInt8(ascii: "\t"), 0x0B, 0x0C: break
      case UInt8(ascii: ":") where isBeginning && follows:
        // No line of JSON begins so.
        result.append(UInt8(ascii: "\\"))
        isBeginning = false
      case UInt8(ascii: "#") where follows && Self.isNamed(bytes, from: index + 2):
        switch self {
        case .json: result.replaceSubrange((result.count - 1)..., with: Array("\\u0023".utf8))
        case .text, .verbatim: result.append(UInt8(ascii: "\\"))
        }
        isBeginning = false
      default:
        // The spaces of Unicode have more than one byte, and count as space.
        if !Self.continuesSpace(bytes, at: index) { isBeginning = false }
      }
    }
    return result
  }

  /// Returns whether the name of a command begins there, in letters of any case.
  private static func isNamed(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    namesAfterMarks.contains { name in
      start + name.count <= bytes.count
        && name.indices.allSatisfy { offset in
          let byte = bytes[start + offset]
          return byte == name[offset] || byte | 0x20 == name[offset]
        }
    }
  }

  /// Returns whether a byte belongs to U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000 or
  /// U+FEFF.
  private static func continuesSpace(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    guard bytes[index] >= 0x80 else { return false }
    var start = index
    while start > 0, index - start < 2, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    let length = bytes[start] >= 0xE0 ? 3 : 2
    guard start + length <= bytes.count else { return false }
    let scalar = String(decoding: bytes[start..<(start + length)], as: UTF8.self).unicodeScalars
      .first
    return scalar.map { $0.properties.isWhitespace || $0.value == 0xFEFF } ?? false
  }
}
