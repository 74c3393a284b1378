extension TerminalScreen {
  /// ED: from the cursor on (0), up to it (1), or all (2).
  mutating func eraseDisplay(_ selector: Int) {
    switch selector {
    case 0:
      eraseLine(0)
      for row in (cursor.row + 1)..<max(rows, cursor.row + 1) { grid.erase(row, 0..<columns) }
    case 1:
      for row in 0..<cursor.row { grid.erase(row, 0..<columns) }
      eraseLine(1)
    case 2:
      for row in 0..<rows { grid.erase(row, 0..<columns) }
    // 3 is about what has been scrolled away.
    default: break
    }
  }

  /// EL: from the cursor on (0), up to it (1), or all (2).
  mutating func eraseLine(_ selector: Int) {
    switch selector {
    case 0: grid.erase(cursor.row, cursor.column..<columns)
    case 1: grid.erase(cursor.row, 0..<cursor.column + 1)
    case 2: grid.erase(cursor.row, 0..<columns)
    default: break
    }
  }

  /// IL: inserts blank rows at the cursor; the rows there move down within the region.
  mutating func insertRows(_ count: Int) {
    guard region.contains(cursor.row) else { return }
    grid.scrollDown(cursor.row...region.upperBound, by: count)
    move(to: Position(row: cursor.row, column: 0))
  }

  /// DL: deletes rows at the cursor; the rows below move up within the region.
  mutating func deleteRows(_ count: Int) {
    guard region.contains(cursor.row) else { return }
    grid.scrollUp(cursor.row...region.upperBound, by: count)
    move(to: Position(row: cursor.row, column: 0))
  }

  /// DECALN: the letter E everywhere.
  mutating func fillWithLetters() {
    for row in 0..<rows {
      for column in 0..<columns { grid.put("E", width: 1, row: row, column: column) }
    }
    region = 0...rows - 1
    move(to: Position(row: 0, column: 0))
  }
}
