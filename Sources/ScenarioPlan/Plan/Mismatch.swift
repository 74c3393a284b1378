package import Foundations
internal import Patterns

/// The reason why a value does not satisfy a matcher.
package struct Mismatch: Error, Sendable, Hashable {
  /// The expectation, in one line: lower case, no full stop.
  package var message: String
  /// The actual value, shortened.
  package var actual: String
  /// The differences, line by line, with `-` for expected and `+` for actual; empty for short
  /// values.
  package var diff: [String]
  /// The expected text beside the actual one; `nil` where one of both is no text.
  package var comparison: TextComparison?
  /// The way to fix it; `nil` where that is plain.
  package var help: String?
  /// True if the expected value cannot be read, or was not read to its end, so that this is an
  /// error and no difference.
  package var isUnreadable = false
  /// The place of the matcher in the scenario file.
  package var range: SourceRange
  /// True if nothing is known of the condition, because what it asks for cannot be made: then its
  /// opposite does not hold either.
  package var isUndecided = false
  /// True if the value is of a kind that the condition says nothing about, such as text that is to be at least 3: its
  /// opposite does not hold either.
  package var isOfOtherKind = false
  /// The way to write the condition, where the value is written as it wants it and differs in its kind alone, as 5 and
  /// "5" do: it is of another kind for each condition that joins this one to others.
  package var alikeHelp: String?
  /// The way to write the opposite of the condition, where what it asks about is missing.
  package var absenceHelp: String?

  /// Creates a mismatch.
  package init(message: String, actual: String, diff: [String] = [], range: SourceRange) {
    self.message = message
    self.actual = actual
    self.diff = diff
    self.range = range
  }

  /// Tells what comes nearest to what is missing.
  mutating func tell(_ miss: NearMiss) {
    diff = miss.lines
    comparison = miss.comparison
  }

  /// The largest number of mismatches of one matcher that are reported.
  package static let limit = 20
}
