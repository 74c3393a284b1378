import Testing

@testable import Foundations

@Suite("Edits between words")
struct EditDistanceTests {
  @Test(
    "A letter put in, left out, replaced or swapped is one edit",
    arguments: [
      ("steps", "steps", 0), ("steps", "stepps", 1), ("steps", "stps", 1), ("steps", "staps", 1),
      ("steps", "setps", 1), ("", "abc", 3), ("GET /a", "get /A", 0), ("ca", "abc", 3),
      ("kitten", "sitting", 3), ("é", "e", 2),
    ])
  func edits(word: String, other: String, count: Int) {
    #expect(EditDistance.between(word, other) == count)
    #expect(EditDistance.between(other, word) == count)
  }

  @Test("With a limit, words have the same distance or none, and without one always the same")
  func limits() {
    var random = SplitMix64(seed: 5)
    func word() -> [UInt8] {
      (0..<random.next(below: 10)).map { _ in 0x61 + UInt8(random.next(below: 3)) }
    }
    for _ in 0..<3_000 {
      let (one, other) = (word(), word())
      let edits = Self.plain(one, other)
      one.withUnsafeBufferPointer { letters in
        other.withUnsafeBufferPointer { others in
          #expect(EditDistance.between(letters, others) == edits)
          for limit in -1...4 {
            let found = EditDistance.between(letters, others, limit: limit)
            #expect(found == (edits <= limit ? edits : nil), "\(one) \(other) \(limit)")
          }
        }
      }
    }
  }

  /// The distance by its definition.
  private static func plain(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var rows = [Array(0...other.count)]
    for row in 0..<one.count {
      var edits = [row + 1]
      for column in 0..<other.count {
        var fewest = min(
          rows[row][column] + (one[row] == other[column] ? 0 : 1), rows[row][column + 1] + 1,
          edits[column] + 1)
        if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
          fewest = min(fewest, rows[row - 1][column - 1] + 1)
        }
        edits.append(fewest)
      }
      rows.append(edits)
    }
    return rows[one.count][other.count]
  }
}
