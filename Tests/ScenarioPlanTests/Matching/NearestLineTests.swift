import Foundations
@testable import Patterns
@testable import ScenarioPlan
import Testing

@Suite("The line that comes nearest")
struct NearestLineTests {
  /// A text of many bytes that are made when they are asked for, with a count of those.
  private final class MadeText: LongText, Sendable {
    let line: [UInt8]
    let lineCount: Int
    let odd: [Int: [UInt8]]

    /// - Parameter odd: other lines of the same length, by their numbers from 1.
    init(line: String, count: Int, odd: [Int: String]) {
      self.line = Array(line.utf8) + [10]
      lineCount = count
      self.odd = odd.mapValues { Array($0.utf8) + [10] }
    }

    var count: Int { line.count * lineCount }

    func read(_ range: Range<Int>) -> [UInt8] {
      range.map { place in
        let (row, column) = place.quotientAndRemainder(dividingBy: line.count)
        return (odd[row + 1] ?? line)[column]
      }
    }
  }

  private static let numbers = (1...500).map { "\($0)\n" }.joined()

  private func mismatch(_ condition: PlannedMatcher.Condition, _ text: String) -> Mismatch? {
    PlannedMatcher(condition, at: Samples.range)
      .mismatches(of: .text(text), scope: CaseScope(directory: "/case")).first
  }

  @Test("A part that is missing is reported with the line that is most like it")
  func contains() throws {
    let text = Self.numbers + "total 42\n" + Self.numbers
    let missing = mismatch(.contains(.value(.string("total 43"))), text)

    #expect(missing?.diff == ["the nearest is line 501:", "-total 43", "+total 42"])
    #expect(mismatch(.contains(.value(.string("total 42"))), text) == nil)
    let inverted = mismatch(.contains(.value(.string("tot l 42"))), text)
    #expect(inverted?.diff.last == "+total 42")
  }

  @Test("Of several lines the one that is not there is reported, or that they are apart")
  func severalLines() {
    func lines(_ part: String) -> [String] {
      NearestLine.miss(of: part, in: TextInMemory(Self.numbers + "alpha\nbeta\n" + Self.numbers))
        .lines
    }

    #expect(lines("alpha\nbeat") == ["the nearest is line 502:", "-beat", "+beta"])
    #expect(
      lines("beta\nalpha")
        == ["each of its 2 lines is there, but not one behind the other as they are wanted"])
    #expect(lines("alpha\nzzzzz") == [])
  }

  @Test("Of an expression the text that it spells out is looked for")
  func matches() throws {
    let text = Self.numbers + "job 7 finished in 12 ms\n" + Self.numbers
    let missing = mismatch(.matches(RegularExpression("finished in \\d+ s$")), text)

    #expect(missing?.diff == ["the nearest is line 501:", "+job 7 finished in 12 ms"])
    #expect(
      missing?.comparison
        == TextComparison(
          expected: "/finished in \\d+ s$/", actual: "job 7 finished in 12 ms", line: 501,
          relation: .expression))
  }

  @Test(
    "What an expression spells out is what stands in each of its matches",
    arguments: [
      ("total \\d+ items", "total "), ("^done\\.$", "done."), ("(a|b)", nil), ("a|b", nil),
      ("colou?r", "colo"), ("[abc]+xyz", "xyz"), ("(lost)? found", " found"), ("ab{2}c", "a"),
      ("\\w+", nil), ("[]x]end", "end"),
    ] as [(String, String?)])
  func literals(expression: String, literal: String?) {
    #expect(NearestLine.literal(in: expression) == literal)
  }

  @Test(
    "Where nothing is near, nothing is reported",
    arguments: [
      ("zzzzzzzz", "one\ntwo\nthree\nfour\n" + numbers), ("ab", "a\nb\n"), ("", "x\ny\n"),
      ("total 43", ""), ("total 43", "total 42\n"),
    ])
  func nothingNear(part: String, text: String) {
    #expect(NearestLine.miss(of: part, in: TextInMemory(text)).lines == [])
  }

  @Test(
    "What is missing stands beside the nearest line, or where it was to be",
    arguments: [
      (.contains(.value(.string("total 43"))), .part, "total 43", "total 42", 501),
      (.startsWith(.value(.string("one\n2"))), .start, "one\n2", "1\n2", 1),
      (.endsWith(.value(.string("499\n501\n"))), .end, "499\n501\n", "499\n500", 1000),
    ] as [(PlannedMatcher.Condition, TextComparison.Relation, String, String, Int)])
  func sideBySide(
    condition: PlannedMatcher.Condition, relation: TextComparison.Relation, expected: String,
    actual: String, line: Int
  ) throws {
    let text = Self.numbers + "total 42\n" + Self.numbers
    let comparison = TextComparison(
      expected: expected, actual: actual, line: line, relation: relation)
    let matcher = PlannedMatcher(condition, at: Samples.range)
    let long = try matcher.mismatches(
      ofLong: TextInMemory(text), scope: CaseScope(directory: "/case"))

    #expect(mismatch(condition, text)?.comparison == comparison)
    #expect(long.first?.comparison == comparison)
    // What is only judged is not compared.
    #expect(
      matcher.check(.text(text), scope: CaseScope(directory: "/case"))?.comparison == nil)
  }

  @Test("A text of one short line is compared as it is, and an empty one not at all")
  func shortText() {
    let part = PlannedMatcher.Condition.contains(.value(.string("welcome, ada")))

    #expect(
      mismatch(part, "hello, bob\n")?.comparison
        == TextComparison(expected: "welcome, ada", actual: "hello, bob", relation: .part))
    #expect(mismatch(part, "")?.comparison == nil)
    #expect(mismatch(.startsWith(.value(.string("a"))), "")?.comparison == nil)
  }

  @Test("A long line is shown around the place")
  func longLine() throws {
    let line =
      String(repeating: "x ", count: 5_000) + "total 42" + String(repeating: " y", count: 5_000)
    let lines = NearestLine.miss(of: "total 43", in: TextInMemory("first\n" + line + "\n"))
      .lines

    let shown = try #require(lines.last)
    #expect(lines.first == "the nearest is line 2:")
    #expect(shown.contains("total 42"))
    #expect(shown.hasPrefix("+…") && shown.hasSuffix("…"))
    #expect(shown.utf8.count < 300)
  }

  @Test("Of a text of many megabytes both ends are looked at, and every line is counted")
  func longText() throws {
    let odd = "total 42" + String(repeating: "0", count: 991)
    func lines(_ number: Int) -> [String] {
      let text = MadeText(
        line: String(repeating: "0", count: 999), count: 12_000, odd: [number: odd])
      return NearestLine.miss(of: "total 43", in: text).lines
    }

    #expect(lines(2).first == "the nearest is line 2:")
    #expect(lines(11_999).first == "the nearest is line 11999:")
    #expect(lines(6_000) == [])
  }
}
