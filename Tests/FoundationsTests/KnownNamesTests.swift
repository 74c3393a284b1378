@testable import Foundations
import Testing

@Suite("Names that are searched again and again")
struct KnownNamesTests {
  @Test("They say what the list says that is searched once", arguments: 0..<8)
  func agrees(seed: UInt64) {
    var generator = SeededGenerator(state: seed)
    let alphabets = ["ab", "abAB_", "abcé", "abİ\u{212A}k"].map(Array.init)
    func word(_ letters: [Character]) -> String {
      let count = Int.random(in: 0...9, using: &generator)
      return String((0..<count).compactMap { _ in letters.randomElement(using: &generator) })
    }
    for _ in 0..<300 {
      let letters = alphabets.randomElement(using: &generator) ?? []
      let wanted = word(letters)
      let names = Set((0..<5).map { _ in word(letters) })
      let known = KnownNames(names)

      #expect(known.closest(to: wanted) == Suggestion.closest(to: wanted, in: names))
      #expect(
        known.help(for: wanted, label: "names")
          == Suggestion.help(for: wanted, in: names, label: "names"))
      let exceptions = Set(names.prefix(2)).union(["x"])
      #expect(
        known.help(for: wanted, label: "names", except: exceptions)
          == Suggestion.help(for: wanted, in: names.subtracting(exceptions), label: "names"))
    }
  }

  @Test("Of thousands of names those are compared alone that may be near")
  func comparesFew() {
    var generator = SeededGenerator(state: 1)
    let names = (0..<4_000).map { _ in
      "trait_" + String((0..<10).map { _ in "abcdefghijklmnop".randomElement(using: &generator)! })
    }
    let known = KnownNames(names)
    var compared = 0

    for name in names.prefix(100) {
      let wrong = String(name.dropLast()) + "z"
      #expect(known.closest(to: wrong, except: [], compared: &compared) != nil)
    }

    #expect(compared < 100 * 4_000 / 10)
  }

  /// A small generator with a fixed seed: each run tries the same names.
  private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 33)
    }
  }
}
