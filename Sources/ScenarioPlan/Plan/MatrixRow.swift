package import Foundations
package import OrderedCollections

/// One row of a matrix, which is one case.
package struct MatrixRow: Sendable, Hashable, Codable {
  /// The name that the scenario has without the row.
  package var scenario: String
  /// The row's values, by their names in the order in which they were written.
  package var values: OrderedDictionary<String, Value>
  /// The place where the row is written out; `nil` for a combination of lists.
  package var range: SourceRange?
  /// The last line that belongs to the row, where it is written out.
  package var lastLine: Int?

  /// Creates a row.
  package init(
    scenario: String, values: OrderedDictionary<String, Value>, range: SourceRange? = nil,
    lastLine: Int? = nil
  ) {
    self.scenario = scenario
    self.values = values
    self.range = range
    self.lastLine = lastLine
  }

  /// Returns whether the row is written in a line of a file.
  package func stands(in line: Int, of file: String) -> Bool {
    guard let range, let lastLine, range.file == file else { return false }
    return range.line <= line && line <= lastLine
  }

  /// The part of a case's name for it: `[plan=basic, region=eu]`.
  package var label: String {
    "[" + values.map { "\($0)=\(Self.label(of: $1))" }.joined(separator: ", ") + "]"
  }

  /// Returns a value as it appears in a name: text as it is, unless it would be taken for something
  /// else.
  private static func label(of value: Value) -> String {
    guard case .string(let text) = value, reads(text) else { return value.excerpt(limit: 40) }
    return text.excerpt(limit: 40)
  }

  private static func reads(_ text: String) -> Bool {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0x7F && !",=[]\"".unicodeScalars.contains($0)
    }
    guard isPlain, let first = text.first, let last = text.last, first != " ", last != " " else {
      return false
    }
    return (try? JSONText.parse(text)) == nil
  }
}
