import Foundations
import Testing

@Suite struct SuggestionTests {
  @Test(
    "A slip is asked about in short words as well, unless it makes another word of a very short one",
    arguments: [
      ("emtpy", "empty"), ("typ", "type"), ("xype", "type"), ("cantians", "contains"),
      ("nott", "not"), ("nto", "not"), ("note", nil), ("no", nil), ("i", nil), ("tpyx", nil),
    ] as [(String, String?)])
  func slip(word: String, name: String?) {
    let names = ["contains", "empty", "in", "not", "type"]

    #expect(Suggestion.slip(word, in: names) == name)
    #expect(Suggestion.slip(names[0], in: [names[0]]) == nil)
  }

  @Test(
    "Letters of other scripts that look alike, and characters that nobody sees, are told from none of ASCII"
  )
  func lookalikes() {
    #expect(LookalikeLetters.plain("\u{441}ontains") == "contains")
    #expect(LookalikeLetters.plain("\u{FF45}quals") == "equals")
    #expect(LookalikeLetters.plain("eq\u{200B}uals\u{A0}") == "equals")
    #expect(LookalikeLetters.plain("über") == "über")
    #expect(LookalikeLetters.plain("type") == "type")
  }

  @Test(
    "The nearest name is found",
    arguments: [
      ("stesp", "steps"), ("Steps", "steps"), ("targt", "target"), ("steeps", "steps"),
      ("xtep", "steps"),
    ])
  func finds(word: String, name: String) {
    #expect(Suggestion.closest(to: word, in: ["target", "steps", "run"]) == name)
  }

  @Test("A name that is three edits away is a different name", arguments: ["xxxps", "by", "", "q"])
  func findsNothing(word: String) {
    #expect(Suggestion.closest(to: word, in: ["target", "steps", "to"]) == nil)
  }

  @Test("Of two names as near, the first in the alphabet is taken")
  func breaksTies() {
    #expect(Suggestion.closest(to: "cat", in: ["rat", "bat"]) == "bat")
  }

  @Test("The help lists what is allowed in order")
  func helps() {
    #expect(
      Suggestion.help(for: "nam", in: ["name", "at"], label: "allowed keys")
        == "did you mean \"name\"? allowed keys: at, name")
    #expect(Suggestion.help(for: "q", in: [], label: "known factories") == "known factories: none")
  }

  /// A small generator with a fixed seed: each run tries the same names.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 33)
    }
  }

  /// A few letters, so that many names are near; of the others one is a letter of two bytes, and one becomes two
  /// letters where it is made small.
  private static let alphabets = ["ab", "abAB_", "abcé", "abİ\u{212A}k"].map(Array.init)

  @Test("The nearest name is that of the plain table of distances", arguments: 0..<8)
  func agrees(seed: UInt64) {
    var generator = Generator(state: seed)
    func word(_ letters: [Character]) -> String {
      let count = Int.random(in: 0...9, using: &generator)
      return String((0..<count).compactMap { _ in letters.randomElement(using: &generator) })
    }
    for _ in 0..<500 {
      let letters = Self.alphabets.randomElement(using: &generator) ?? []
      let (wanted, names) = (word(letters), (0..<4).map { _ in word(letters) })

      #expect(
        Suggestion.closest(to: wanted, in: names) == plainlyClosest(to: wanted, in: names),
        "\(wanted.debugDescription) among \(names)")
    }
  }

  /// The same by the book, for any words.
  private func plainlyClosest(to word: String, in names: [String]) -> String? {
    let near = names.filter { $0 != word }.compactMap { name -> (Int, String)? in
      let letters = Array(word.lowercased().unicodeScalars)
      let others = Array(name.lowercased().unicodeScalars)
      let distance = alignment(letters, others)
      return distance < min(3, letters.count, others.count) ? (distance, name) : nil
    }
    return near.min { $0 < $1 }?.1
  }

  /// The optimal string alignment distance, cell by cell.
  private func alignment(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
    var cells = (0...one.count).map { row in (0...other.count).map { row == 0 ? $0 : row } }
    for row in 0..<one.count {
      for column in 0..<other.count {
        var cost = min(
          cells[row][column + 1] + 1, cells[row + 1][column] + 1,
          cells[row][column] + (one[row] == other[column] ? 0 : 1))
        if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
          cost = min(cost, cells[row - 1][column - 1] + 1)
        }
        cells[row + 1][column + 1] = cost
      }
    }
    return cells[one.count][other.count]
  }
}
