internal import Foundations
internal import Patterns

/// Compares a list with the conditions that its elements should satisfy, one by one.
struct SequenceComparison {
  /// True if each thing satisfies its condition, and none is missing or left over.
  let isEqual: Bool
  /// The difference: a line begins with ` ` if it holds, with `-` if it is missing, with `+` if it
  /// is unexpected.
  let lines: [String]

  /// The maximum number of entries of each list that are aligned; the rest is compared one by one.
  private static let alignmentLimit = 300

  /// Compares.
  ///
  /// - Parameters:
  ///   - expected: the conditions in words.
  ///   - actual: the things in words.
  ///   - matches: whether a thing satisfies a condition, both by index.
  init(expected: [String], actual: [String], matches: (Int, Int) -> Bool) {
    let common = min(expected.count, actual.count)
    let isEqual = expected.count == actual.count && (0..<common).allSatisfy { matches($0, $0) }
    self.isEqual = isEqual
    guard !isEqual else {
      lines = []
      return
    }
    let head = (0..<common).first { !matches($0, $0) } ?? common
    let (rest, others) = (head..<expected.count, head..<actual.count)
    let alignment =
      max(rest.count, others.count) <= Self.alignmentLimit
      ? ListAlignment.ofConditions(rest, others, matches: matches)
      : ListAlignment.oneByOne(rest, others, matches: matches)
    let steps = alignment.steps.map { step in
      switch step {
      case .same(_, let place): (text: " \(actual[place])", isChange: false)
      case .removed(let place): (text: "-\(expected[place])", isChange: true)
      case .added(let place): (text: "+\(actual[place])", isChange: true)
      }
    }
    lines = LineDiff.shortened(actual[..<head].map { (" \($0)", false) } + steps)
  }
}
