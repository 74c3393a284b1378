/// A place in a document as clients count: line and column from 0.
package struct EditorPosition: Hashable, Sendable {
  /// The line, from 0.
  package var line: Int
  /// The column, from 0, in the units of the session.
  package var character: Int

  /// Creates a position.
  package init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }
}

/// A stretch of a document.
package struct EditorRange: Hashable, Sendable {
  /// The first place.
  package var start: EditorPosition
  /// The place behind the last.
  package var end: EditorPosition

  /// Creates a range.
  package init(start: EditorPosition, end: EditorPosition) {
    self.start = start
    self.end = end
  }
}
