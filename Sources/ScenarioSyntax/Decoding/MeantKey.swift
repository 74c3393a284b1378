internal import Foundations

/// The key that an author most likely meant by one that a map does not have.
struct MeantKey {
  /// The key.
  let name: String
  /// The confidence, as far as the words alone give it; never certain, for the value behind the key
  /// must fit as well.
  let confidence: DiagnosticFix.Confidence
  /// True if the value is to be read as that of the right key: then the key is certain if the value
  /// fits.
  let isAdopted: Bool

  /// The same, its value adopted or not.
  init(_ other: MeantKey, isAdopted: Bool) {
    name = other.name
    confidence = other.confidence
    self.isAdopted = isAdopted
  }

  /// `nil` if no key among `keys` is meant.
  ///
  /// - Parameter present: The keys that the map has beside it.
  init?(_ word: String, among keys: [String], present: Set<String>) {
    let form = WordForm(word)
    let sameForm = keys.filter { WordForm($0) == form }
    // Another number of a word is no slip: what is one here may be several there.
    let otherNumber = keys.first { $0 + "s" == word || word + "s" == $0 }
    let isWord = otherNumber != nil || KeySuggestions.isWord(word)
    let known =
      (sameForm.count == 1 ? sameForm[0] : nil) ?? KeySuggestions.alias(of: word, in: keys)
      ?? (isWord ? nil : Suggestion.misspelled(word, in: keys))
    if let known {
      name = known
      confidence = .likely
      isAdopted = !present.contains(known)
    } else if let meant = KeySuggestions.synonym(of: word, in: keys) {
      name = meant
      confidence = .likely
      isAdopted = false
    } else if let otherNumber {
      name = otherNumber
      confidence = .likely
      isAdopted = false
    } else if let near = Suggestion.closest(to: word, in: keys),
      ForeignWord.of(word) == nil || near.hasPrefix(word) || word.hasPrefix(near)
    {
      // A word that other tools have is hardly a misspelled key, unless one is the other's plural.
      name = near
      confidence = Suggestion.confidence(that: near, isMeantBy: word, among: keys)
      isAdopted = false
    } else {
      return nil
    }
  }
}

/// A value that was read as that of another key than the written one.
struct AdoptedValue {
  /// The index of the decoder's finding that the key is not known.
  let finding: Int
  /// The place of the key.
  let key: SourceRange
  /// The value.
  let value: YAMLNode

  /// Returns whether a place is within the value, as far as lines and columns say.
  func holds(_ place: SourceRange) -> Bool {
    guard place.line >= value.range.line, place.line <= max(value.lastLine, value.range.line)
    else { return false }
    if place.line == value.range.line, place.column < value.range.column { return false }
    return value.lastLine > value.range.line || place.column < value.range.endColumn
  }
}

extension ScenarioDecoder {
  /// Decides for each key that was read as another one whether what stands behind it fits.
  ///
  /// Then nothing is left to decide. Otherwise the kind of the value is unknown, and the findings in it mean nothing.
  mutating func settleAdoptedValues() {
    guard !adopted.isEmpty else { return }
    var order = diagnostics.indices.filter { diagnostics[$0].range != nil }
    func place(_ index: Int) -> (Int, Int) {
      diagnostics[index].range.map { ($0.line, $0.column) } ?? (0, 0)
    }
    order.sort { place($0) < place($1) }
    /// The findings that are at a place or behind it.
    func first(from line: Int, _ column: Int) -> Int {
      var (low, high) = (0, order.count)
      while low < high {
        let middle = (low + high) / 2
        if place(order[middle]) < (line, column) { low = middle + 1 } else { high = middle }
      }
      return low
    }
    func isMisfit(_ value: AdoptedValue, at range: SourceRange) -> Bool {
      order[first(from: range.line, range.column)...]
        .prefix { place($0) == (range.line, range.column) }
        .contains { $0 > value.finding && diagnostics[$0].severity == .error }
    }
    var dropped: Set<Int> = []
    var certain: [Int] = []
    for value in adopted {
      guard isMisfit(value, at: value.value.range) || isMisfit(value, at: value.key) else {
        certain.append(value.finding)
        continue
      }
      for index in order[first(from: value.value.range.line, value.value.range.column)...] {
        guard let range = diagnostics[index].range, value.holds(range) else { break }
        if index > value.finding { dropped.insert(index) }
      }
    }
    settle(certain: certain, dropped: dropped)
  }
}
