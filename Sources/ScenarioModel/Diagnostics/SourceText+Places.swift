extension SourceText {
  /// The text that a range covers; `nil` if the file does not reach that far.
  public func text(at range: SourceRange) -> String? {
    guard let scalars = line(range.line).map({ Array($0.unicodeScalars) }), range.column >= 1,
      range.endColumn - 1 <= scalars.count
    else { return nil }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[(range.column - 1)..<(range.endColumn - 1)])
    return String(text)
  }

  /// A column, counted from 1 in Unicode scalars, as editors count it: from 1 in UTF-16 code units.
  ///
  /// Columns behind the line's end go on one by one.
  public func utf16Column(line number: Int, column: Int) -> Int {
    var rest = column - 1
    var units = 1
    for scalar in (line(number) ?? "").unicodeScalars {
      guard rest > 0 else { return units }
      units += scalar.value > 0xFFFF ? 2 : 1
      rest -= 1
    }
    return units + max(0, rest)
  }

  /// Where a column of a line begins, in bytes; `nil` beyond the line's end.
  func byteOffset(line number: Int, column: Int) -> Int? {
    guard number >= 1, number <= lineStarts.count, column >= 1, let text = line(number) else {
      return nil
    }
    let scalars = text.unicodeScalars
    guard
      let index = scalars.index(
        scalars.startIndex, offsetBy: column - 1, limitedBy: scalars.endIndex)
    else { return nil }
    return lineStarts[number - 1] + text.utf8.distance(from: text.startIndex, to: index)
  }
}
