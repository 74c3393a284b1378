/// Names that an author may mean, prepared to be searched again and again: of thousands of mistakes each is compared
/// with thousands of names.
package struct KnownNames: Sendable {
  /// The names in alphabetical order.
  private let sorted: [String]
  private let all: Set<String>
  private let letters: [WordLetters]
  /// The number of letters of each name, and which they are.
  private let outlines: [Outline]

  private struct Outline: Sendable {
    var count: Int
    /// A bit for each letter that the word has; some letters share one.
    var letters: UInt64

    init(_ word: WordLetters) {
      count = word.count
      letters = word.scalars.reduce(0) { $0 | 1 << UInt64($1 & 63) }
    }

    /// Returns whether so many edits could turn one word into the other: each changes the number of letters by one at most,
    /// and brings in one letter at most.
    func mayBe(_ other: Outline, within edits: Int) -> Bool {
      abs(count - other.count) <= edits
        && (letters & ~other.letters).nonzeroBitCount <= edits
        && (other.letters & ~letters).nonzeroBitCount <= edits
    }
  }

  /// Prepares names, some of which may occur twice.
  package init(_ names: some Sequence<String>) {
    all = Set(names)
    sorted = all.sorted()
    letters = sorted.map(WordLetters.init)
    outlines = letters.map(Outline.init)
  }

  /// Returns whether a name is among them.
  package func contains(_ name: String) -> Bool { all.contains(name) }

  /// `did you mean "steps"? allowed: chaos, clock, …`: what `Suggestion.help` says of the same names.
  ///
  /// - Parameter exceptions: names that cannot be meant here.
  package func help(
    for word: String, label: String, except exceptions: Set<String> = []
  ) -> String {
    var compared = 0
    return help(for: word, label: label, except: exceptions, compared: &compared)
  }

  /// The same help, with a count of what it costs.
  ///
  /// - Parameter compared: counts the names that were compared letter by letter.
  package func help(
    for word: String, label: String, except exceptions: Set<String> = [], compared: inout Int
  ) -> String {
    Suggestion.help(
      closest(to: word, except: exceptions, compared: &compared), for: word, label: label,
      count: sorted.count - exceptions.count(where: all.contains)
    ) { exceptions.isEmpty ? sorted : sorted.filter { !exceptions.contains($0) } }
  }

  /// The name with the fewest edits: what `Suggestion.closest` finds among the same names.
  func closest(to word: String, except exceptions: Set<String> = []) -> String? {
    var compared = 0
    return closest(to: word, except: exceptions, compared: &compared)
  }

  /// - Parameter compared: counts the names that were compared letter by letter.
  func closest(
    to word: String, except exceptions: Set<String>, compared: inout Int
  ) -> String? {
    let own = WordLetters(word)
    guard own.count <= Suggestion.lengthLimit else { return nil }
    let outline = Outline(own)
    var best: String?
    var limit = Suggestion.distanceLimit - 1
    for place in outlines.indices where outline.mayBe(outlines[place], within: limit) {
      compared += 1
      guard let distance = Suggestion.distance(own, letters[place], limit: limit),
        sorted[place] != word, !exceptions.contains(sorted[place])
      else { continue }
      best = sorted[place]
      // Of names that are as near the first in the alphabet stays.
      guard distance > 0 else { break }
      limit = distance - 1
    }
    return best
  }
}
