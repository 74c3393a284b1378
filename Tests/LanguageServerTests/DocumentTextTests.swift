import Foundations
@testable import LanguageServer
import Testing

@Suite("Texts as clients count them")
struct DocumentTextTests {
  private func position(_ line: Int, _ character: Int) -> EditorPosition {
    EditorPosition(line: line, character: character)
  }

  @Test(
    "Columns are counted in the units that were agreed on",
    arguments: [(PositionEncoding.utf8, 7), (.utf16, 4), (.utf32, 3)])
  func units(encoding: PositionEncoding, column: Int) {
    // One byte, two bytes, four bytes: the x stands behind them.
    let text = DocumentText("aé😀x\n")

    #expect(text.position(of: 7, encoding) == position(0, column))
    #expect(text.offset(of: position(0, column), encoding) == 7)
  }

  @Test("A place amid a scalar is its beginning")
  func surrogates() {
    let text = DocumentText("😀x")

    #expect(text.offset(of: position(0, 1), .utf16) == 0)
    #expect(text.offset(of: position(0, 3), .utf8) == 0)
    #expect(text.offset(of: position(0, 2), .utf16) == 4)
  }

  @Test("Places beyond a line or the text are their ends")
  func beyond() {
    let text = DocumentText("ab\r\ncd\rx")

    #expect(text.lineCount == 3)
    #expect(text.offset(of: position(0, 99), .utf16) == 2)
    #expect(text.offset(of: position(1, 99), .utf16) == 6)
    #expect(text.offset(of: position(99, 0), .utf16) == 8)
    #expect(text.position(of: 99, .utf16) == position(2, 1))
  }

  @Test("However a text is changed, its lines are those of the new text")
  func changes() {
    var random = SplitMix64(seed: 7)
    let pieces = ["a", "\n", "\r\n", "\r", "é", "😀", "key: value\n", ""]
    var text = DocumentText("")
    for _ in 0..<2000 {
      func place() -> EditorPosition {
        position(
          Int(random.next() % UInt64(text.lineCount + 1)), Int(random.next() % 6))
      }
      let piece = pieces[Int(random.next() % UInt64(pieces.count))]
      text.replace(EditorRange(start: place(), end: place()), with: piece, .utf16)

      let whole = DocumentText(text.text)
      #expect(whole.bytes == text.bytes)
      #expect(
        (0..<whole.lineCount).map { whole.line($0) } == (0..<text.lineCount).map { text.line($0) })
      if text.bytes.count > 400 { text = DocumentText("") }
    }
  }
}
