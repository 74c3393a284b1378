/// A set of bytes of a file: ranges in order, of which no two touch.
struct ByteRanges: Equatable {
  /// The ranges, in order.
  private(set) var ranges: [Range<Int64>] = []

  /// True if there is none.
  var isEmpty: Bool { ranges.isEmpty }

  /// Adds bytes.
  mutating func insert(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    var merged = range
    var rest: [Range<Int64>] = []
    for known in ranges {
      if known.upperBound < merged.lowerBound || known.lowerBound > merged.upperBound {
        rest.append(known)
      } else {
        merged =
          min(known.lowerBound, merged.lowerBound)..<max(known.upperBound, merged.upperBound)
      }
    }
    rest.append(merged)
    ranges = rest.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Removes bytes.
  mutating func remove(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    ranges = ranges.flatMap { known -> [Range<Int64>] in
      guard known.overlaps(range) else { return [known] }
      return [
        known.lowerBound..<max(known.lowerBound, range.lowerBound),
        min(known.upperBound, range.upperBound)..<known.upperBound,
      ].filter { !$0.isEmpty }
    }
  }

  /// Returns the parts of a range that are among them, in order.
  func within(_ range: Range<Int64>) -> [Range<Int64>] {
    ranges.map { $0.clamped(to: range) }.filter { !$0.isEmpty }
  }

  /// Returns the parts of a range that are not, in order.
  func missing(in range: Range<Int64>) -> [Range<Int64>] {
    var missing: [Range<Int64>] = []
    var place = range.lowerBound
    for known in within(range) {
      if known.lowerBound > place { missing.append(place..<known.lowerBound) }
      place = known.upperBound
    }
    if place < range.upperBound { missing.append(place..<range.upperBound) }
    return missing
  }
}
