import Foundations
import Testing

@testable import Terminal

@Suite("What a terminal shows")
struct TerminalScreenTests {
  private func screen(
    _ text: String, _ columns: UInt16 = 10, _ rows: UInt16 = 4
  ) -> TerminalScreen {
    var screen = TerminalScreen(TerminalSize(columns: columns, rows: rows))
    screen.take(text.utf8)
    return screen
  }

  @Test(
    "Control functions of ECMA-48 and xterm",
    arguments: [
      ("plain", "one\r\ntwo", "one\ntwo"),
      ("line feed keeps the column", "one\ntwo", "one\n   two"),
      ("long lines go on below", "0123456789ab", "0123456789\nab"),
      ("the last column waits", "0123456789\r\nx", "0123456789\nx"),
      ("the last column waits, and moves end it", "0123456789\u{1b}[Dx", "01234567x9"),
      ("without wrapping", "\u{1b}[?7l0123456789abc", "012345678c"),
      ("backspace", "abc\u{8}\u{8}X", "aXc"),
      ("carriage return", "abc\rX", "Xbc"),
      ("tabs", "a\tb\tc", "a       bc"),
      ("tab stops of its own", "\u{1b}[3g\u{1b}[4G\u{1b}H\ra\tb", "a  b"),
      ("tabs back", "0123456789\u{1b}[Zx", "01234567x9"),
      ("scrolling", "1\r\n2\r\n3\r\n4\r\n5", "2\n3\n4\n5"),
      ("cursor to a place", "\u{1b}[2;3Hx\u{1b}[Hy\u{1b}[4;99Hz", "y\n  x\n\n         z"),
      (
        "moves stop at the edges", "\u{1b}[99A\u{1b}[99Da\u{1b}[99B\u{1b}[99Cb", "a\n\n\n         b"
      ),
      ("lines down and up", "a\u{1b}[2Eb\u{1b}[Fc", "a\nc\nb"),
      ("columns and rows", "\u{1b}[3Gx\u{1b}[2dy\u{1b}[5`z", "  x\n   yz"),
      ("erase to the end", "1234\r\n5678\r\n90\u{1b}[2;3H\u{1b}[J", "1234\n56"),
      ("erase to the beginning", "1234\r\n5678\u{1b}[2;2H\u{1b}[1J", "\n  78"),
      ("erase all, the cursor stays", "12\r\n34\u{1b}[2Jx", "\n  x"),
      ("erase a line", "abcd\u{1b}[2G\u{1b}[Kx\r\nabcd\u{1b}[2G\u{1b}[1K", "ax\n  cd"),
      ("insert characters", "abcd\u{1b}[2G\u{1b}[2@", "a  bcd"),
      ("what is pushed out is gone", "0123456789\u{1b}[G\u{1b}[2@", "  01234567"),
      ("delete characters", "abcdef\u{1b}[2G\u{1b}[2P", "adef"),
      ("blank characters", "abcdef\u{1b}[2G\u{1b}[2X", "a  def"),
      ("insert mode", "abc\r\u{1b}[4hX\u{1b}[4lY", "XYbc"),
      ("insert lines", "1\r\n2\r\n3\u{1b}[2H\u{1b}[L", "1\n\n2\n3"),
      ("delete lines", "1\r\n2\r\n3\u{1b}[1H\u{1b}[2M", "3"),
      ("a region", "1\r\n2\r\n3\r\n4\u{1b}[2;3r\u{1b}[3H\nx", "1\n3\nx\n4"),
      ("a region, upwards", "1\r\n2\r\n3\r\n4\u{1b}[2;3r\u{1b}[2H\u{1b}Mx", "1\nx\n2\n4"),
      ("lines within a region", "1\r\n2\r\n3\r\n4\u{1b}[2;3r\u{1b}[2H\u{1b}[Mx", "1\nx\n\n4"),
      ("scroll by a sequence", "1\r\n2\r\n3\u{1b}[2S", "3"),
      ("scroll down by a sequence", "1\r\n2\u{1b}[T", "\n1\n2"),
      ("origin mode", "\u{1b}[2;3r\u{1b}[?6h\u{1b}[Hx\u{1b}[9;1Hy", "\nx\ny"),
      ("keep the cursor", "ab\u{1b}7\u{1b}[4;4Hx\u{1b}8c", "abc\n\n\n   x"),
      ("the alternate screen", "a\u{1b}[?1049hb\u{1b}[2;2Hc\u{1b}[?1049lx", "ax"),
      ("on the alternate screen", "abc\u{1b}[?1049h\u{1b}[Hx", "x"),
      ("the older alternate screen", "a\u{1b}[?47hb\u{1b}[?47lx", "a x"),
      ("repeat", "-\u{1b}[4b", "-----"),
      ("line drawing", "\u{1b}(0lqk\u{1b}(Bq", "┌─┐q"),
      ("line drawing by shifting", "\u{1b})0\u{e}x\u{f}x", "│x"),
      ("colours", "\u{1b}[1;38;5;196mred\u{1b}[0m \u{1b}[38:2::1:2:3mx\u{1b}[m", "red x"),
      ("titles", "\u{1b}]0;title\u{7}a\u{1b}]2;title\u{1b}\\b\u{1b}ktitle\u{1b}\\c", "abc"),
      ("questions and their strings", "\u{1b}P+q544e\u{1b}\\a\u{1b}[c\u{1b}[6n\u{1b}[>0q", "a"),
      ("a palette of Linux", "\u{1b}]P0000000a\u{1b}]Rb", "ab"),
      ("broken off by another", "\u{1b}[12\u{1b}[2Cx", "  x"),
      ("cancelled", "\u{1b}[12\u{18}Cx", "Cx"),
      ("controls within", "a\u{1b}[2\rCx", "a x"),
      ("unknown ones", "\u{1b}[>4;2m\u{1b}[?2004h\u{1b}[22;0;0t\u{1b}=\u{1b}[!zx", "x"),
      ("a private sequence is no other", "abc\u{1b}[>1Jx", "abcx"),
      ("letters of E, and from the beginning", "\u{1b}#8\u{1b}cx", "x"),
      ("eight bits", "\u{9b}3Cx\u{85}y", "   x\ny"),
      ("wide characters", "日本x", "日本x"),
      ("a wide one has no room", "123456789日", "123456789\n日"),
      ("half of a wide one", "日本\u{1b}[2Gx", " x本"),
      ("the other half", "日本\u{1b}[3Gx", "日x"),
      ("erase through a wide one", "日本\u{1b}[2G\u{1b}[K", ""),
      ("marks sit on the one before", "e\u{301}x", "e\u{301}x"),
      ("nothing", "", ""),
    ])
  func functions(name: String, sent: String, shown: String) {
    #expect(screen(sent).text == shown, "\(name)")
  }

  @Test("Bytes that are no UTF-8 show as such, one for each part")
  func brokenText() {
    var screen = TerminalScreen(TerminalSize(columns: 20, rows: 2))
    screen.take([0x61, 0xFF, 0x62, 0xE2, 0x82, 0x63, 0xC0, 0x80, 0xE2, 0x82, 0xAC])
    #expect(screen.text == "a\u{FFFD}b\u{FFFD}c\u{FFFD}\u{FFFD}€")
  }

  @Test("Another size cuts off, keeps the line of the cursor, and adds blanks")
  func resizing() {
    var screen = screen("1\r\n2\r\n3\r\n456789")
    screen.resize(to: TerminalSize(columns: 4, rows: 2))
    #expect(screen.text == "3\n4567")
    #expect(screen.cursor == TerminalScreen.Position(row: 1, column: 3))
    screen.resize(to: TerminalSize(columns: 8, rows: 3))
    screen.take("\r\n\n\n89".utf8)
    #expect(screen.text == "\n\n89")
  }

  @Test("A failure shows the screen in a frame, each row as wide as the screen")
  func picture() {
    #expect(
      screen("a\r\n日", 4, 2).picture == [
        "the screen, 4x2, the cursor in row 2, column 3:", "┌────┐", "│a   │", "│日  │", "└────┘",
      ])
  }
}
