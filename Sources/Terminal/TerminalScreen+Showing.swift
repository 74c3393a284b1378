internal import Foundations

extension TerminalScreen {
  /// Shows a character at the cursor.
  mutating func show(_ scalar: Unicode.Scalar) {
    let shown = translated(scalar)
    let width = TerminalText.width(of: shown)
    guard width > 0 else { return mark(shown) }
    // There is no room for it in any column.
    guard width <= columns else { return }
    lastPrinted = shown
    if writing.wraps, pen.wrapsNext || cursor.column + width > columns {
      cursor.column = 0
      index()
    }
    let column = min(cursor.column, columns - width)
    if writing.inserts { grid.insertBlanks(width, row: cursor.row, column: column) }
    grid.put(shown, width: width, row: cursor.row, column: column)
    let next = column + width
    cursor.column = min(next, columns - 1)
    pen.wrapsNext = next >= columns
  }

  /// Shows printable ASCII, as much at once as fits: nearly all of what programs send.
  mutating func show(plain bytes: some Collection<UInt8>) {
    guard writing.wraps, !writing.inserts, !pen.sets.areGraphics[pen.sets.used] else {
      for byte in bytes { show(Unicode.Scalar(byte)) }
      return
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      if pen.wrapsNext {
        cursor.column = 0
        index()
      }
      let piece = rest.prefix(columns - cursor.column)
      grid.put(plain: piece, row: cursor.row, column: cursor.column)
      let next = cursor.column + piece.count
      cursor.column = min(next, columns - 1)
      pen.wrapsNext = next >= columns
      rest = rest.dropFirst(piece.count)
      if rest.isEmpty {
        for byte in piece.suffix(1) { lastPrinted = Unicode.Scalar(byte) }
      }
    }
  }

  /// REP: the last character again.
  mutating func repeatLast(_ count: Int) {
    guard let lastPrinted else { return }
    // More than fill the screen change nothing that more than once would.
    let sets = pen.sets
    pen.sets = CharacterSets()
    for _ in 0..<min(count, columns * rows) { show(lastPrinted) }
    pen.sets = sets
  }

  private mutating func mark(_ scalar: Unicode.Scalar) {
    grid.mark(scalar, row: cursor.row, column: pen.wrapsNext ? cursor.column : cursor.column - 1)
  }

  private func translated(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard pen.sets.areGraphics[pen.sets.used], (0x5F...0x7E).contains(scalar.value) else {
      return scalar
    }
    return Self.graphics[Int(scalar.value) - 0x5F]
  }

  /// The line drawing set of DEC, from 0x5F to 0x7E (VT220 Programmer Reference Manual, table 2-4).
  private static let graphics: [Unicode.Scalar] = [
    " ", "◆", "▒", "␉", "␌", "␍", "␊", "°", "±", "␤", "␋", "┘", "┐", "┌", "└", "┼", "⎺", "⎻", "─",
    "⎼", "⎽",
    "├", "┤", "┴", "┬", "│", "≤", "≥", "π", "≠", "£", "·",
  ]
}
