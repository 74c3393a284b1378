/// How a list of things differs from the list of conditions that it should satisfy, one by one.
struct SequenceComparison {
  /// Whether each thing satisfies its condition, and none is missing or left over.
  let isEqual: Bool
  /// The difference: ` ` for what holds, `-` for what is missing, `+` for what nobody expected.
  let lines: [String]

  /// How many entries of each list are aligned; the rest is compared one by one.
  private static let alignmentLimit = 300
  /// How many lines a difference shows at most.
  private static let lineLimit = 60
  /// Lines that hold, shown around those that do not.
  private static let context = 2

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
    let pairs =
      max(expected.count, actual.count) - head <= Self.alignmentLimit
      ? Self.alignment(head..<expected.count, head..<actual.count, matches)
      : (head..<common).filter { matches($0, $0) }.map { ($0, $0) }
    var all = actual[..<head].map { " \($0)" }
    var (next, nextActual) = (head, head)
    for pair in pairs + [(expected.count, actual.count)] {
      all += expected[next..<pair.0].map { "-\($0)" }
      all += actual[nextActual..<pair.1].map { "+\($0)" }
      if pair.1 < actual.count { all.append(" \(actual[pair.1])") }
      (next, nextActual) = (pair.0 + 1, pair.1 + 1)
    }
    lines = Self.shortened(all)
  }

  /// The longest list of pairs that satisfy each other, in order.
  private static func alignment(
    _ expected: Range<Int>, _ actual: Range<Int>, _ matches: (Int, Int) -> Bool
  ) -> [(Int, Int)] {
    let width = actual.count + 1
    var lengths = [Int](repeating: 0, count: (expected.count + 1) * width)
    for row in (0..<expected.count).reversed() {
      for column in (0..<actual.count).reversed() {
        lengths[row * width + column] =
          matches(expected.lowerBound + row, actual.lowerBound + column)
          ? lengths[(row + 1) * width + column + 1] + 1
          : max(lengths[(row + 1) * width + column], lengths[row * width + column + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (row, column) = (0, 0)
    while row < expected.count, column < actual.count {
      if matches(expected.lowerBound + row, actual.lowerBound + column) {
        pairs.append((expected.lowerBound + row, actual.lowerBound + column))
        (row, column) = (row + 1, column + 1)
      } else if lengths[(row + 1) * width + column] >= lengths[row * width + column + 1] {
        row += 1
      } else {
        column += 1
      }
    }
    return pairs
  }

  private static func shortened(_ all: [String]) -> [String] {
    var shown: [String] = []
    var last = -1
    for index in all.indices {
      let window = max(0, index - context)...min(all.count - 1, index + context)
      guard all[window].contains(where: { !$0.hasPrefix(" ") }) else { continue }
      if index > last + 1 { shown.append("…") }
      shown.append(all[index])
      last = index
    }
    guard shown.count > lineLimit else { return shown }
    return shown.prefix(lineLimit) + ["… \(shown.count - lineLimit) more lines"]
  }
}
