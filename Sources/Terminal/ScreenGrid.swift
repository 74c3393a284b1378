/// One cell of a screen.
struct ScreenCell: Hashable, Sendable {
  /// The character.
  var scalar: Unicode.Scalar = " "
  /// The number of columns that it takes; 0 for the right half of a wide one.
  var width: UInt8 = 1
  /// Combining characters on it: accents, joiners and selectors.
  var marks: [Unicode.Scalar] = []

  /// The largest number of marks that are kept.
  static let markLimit = 8
  /// An empty cell.
  static let blank = ScreenCell()
}

/// The cells of a screen, row by row.
///
/// A row ends where nothing was written any more, so that a large screen with little on it is small.
struct ScreenGrid: Hashable, Sendable {
  private(set) var columns: Int
  private(set) var rows: [[ScreenCell]]

  /// Creates an empty grid of at least one column and one row.
  init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = Array(repeating: [], count: max(1, rows))
  }

  // MARK: - Writing

  /// Writes a character of one or two columns over the cells there.
  mutating func put(_ scalar: Unicode.Scalar, width: Int, row: Int, column: Int) {
    guard rows.indices.contains(row), column >= 0, column + width <= columns else { return }
    split(row, at: column)
    split(row, at: column + width)
    fill(row, upTo: column + width)
    rows[row][column] = ScreenCell(scalar: scalar, width: UInt8(width))
    if width == 2 { rows[row][column + 1] = ScreenCell(scalar: " ", width: 0) }
  }

  /// Writes characters of ASCII side by side over the cells there.
  mutating func put(plain bytes: some Collection<UInt8>, row: Int, column: Int) {
    let end = column + bytes.count
    guard rows.indices.contains(row), column >= 0, end <= columns else { return }
    split(row, at: column)
    split(row, at: end)
    fill(row, upTo: column)
    let cells = bytes.lazy.map { ScreenCell(scalar: Unicode.Scalar($0)) }
    rows[row].replaceSubrange(column..<min(end, rows[row].count), with: cells)
  }

  /// Puts a mark onto the character at a place, or onto the one that reaches there.
  mutating func mark(_ scalar: Unicode.Scalar, row: Int, column: Int) {
    guard rows.indices.contains(row), rows[row].indices.contains(column) else { return }
    let isRightHalf = rows[row][column].width == 0 && column > 0
    let place = isRightHalf ? column - 1 : column
    guard rows[row][place].marks.count < ScreenCell.markLimit else { return }
    rows[row][place].marks.append(scalar)
  }

  /// Makes columns of a row blank.
  mutating func erase(_ row: Int, _ range: Range<Int>) {
    guard rows.indices.contains(row) else { return }
    split(row, at: range.lowerBound)
    split(row, at: range.upperBound)
    let end = rows[row].count
    if range.upperBound >= end {
      rows[row].removeSubrange(min(range.lowerBound, end)...)
    } else {
      for column in range { rows[row][column] = .blank }
    }
  }

  /// Moves the cells at a column and behind it to the right.
  mutating func insertBlanks(_ count: Int, row: Int, column: Int) {
    guard rows.indices.contains(row), column < rows[row].count else { return }
    split(row, at: column)
    let count = min(count, columns - column)
    rows[row].insert(contentsOf: repeatElement(.blank, count: count), at: column)
    trim(row)
  }

  /// Deletes columns; those behind them move to the left.
  mutating func delete(_ count: Int, row: Int, column: Int) {
    guard rows.indices.contains(row), column < rows[row].count else { return }
    split(row, at: column)
    split(row, at: column + count)
    rows[row].removeSubrange(column..<min(rows[row].count, column + count))
  }

  // MARK: - Scrolling

  /// Moves rows of a region up; blank ones come from below.
  mutating func scrollUp(_ region: ClosedRange<Int>, by count: Int) {
    guard count > 1 else {
      // Nearly always: the row's memory is used again.
      var row = rows.remove(at: region.lowerBound)
      row.removeAll(keepingCapacity: true)
      rows.insert(row, at: region.upperBound)
      return
    }
    let count = min(count, region.count)
    rows.replaceSubrange(
      region, with: rows[region].dropFirst(count) + repeatElement([], count: count))
  }

  /// Moves rows of a region down; blank ones come from above.
  mutating func scrollDown(_ region: ClosedRange<Int>, by count: Int) {
    let count = min(count, region.count)
    let kept = rows[region].dropLast(count)
    rows.replaceSubrange(region, with: repeatElement([], count: count) + kept)
  }

  /// Resizes the grid.
  ///
  /// Rows are cut off below `cursor`, then above it; what is cut off on the right is gone.
  ///
  /// - Returns: The number of rows that have gone above.
  mutating func resize(columns: Int, rows count: Int, keeping cursor: Int) -> Int {
    self.columns = max(1, columns)
    let count = max(1, count)
    var gone = 0
    if rows.count > count {
      gone = max(0, cursor - count + 1)
      rows = Array(rows[gone..<gone + count])
    } else {
      rows += repeatElement([], count: count - rows.count)
    }
    for row in rows.indices { trim(row) }
    return gone
  }

  // MARK: - Parts

  /// Half a wide character is none: makes both halves blank where a border goes through.
  private mutating func split(_ row: Int, at column: Int) {
    guard column > 0, column < rows[row].count, rows[row][column].width == 0 else { return }
    rows[row][column - 1] = .blank
    rows[row][column] = .blank
  }

  private mutating func fill(_ row: Int, upTo column: Int) {
    let missing = column - rows[row].count
    if missing > 0 { rows[row] += repeatElement(.blank, count: missing) }
  }

  /// Removes the cells beyond the last column.
  private mutating func trim(_ row: Int) {
    guard rows[row].count > columns else { return }
    split(row, at: columns)
    rows[row].removeSubrange(columns...)
  }
}
