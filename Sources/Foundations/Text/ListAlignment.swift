/// Aligns two lists: finds pairs of equal elements whose places ascend on both sides.
package struct ListAlignment {
  /// A part of the way from one list to the other.
  package enum Step {
    /// An element that stays, by its places in both.
    case same(Int, Int)
    /// An element that goes, by its place in the first.
    case removed(Int)
    /// An element that comes, by its place in the second.
    case added(Int)
  }

  /// The places of what stays, those in the first list in front.
  package let pairs: [(Int, Int)]
  private let rows: Range<Int>
  private let columns: Range<Int>

  /// All steps: between kept elements, removals come before insertions.
  package var steps: [Step] {
    var steps: [Step] = []
    var (row, column) = (rows.lowerBound, columns.lowerBound)
    func pass(to nextRow: Int, _ nextColumn: Int) {
      steps += (row..<nextRow).map { .removed($0) } + (column..<nextColumn).map { .added($0) }
    }
    for pair in pairs {
      pass(to: pair.0, pair.1)
      steps.append(.same(pair.0, pair.1))
      (row, column) = (pair.0 + 1, pair.1 + 1)
    }
    pass(to: rows.upperBound, columns.upperBound)
    return steps
  }

  // MARK: - Long lists

  /// Aligns lists whose elements are equal or are not, in a time that grows with what differs.
  ///
  /// - Parameters:
  ///   - rows: the places in the first list.
  ///   - columns: the places in the second list.
  ///   - editLimit: beyond so many elements that go or come only what both begin and end with is aligned.
  ///   - matches: whether the elements at two places are equal.
  package static func ofEqual(
    _ rows: Range<Int>, _ columns: Range<Int>, editLimit: Int,
    matches: (Int, Int) -> Bool
  ) -> ListAlignment {
    let common = min(rows.count, columns.count)
    let head =
      (0..<common).first { !matches(rows.lowerBound + $0, columns.lowerBound + $0) } ?? common
    let tail =
      (0..<(common - head)).first {
        !matches(rows.upperBound - 1 - $0, columns.upperBound - 1 - $0)
      } ?? common - head
    let middle = shortestWay(
      rows.dropFirst(head).dropLast(tail), columns.dropFirst(head).dropLast(tail), editLimit,
      matches)
    let beginning = (0..<head).map { (rows.lowerBound + $0, columns.lowerBound + $0) }
    let end = (0..<tail).reversed().map { (rows.upperBound - 1 - $0, columns.upperBound - 1 - $0) }
    return ListAlignment(pairs: beginning + middle + end, rows: rows, columns: columns)
  }

  /// Myers' greedy algorithm (1986) with its furthest points kept for the way back.
  private static func shortestWay(
    _ rows: Range<Int>, _ columns: Range<Int>, _ editLimit: Int, _ matches: (Int, Int) -> Bool
  ) -> [(Int, Int)] {
    guard !rows.isEmpty, !columns.isEmpty else { return [] }
    let limit = min(rows.count + columns.count, editLimit)
    let offset = limit + 1
    var furthest = [Int32](repeating: 0, count: 2 * limit + 3)
    var history: [[Int32]] = []
    for distance in 0...limit {
      // No step looks further than the one before it has gone.
      history.append(Array(furthest[(offset - distance)...(offset + distance)]))
      for diagonal in stride(from: -distance, through: distance, by: 2) {
        let (left, right) = (furthest[offset + diagonal - 1], furthest[offset + diagonal + 1])
        let isDown = goesDown(left, right, diagonal, distance)
        var x = Int(isDown ? right : left + 1)
        var y = x - diagonal
        while x < rows.count, y < columns.count,
          matches(rows.lowerBound + x, columns.lowerBound + y)
        {
          x += 1
          y += 1
        }
        furthest[offset + diagonal] = Int32(x)
        if x >= rows.count, y >= columns.count {
          return wayBack(from: x, y, history).map {
            (rows.lowerBound + $0.0, columns.lowerBound + $0.1)
          }
        }
      }
    }
    return []
  }

  private static func goesDown(
    _ left: Int32, _ right: Int32, _ diagonal: Int, _ distance: Int
  ) -> Bool {
    diagonal == -distance || diagonal != distance && left < right
  }

  private static func wayBack(
    from endX: Int, _ endY: Int, _ history: [[Int32]]
  ) -> [(Int, Int)] {
    var pairs: [(Int, Int)] = []
    var (x, y) = (endX, endY)
    for distance in history.indices.reversed() {
      func furthest(_ diagonal: Int) -> Int32 {
        abs(diagonal) <= distance ? history[distance][distance + diagonal] : 0
      }
      let diagonal = x - y
      let (left, right) = (furthest(diagonal - 1), furthest(diagonal + 1))
      let isDown = goesDown(left, right, diagonal, distance)
      let previousX = distance == 0 ? 0 : Int(isDown ? right : left)
      let previousY = distance == 0 ? 0 : previousX - (isDown ? diagonal + 1 : diagonal - 1)
      while x > previousX, y > previousY {
        (x, y) = (x - 1, y - 1)
        pairs.append((x, y))
      }
      (x, y) = (previousX, previousY)
    }
    return pairs.reversed()
  }

  // MARK: - Short lists

  /// Aligns a list of conditions with a list of things as well as can be, in a time that grows with the product of
  /// their lengths.
  ///
  /// - Parameters:
  ///   - rows: the places of the conditions.
  ///   - columns: the places of the things.
  ///   - matches: whether a thing satisfies a condition; asked once for each two.
  package static func ofConditions(
    _ rows: Range<Int>, _ columns: Range<Int>, matches: (Int, Int) -> Bool
  ) -> ListAlignment {
    var pairs: [(Int, Int)] = []
    let width = columns.count + 1
    var lengths = [Int32](repeating: 0, count: (rows.count + 1) * width)
    var areFitting = [Bool](repeating: false, count: rows.count * width)
    for row in rows.indices.reversed() {
      for column in columns.indices.reversed() {
        let place = (row - rows.lowerBound) * width + column - columns.lowerBound
        areFitting[place] = matches(row, column)
        lengths[place] =
          areFitting[place]
          ? lengths[place + width + 1] + 1 : max(lengths[place + width], lengths[place + 1])
      }
    }
    var (row, column) = (rows.lowerBound, columns.lowerBound)
    while row < rows.upperBound, column < columns.upperBound {
      let place = (row - rows.lowerBound) * width + column - columns.lowerBound
      if areFitting[place] {
        pairs.append((row, column))
        (row, column) = (row + 1, column + 1)
      } else if lengths[place + width] >= lengths[place + 1] {
        row += 1
      } else {
        column += 1
      }
    }
    return ListAlignment(pairs: pairs, rows: rows, columns: columns)
  }
  /// Aligns the things at the same places, as far as they satisfy the conditions there.
  package static func oneByOne(
    _ rows: Range<Int>, _ columns: Range<Int>, matches: (Int, Int) -> Bool
  ) -> ListAlignment {
    let pairs = zip(rows, columns).filter { matches($0, $1) }.map { ($0, $1) }
    return ListAlignment(pairs: pairs, rows: rows, columns: columns)
  }
}
