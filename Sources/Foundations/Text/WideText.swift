/// Recognizes UTF-16 and UTF-32, so that messages can name them.
package enum WideText {
  /// The encoding of bytes that begin with its byte order mark, or as its letters of ASCII do.
  package static func name(of bytes: [UInt8]) -> String? {
    // The mark of UTF-32 begins with that of UTF-16, which no text follows with a NUL.
    let marks: [(bytes: [UInt8], name: String)] = [
      ([0xFF, 0xFE, 0, 0], "UTF-32"), ([0, 0, 0xFE, 0xFF], "UTF-32"),
      ([0xFF, 0xFE], "UTF-16"), ([0xFE, 0xFF], "UTF-16"),
    ]
    if let mark = marks.first(where: { bytes.starts(with: $0.bytes) }) { return mark.name }
    guard bytes.count >= 4 else { return nil }
    return switch bytes[0..<4].map({ $0 == 0 }) {
    case [false, true, true, true], [true, true, true, false]: "UTF-32"
    case [false, true, false, true], [true, false, true, false]: "UTF-16"
    default: nil
    }
  }
}
