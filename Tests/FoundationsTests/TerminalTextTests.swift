import Foundations
import Testing

@Suite("Text of the target cannot steer the terminal")
struct TerminalTextTests {
  @Test(
    "Control characters become visible",
    arguments: [
      ("\u{1B}[2J", "\\x{1B}[2J"), ("\u{9B}2J", "\\x{9B}2J"), ("a\rb", "a\\x{0D}b"),
      ("\u{07}", "\\x{07}"), ("\u{7F}", "\\x{7F}"), ("\u{202E}abc", "\\x{202E}abc"),
    ])
  func controls(text: String, expected: String) {
    #expect(TerminalText.lines(text) == expected)
  }

  @Test("Line breaks and tabs stay, in either form")
  func lines() {
    #expect(TerminalText.lines("a\tb\r\nc\n") == "a\tb\nc\n")
  }

  @Test("What must stay on one line does")
  func line() {
    #expect(TerminalText.line("a\nb\r\nc") == "a\\nb\\x{0D}\\nc")
  }
}
