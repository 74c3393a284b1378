/// Finds the name that an author most likely meant.
package enum Suggestion {
  /// A name this many edits away, or further, is a different name and no misspelling.
  package static let distanceLimit = 3

  /// Longer words are names of nothing; comparing them would only cost time.
  static let lengthLimit = 64
  /// A slip in a shorter word may as well make another word of it: `set` is no misspelled `send`.
  private static let slipLength = 6
  /// A name in which even two slips leave no other word.
  private static let longLength = 8
  /// The largest number of names that are compared: of many mistakes each would compare them.
  private static let listLimit = 500
  /// The largest number of names that are shown; a longer list is of no use to a reader.
  private static let shownLimit = 5

  /// The candidate with the fewest edits; `nil` if none is near.
  ///
  /// An edit puts a letter in, leaves one out, replaces one, or swaps two neighbours; capitals do
  /// not count. Of two as near, the first in the alphabet is taken.
  package static func closest(to word: String, in candidates: some Sequence<String>) -> String? {
    let letters = WordLetters(word)
    guard letters.count <= lengthLimit else { return nil }
    let names = Array(candidates)
    var best: Int?
    var limit = distanceLimit - 1
    for place in names.indices {
      guard let distance = distance(letters, names[place], limit: limit), names[place] != word
      else { continue }
      if let best, distance == limit, names[place] >= names[best] { continue }
      best = place
      limit = distance
    }
    return best.map { names[$0] }
  }

  /// `did you mean "steps"? allowed: chaos, clock, …`, ready for a diagnostic's help.
  ///
  /// Of more than five names those are shown that have most in common with the word. `label` says what the sorted list
  /// holds, as in "allowed keys" or "known factories".
  package static func help(
    for word: String, in candidates: some Sequence<String>, label: String
  ) -> String {
    let names = Array(candidates)
    return help(closest(to: word, in: names), for: word, label: label, count: names.count) {
      names.sorted()
    }
  }

  /// - Parameters:
  ///   - name: what is asked for; `nil` for nothing.
  ///   - word: what stands there.
  ///   - count: how many names there are.
  ///   - names: all of them, sorted; not asked for where they are too many to be listed.
  static func help(
    _ name: String?, for word: String, label: String, count: Int, names: () -> [String]
  ) -> String {
    let list =
      switch count {
      case 0: "none"
      case ...listLimit: Self.list(names(), for: word, showing: name)
      default: "\(count) names"
      }
    return (name.map { question($0) + " " } ?? "") + "\(label): \(list)"
  }

  /// A few of some names, those that have most in common with a word, in the order of the names.
  ///
  /// - Parameter name: One that is shown in any case.
  package static func list(
    _ names: [String], for word: String, showing name: String? = nil
  ) -> String {
    guard names.count > shownLimit else { return names.joined(separator: ", ") }
    let letters = WordLetters(String(word.prefix(lengthLimit))).scalars
    let own = Set(letters)
    let ranked = names.indices.map { place -> (score: Int, place: Int) in
      guard names[place] != name else { return (.max, place) }
      let other = WordLetters(names[place]).scalars
      let prefix = zip(letters, other).prefix { $0 == $1 }.count
      return (3 * prefix + own.intersection(other).count, place)
    }
    let shown = ranked.sorted { $0.score != $1.score ? $0.score > $1.score : $0.place < $1.place }
      .prefix(shownLimit).map(\.place).sorted()
    return shown.map { names[$0] }.joined(separator: ", ") + " and \(names.count - shownLimit) more"
  }

  /// `did you mean "steps"?`, the beginning of a help; `nil` if no name is near.
  ///
  /// `shown` is how a name is written there.
  package static func question(
    for word: String, in candidates: some Sequence<String>, shown: (String) -> String = { $0 }
  ) -> String? {
    closest(to: word, in: candidates).map { question(shown($0)) }
  }

  /// `did you mean "steps"?` of a name that is known to be meant.
  package static func question(_ name: String) -> String { "\(opening)\(name)\(end)" }

  /// The name that a help asks for; `nil` if it does not begin with such a question.
  static func name(askedForIn help: String) -> String? {
    guard help.hasPrefix(opening), let quote = help.firstRange(of: end) else { return nil }
    return String(help[..<quote.lowerBound].dropFirst(opening.count))
  }

  private static let opening = "did you mean \""
  private static let end = "\"?"

  // MARK: - Confidence

  /// The confidence that a name was meant by a word, as far as the two and the other names say.
  ///
  /// Only another way to write the same word is certain; a slip of the finger is likely, and anything further a
  /// guess.
  package static func confidence(
    that name: String, isMeantBy word: String, among candidates: [String]
  ) -> DiagnosticFix.Confidence {
    let form = WordForm(word)
    if form == WordForm(name) {
      let isAlone = !candidates.contains { $0 != name && WordForm($0) == form }
      return isAlone ? .certain : .likely
    }
    return isSlip(WordLetters(word), WordLetters(name)) ? .likely : .guess
  }

  /// The one name of which a word is a plain slip: two neighbours swapped, or one letter of a long word left out,
  /// put in or replaced, and no other name is near.
  ///
  /// Similarity alone is no proof: the caller must know more, such as that the value behind the key fits.
  package static func misspelled(_ word: String, in candidates: some Sequence<String>) -> String? {
    let letters = WordLetters(word)
    guard letters.count <= lengthLimit, letters.count >= slipLength - 1 else { return nil }
    var found: String?
    for candidate in candidates where candidate != word {
      guard distance(letters, candidate, limit: distanceLimit - 1) != nil else { continue }
      // A second name that is near leaves a choice.
      guard found == nil, isSlip(letters, WordLetters(candidate)) else { return nil }
      found = candidate
    }
    return found
  }

  /// The nearest name of which a word may be a slip: one edit away, or two in a name of eight letters or more.
  ///
  /// Of a name of three letters only swapped and doubled letters count, for every other edit makes a word of it: `not`
  /// and `note`. The words may well be meant as they are, so that this is a reason to ask and never one to rewrite.
  package static func slip(_ word: String, in candidates: some Sequence<String>) -> String? {
    let letters = WordLetters(word)
    guard letters.count <= lengthLimit else { return nil }
    var found: (name: String, distance: Int)?
    for candidate in candidates where candidate != word {
      let count = candidate.unicodeScalars.count
      let limit = count < longLength ? 1 : 2
      guard count > 2, let distance = distance(letters, candidate, limit: limit),
        distance < found?.distance ?? distanceLimit,
        count > 3 || isStutter(letters.scalars, of: WordLetters(candidate).scalars)
      else { continue }
      found = (candidate, distance)
    }
    return found?.name
  }

  /// Returns whether a word has the letters of a name, in another order or one of them twice in a row.
  private static func isStutter(_ word: [UInt32], of name: [UInt32]) -> Bool {
    if word.count == name.count { return word.sorted() == name.sorted() }
    return word.indices.contains { index in
      index > 0 && word[index] == word[index - 1]
        && word[..<index] + word[(index + 1)...] == name[...]
    }
  }

  private static func isSlip(_ word: WordLetters, _ name: WordLetters) -> Bool {
    guard max(word.count, name.count) >= slipLength, let distance = distance(word, name) else {
      return false
    }
    guard distance <= 1 else { return false }
    // With another first letter it is another word: "batches" for "matches".
    return word.count != name.count || word.scalars.first == name.scalars.first
      || word.scalars.sorted() == name.scalars.sorted()
  }

  // MARK: - Distance

  /// The number of edits between a word and a name; `nil` if more than the limit, or if they would leave no letter.
  ///
  /// Nothing is allocated for a name of ASCII letters: of thousands of mistakes each is compared with thousands.
  private static func distance(_ word: WordLetters, _ name: String, limit: Int) -> Int? {
    // A letter has four bytes at most.
    guard abs(word.byteCount - name.utf8.count) < distanceLimit * 4 else { return nil }
    guard name.utf8.withContiguousStorageIfAvailable(isASCII) ?? false else {
      return distance(word, WordLetters(name), limit: limit)
    }
    return word.scalars.withUnsafeBufferPointer { letters in
      name.utf8.withContiguousStorageIfAvailable { bytes in
        EditDistance.between(
          letters, bytes, limit: wholeLimit(limit, letters.count, bytes.count))
      } ?? nil
    }
  }

  static func distance(
    _ word: WordLetters, _ name: WordLetters, limit: Int = distanceLimit - 1
  ) -> Int? {
    word.edits(to: name, limit: wholeLimit(limit, word.count, name.count))
  }

  /// A word of which no letter is left suggests nothing: "by" is not a misspelled "to".
  private static func wholeLimit(_ limit: Int, _ one: Int, _ other: Int) -> Int {
    min(limit, one - 1, other - 1)
  }

  private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // Eight at a time, and without an early exit, which would only cost time where nearly all are.
    let bytes = UnsafeRawBufferPointer(bytes)
    var all: UInt64 = 0
    var place = 0
    while place + 8 <= bytes.count {
      all |= bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place += 8
    }
    while place < bytes.count {
      all |= UInt64(bytes[place])
      place += 1
    }
    return all & 0x8080_8080_8080_8080 == 0
  }
}
