internal import Foundations

/// The alignment of a snapshot's lines with a changed output: pairs of places that ascend on both
/// sides.
struct SnapshotAlignment {
  /// Texts of so many pairs of lines are aligned as well as can be: the search is quadratic.
  private static let limit = 4_000_000
  /// Longer ones are cut into pieces of so many.
  private static let pieceLimit = 1_000_000

  /// The places of lines that stay, those of the snapshot first.
  private(set) var pairs: [(Int, Int)] = []

  /// The lines of the snapshot, none of which stands for several.
  private let held: [SnapshotLine]
  private let lines: [[UInt8]]
  /// Equal lines without elisions have equal numbers; `nil` for one with an elision.
  private let heldNumbers: [Int?]
  private let numbers: [Int]

  /// Finds the lines of `held` that occur in an output with these lines.
  init(_ held: [SnapshotLine], _ lines: [[UInt8]]) {
    self.held = held
    self.lines = lines
    var known: [[UInt8]: Int] = [:]
    func number(of line: [UInt8]) -> Int {
      if let number = known[line] { return number }
      known[line] = known.count
      return known.count - 1
    }
    numbers = lines.map(number)
    heldNumbers = held.map { $0.hasElision ? nil : number(of: $0.meaning) }
    align(held.indices, lines.indices) { $0.alignMiddle($1, $2) }
  }

  private func fits(_ row: Int, _ column: Int) -> Bool {
    heldNumbers[row].map { $0 == numbers[column] } ?? held[row].fits(lines[column])
  }

  /// Aligns equal lines at both ends, and the lines between them as `middle` does.
  private mutating func align(
    _ rows: Range<Int>, _ columns: Range<Int>,
    _ middle: (inout Self, Range<Int>, Range<Int>) -> Void
  ) {
    var (row, column) = (rows.lowerBound, columns.lowerBound)
    while row < rows.upperBound, column < columns.upperBound, fits(row, column) {
      pairs.append((row, column))
      (row, column) = (row + 1, column + 1)
    }
    var (rowEnd, columnEnd) = (rows.upperBound, columns.upperBound)
    while rowEnd > row, columnEnd > column, fits(rowEnd - 1, columnEnd - 1) {
      (rowEnd, columnEnd) = (rowEnd - 1, columnEnd - 1)
    }
    if row < rowEnd, column < columnEnd { middle(&self, row..<rowEnd, column..<columnEnd) }
    for place in rowEnd..<rows.upperBound { pairs.append((place, columnEnd + place - rowEnd)) }
  }

  /// Aligns the lines between those that each side has once, which are unlike all others.
  private mutating func alignMiddle(_ rows: Range<Int>, _ columns: Range<Int>) {
    guard rows.count * columns.count > Self.limit else { return search(rows, columns) }
    var (row, column) = (rows.lowerBound, columns.lowerBound)
    for (anchor, place) in anchors(rows, columns) + [(rows.upperBound, columns.upperBound)] {
      align(row..<anchor, column..<place) { $0.alignPiece($1, $2) }
      if anchor < rows.upperBound { pairs.append((anchor, place)) }
      (row, column) = (anchor + 1, place + 1)
    }
  }

  /// Aligns a piece as well as can be, or both its halves where it is too long for that.
  private mutating func alignPiece(_ rows: Range<Int>, _ columns: Range<Int>) {
    guard rows.count * columns.count > Self.pieceLimit, rows.count > 1 else {
      return search(rows, columns)
    }
    let row = rows.lowerBound + rows.count / 2
    let column = columns.lowerBound + columns.count / 2
    alignPiece(rows.lowerBound..<row, columns.lowerBound..<column)
    alignPiece(row..<rows.upperBound, column..<columns.upperBound)
  }

  /// The longest ascending sequence of lines without elisions that occur once on each side.
  private func anchors(_ rows: Range<Int>, _ columns: Range<Int>) -> [(Int, Int)] {
    // A number that is there twice leads nowhere.
    let places = Dictionary(columns.map { (numbers[$0], $0) }, uniquingKeysWith: { _, _ in -1 })
    let origins = Dictionary(
      rows.compactMap { row in heldNumbers[row].map { ($0, row) } },
      uniquingKeysWith: { _, _ in -1 })
    let candidates = rows.compactMap { row -> (Int, Int)? in
      guard let number = heldNumbers[row], origins[number] == row,
        let place = places[number], place >= 0
      else { return nil }
      return (row, place)
    }
    // Of all sequences of each length the one that ends first, by its last candidate.
    var ends: [Int] = []
    var previous: [Int?] = []
    for (index, candidate) in candidates.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if candidates[ends[middle]].1 < candidate.1 { low = middle + 1 } else { high = middle }
      }
      previous.append(low > 0 ? ends[low - 1] : nil)
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var result: [(Int, Int)] = []
    var last = ends.last
    while let index = last {
      result.append(candidates[index])
      last = previous[index]
    }
    return result.reversed()
  }

  /// The longest sequence of pairs of lines that fit to each other.
  private mutating func search(_ rows: Range<Int>, _ columns: Range<Int>) {
    pairs += ListAlignment.ofConditions(rows, columns, matches: fits).pairs
  }
}
