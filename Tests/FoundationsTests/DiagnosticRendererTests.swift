import Foundations
import Testing

@Suite struct DiagnosticRendererTests {
  private func render(
    _ text: String, line: Int = 1, column: Int, length: Int = 1, coloured: Bool = false
  ) -> String {
    let renderer = DiagnosticRenderer(isColoured: coloured) { _ in text }
    let range = SourceRange(file: "f", line: line, column: column, length: length)
    return renderer.render(Diagnostic("m", code: .badSyntax, at: range))
  }

  @Test("Tabs, wide letters and combining marks do not move the caret")
  func measuresWidth() {
    #expect(render("\ta\tbc", column: 4, length: 2).contains("1 |     a   bc\n  |         ^^\n"))
    #expect(render("日本 x", column: 4).contains("  |      ^\n"))
    #expect(render("日本 x", column: 2).contains("  |   ^^\n"))
    #expect(render("e\u{301}x", column: 3).contains("  |  ^\n"))
    #expect(render("😀x", column: 2).contains("  |   ^\n"))
  }

  @Test("Of a line as long as a file, what stands around the place is shown as ever")
  func longLine() {
    let lead = String(repeating: "日", count: 300_000)
    let tail = String(repeating: "y", count: 300_000)
    let far = render(lead + "a: [b" + tail, column: 300_004, length: 1)
    let near = render(String(repeating: "日", count: 3_000) + "a: [b" + tail, column: 3_004)

    #expect(far.replacing(":300004:", with: ":3004:") == near)
    #expect(far.contains("日a: [by"))
    #expect(render(tail + "]", column: 300_001).contains("y]\n"))
  }

  @Test("Only LF, CR LF and CR end the line that is shown")
  func lineEnds() {
    let text = "a\r\nb\u{85}c\u{2028}d\re"

    #expect(
      render(text, line: 2, column: 5).contains("2 | b\u{FFFD}c\u{FFFD}d\n  |     ^\n"))
    #expect(render(text, line: 3, column: 1).contains("3 | e\n  | ^\n"))
  }

  @Test("Control characters of a file do not reach the terminal")
  func hidesControls() {
    let text = render("a\u{1B}[31mb\u{202E}c", column: 2)

    #expect(!text.contains("\u{1B}"))
    #expect(!text.contains("\u{202E}"))
    #expect(text.contains("1 | a\u{FFFD}[31mb\u{FFFD}c\n  |  ^\n"))
  }

  @Test("Control characters of a path, a message and its parts become visible")
  func escapesParts() {
    let path = "a\u{1B}[2Jb.yaml"
    let renderer = DiagnosticRenderer { $0 == path ? "first\nse\u{1B}cond\n" : nil }
    let message = DiagnosticRenderer.Message(
      label: "error", message: "unknown key \"\u{1B}[31m\"",
      range: SourceRange(file: path, line: 2, column: 4), caretText: "was\n\u{9B}2J",
      details: ["\u{07}one\ntwo"],
      notes: [
        Diagnostic.Note("\u{202E}note", at: SourceRange(file: path, line: 1, column: 1))
      ], help: "press \u{7F}")

    #expect(
      renderer.render(message) == """
        a\\x{1B}[2Jb.yaml:2:4: error: unknown key "\\x{1B}[31m"
          |
        2 | se\u{FFFD}cond
          |    ^ was\\n\\x{9B}2J
        \\x{07}one
        two
        a\\x{1B}[2Jb.yaml:1:1: note: \\x{202E}note
          |
        1 | first
          | ^
        help: press \\x{7F}

        """)
  }

  @Test("Colours stay the only control sequences")
  func escapesBesideColours() {
    let renderer = DiagnosticRenderer(isColoured: true) { _ in nil }

    let text = renderer.render(Diagnostic("a\u{1B}[0m", code: .badSyntax, at: nil))

    #expect(text == "\u{1B}[1;31merror[E004]:\u{1B}[0m a\\x{1B}[0m\n")
  }

  @Test("A wide line is shown in part, with the caret in place")
  func cropsWideLines() {
    let text = String(repeating: "a", count: 300) + "X" + String(repeating: "b", count: 300)
    let lines = render(text, column: 301).split(separator: "\n")

    let caret = lines[3].unicodeScalars.prefix { $0 != "^" }.count
    #expect(Array(lines[2].unicodeScalars)[caret] == "X")
    #expect(lines[2].hasPrefix("1 | …a"))
    #expect(lines[2].hasSuffix("b…"))
    #expect(lines[2].unicodeScalars.count < 170)
  }

  @Test("A place behind the end of the file, or in an unknown file, shows no wrong line")
  func survivesMissingText() {
    #expect(render("a", line: 9, column: 1) == "f:9:1: error[E004]: m\n")
    let renderer = DiagnosticRenderer { _ in nil }
    let range = SourceRange(file: "f", line: 1, column: 1)
    #expect(
      renderer.render(Diagnostic("m", code: .badSyntax, at: range)) == "f:1:1: error[E004]: m\n")
    #expect(
      renderer.render(Diagnostic("m", code: .badSyntax, at: nil, help: "h"))
        == "error[E004]: m\nhelp: h\n")
    #expect(render("a", column: 5) == "f:1:5: error[E004]: m\n  |\n1 | a\n  |     ^\n")
  }

  @Test("The actual value, details, notes and help stand in order")
  func ordersParts() {
    let renderer = DiagnosticRenderer { _ in "first\nexit: 0\n" }
    let message = DiagnosticRenderer.Message(
      label: "failed", message: "the exit code differs",
      range: SourceRange(file: "f", line: 2, column: 7), caretText: "was 3",
      details: ["- 0", "+ 3"],
      notes: [Diagnostic.Note("begun here", at: SourceRange(file: "f", line: 1, column: 1))],
      help: "look")

    #expect(
      renderer.render(message) == """
        f:2:7: failed: the exit code differs
          |
        2 | exit: 0
          |       ^ was 3
        - 0
        + 3
        f:1:1: note: begun here
          |
        1 | first
          | ^
        help: look

        """)
  }

  @Test("Colour changes nothing but colour")
  func colours() {
    let plain = render("abc", column: 2)
    var coloured = render("abc", column: 2, coloured: true)

    #expect(coloured.contains("\u{1B}[1;31merror[E004]:\u{1B}[0m"))
    while let start = coloured.firstIndex(of: "\u{1B}"),
      let end = coloured[start...].firstIndex(of: "m")
    {
      coloured.removeSubrange(start...end)
    }
    #expect(coloured == plain)
  }
}
