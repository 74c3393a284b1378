/// Finds the text around a mistake that quotes would mend, where its ends are beyond doubt.
enum QuotingFix {
  /// Returns the fix of `{ name: a ${{ user }} b }`: quotes around the whole text with the
  /// expression.
  static func fix(
    expressionAt start: Int, of line: String, in range: SourceRange
  ) -> DiagnosticFix? {
    let scalars = Array(line.unicodeScalars)
    var first = start
    while first > 0, !["{", "[", ","].contains(scalars[first - 1]) {
      if scalars[first - 1] == " ", first > 1, [":", ","].contains(scalars[first - 2]) { break }
      first -= 1
    }
    while first < start, scalars[first] == " " { first += 1 }
    var end = start
    var depth = 0
    while end < scalars.count {
      if scalars[end] == "{" { depth += 1 }
      if scalars[end] == "}" {
        if depth == 0 { break }
        depth -= 1
      }
      if depth == 0, scalars[end] == "," || scalars[end] == "]" { break }
      end += 1
    }
    while end > start, scalars[end - 1] == " " { end -= 1 }
    guard depth == 0 else { return nil }
    return fix(scalars, first, end, in: range)
  }

  /// Returns the fix of `name: one: two`: quotes around everything behind the first colon.
  ///
  /// It is never certain: `not: a: 1` and `target: command: [x]` were meant as maps.
  static func fix(
    valueBefore colon: Int, of line: String, in range: SourceRange
  ) -> DiagnosticFix? {
    let scalars = Array(line.unicodeScalars)
    guard
      let first = scalars.indices.first(where: {
        scalars[$0] == ":" && $0 + 1 < scalars.count && scalars[$0 + 1] == " "
      }), first < colon
    else { return nil }
    var start = first + 1
    while start < scalars.count, scalars[start] == " " { start += 1 }
    var quoted = fix(scalars, start, scalars.count, in: range)
    quoted?.confidence = .likely
    return quoted
  }

  /// Returns the fix of `name: @home`: quotes around everything from the sign on, if it is all that
  /// is behind the key or dash.
  static func fix(
    valueFrom start: Int, of line: String, in range: SourceRange
  ) -> DiagnosticFix? {
    let scalars = Array(line.unicodeScalars)
    var before = String.UnicodeScalarView()
    before.append(contentsOf: scalars[..<start])
    let lead = String(before)
    let isAlone =
      lead.hasSuffix(": ") || lead.hasSuffix("- ") && lead.allSatisfy { $0 == " " || $0 == "-" }
    guard isAlone, !lead.contains("{"), !lead.contains("[") else { return nil }
    return fix(scalars, start, scalars.count, in: range)
  }

  /// Returns the fix that puts the text in quotes; `nil` where it has quotes, or holds other
  /// characters that need attention.
  private static func fix(
    _ scalars: [Unicode.Scalar], _ start: Int, _ end: Int, in range: SourceRange
  ) -> DiagnosticFix? {
    var last = end
    while last > start, scalars[last - 1] == " " { last -= 1 }
    guard last > start else { return nil }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[start..<last])
    let text = String(view)
    guard !text.hasPrefix("\""), !text.hasPrefix("'"), !text.contains(" #"), !text.contains("\\"),
      !text.contains("\t"), !(text.contains("\"") && text.contains("'"))
    else { return nil }
    let quote = text.contains("\"") ? "'" : "\""
    let place = SourceRange(
      file: range.file, line: range.line, column: start + 1, length: last - start)
    return DiagnosticFix(replacing: place, with: quote + text + quote)
  }
}
