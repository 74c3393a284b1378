/// A stretch of one line of a file that an author wrote: where a message points to.
package struct SourceRange: Hashable, Sendable, Codable {
  /// The file's path as the author named it.
  package var file: String
  /// The line, counted from 1.
  package var line: Int
  /// The first column, counted from 1 in Unicode scalars.
  package var column: Int
  /// The number of columns that the stretch covers, at least 1.
  package var length: Int

  /// Creates a range; `line` and `column` count from 1.
  package init(file: String, line: Int, column: Int, length: Int = 1) {
    self.file = file
    self.line = line
    self.column = column
    self.length = max(1, length)
  }

  /// The line in which the stretch ends: the one in which it begins.
  package var endLine: Int { line }

  /// The first column behind the stretch.
  package var endColumn: Int { column + length }

  /// Returns whether another stretch is within this one.
  package func encloses(_ other: SourceRange) -> Bool {
    file == other.file && line == other.line && column <= other.column
      && other.endColumn <= endColumn
  }

  /// `file:line:column`, as editors and CI systems read it.
  package var description: String { "\(file):\(line):\(column)" }
}

/// A value together with the place where its author wrote it.
package struct Located<Value> {
  /// The value.
  package var value: Value
  /// The place of the value.
  package var range: SourceRange

  /// Ties a value to its place.
  package init(_ value: Value, at range: SourceRange) {
    self.value = value
    self.range = range
  }
}

extension Located: Sendable where Value: Sendable {}
extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}
extension Located: Encodable where Value: Encodable {}
extension Located: Decodable where Value: Decodable {}
