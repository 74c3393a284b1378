/// The number of edits that turn one word into another, capitals of ASCII aside.
///
/// An edit puts a letter in, leaves one out, replaces one, or swaps two neighbours, and no letter is edited twice:
/// the optimal string alignment distance.
package enum EditDistance {
  /// The number of edits between two texts, byte by byte.
  package static func between(_ text: some StringProtocol, _ other: some StringProtocol) -> Int {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      Array(other.utf8).withUnsafeBufferPointer { between(bytes, $0) } ?? 0
    }
  }

  /// The number of edits between two words; `nil` if more than a limit.
  ///
  /// Short words need no memory but the stack, and with a limit only as many steps for each letter.
  static func between<Letter: FixedWidthInteger, Other: FixedWidthInteger>(
    _ word: UnsafeBufferPointer<Letter>, _ name: UnsafeBufferPointer<Other>, limit: Int = .max
  ) -> Int? {
    guard abs(word.count - name.count) <= limit else { return nil }
    func isSame(_ place: Int, _ other: Int) -> Bool {
      UInt32(truncatingIfNeeded: word[place].smallLetter)
        == UInt32(truncatingIfNeeded: name[other].smallLetter)
    }
    // The letters that both begin with, and those that both end with, need no edit.
    var (start, count, otherCount) = (0, word.count, name.count)
    while start < min(count, otherCount), isSame(start, start) { start += 1 }
    while min(count, otherCount) > start, isSame(count - 1, otherCount - 1) {
      count -= 1
      otherCount -= 1
    }
    (count, otherCount) = (count - start, otherCount - start)
    let longer = max(count, otherCount)
    guard min(count, otherCount) > 0 else { return longer <= limit ? longer : nil }
    guard limit > 0 else { return nil }

    // Row by row, the edits between the first letters of both; further from the diagonal than the limit there are
    // more of them.
    let limit = min(limit, longer)
    let width = otherCount + 1
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: 3 * width) { edits in
      for column in 0...min(otherCount, limit + 1) { edits[column] = column }
      var least = 0
      for row in 1...count {
        let (own, last, before) = (
          row % 3 * width, (row + 2) % 3 * width, (row + 1) % 3 * width
        )
        let (first, end) = (max(1, row - limit), min(otherCount, row + limit))
        edits[own + first - 1] = first == 1 ? row : limit + 1
        var leastHere = edits[own + first - 1]
        for column in first...end {
          let (place, other) = (start + row - 1, start + column - 1)
          var fewest = min(edits[last + column], edits[own + column - 1]) + 1
          fewest = min(fewest, edits[last + column - 1] + (isSame(place, other) ? 0 : 1))
          if row > 1, column > 1, isSame(place, other - 1), isSame(place - 1, other) {
            fewest = min(fewest, edits[before + column - 2] + 1)
          }
          edits[own + column] = fewest
          leastHere = min(leastHere, fewest)
        }
        if end < otherCount { edits[own + end + 1] = limit + 1 }
        // Two neighbours that are swapped lead from the row before.
        guard min(leastHere, least + 1) <= limit else { return nil }
        least = leastHere
      }
      let whole = edits[count % 3 * width + otherCount]
      return whole <= limit ? whole : nil
    }
  }
}

extension FixedWidthInteger {
  /// The letter, small if it is a capital of ASCII.
  var smallLetter: Self { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
