public import ScenarioModel

/// The text of a snapshot, with places that stand for whatever changes.
///
/// `[..]` stands for anything within a line, and a line `...` for any number of lines.
public struct SnapshotText: Sendable {
  private static let anyLines = "..."
  private static let anyLetters = "[..]"
  /// Texts are aligned up to so many pairs of lines: the search is quadratic.
  private static let alignmentLimit = 4_000_000

  /// The text as written.
  public let text: String
  private let lines: [String]

  /// Takes the content of a snapshot's file.
  public init(_ text: String) {
    self.text = text
    lines = PlannedMatcher.lines(of: text)
  }

  /// Whether a text is as the snapshot says, one final newline aside.
  public func matches(_ actual: String) -> Bool {
    let others = PlannedMatcher.lines(of: actual)
    return Self.matches(lines, others, isAny: { $0 == Self.anyLines }, Self.isLine)
  }

  /// What the snapshot says if it is to hold for another text: its elisions stay where they still fit.
  public func updated(to actual: String) -> String {
    guard text.contains(Self.anyLetters) || lines.contains(Self.anyLines) else { return actual }
    let others = PlannedMatcher.lines(of: actual)
    let fixed = lines.indices.filter { lines[$0] != Self.anyLines }
    guard fixed.count * others.count <= Self.alignmentLimit else { return actual }
    var result: [String] = []
    var (old, new) = (0, 0)
    for pair in pairs(fixed, others) + [(lines.count, others.count)] {
      result += merged(lines[old..<pair.0], others[new..<pair.1])
      if pair.0 < lines.count { result.append(lines[pair.0]) }
      (old, new) = (pair.0 + 1, pair.1 + 1)
    }
    let ends = actual.hasSuffix("\n") || actual.isEmpty
    return result.joined(separator: "\n") + (ends && !result.isEmpty ? "\n" : "")
  }

  /// What stands between two lines that have stayed: a line `...` among the old ones keeps its place.
  private func merged(_ old: ArraySlice<String>, _ new: ArraySlice<String>) -> [String] {
    guard let first = old.firstIndex(of: Self.anyLines), let last = old.lastIndex(of: Self.anyLines)
    else { return Array(new) }
    let head = new.prefix(first - old.startIndex)
    let tail = new.dropFirst(head.count).suffix(old.endIndex - 1 - last)
    return Array(head) + [Self.anyLines] + Array(tail)
  }

  /// The longest sequence of pairs of lines that fit to each other.
  private func pairs(_ fixed: [Int], _ others: [String]) -> [(Int, Int)] {
    let width = others.count + 1
    var lengths = [Int32](repeating: 0, count: (fixed.count + 1) * width)
    var fits = [Bool](repeating: false, count: fixed.count * width)
    for row in fixed.indices.reversed() {
      for column in others.indices.reversed() {
        let place = row * width + column
        fits[place] = Self.isLine(lines[fixed[row]], others[column])
        lengths[place] =
          fits[place]
          ? lengths[place + width + 1] + 1 : max(lengths[place + width], lengths[place + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (row, column) = (0, 0)
    while row < fixed.count, column < others.count {
      let place = row * width + column
      if fits[place] {
        pairs.append((fixed[row], column))
        (row, column) = (row + 1, column + 1)
      } else if lengths[place + width] >= lengths[place + 1] {
        row += 1
      } else {
        column += 1
      }
    }
    return pairs
  }

  /// Whether a line is as a line of a snapshot says.
  private static func isLine(_ pattern: String, _ line: String) -> Bool {
    if pattern.utf8.elementsEqual(line.utf8) { return true }
    guard pattern.contains(anyLetters) else { return false }
    // A byte that UTF-8 never has stands for the elision.
    let mark: UInt8 = 0xFF
    let parts = pattern.split(separator: anyLetters, omittingEmptySubsequences: false)
    return matches(
      Array(parts.map { Array($0.utf8) }.joined(separator: [mark])), Array(line.utf8),
      isAny: { $0 == mark }, ==)
  }

  /// Whether elements are as patterns say, one of which may stand for any number of elements.
  private static func matches<Element>(
    _ patterns: [Element], _ elements: [Element], isAny: (Element) -> Bool,
    _ fits: (Element, Element) -> Bool
  ) -> Bool {
    var (place, index) = (0, 0)
    var retry: (place: Int, index: Int)?
    while index < elements.count {
      if place < patterns.count, isAny(patterns[place]) {
        place += 1
        retry = (place, index)
      } else if place < patterns.count, fits(patterns[place], elements[index]) {
        (place, index) = (place + 1, index + 1)
      } else if let (start, begin) = retry {
        retry = (start, begin + 1)
        (place, index) = (start, begin + 1)
      } else {
        return false
      }
    }
    return patterns[place...].allSatisfy(isAny)
  }
}

extension Mismatch {
  /// A text that is not what a snapshot holds.
  public static func snapshot(
    _ snapshot: PlannedSnapshot, holding held: SnapshotText, actual: String, at range: SourceRange
  ) -> Mismatch {
    var mismatch = Mismatch(
      message: "expected what the snapshot \"\(snapshot.path)\" holds",
      actual: MatchSubject.text(actual).excerpt,
      // Lines that fit to an elision are no difference.
      diff: LineDiff.lines(expected: held.text, actual: held.updated(to: actual)), range: range)
    mismatch.help =
      "if it is right so: `scenario review \(PlannedSnapshot.scenarioFile(of: snapshot.path))`"
      + " takes it over, or a run with `--update changed`"
    return mismatch
  }

  /// A snapshot that is not there.
  public static func missing(
    _ snapshot: PlannedSnapshot, actual: String, at range: SourceRange
  ) -> Mismatch {
    var mismatch = Mismatch(
      message: "there is no snapshot \"\(snapshot.path)\"",
      actual: MatchSubject.text(actual).excerpt, range: range)
    mismatch.help =
      "run the scenario where CI is not set, with `--update missing`, and commit the file"
    return mismatch
  }
}
