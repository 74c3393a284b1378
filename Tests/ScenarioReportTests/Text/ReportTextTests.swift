import Testing

@testable import ScenarioReport

@Suite("Captured text is cleaned for reports")
struct ReportTextTests {
  @Test(
    "Complete terminal sequences go",
    arguments: [
      ("\u{1B}[1;31mred\u{1B}[0m", "red"),
      ("\u{1B}]0;title\u{07}text", "text"),
      ("\u{1B}]8;;http://a\u{1B}\\link", "link"),
      ("\u{1B}Pdevice\u{1B}\\text", "text"),
      ("\u{9B}31mred", "red"),
      ("cut off\u{1B}[1;3", "cut off"),
      ("cut off\u{1B}", "cut off"),
      ("cut off\u{1B}]0;tit", "cut off"),
    ])
  func sequences(text: String, expected: String) {
    #expect(ReportText.cleaned(text) == expected)
  }

  @Test(
    "Every other character that XML cannot say becomes visible",
    arguments: [
      ("\u{01}", "\\x{01}"), ("a\u{00}b", "a\\x{00}b"), ("\u{1B}c", "\\x{1B}c"),
      ("\u{FFFE}\u{FFFF}", "\\x{FFFE}\\x{FFFF}"), ("\u{1B}[\u{01}", "\\x{1B}[\\x{01}"),
    ])
  func forbidden(text: String, expected: String) {
    #expect(ReportText.cleaned(text) == expected)
  }

  @Test(
    "Ordinary text stays as it is",
    arguments: ["", "a\tb\r\nc", "👩‍👩‍👧 ÄÖÜ ｆｕｌｌ \u{FFFD} ¢ \u{85}", "\u{10FFFF}"])
  func ordinary(text: String) {
    #expect(ReportText.cleaned(text) == text)
  }

  @Test("One stray introducer does not hide the lines behind it")
  func stray() {
    #expect(ReportText.cleaned("\u{1B}]0;x\nline\n") == "\\x{1B}]0;x\nline\n")
  }

  @Test("Many stray introducers are no reason to be slow")
  func manyStrays() {
    let text = String(repeating: "\u{1B}]", count: 500_000) + "\n"
    #expect(ReportText.cleaned(text).hasSuffix("\\x{1B}]\n"))
  }
}

@Suite("Long text keeps its beginning and its end")
struct BoundedTextTests {
  @Test("Text within the limit is whole")
  func whole() {
    let bounded = BoundedText("abcd", limit: 4)
    #expect(bounded.text(fullTextIn: nil) == "abcd")
  }

  @Test("Longer text says how much is missing and where it is")
  func cut() {
    let bounded = BoundedText("abcdefghij", limit: 4)
    #expect(bounded.text(fullTextIn: nil) == "ab\n…[6 bytes omitted]…\nij")
    #expect(
      bounded.text(fullTextIn: "/d") == "ab\n…[6 bytes omitted, full text in /d]…\nij")
  }

  @Test("A character is never cut in two")
  func characters() {
    let bounded = BoundedText("😀😀😀😀", limit: 10)
    #expect(bounded.head == "😀")
    #expect(bounded.tail == "😀")
    #expect(bounded.omitted == 8)
  }

  @Test("Shrinking again counts what is missing in all")
  func again() {
    var bounded = BoundedText(String(repeating: "x", count: 100), limit: 50)
    bounded.shrink(to: 10)
    #expect(bounded.count == 10)
    #expect(bounded.omitted == 90)
    bounded.shrink(to: 0)
    #expect(bounded.text(fullTextIn: nil) == "\n…[100 bytes omitted]…\n")
  }

  @Test("What is clean stays as it is: cleaning twice is cleaning once", arguments: 600..<900)
  func idempotent(seed: Int) {
    var soup = ByteSoup(seed: UInt64(seed))
    let once = ReportText.cleaned((0..<6).map { _ in soup.text() }.joined())

    #expect(ReportText.cleaned(once) == once)
  }
}
