/// A change of a file that mends a mistake, for editors and for `scenario check --fix`.
package struct DiagnosticFix: Hashable, Sendable {
  /// The confidence that the author means the change.
  package enum Confidence: String, CaseIterable, Hashable, Sendable {
    /// No decision is left; `scenario check --fix` makes no other change.
    case certain
    /// The author should confirm it: a typing mistake, or a word of another tool.
    case likely
    /// The nearest name there is, and perhaps another one.
    case guess
  }

  /// The place where the change begins.
  package var start: SourceRange
  /// The number of columns, in Unicode scalars, that are taken out; 0 where text is only put in.
  package var length: Int
  /// The text that replaces the range.
  package var text: String
  /// The confidence that this is meant.
  package var confidence: Confidence

  /// Replaces a whole range.
  package init(
    replacing range: SourceRange, with text: String, confidence: Confidence = .certain
  ) {
    start = range
    length = range.length
    self.text = text
    self.confidence = confidence
  }

  /// Puts text in front of a place.
  package init(inserting text: String, at range: SourceRange) {
    start = range
    length = 0
    self.text = text
    confidence = .certain
  }

  /// The first column behind what is taken out.
  package var endColumn: Int { start.column + length }
}
