/// Maps the parts of a text to their places in its file.
package struct TextPlaces: Sendable {
  /// A run of the text whose scalars are adjacent in one source line.
  private struct Run {
    /// The first scalar of the text that the run holds.
    var offset: Int
    var count: Int
    var line: Int
    var column: Int
  }

  private let whole: SourceRange
  private let runs: [Run]
  /// True if the runs were compared with the source.
  private let isCompared: Bool

  /// Creates the places of a text that is at `range` without escapes, scalar by scalar.
  package init(_ text: String, at range: SourceRange) {
    whole = range
    isCompared = false
    runs = [
      Run(
        offset: 0, count: text.unicodeScalars.count, line: range.line, column: range.column)
    ]
  }

  /// Creates the places of the text of a whole file, line by line.
  package init(lines text: String, of file: String) {
    whole = SourceRange(file: file, line: 1, column: 1)
    isCompared = false
    var runs: [Run] = []
    var offset = 0
    var count = 0
    for scalar in text.unicodeScalars {
      count += 1
      guard scalar == "\n" else { continue }
      runs.append(Run(offset: offset, count: count, line: runs.count + 1, column: 1))
      offset += count
      count = 0
    }
    runs.append(Run(offset: offset, count: count, line: runs.count + 1, column: 1))
    self.runs = runs
  }

  /// Places for a scalar; where folding parts text and source, the scalar's own place.
  package init(_ scalar: YAMLScalar, at range: SourceRange, in source: SourceText) {
    whole = range
    isCompared = true
    switch scalar.style {
    case .plain: runs = Self.inline(scalar.text, skipping: 0, at: range, in: source)
    case .singleQuoted, .doubleQuoted:
      let inline = Self.inline(scalar.text, skipping: 1, at: range, in: source)
      runs = inline.isEmpty ? Self.quoted(scalar, at: range, in: source) : inline
    case .literal: runs = Self.block(scalar.text, at: range, in: source)
    case .folded: runs = []
    }
  }

  /// The place of `length` scalars from `offset` on.
  package func range(at offset: Int, length: Int) -> SourceRange {
    guard let run = runs.last(where: { $0.offset <= offset && offset <= $0.offset + $0.count })
    else {
      return whole
    }
    return SourceRange(
      file: whole.file, line: run.line, column: run.column + offset - run.offset,
      length: max(1, min(length, run.offset + run.count - offset)))
  }

  /// The place of `length` scalars from `offset` on; `nil` unless these stand in the source in one piece and without
  /// escapes, so that others may take their place.
  package func exactRange(at offset: Int, length: Int) -> SourceRange? {
    guard isCompared,
      let run = runs.first(where: {
        $0.offset <= offset && offset + length <= $0.offset + $0.count
      })
    else { return nil }
    return SourceRange(
      file: whole.file, line: run.line, column: run.column + offset - run.offset, length: length)
  }

  /// The place of a scalar by its line and column within the text, both counted from 1; `nil` where
  /// text and source part.
  package func range(line: Int, column: Int, of text: String) -> SourceRange? {
    var offset = 0
    if line > 1 {
      let bytes = Array(text.utf8)
      var current = 1
      for index in bytes.indices where current < line {
        if bytes[index] & 0xC0 != 0x80 { offset += 1 }
        if LineBreak.ends(bytes, at: index) { current += 1 }
      }
    }
    offset += column - 1
    guard let last = runs.last else { return nil }
    // The end of the text stands behind its last line.
    offset = min(offset, last.offset + last.count)
    guard runs.contains(where: { $0.offset <= offset && offset <= $0.offset + $0.count }) else {
      return nil
    }
    return range(at: offset, length: 1)
  }

  private static func inline(
    _ text: String, skipping quote: Int, at range: SourceRange, in source: SourceText
  ) -> [Run] {
    let count = text.unicodeScalars.count
    let start = range.column + quote
    let written = source.text(line: range.line, from: start, limit: count)
    guard let written, written.unicodeScalars.elementsEqual(text.unicodeScalars) else { return [] }
    return [Run(offset: 0, count: count, line: range.line, column: start)]
  }

  /// A scalar in quotes with escapes, on one line.
  private static func quoted(
    _ scalar: YAMLScalar, at range: SourceRange, in source: SourceText
  ) -> [Run] {
    let text = scalar.text.unicodeScalars
    var column = range.column + 1
    let limit = text.count * longestEscape
    guard let written = source.text(line: range.line, from: column, limit: limit) else { return [] }
    var rest = Substring(written).unicodeScalars
    var runs: [Run] = []
    for (offset, wanted) in text.enumerated() {
      let width = escapeWidth(rest, style: scalar.style)
      guard let first = rest.first, width > 1 || first == wanted else { return [] }
      if let last = runs.last, width == 1, last.column + last.count == column {
        runs[runs.count - 1].count += 1
      } else {
        runs.append(Run(offset: offset, count: 1, line: range.line, column: column))
      }
      column += width
      rest = rest.dropFirst(width)
    }
    return runs
  }

  /// The length of the longest escape: two halves of a surrogate pair.
  private static let longestEscape = 12

  /// Returns the number of scalars of the source that encode the next one of the text; 1 for one
  /// without an escape.
  private static func escapeWidth(
    _ rest: Substring.UnicodeScalarView, style: YAMLScalar.Style
  ) -> Int {
    guard style == .doubleQuoted else { return rest.first == "'" ? 2 : 1 }
    guard rest.first == "\\" else { return 1 }
    switch rest.dropFirst().first {
    case "x": return 4
    case "U": return 10
    case "u":
      let digits = String(rest.dropFirst(2).prefix(4))
      let isFirstHalf = UInt32(digits, radix: 16).map { (0xd800...0xdbff).contains($0) } ?? false
      return isFirstHalf ? longestEscape : 6
    default: return 2
    }
  }

  /// Returns the runs of a literal block, each line of which is a source line without its
  /// indentation.
  private static func block(
    _ text: String, at range: SourceRange, in source: SourceText
  ) -> [Run] {
    var runs: [Run] = []
    var offset = 0
    for (index, line) in text.unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false
    ).enumerated() {
      // Behind the last line end there is nothing of the text.
      if offset > 0, offset == text.unicodeScalars.count { break }
      let number = range.line + 1 + index
      let written = Array((source.line(number) ?? "").unicodeScalars)
      let indentation = written.count - line.count
      guard indentation >= 0, written[indentation...].elementsEqual(line) else { return runs }
      runs.append(Run(offset: offset, count: line.count, line: number, column: indentation + 1))
      offset += line.count + 1
    }
    return runs
  }
}
