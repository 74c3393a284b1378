internal import Patterns

/// The data of a record as master files write it, in words (RFC 1035, section 5.1).
struct RecordText {
  /// A word.
  struct Word {
    /// The word as it is written, without quotes around all of it.
    var text: String
    /// The bytes that it stands for.
    var bytes: [UInt8]
    /// True if it begins with a quote.
    var isQuoted: Bool
  }

  /// The words in order.
  let words: [Word]

  /// Reads words, which spaces divide; quotes hold words together, and parentheses mean nothing.
  init(_ text: String) throws(PatternError) {
    var words: [Word] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.first {
      guard !Self.isSpace(first) else {
        rest.removeFirst()
        continue
      }
      words.append(try Self.word(in: &rest, of: text))
    }
    self.words = words
  }

  private static func word(
    in rest: inout ArraySlice<UInt8>, of text: String
  ) throws(PatternError) -> Word {
    let isQuoted = rest.first == UInt8(ascii: "\"")
    var written: [UInt8] = []
    var bytes: [UInt8] = []
    var isInside = false
    while let byte = rest.first, isInside || !isSpace(byte) {
      rest.removeFirst()
      if byte == UInt8(ascii: "\"") {
        isInside.toggle()
        // A closing quote ends a word that began with one.
        if isQuoted, !isInside { break }
        continue
      }
      written.append(byte)
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      let before = rest
      guard let escaped = escaped(&rest) else {
        throw PatternError(
          "\"\(text)\" ends a backslash without a character behind it",
          help: "write \\\\ for a backslash, or \\ and three digits for a byte")
      }
      written += before.prefix(before.count - rest.count)
      bytes.append(escaped)
    }
    guard !isInside else {
      throw PatternError(
        "\"\(text)\" has a quote without its end",
        help: "add a quote, or write \\\" for the character")
    }
    return Word(text: String(decoding: written, as: UTF8.self), bytes: bytes, isQuoted: isQuoted)
  }

  /// The byte that what follows a backslash stands for, which is taken away; `nil` if it stands for none.
  static func escaped(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
    guard let first = rest.first else { return nil }
    guard isDigit(first) else { return rest.removeFirst() }
    let digits = rest.prefix(3)
    guard digits.count == 3, digits.allSatisfy(isDigit),
      let value = UInt8(String(decoding: digits, as: UTF8.self))
    else { return nil }
    rest.removeFirst(3)
    return value
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    [UInt8(ascii: " "), 9, 10, 13, UInt8(ascii: "("), UInt8(ascii: ")")].contains(byte)
  }
}
