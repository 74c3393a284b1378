public import ScenarioModel

/// Why a value does not satisfy a matcher.
public struct Mismatch: Error, Sendable, Hashable {
  /// What was expected, in one line: lower case, no full stop.
  public var message: String
  /// What was there instead, shortened.
  public var actual: String
  /// What differs, line by line, with `-` for expected and `+` for actual; empty for short values.
  public var diff: [String]
  /// What to do about it; `nil` where that is plain.
  public var help: String?
  /// Whether there was nothing to compare with, so that nothing is known of the program.
  public var isUndecided = false
  /// Where the author wrote the matcher.
  public var range: SourceRange

  /// Creates a mismatch.
  public init(message: String, actual: String, diff: [String] = [], range: SourceRange) {
    self.message = message
    self.actual = actual
    self.diff = diff
    self.range = range
  }
}
