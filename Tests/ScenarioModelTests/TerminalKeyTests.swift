@testable import Foundations
@testable import ScenarioModel
import Testing

@Suite("Terminals in the language")
struct TerminalKeyTests {
  @Test(
    "A key sends what xterm sends",
    arguments: [
      ("ctrl-c", "\u{3}", "\u{3}"), ("ctrl-[", "\u{1b}", "\u{1b}"), ("ctrl-\\", "\u{1c}", "\u{1c}"),
      ("ctrl-@", "\0", "\0"), ("enter", "\r", "\r"), ("up", "\u{1b}[A", "\u{1b}OA"),
      ("end", "\u{1b}[F", "\u{1b}OF"), ("delete", "\u{1b}[3~", "\u{1b}[3~"),
    ])
  func keys(name: String, text: String, application: String) {
    let key = TerminalKey(name: name)
    #expect(key?.text == text)
    #expect(key?.applicationText == application)
  }

  @Test(
    "Other names are no keys", arguments: ["", "c", "ctrl-", "ctrl-é", "ctrl-cc", "Enter", "f13"])
  func others(name: String) {
    #expect(TerminalKey(name: name) == nil)
  }

  @Test("A size is columns and rows")
  func sizes() {
    #expect(TerminalSize(text: "80x24") == TerminalSize(columns: 80, rows: 24))
    #expect(TerminalSize(text: "65535x1")?.description == "65535x1")
    for wrong in [
      "80", "80x", "x24", "0x24", "80x0", "65536x1", "-1x1", "+1x1", "80X24", "80x24x1", "",
    ] {
      #expect(TerminalSize(text: wrong) == nil, "\(wrong)")
    }
  }
}
