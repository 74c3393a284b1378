@testable import ScenarioTools
import Testing

@Suite("Sketching expectations")
struct OutputSketchTests {
  @Test("What is the same twice is expected exactly, and silence as silence")
  func same() {
    #expect(OutputTemplate(["a\nb\n", "a\nb\n"]).expectation == .equals("a\nb\n"))
    #expect(OutputTemplate(["", ""]).expectation == .empty)
    #expect(OutputTemplate(["", "a"]).expectation == .unknown)
  }

  @Test(
    "Of two lines that differ, words that differ are loosened to what they are made of",
    arguments: [
      ("pid 12 of 3", "pid 457 of 3", "^pid \\d+ of 3$"),
      ("id 3fa-9", "id bc1-9", "^id [0-9a-f]+-9$"), ("a.b (x)", "a.b (y)", "^a\\.b \\(\\w+\\)$"),
      ("in /tmp/s-a1/f", "in /tmp/s-zz/f", "^in /tmp/s-\\w+/f$"),
      ("one two", "one two three", "^one two.*$"), ("", "x", "^.*$"),
    ])
  func loosened(first: String, second: String, pattern: String) {
    #expect(GeneralizedPattern([first, second]).pattern == pattern)
  }

  @Test(
    "Only lines that change are loosened; where their number changes, one that stays is expected")
  func lines() {
    #expect(
      OutputTemplate(["a\n1\n", "a\n2\n"]).expectation == .lines([.text("a"), .pattern("^\\d+$")]))
    #expect(OutputTemplate(["same\n1\n", "same\n"]).expectation == .contains(["same"]))
    #expect(OutputTemplate(["1\n2\n", "3\n"]).expectation == .anything)
  }

  @Test("Of long output the ends are expected, and of binary output what a person can read")
  func special() {
    let long = (1...500).map { "line \($0)\n" }.joined()
    #expect(OutputTemplate([long, long]).expectation == .contains(["line 1", "line 500"]))
    #expect(
      OutputTemplate(["magic\0\u{FFFD}", "magic\0\u{FFFD}"]).expectation == .contains(["magic"]))
    #expect(OutputTemplate(["\0", "\0"]).expectation == .anything)
  }

  @Test("What two runs have in common by chance is loosened by a third")
  func severalRuns() {
    let two = OutputTemplate(["a1 d7 id\n", "b2 d7 id\n"])
    #expect(two.expectation == .lines([.pattern("^[0-9a-f]+ d7 id$")]))
    let three = OutputTemplate(["a1 d7 id\n", "b2 d7 id\n", "b2 e9 id\n"])
    #expect(three.expectation == .lines([.pattern("^[0-9a-f]+ [0-9a-f]+ id$")]))
    #expect(OutputTemplate(["same\n", "same\n", "same\n"]).expectation == .equals("same\n"))
    #expect(OutputTemplate(["one\n", "one\n", ""]).expectation == .unknown)
    let sometimes = OutputTemplate(["head\nx\n", "head\ny\n", "head\n"])
    #expect(sometimes.expectation == .contains(["head"]))
  }

  @Test("A mark stands for a path: an expression where there is one, and a pattern elsewhere")
  func marks() {
    let (work, home) = (PlaceMark.work.text, PlaceMark.home.text)
    let template = CommandTemplate(name: "a", command: ["a"])
    func expectation(_ outputs: [String]) -> String {
      let text = template.text(ending: nil, output: OutputTemplate(outputs).expectation)
      return String(text[(text.firstRange(of: "expect:\n")?.upperBound ?? text.endIndex)...])
    }
    #expect(expectation(["\(work)/a\n", "\(work)/a\n"]) == "  stdout: |\n    ${{ dir }}/a\n")
    #expect(
      expectation(["\(work)\n\(home)/.a (+)\n"])
        == """
          stdout:
            lines:
              - "${{ dir }}"
              - { matches: "^/.+/home/\\\\.a \\\\(\\\\+\\\\)$" }

        """)
    #expect(
      expectation(["\(work) 1", "\(work) 2"]).contains(#"{ matches: "^/.+/work \\d+$" }"#))
    // A dollar sign in front would make plain text of the expression.
    #expect(expectation(["$\(work)"]).contains(#"matches: "^\\$/.+/work$""#))
  }

  @Test("The folder of a command stands in its arguments as a mark, and the root as it is")
  func folders() {
    let mark = PlaceMark.work.text
    #expect(RecordedTemplate.hiding("/srv/a", in: "/srv/a/b:/srv/ab") == mark + "/b:/srv/ab")
    #expect(RecordedTemplate.hiding("/srv/a", in: "/srv/a") == mark)
    #expect(RecordedTemplate.hiding("/", in: "http://a.test/b") == "http://a.test/b")
    #expect(RecordedTemplate.hiding("/", in: "/") == "/")
  }

  @Test("A final newline more or less is no change")
  func finalNewline() {
    let template = OutputTemplate(["a\nb\n", "a\nb"])
    #expect(template.expectation == .equals("a\nb\n") && template.note == nil)
    #expect(OutputTemplate(["a\nb\n", "a\nc"]).expectation != .equals("a\nb\n"))
  }
}
