import Foundations
import Testing

@Suite("What was expected beside what came")
struct TextComparisonTests {
  @Test("Texts of one line are whole, and a final line's end does not count")
  func short() {
    let comparison = TextComparison(expected: "a", actual: "b\n")

    #expect(comparison.expected == "a")
    #expect(comparison.actual == "b")
    #expect(comparison.line == 1)
  }

  @Test("Of long texts the lines that differ are kept, with three around them and their number")
  func window() {
    let lines = (1...100).map { "line \($0)" }
    var other = lines
    other[49] = "changed"
    other.insert("added", at: 51)
    let comparison = TextComparison(
      expected: lines.joined(separator: "\n"), actual: other.joined(separator: "\n"))

    #expect(comparison.line == 47)
    #expect(comparison.expected.split(separator: "\n").first == "line 47")
    #expect(comparison.expected.split(separator: "\n").last == "line 54")
    #expect(comparison.actual.split(separator: "\n").count == 9)
    #expect(comparison.actual.contains("changed\nline 51\nadded\nline 52"))
  }

  @Test("A text that goes on where the other ends keeps what both have before")
  func end() {
    let comparison = TextComparison(expected: "a\nb\nc\nd\ne", actual: "a\nb\nc\nd\ne\nf", line: 10)

    #expect(comparison.expected == "c\nd\ne")
    #expect(comparison.actual == "c\nd\ne\nf")
    #expect(comparison.line == 12)
  }

  @Test("Letters that look alike and have other bytes are a difference")
  func bytes() {
    let comparison = TextComparison(expected: "x\nx\nx\nx\n\u{E9}", actual: "x\nx\nx\nx\ne\u{301}")

    #expect(comparison.line == 2)
    #expect(comparison.expected.utf8.count != comparison.actual.utf8.count)
  }

  @Test("What is cut says so, between letters")
  func bounded() {
    let text = String(repeating: "\u{E9}", count: 40_000)
    let comparison = TextComparison(expected: "a" + text, actual: "b")

    #expect(comparison.expected.utf8.count < 17 << 10)
    #expect(comparison.expected.hasSuffix("\u{E9}…"))
  }
}
