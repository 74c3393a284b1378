@testable import Foundations
@testable import ScenarioSyntax
import Testing

@Suite("What stays of a list")
struct ListAlignmentTests {
  /// A small generator with a fixed seed: each run tries the same lists.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 33)
    }
  }

  @Test("Both ways keep equal elements, in order, and as many as can be", arguments: 0..<6)
  func longest(seed: UInt64) {
    var generator = Generator(state: seed)
    for _ in 0..<200 {
      let letters = Int.random(in: 1...6, using: &generator)
      func list() -> [Int] {
        (0..<Int.random(in: 0...20, using: &generator)).map { _ in
          Int.random(in: 0..<letters, using: &generator)
        }
      }
      let (old, new) = (list(), list())
      let matches = { (row: Int, column: Int) in old[row] == new[column] }
      let greedy = ListAlignment.ofEqual(
        old.indices, new.indices, editLimit: 100, matches: matches)
      let table = ListAlignment.ofConditions(old.indices, new.indices, matches: matches)

      #expect(greedy.pairs.count == table.pairs.count, "\(old) \(new)")
      for alignment in [greedy, table] {
        #expect(alignment.pairs.allSatisfy { old[$0.0] == new[$0.1] })
        #expect(
          zip(alignment.pairs, alignment.pairs.dropFirst()).allSatisfy {
            $0.0 < $1.0 && $0.1 < $1.1
          })
        var (before, behind): ([Int], [Int]) = ([], [])
        for step in alignment.steps {
          switch step {
          case .same(let row, let column):
            before.append(old[row])
            behind.append(new[column])
          case .removed(let row): before.append(old[row])
          case .added(let column): behind.append(new[column])
          }
        }
        #expect(before == old && behind == new)
      }
    }
  }

  @Test("Lists that differ in everything are not compared all with all")
  func bounded() {
    var comparisons = 0
    let alignment = ListAlignment.ofEqual(0..<5_000, 0..<5_000, editLimit: 400) { row, column in
      comparisons += 1
      return row == -column - 1
    }

    #expect(alignment.pairs.isEmpty)
    // Myers: the square of the limit, and the two ends.
    #expect(comparisons < 400 * 400)
  }

  @Test("Beyond the limit only what both begin and end with stays")
  func limited() {
    let (old, new) = ([0, 1, 9, 2, 3], [0, 4, 9, 5, 3])
    let matches = { (row: Int, column: Int) in old[row] == new[column] }
    func count(_ limit: Int) -> Int {
      ListAlignment.ofEqual(old.indices, new.indices, editLimit: limit, matches: matches).pairs
        .count
    }

    #expect(count(4) == 3 && count(3) == 2)
  }

  @Test("A unified difference shows letters that only look the same, and ends without a newline")
  func unified() {
    let (one, other) = ("caf\u{e9}", "cafe\u{301}")
    let text = UnifiedDiff.text(
      old: "a\nb\nc\nd\n\(one)\ne", new: "a\nb\nc\nd\n\(other)\ne", names: ("x", "y"))

    #expect(
      text.utf8.elementsEqual(
        """
        --- x
        +++ y
        @@ -2,5 +2,5 @@
         b
         c
         d
        -\(one)
        +\(other)
         e
        \\ No newline at end of file

        """.utf8))
  }
}
