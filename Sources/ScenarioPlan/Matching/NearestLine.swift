internal import Foundations
internal import Glibc
internal import Patterns

/// The line of a text that comes nearest to what the text lacks, for messages.
///
/// The cost has a bound whatever the text's length: of a long text the two ends are searched, and between them
/// lines are only counted.
struct NearestLine {
  /// The number of bytes at each end of a text that are searched.
  private static let endLength = 4 << 20
  /// Bytes of what is sought that count, and the fewest that say anything.
  private static let soughtLength = 3...128
  /// The length, in bytes, of the parts in which a line is compared.
  private static let partLength = 1_024
  /// The number of the most likely lines that are compared letter by letter.
  private static let candidateCount = 32
  /// The part of a line that is shown, in bytes.
  private static let shownLength = 240
  /// The number of lines of what is sought that are looked for.
  private static let soughtLineCount = 8

  /// A line, or a part of a long one, that may be near.
  private struct Candidate {
    /// The line's number, from 1.
    var number: Int
    var bytes: [UInt8]
    /// The number of pairs of letters that it shares with the sought text.
    var score: Int
  }

  private let sought: [UInt8]
  /// The pairs of letters in the sought text.
  private let pairs: Set<UInt16>
  /// The part that was last seen to have each pair of letters.
  private var seen = [UInt32](repeating: 0, count: 1 << 16)
  private var partCount: UInt32 = 0
  private var candidates: [Candidate] = []
  private var least = 0

  private init?(_ sought: some Sequence<UInt8>) {
    let sought = Array(sought.prefix(Self.soughtLength.upperBound))
    guard sought.count >= Self.soughtLength.lowerBound else { return nil }
    self.sought = sought
    pairs = Set(zip(sought, sought.dropFirst()).map(Self.pair))
  }

  // MARK: - Questions

  /// The line that comes nearest to a text that should be part of another.
  static func miss(of part: String, in text: some LongText) -> NearMiss {
    if let line = onlyLine(of: text) { return NearMiss(of: part, .part, beside: line) }
    // Of several lines the longest that is not there tells most.
    let lines = part.utf8.split(separator: 10).enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }.map(\.element)
    var areAllThere = lines.count > 1
    for wanted in lines.prefix(soughtLineCount) {
      guard var search = NearestLine(wanted), let found = search.nearest(in: text) else {
        areAllThere = false
        continue
      }
      guard found.distance > 0 else { continue }
      let part = shown(Array(wanted), around: wanted.count)
      let line = shown(found.bytes, around: found.end)
      var miss = NearMiss(of: part, .part, beside: line, number: found.number)
      miss.lines = ["the nearest is line \(found.number):", "-" + part, "+" + line]
      return miss
    }
    guard areAllThere, lines.count <= soughtLineCount else { return NearMiss() }
    return NearMiss(
      lines: [
        "each of its \(lines.count) lines is there, but not one behind the other as they are wanted"
      ])
  }

  /// The line that comes nearest to a match of an expression, by the longest text that the expression spells out.
  static func miss(ofMatchOf expression: RegularExpression, in text: some LongText) -> NearMiss {
    let shownExpression = "/\(expression.text)/"
    if let line = onlyLine(of: text) {
      return NearMiss(of: shownExpression, .expression, beside: line)
    }
    guard let literal = literal(in: expression.text), var search = NearestLine(literal.utf8),
      let found = search.nearest(in: text)
    else { return NearMiss() }
    let line = shown(found.bytes, around: found.end)
    var miss = NearMiss(of: shownExpression, .expression, beside: line, number: found.number)
    miss.lines = ["the nearest is line \(found.number):", "+" + line]
    return miss
  }

  /// The line of a text of one short line, which messages show as it is; `nil` for any other.
  private static func onlyLine(of text: some LongText) -> String? {
    guard (1...80).contains(text.count), let bytes = try? text.read(0..<text.count) else {
      return nil
    }
    let line = bytes.last == 10 ? bytes.dropLast() : bytes[...]
    return line.contains(10) ? nil : String(decoding: line, as: UTF8.self)
  }

  /// The longest run of letters that stand for themselves; what may be left out is none.
  static func literal(in expression: String) -> String? {
    var runs = [""]
    var depth = 0
    var letters = Array(expression)[...]
    while let letter = letters.popFirst() {
      switch letter {
      case "\\":
        // A class of letters, a place, or a letter that would mean something else.
        guard let next = letters.popFirst(), !next.isLetter, !next.isNumber, depth == 0 else {
          runs.append("")
          continue
        }
        runs[runs.count - 1].append(next)
      case "|": return nil
      case "?", "*", "{":
        if !runs[runs.count - 1].isEmpty { runs[runs.count - 1].removeLast() }
        if letter == "{" { letters = letters.drop { $0 != "}" }.dropFirst() }
        runs.append("")
      case "[":
        if letters.first == "^" { letters = letters.dropFirst() }
        letters = letters.dropFirst().drop { $0 != "]" }.dropFirst()
        runs.append("")
      case "(", ")", "^", "$", ".", "+":
        if letter == "(" { depth += 1 }
        if letter == ")" { depth -= 1 }
        runs.append("")
      default:
        if depth == 0 { runs[runs.count - 1].append(letter) }
      }
    }
    return runs.max { $0.utf8.count < $1.utf8.count }.flatMap { $0.isEmpty ? nil : $0 }
  }

  // MARK: - Looking

  private mutating func nearest(
    in text: some LongText
  ) -> (number: Int, bytes: [UInt8], end: Int, distance: Int)? {
    do {
      let head = min(text.count, Self.endLength)
      let tail = max(head, text.count - Self.endLength)
      var number = try look(at: 0..<head, of: text, from: 1)
      number += try Self.lineCount(head..<tail, of: text)
      _ = try look(at: tail..<text.count, of: text, from: number)
    } catch {
      return nil
    }
    var best: (candidate: Candidate, distance: Int, end: Int)?
    for candidate in candidates.sorted(by: { $0.score > $1.score }) {
      let (distance, end) = distance(to: candidate.bytes)
      if distance < best?.distance ?? .max { best = (candidate, distance, end) }
    }
    // Where more than half is different, nothing is meant.
    guard let best, best.distance * 2 <= sought.count else { return nil }
    return (best.candidate.number, best.candidate.bytes, best.end, best.distance)
  }

  /// Searches the lines of a range; returns the number of the line in which the range ends.
  private mutating func look(
    at range: Range<Int>, of text: some LongText, from first: Int
  ) throws(LongTextError) -> Int {
    var number = first
    var line: [UInt8] = []
    var position = range.lowerBound
    while position < range.upperBound {
      let end = min(range.upperBound, position + 1 << 18)
      let bytes = try text.read(position..<end)
      position = end
      var rest = bytes[...]
      while let feed = rest.firstIndex(of: 10) {
        look(at: line + rest[..<feed], number)
        line = []
        number += 1
        rest = rest[(feed + 1)...]
      }
      line += rest
      // What is sought may lie across two parts of a line.
      while line.count > Self.partLength * 2 {
        look(at: Array(line.prefix(Self.partLength)), number)
        line.removeFirst(Self.partLength - sought.count)
      }
    }
    look(at: line, number)
    return number
  }

  private mutating func look(at line: [UInt8], _ number: Int) {
    var start = 0
    repeat {
      let end = min(line.count, start + Self.partLength)
      look(atPart: line[start..<end], number)
      start = end == line.count ? end : end - sought.count
    } while start < line.count
  }

  private mutating func look(atPart part: ArraySlice<UInt8>, _ number: Int) {
    partCount += 1
    var score = 0
    var previous: UInt8?
    for byte in part {
      if let previous {
        let pair = Self.pair(previous, byte)
        if seen[Int(pair)] != partCount, pairs.contains(pair) { score += 1 }
        seen[Int(pair)] = partCount
      }
      previous = byte
    }
    guard score > least || candidates.count < Self.candidateCount && score > 0 else { return }
    candidates.append(Candidate(number: number, bytes: Array(part), score: score))
    guard candidates.count > Self.candidateCount * 2 else { return }
    // The first of several that are alike stays.
    candidates = candidates.enumerated().sorted {
      $0.element.score != $1.element.score
        ? $0.element.score > $1.element.score : $0.offset < $1.offset
    }.prefix(Self.candidateCount).map(\.element)
    least = candidates.last?.score ?? 0
  }

  /// The number of line ends in a range.
  static func lineCount(
    _ range: Range<Int>, of text: some LongText
  ) throws(LongTextError) -> Int {
    var count = 0
    var position = range.lowerBound
    while position < range.upperBound {
      let end = min(range.upperBound, position + 1 << 18)
      let bytes = try text.read(position..<end)
      bytes.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        var offset = 0
        while let found = memchr(base + offset, 10, bytes.count - offset) {
          count += 1
          offset = base.distance(to: UnsafeRawPointer(found)) + 1
        }
      }
      position = end
    }
    return count
  }

  // MARK: - Comparing

  private static func pair(_ first: UInt8, _ second: UInt8) -> UInt16 {
    UInt16(first) << 8 | UInt16(second)
  }

  /// Returns the least number of letters that must change so that a line has the sought text, and
  /// where it would end.
  ///
  /// The algorithm is that of P. H. Sellers (1980).
  private func distance(to line: [UInt8]) -> (distance: Int, end: Int) {
    var column = Array(0...sought.count)
    var best = (distance: sought.count, end: 0)
    for (index, byte) in line.enumerated() {
      var diagonal = column[0]
      for row in sought.indices {
        let change = diagonal + (sought[row] == byte ? 0 : 1)
        diagonal = column[row + 1]
        column[row + 1] = min(change, column[row] + 1, column[row + 1] + 1)
      }
      if column[sought.count] < best.distance { best = (column[sought.count], index + 1) }
    }
    return best
  }

  /// Returns a line, or the part of it around a place.
  private static func shown(_ line: [UInt8], around end: Int) -> String {
    let last = min(line.count, end + shownLength / 4)
    let first = max(0, line.count <= shownLength ? 0 : last - shownLength)
    let stop = line.count <= shownLength ? line.count : last
    return (first > 0 ? "…" : "") + String(decoding: line[first..<stop], as: UTF8.self)
      + (stop < line.count ? "…" : "")
  }
}

extension NearMiss {
  /// Compares what is missing with the line that comes nearest.
  fileprivate init(
    of wanted: String, _ relation: TextComparison.Relation, beside line: String, number: Int = 1
  ) {
    comparison = TextComparison(
      expected: wanted, actual: line, line: number, relation: relation)
  }
}

/// A text in memory.
struct TextInMemory: LongText {
  private let bytes: [UInt8]

  init(_ text: String) { bytes = Array(text.utf8) }

  var count: Int { bytes.count }

  func read(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }
}
