/// The letters of a word, capitals aside.
struct WordLetters: Equatable {
  /// The letters as Unicode scalars.
  let scalars: [UInt32]
  /// The number of bytes of UTF-8 of the word.
  let byteCount: Int

  init(_ word: String) {
    byteCount = word.utf8.count
    scalars =
      word.utf8.allSatisfy { $0 < 0x80 }
      ? word.utf8.map { UInt32($0.smallLetter) } : word.lowercased().unicodeScalars.map(\.value)
  }

  var count: Int { scalars.count }

  /// The number of edits between two words; `nil` if more than a limit.
  ///
  /// An edit puts a letter in, leaves one out, replaces one, or swaps two neighbours, and no letter is edited twice:
  /// the optimal string alignment distance.
  ///
  /// - Parameter limit: 2 at most; what is beyond is a different word.
  func edits(to other: WordLetters, limit: Int) -> Int? {
    scalars.withUnsafeBufferPointer { word in
      other.scalars.withUnsafeBufferPointer { WordPair(word, $0).edits(limit: limit) }
    }
  }
}

/// The rests of a word and of a name between the letters that both begin and end with.
struct WordPair<Letter: FixedWidthInteger & UnsignedInteger> {
  private let word: UnsafeBufferPointer<UInt32>
  private let name: UnsafeBufferPointer<Letter>
  private var wordPart: Range<Int>
  private var namePart: Range<Int>

  /// Compares whole words; the letters of the first are small.
  init(_ word: UnsafeBufferPointer<UInt32>, _ name: UnsafeBufferPointer<Letter>) {
    self.word = word
    self.name = name
    wordPart = 0..<word.count
    namePart = 0..<name.count
  }

  /// The number of edits between the two; `nil` if more than the limit, which is 2 at most.
  func edits(limit: Int) -> Int? {
    assert(limit <= 2)
    guard abs(wordPart.count - namePart.count) <= limit else { return nil }
    let rest = trimmed
    // Letters of one alone must all be put in.
    if rest.wordPart.isEmpty || rest.namePart.isEmpty { return rest.length }
    guard limit > 0 else { return nil }
    if rest.length == 1 || rest.isSwap(rest.length) { return 1 }
    guard limit > 1 else { return nil }
    // The first letters differ, so that an edit is about one of them, and one more may follow.
    let isNear =
      rest.without(1, 0).isOneEdit || rest.without(0, 1).isOneEdit || rest.without(1, 1).isOneEdit
      || rest.isSwap(2) && rest.without(2, 2).isOneEdit
    return isNear ? 2 : nil
  }

  private var length: Int { max(wordPart.count, namePart.count) }

  private var isOneEdit: Bool {
    guard abs(wordPart.count - namePart.count) <= 1 else { return false }
    let rest = trimmed
    return rest.length <= 1 || rest.isSwap(rest.length)
  }

  /// Returns whether the first two letters are swapped, and, where they are all, nothing else differs.
  private func isSwap(_ length: Int) -> Bool {
    length == 2 && wordPart.count >= 2 && namePart.count >= 2
      && isSame(wordPart.lowerBound, namePart.lowerBound + 1)
      && isSame(wordPart.lowerBound + 1, namePart.lowerBound)
  }

  private func isSame(_ place: Int, _ namePlace: Int) -> Bool {
    word[place] == UInt32(name[namePlace].smallLetter)
  }

  private func without(_ count: Int, _ nameCount: Int) -> WordPair {
    var rest = self
    rest.wordPart = min(wordPart.lowerBound + count, wordPart.upperBound)..<wordPart.upperBound
    rest.namePart = min(namePart.lowerBound + nameCount, namePart.upperBound)..<namePart.upperBound
    return rest
  }

  /// Without the letters that both begin with, and those that both end with: none of them need be edited.
  private var trimmed: WordPair {
    var (first, nameFirst) = (wordPart.lowerBound, namePart.lowerBound)
    var (end, nameEnd) = (wordPart.upperBound, namePart.upperBound)
    while first < end, nameFirst < nameEnd, isSame(first, nameFirst) {
      first += 1
      nameFirst += 1
    }
    while end > first, nameEnd > nameFirst, isSame(end - 1, nameEnd - 1) {
      end -= 1
      nameEnd -= 1
    }
    var rest = self
    rest.wordPart = first..<end
    rest.namePart = nameFirst..<nameEnd
    return rest
  }
}

extension FixedWidthInteger {
  /// The letter, small if it is a capital of ASCII.
  fileprivate var smallLetter: Self { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
