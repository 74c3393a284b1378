/// A place in a text: line from 1, column from 1 in Unicode scalars.
package struct TextPosition: Hashable, Sendable {
  /// The line, from 1.
  package var line: Int
  /// The column, from 1.
  package var column: Int

  /// The place of a byte.
  init(of offset: Int, in bytes: [UInt8]) {
    line = 1
    column = 1
    for (index, byte) in bytes.prefix(offset).enumerated() {
      if LineBreak.ends(bytes, at: index) {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        // A continuation byte belongs to the scalar that the lead byte has counted.
        column += 1
      }
    }
  }
}

extension String {
  /// The text with zeros in front, at least `width` long.
  func padded(to width: Int) -> String {
    String(repeating: "0", count: max(0, width - count)) + self
  }
}
