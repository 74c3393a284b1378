extension SourceText {
  /// The lines, counted from 1, with a "#" that has a blank in front and a letter or digit behind
  /// it.
  package var linesWithTightComments: Set<Int> {
    var lines: Set<Int> = []
    var line = 0
    for offset in bytes.indices where bytes[offset] == UInt8(ascii: "#") {
      guard offset > 0, offset + 1 < bytes.count,
        bytes[offset - 1] == 0x20 || bytes[offset - 1] == 0x09, bytes[offset + 1] > 0x2F
      else { continue }
      while line < lineStarts.count, lineStarts[line] <= offset { line += 1 }
      lines.insert(line)
    }
    return lines
  }

  /// The text that a range covers; `nil` if the file does not reach that far.
  package func text(at range: SourceRange) -> String? {
    guard let start = byteOffset(line: range.line, column: range.column),
      let end = byteOffset(line: range.line, column: range.endColumn), start <= end
    else { return nil }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// The text of a line from a column on, counted from 1, at most so many Unicode scalars; `nil` beyond the
  /// file.
  package func text(line number: Int, from column: Int, limit: Int) -> String? {
    guard let line = lineBytes(number) else { return nil }
    guard let start = byteOffset(line: number, column: column) else { return "" }
    let end = Self.offset(ofScalar: limit, in: bytes, start..<line.upperBound) ?? line.upperBound
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// The number of Unicode scalars of a line, blanks at its end left out; 0 beyond the file.
  func lineLength(_ number: Int) -> Int {
    guard let line = lineBytes(number) else { return 0 }
    return bytes.withUnsafeBufferPointer { bytes in
      var end = line.upperBound
      while end > line.lowerBound, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
      var count = 0
      for offset in line.lowerBound..<end where Self.beginsScalar(bytes[offset]) { count += 1 }
      return count
    }
  }

  /// A column, counted from 1 in Unicode scalars, as editors count it: from 1 in UTF-16 code units.
  ///
  /// Columns behind the line's end go on one by one.
  package func utf16Column(line number: Int, column: Int) -> Int {
    guard let line = lineBytes(number) else { return column }
    var rest = column - 1
    var units = 1
    for offset in line where Self.beginsScalar(bytes[offset]) {
      guard rest > 0 else { return units }
      // A lead byte of four stands for what takes two units.
      units += bytes[offset] >= 0xF0 ? 2 : 1
      rest -= 1
    }
    return units + max(0, rest)
  }

  /// The byte offset of a column of a line; `nil` beyond the line's end.
  package func byteOffset(line number: Int, column: Int) -> Int? {
    guard column >= 1, let line = lineBytes(number) else { return nil }
    guard let stops = columnStops[number - 1], column > Self.stopDistance else {
      return Self.offset(ofScalar: column - 1, in: bytes, line)
    }
    let count = min((column - 1) / Self.stopDistance, stops.count)
    let rest = column - 1 - count * Self.stopDistance
    return Self.offset(ofScalar: rest, in: bytes, stops[count - 1]..<line.upperBound)
  }

  /// The offset of a scalar of a stretch, counted from 0; the stretch's end for the one behind its last.
  private static func offset(ofScalar index: Int, in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var rest = index
      for offset in range where beginsScalar(bytes[offset]) {
        guard rest > 0 else { return offset }
        rest -= 1
      }
      return rest == 0 ? range.upperBound : nil
    }
  }

  private static func beginsScalar(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }
}
