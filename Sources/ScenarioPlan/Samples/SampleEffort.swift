internal import Foundations
internal import Patterns

/// The random numbers of samples, and the work that all of them may take together.
///
/// A schema can demand a list of any length, and by references to itself more than any computer holds.
struct SampleEffort {
  /// The number of values, rules and letters that may be made or read.
  static let stepLimit = 1_000_000

  /// The random numbers.
  var random: SplitMix64
  /// The number of values, rules and letters that were made or read.
  private(set) var steps = 0

  /// Begins with nothing made.
  init(random: SplitMix64) { self.random = random }

  /// Counts what is about to be made.
  ///
  /// - Throws: If that would be too much.
  mutating func spend(_ count: Int) throws(PatternError) {
    guard count <= Self.stepLimit - steps else { throw Self.tooMany }
    steps += max(0, count)
  }

  /// The error for a schema that demands too large a value.
  static let tooMany = PatternError(
    "the schema needs too large a value: more than \(stepLimit) values, rules and characters",
    help: "write the value by hand, or relax the schema: minItems, minLength, a $ref to itself")
}
