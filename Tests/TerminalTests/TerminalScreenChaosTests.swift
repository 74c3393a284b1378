import Foundations
import Testing

@testable import Terminal

@Suite("A screen under anything that a program sends")
struct TerminalScreenChaosTests {
  /// Bytes that are mostly pieces of control functions.
  private func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    let pieces: [[UInt8]] = [
      "\u{1b}[", "\u{1b}", "?", ";", ":", "1", "9", "65535", "99999999999999999999", "h", "l", "H",
      "J",
      "K", "L", "M", "P", "@", "S", "T", "X", "b", "r", "\u{1b}[?1049h", "\u{1b}[?1049l", "\u{1b}7",
      "\u{1b}8", "\u{1b}M", "\u{1b}D", "\u{1b}c", "\u{1b}#8", "\u{1b}(0", "\u{1b}]", "\u{7}",
      "\u{1b}P",
      "\u{1b}\\", "\t", "\n", "\r", "\u{8}", "日", "e\u{301}", "abc", "\u{1b}[?6h", "\u{1b}[4h",
      "\u{18}",
    ].map { Array($0.utf8) }
    var bytes: [UInt8] = []
    while bytes.count < count {
      let number = random.next()
      if number % 4 == 0 {
        bytes.append(UInt8(truncatingIfNeeded: number >> 8))
      } else {
        bytes += pieces[Int(number >> 8) % pieces.count]
      }
    }
    return bytes
  }

  private func isSound(_ screen: TerminalScreen) -> Bool {
    screen.rows == screen.grid.rows.count && (0..<screen.rows).contains(screen.cursor.row)
      && (0..<screen.columns).contains(screen.cursor.column)
      && screen.region.upperBound < screen.rows
      && screen.grid.rows.allSatisfy { row in
        row.count <= screen.columns
          && row.indices.allSatisfy { column in
            let isWide = row[column].width == 2
            let isFollowed = column + 1 < row.count && row[column + 1].width == 0
            return isWide == isFollowed && row[column].marks.count <= ScreenCell.markLimit
          }
      }
  }

  @Test("The screen stays sound, whatever comes and in whatever size", arguments: 0..<40)
  func soundness(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let sizes = (0..<6).map { _ in
      TerminalSize(columns: UInt16(1 + random.next() % 40), rows: UInt16(1 + random.next() % 12))
    }
    var screen = TerminalScreen(sizes[0])
    for (index, size) in sizes.enumerated() {
      screen.resize(to: size)
      screen.take(noise(2_000, seed: UInt64(seed * 10 + index)))
      #expect(isSound(screen))
      #expect(screen.picture.count == screen.rows + 3)
    }
  }

  @Test("It does not matter in which pieces it comes", arguments: 0..<10)
  func pieces(seed: Int) {
    let bytes = noise(3_000, seed: UInt64(seed))
    var whole = TerminalScreen(TerminalSize(columns: 20, rows: 6))
    whole.take(bytes)
    var parts = TerminalScreen(TerminalSize(columns: 20, rows: 6))
    for byte in bytes { parts.take(CollectionOfOne(byte)) }
    #expect(parts.grid == whole.grid && parts.cursor == whole.cursor)
  }

  @Test("Plain text all at once is the same as one character after the other", arguments: 0..<10)
  func plainText(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var whole = TerminalScreen(TerminalSize(columns: 7, rows: 4))
    var single = whole
    for _ in 0..<200 {
      let count = random.next() % 30
      let text = (0..<count).map { _ in UInt8(0x20 + random.next() % 0x5F) }
      let steer = noise(1 + Int(random.next() % 6), seed: random.next())
      whole.take(text + steer)
      for byte in text + steer { single.take(CollectionOfOne(byte)) }
      #expect(whole.grid == single.grid && whole.cursor == single.cursor)
      #expect(
        whole.pen.wrapsNext == single.pen.wrapsNext && whole.lastPrinted == single.lastPrinted)
    }
  }

  @Test("The largest screen is bounded, and repeating fills it once")
  func bounds() {
    var screen = TerminalScreen(TerminalSize(columns: .max, rows: .max))
    #expect(screen.columns == TerminalScreen.limit && screen.rows == TerminalScreen.limit)
    screen.take("x\u{1b}[65535b\u{1b}[65535L\u{1b}[65535;65535Hy".utf8)
    #expect(screen.lines[TerminalScreen.limit - 1].hasSuffix("y"))
  }
}
