/// Finds the name that an author most likely meant.
public enum Suggestion {
  /// A name this many edits away, or further, is a different name and no misspelling.
  public static let distanceLimit = 3

  /// Longer words are names of nothing; comparing them would only cost time.
  private static let lengthLimit = 64

  /// The candidate with the fewest edits; `nil` if none is near.
  ///
  /// An edit puts a letter in, leaves one out, replaces one, or swaps two neighbours; capitals do
  /// not count. Of two as near, the first in the alphabet is taken.
  public static func closest(to word: String, in candidates: some Sequence<String>) -> String? {
    let letters = Array(word.lowercased().unicodeScalars)
    guard letters.count <= lengthLimit else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in candidates.sorted() where candidate != word {
      let other = Array(candidate.lowercased().unicodeScalars)
      guard abs(other.count - letters.count) < distanceLimit else { continue }
      let distance = editDistance(letters, other)
      // A word of which no letter is left suggests nothing: "by" is not a misspelled "to".
      guard distance < min(distanceLimit, letters.count, other.count) else { continue }
      if let found = best, found.distance <= distance { continue }
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
    let sorted = candidates.sorted()
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

  /// The optimal string alignment distance.
  private static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforePrevious = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var cost = min(
          current[column] + 1, previous[column + 1] + 1,
          previous[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          cost = min(cost, beforePrevious[column - 1] + 1)
        }
        current.append(cost)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[right.count]
  }
}
