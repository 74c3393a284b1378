/// A change of a file that mends a mistake, for editors and for `scenario check --fix`.
public struct DiagnosticFix: Hashable, Sendable {
  /// Where the change begins.
  public var start: SourceRange
  /// How many columns, in Unicode scalars, are taken out; 0 where text is only put in.
  public var length: Int
  /// What stands there afterwards.
  public var text: String

  /// Replaces a whole range.
  public init(replacing range: SourceRange, with text: String) {
    start = range
    length = range.length
    self.text = text
  }

  /// Puts text in front of a place.
  public init(inserting text: String, at range: SourceRange) {
    start = range
    length = 0
    self.text = text
  }

  /// The first column behind what is taken out.
  public var endColumn: Int { start.column + length }
}
