import Foundations
import Testing

@testable import Terminal

@Suite("What a terminal answers")
struct TerminalAnswerTests {
  private func answers(_ text: String) -> String {
    var screen = TerminalScreen(TerminalSize(columns: 10, rows: 4))
    screen.take(text.utf8)
    return String(decoding: screen.takeReplies(), as: UTF8.self)
  }

  @Test(
    "Questions are answered as xterm does, from what the screen is at that point of the output",
    arguments: [
      ("it works", "\u{1b}[5n", "\u{1b}[0n"),
      ("where the cursor is", "ab\r\ncd\u{1b}[6nef", "\u{1b}[2;3R"),
      ("each at its place", "\u{1b}[6na\u{1b}[6n", "\u{1b}[1;1R\u{1b}[1;2R"),
      ("the end of the screen", "\u{1b}7\u{1b}[r\u{1b}[999;999H\u{1b}[6n\u{1b}8", "\u{1b}[4;10R"),
      ("in the last column", "0123456789\u{1b}[6n", "\u{1b}[1;10R"),
      ("within the region", "\u{1b}[2;3r\u{1b}[?6h\u{1b}[2;2H\u{1b}[6n", "\u{1b}[2;2R"),
      ("with the page", "abc\u{1b}[?6n", "\u{1b}[?1;4;1R"),
      ("which one it is", "\u{1b}[c\u{1b}[0c\u{1b}Z", "\u{1b}[?62;22c\u{1b}[?62;22c\u{1b}[?62;22c"),
      ("and of what make", "\u{1b}[>c\u{1b}[>0c", "\u{1b}[>1;10;0c\u{1b}[>1;10;0c"),
      ("and of what number", "\u{1b}[=c", "\u{1b}P!|00000000\u{1b}\\"),
      (
        "its name", "\u{1b}[>q\u{1b}[>0q",
        "\u{1b}P>|scenario(1)\u{1b}\\\u{1b}P>|scenario(1)\u{1b}\\"
      ),
      ("its size", "\u{1b}[18t\u{1b}[19t\u{1b}[11t", "\u{1b}[8;4;10t\u{1b}[9;4;10t\u{1b}[1t"),
      ("colours, ended as asked", "\u{1b}]10;?\u{7}", "\u{1b}]10;rgb:0000/0000/0000\u{7}"),
      ("the background", "\u{1b}]11;?\u{1b}\\", "\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\"),
      (
        "several at once", "\u{1b}]11;?;?;?\u{7}",
        "\u{1b}]11;rgb:ffff/ffff/ffff\u{7}\u{1b}]12;rgb:0000/0000/0000\u{7}"
      ),
      (
        "colours of its own", "\u{1b}]11;rgb:1/fe/0123\u{7}\u{1b}]11;?\u{7}",
        "\u{1b}]11;rgb:1111/fefe/0123\u{7}"
      ),
      (
        "and by the upper bits", "\u{1b}]10;#ff8000\u{7}\u{1b}]10;?\u{7}",
        "\u{1b}]10;rgb:ff00/8000/0000\u{7}"
      ),
      (
        "until they are given back", "\u{1b}]11;#000\u{7}\u{1b}]111\u{7}\u{1b}]11;?\u{7}",
        "\u{1b}]11;rgb:ffff/ffff/ffff\u{7}"
      ),
      ("modes", "\u{1b}[?7$p\u{1b}[?25l\u{1b}[?25$p", "\u{1b}[?7;1$y\u{1b}[?25;2$y"),
      (
        "modes of pasting", "\u{1b}[?2004$p\u{1b}[?2004h\u{1b}[?2004$p",
        "\u{1b}[?2004;2$y\u{1b}[?2004;1$y"
      ),
      ("the alternate screen", "\u{1b}[?1049h\u{1b}[?1049$p", "\u{1b}[?1049;1$y"),
      ("modes of ECMA-48", "\u{1b}[4h\u{1b}[4$p\u{1b}[20$p", "\u{1b}[4;1$y\u{1b}[20;2$y"),
      ("unknown modes", "\u{1b}[?9999h\u{1b}[?9999$p\u{1b}[99$p", "\u{1b}[?9999;0$y\u{1b}[99;0$y"),
      (
        "modes begin anew", "\u{1b}[?25l\u{1b}[?2004h\u{1b}c\u{1b}[?25$p\u{1b}[?2004$p",
        "\u{1b}[?25;1$y\u{1b}[?2004;2$y"
      ),
      (
        "settings", "\u{1b}[2;3r\u{1b}P$qr\u{1b}\\\u{1b}P$qm\u{1b}\\",
        "\u{1b}P1$r2;3r\u{1b}\\\u{1b}P0$r\u{1b}\\"
      ),
      ("terminfo is not told", "\u{1b}P+q544e\u{1b}\\", "\u{1b}P0+r\u{1b}\\"),
      ("in eight bits", "\u{9b}5n", "\u{1b}[0n"),
    ])
  func questions(name: String, asked: String, answered: String) {
    #expect(answers(asked) == answered, "\(name)")
  }

  @Test(
    "What is no question is not answered",
    arguments: [
      "\u{1b}[1c", "\u{1b}[>1c", "\u{1b}[7n", "\u{1b}[?5n", "\u{1b}[!p", "\u{1b}[1t",
      "\u{1b}]0;?\u{7}",
      "\u{1b}]13;?\u{7}", "\u{1b}]11;?", "\u{1b}]11;?\u{18}", "\u{1b}]11;?\u{1b}[m",
      "\u{1b}]11;ä?\u{7}",
      "\u{1b}]-9223372036854775808;?\u{7}", "\u{1b}]99999999999999999999;?\u{7}",
      "\u{1b}P$qr\u{18}", "\u{1b}^$qr\u{1b}\\", "\u{1b}_+q\u{1b}\\", "\u{1b}[>4;2m",
    ])
  func noQuestions(text: String) {
    #expect(answers(text) == "")
  }

  @Test("A question that comes in pieces is one, and an answer is given once")
  func pieces() {
    var screen = TerminalScreen(TerminalSize(columns: 10, rows: 4))
    for byte in "a\u{1b}[6n\u{1b}]11;?\u{1b}\\".utf8 { screen.take(CollectionOfOne(byte)) }
    let replies = String(decoding: screen.takeReplies(), as: UTF8.self)
    #expect(replies == "\u{1b}[1;2R\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\")
    #expect(screen.takeReplies() == [] && screen.text == "a")
  }

  @Test("Who asks without end, or says no end, gets no more than a bound")
  func bounded() {
    #expect(answers(String(repeating: "\u{1b}[c", count: 100_000)).utf8.count < 70_000)
    let long = "\u{1b}]11;?" + String(repeating: ";?", count: 100_000) + "\u{7}"
    #expect(answers(long) == "")
  }

  @Test("The keys of the cursor are asked for among other modes, and given back")
  func cursorKeys() {
    var screen = TerminalScreen(TerminalSize(columns: 10, rows: 4))
    #expect(!screen.hasApplicationCursorKeys)
    screen.take("\u{1b}[?1;2004h".utf8)
    #expect(screen.hasApplicationCursorKeys)
    screen.take("\u{1b}[!p".utf8)
    #expect(!screen.hasApplicationCursorKeys)
  }
}
