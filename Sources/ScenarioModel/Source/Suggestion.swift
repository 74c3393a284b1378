/// Finds the name that an author most likely meant.
public enum Suggestion {
  /// A name this many edits away, or further, is a different name and no misspelling.
  public static let distanceLimit = 3

  /// Longer words are names of nothing; comparing them would only cost time.
  private static let lengthLimit = 64
  /// A slip in a shorter word may as well make another word of it: `set` is no misspelled `send`.
  private static let slipLength = 6
  /// More names than this are counted and not listed: nobody reads them, and of many mistakes each would list them.
  private static let listLimit = 500

  /// The candidate with the fewest edits; `nil` if none is near.
  ///
  /// An edit puts a letter in, leaves one out, replaces one, or swaps two neighbours; capitals do
  /// not count. Of two as near, the first in the alphabet is taken.
  public static func closest(to word: String, in candidates: some Sequence<String>) -> String? {
    let letters = Letters(word)
    guard letters.count <= lengthLimit else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      guard letters.mayBeNear(candidate), candidate != word else { continue }
      let other = Letters(candidate)
      guard let distance = distance(letters, other) else { continue }
      if let found = best {
        guard (distance, candidate) < (found.distance, found.name) else { continue }
      }
      best = (candidate, distance)
    }
    return best?.name
  }

  /// `did you mean "steps"? allowed: chaos, clock, …`, ready for a diagnostic's help.
  ///
  /// `label` says what the sorted list holds, as in "allowed keys" or "known factories".
  public static func help(
    for word: String, in candidates: some Sequence<String>, label: String
  ) -> String {
    let names = Array(candidates)
    guard names.count <= listLimit else {
      let count = "\(label): \(names.count) names"
      return question(for: word, in: names).map { "\($0) \(count)" } ?? count
    }
    let sorted = names.sorted()
    let list = sorted.isEmpty ? "\(label): none" : "\(label): \(sorted.joined(separator: ", "))"
    return question(for: word, in: sorted).map { "\($0) \(list)" } ?? list
  }

  /// `did you mean "steps"?`, the beginning of a help; `nil` if no name is near.
  ///
  /// `shown` is how a name is written there.
  public static func question(
    for word: String, in candidates: some Sequence<String>, shown: (String) -> String = { $0 }
  ) -> String? {
    closest(to: word, in: candidates).map { question(shown($0)) }
  }

  /// `did you mean "steps"?` of a name that is known to be meant.
  public static func question(_ name: String) -> String { "\(opening)\(name)\(end)" }

  /// The name that a help asks for; `nil` if it does not begin with such a question.
  static func name(askedForIn help: String) -> String? {
    guard help.hasPrefix(opening), let quote = help.firstRange(of: end) else { return nil }
    return String(help[..<quote.lowerBound].dropFirst(opening.count))
  }

  private static let opening = "did you mean \""
  private static let end = "\"?"

  // MARK: - Confidence

  /// How sure it is that a name was meant by a word, as far as the two and the other names say.
  ///
  /// Only another way to write the same word is certain; a slip of the finger is likely, and anything further a
  /// guess.
  static func confidence(
    that name: String, isMeantBy word: String, among candidates: [String]
  ) -> DiagnosticFix.Confidence {
    let form = WordForm(word)
    if form == WordForm(name) {
      let isAlone = !candidates.contains { $0 != name && WordForm($0) == form }
      return isAlone ? .certain : .likely
    }
    return isSlip(Letters(word), Letters(name)) ? .likely : .guess
  }

  /// The one name of which a word is a plain slip: two neighbours swapped, or one letter of a long word left out,
  /// put in or replaced, and no other name is near.
  ///
  /// That alone is no proof: the caller must know more, such as that the value behind the key fits.
  static func misspelled(_ word: String, in candidates: some Sequence<String>) -> String? {
    let letters = Letters(word)
    guard letters.count <= lengthLimit, letters.count >= slipLength - 1 else { return nil }
    var found: String?
    for candidate in candidates where candidate != word {
      guard letters.mayBeNear(candidate) else { continue }
      let other = Letters(candidate)
      guard distance(letters, other) != nil else { continue }
      // A second name that is near leaves a choice.
      guard found == nil, isSlip(letters, other) else { return nil }
      found = candidate
    }
    return found
  }

  private static func isSlip(_ word: Letters, _ name: Letters) -> Bool {
    guard max(word.count, name.count) >= slipLength, let distance = distance(word, name) else {
      return false
    }
    guard distance <= 1 else { return false }
    // Whoever replaces the first letter writes another word: "batches" for "matches".
    return word.count != name.count || word.first == name.first
      || word.sorted == name.sorted
  }

  // MARK: - Distance

  /// The letters of a word, capitals aside.
  private struct Letters {
    /// Which letters there are, each of ASCII's by its last five bits.
    private(set) var kinds: UInt32 = 0
    private let utf8Count: Int
    private var scalars: [UInt32] = []

    init(_ word: String) {
      utf8Count = word.utf8.count
      scalars.reserveCapacity(utf8Count)
      for byte in word.utf8 {
        guard byte < 0x80 else {
          scalars = word.lowercased().unicodeScalars.map(\.value)
          kinds = scalars.reduce(0) { $0 | 1 << ($1 & 31) }
          return
        }
        let letter = UInt32((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        scalars.append(letter)
        kinds |= 1 << (letter & 31)
      }
    }

    /// Whether another word can be near at all: told without taking it apart, as of thousands few can.
    func mayBeNear(_ other: String) -> Bool {
      let length = other.utf8.count
      // A letter has four bytes at most.
      guard abs(length - utf8Count) < Suggestion.distanceLimit * 4 else { return false }
      var others: UInt32 = 0
      for byte in other.utf8 {
        guard byte < 0x80 else { return true }
        others |= 1 << UInt32(byte & 31)
      }
      return Suggestion.mayBeNear(count, kinds, length, others)
    }

    var count: Int { scalars.count }
    var first: UInt32? { scalars.first }
    var sorted: [UInt32] { scalars.sorted() }
    subscript(index: Int) -> UInt32 { scalars[index] }
  }

  /// How many edits lie between two words; `nil` if so many that they are different words, or none of the letters is
  /// left.
  private static func distance(_ left: Letters, _ right: Letters) -> Int? {
    guard mayBeNear(left.count, left.kinds, right.count, right.kinds) else { return nil }
    let limit = min(distanceLimit, left.count, right.count)
    let distance = alignment(left, right, limit: limit)
    // A word of which no letter is left suggests nothing: "by" is not a misspelled "to".
    return distance < limit ? distance : nil
  }

  /// Whether two words can be so near, by their lengths and the kinds of their letters.
  private static func mayBeNear(
    _ leftCount: Int, _ leftKinds: UInt32, _ rightCount: Int, _ rightKinds: UInt32
  ) -> Bool {
    let limit = min(distanceLimit, leftCount, rightCount)
    // Each edit brings in one kind of letter at most, and takes out one.
    return abs(leftCount - rightCount) < limit
      && (leftKinds & ~rightKinds).nonzeroBitCount < limit
      && (rightKinds & ~leftKinds).nonzeroBitCount < limit
  }

  /// The optimal string alignment distance; any number from the limit on where it is not below it.
  private static func alignment(_ left: Letters, _ right: Letters, limit: Int) -> Int {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 3 * (right.count + 1)) { cells in
      let width = right.count + 1
      var (before, previous, current) = (0, width, 2 * width)
      for column in 0..<width {
        cells[before + column] = 0
        cells[previous + column] = column
      }
      for row in 0..<left.count {
        cells[current] = row + 1
        var least = row + 1
        for column in 0..<right.count {
          let isSame = left[row] == right[column]
          var cost = min(
            cells[current + column] + 1, cells[previous + column + 1] + 1,
            cells[previous + column] + (isSame ? 0 : 1))
          if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
            cost = min(cost, cells[before + column - 1] + 1)
          }
          cells[current + column + 1] = cost
          least = min(least, cost)
        }
        // Rows only grow, but for a swap, which looks back two of them.
        if least > limit { return least }
        (before, previous, current) = (previous, current, before)
      }
      return cells[previous + right.count]
    }
  }
}
