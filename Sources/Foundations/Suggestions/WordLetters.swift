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
  func edits(to other: WordLetters, limit: Int) -> Int? {
    scalars.withUnsafeBufferPointer { word in
      other.scalars.withUnsafeBufferPointer { EditDistance.between(word, $0, limit: limit) }
    }
  }
}
