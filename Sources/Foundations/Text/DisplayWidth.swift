/// Measures text in terminal columns.
enum DisplayWidth {
  /// 0 for marks that sit on their neighbour, 2 for East Asian wide letters and emoji, else 1.
  static func of(_ scalar: Unicode.Scalar) -> Int {
    guard scalar.value >= 0x300 else { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation { return 2 }
    return wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// Blocks whose letters are wide or full width (Unicode Standard Annex #11).
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]
}

/// A source line as a terminal shows it, with the place of each scalar.
struct DisplayLine {
  /// The text to print: tabs as spaces, and nothing that could steer the terminal.
  private(set) var text = ""
  /// The display column (from 0) at which each scalar begins, and one more for the line's end.
  private(set) var columns: [Int] = []

  private static let tabWidth = 4

  init(_ line: String) {
    var width = 0
    for scalar in line.unicodeScalars {
      columns.append(width)
      if scalar == "\t" {
        let step = Self.tabWidth - width % Self.tabWidth
        text += String(repeating: " ", count: step)
        width += step
      } else if TerminalText.isUnsafe(scalar) {
        text.unicodeScalars.append("\u{FFFD}")
        width += 1
      } else {
        text.unicodeScalars.append(scalar)
        width += DisplayWidth.of(scalar)
      }
    }
    columns.append(width)
  }

  /// The display column of a source column counted from 1; columns beyond the end go on one by one.
  func column(of sourceColumn: Int) -> Int {
    let index = max(0, sourceColumn - 1)
    guard index < columns.count else {
      return (columns.last ?? 0) + index - (columns.count - 1)
    }
    return columns[index]
  }
}
