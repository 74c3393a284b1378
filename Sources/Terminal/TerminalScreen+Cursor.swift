extension TerminalScreen {
  /// Puts the cursor on the screen, as near as can be.
  mutating func move(to place: Position) {
    cursor.row = min(max(0, place.row), rows - 1)
    cursor.column = min(max(0, place.column), columns - 1)
    pen.wrapsNext = false
  }

  /// Moves the cursor by rows; it stays within the region, or on the screen where it was outside.
  mutating func moveRows(_ count: Int) {
    let top = cursor.row >= region.lowerBound ? region.lowerBound : 0
    let bottom = cursor.row <= region.upperBound ? region.upperBound : rows - 1
    move(
      to: Position(row: min(max(top, cursor.row + count), bottom), column: cursor.column))
  }

  /// Moves the cursor by columns.
  mutating func moveColumns(_ count: Int) {
    move(to: Position(row: cursor.row, column: cursor.column + count))
  }

  /// Puts the cursor to a row and a column, counted from 0; DECOM lets rows count from the region.
  mutating func address(row: Int, column: Int) {
    guard pen.isInOrigin else { return move(to: Position(row: row, column: column)) }
    let bounded = min(region.lowerBound + row, region.upperBound)
    move(to: Position(row: bounded, column: column))
  }

  /// IND: the next row; the region scrolls at its end.
  mutating func index() {
    pen.wrapsNext = false
    if cursor.row == region.upperBound {
      grid.scrollUp(region, by: 1)
    } else if cursor.row < rows - 1 {
      cursor.row += 1
    }
  }

  /// RI: the row before; the region scrolls at its beginning.
  mutating func reverseIndex() {
    pen.wrapsNext = false
    if cursor.row == region.lowerBound {
      grid.scrollDown(region, by: 1)
    } else if cursor.row > 0 {
      cursor.row -= 1
    }
  }

  // MARK: - Tabs

  /// Moves to a tab stop further on, or at the end of the line.
  mutating func tab(_ count: Int) {
    var column = cursor.column
    for _ in 0..<min(count, columns) where column < columns - 1 {
      column += 1
      while column < columns - 1, !isTabStop(column) { column += 1 }
    }
    // What is to be written behind the last column stays so (xterm).
    cursor.column = column
  }

  /// Moves to a tab stop before, or at the beginning of the line.
  mutating func backTab(_ count: Int) {
    var column = cursor.column
    for _ in 0..<min(count, columns) where column > 0 {
      column -= 1
      while column > 0, !isTabStop(column) { column -= 1 }
    }
    move(to: Position(row: cursor.row, column: column))
  }

  private func isTabStop(_ column: Int) -> Bool {
    tabStops?.contains(column) ?? column.isMultiple(of: 8)
  }

  /// Sets or clears a stop here.
  mutating func setTabStop(_ isSet: Bool) {
    var stops = tabStops ?? Set(stride(from: 0, to: Self.limit, by: 8))
    if isSet { stops.insert(cursor.column) } else { stops.remove(cursor.column) }
    tabStops = stops
  }

  // MARK: - Keeping the cursor

  /// DECSC.
  mutating func saveCursor() {
    saved = pen
  }

  /// DECRC; the first place where nothing was kept.
  mutating func restoreCursor() {
    pen.isInOrigin = saved.isInOrigin
    pen.sets = saved.sets
    move(to: saved.position)
    pen.wrapsNext = saved.wrapsNext && cursor.column == columns - 1
  }

  // MARK: - The alternate screen

  /// Shows the alternate screen, blank, or the main one as it was.
  mutating func showAlternate(_ isShown: Bool) {
    guard isShown != (mainGrid != nil) else { return }
    swap(&saved, &savedOnMain)
    if isShown {
      mainGrid = grid
      grid = ScreenGrid(columns: columns, rows: rows)
    } else if let main = mainGrid {
      grid = main
      mainGrid = nil
    }
  }
}
