/// The name of a file that is another one in each run, as names with the number of a process in them are.
///
/// It is learnt from the names that two runs have given: numbers that differ may be others, and where that is not all,
/// words of letters and digits.
package struct VaryingName: Sendable, Hashable, Codable {
  /// A part of a name.
  private enum Part: Sendable, Hashable, Codable {
    /// The same in each run.
    case fixed(String)
    /// A number.
    case number
    /// So many letters and digits.
    case word(length: Int)
  }

  /// The folder of the file, with a slash at its end.
  private let folder: String
  private let parts: [Part]
  /// True if numbers are parts of their own, and not of words.
  private let isOfNumbers: Bool

  /// Compares two paths; `nil` where they have no more than the folder in common.
  package init?(_ first: String, _ second: String) {
    let (one, other) = (Self.split(first), Self.split(second))
    guard one.folder == other.folder else { return nil }
    folder = one.folder
    for isOfNumbers in [true, false] {
      let words = Self.parts(of: one.name, isOfNumbers: isOfNumbers)
      let others = Self.parts(of: other.name, isOfNumbers: isOfNumbers)
      guard words.count == others.count else { continue }
      let parts = zip(words, others).compactMap { Self.part($0, $1, isOfNumbers: isOfNumbers) }
      guard parts.count == words.count else { continue }
      self.parts = parts
      self.isOfNumbers = isOfNumbers
      return
    }
    return nil
  }

  /// Returns whether a path may be that of the same file in another run.
  package func matches(_ path: String) -> Bool {
    let (folder, name) = Self.split(path)
    let words = Self.parts(of: name, isOfNumbers: isOfNumbers)
    guard folder == self.folder, words.count == parts.count else { return false }
    return zip(parts, words).allSatisfy { part, word in
      switch part {
      case .fixed(let text): word == text
      case .number: word.allSatisfy(Self.isDigit)
      case .word(let length): word.utf8.count == length && word.allSatisfy(Self.isOfWord)
      }
    }
  }

  private static func part(_ one: Substring, _ other: Substring, isOfNumbers: Bool) -> Part? {
    if one == other { return .fixed(String(one)) }
    if one.allSatisfy(isDigit), other.allSatisfy(isDigit) { return .number }
    guard !isOfNumbers, one.allSatisfy(isOfWord), other.allSatisfy(isOfWord),
      one.utf8.count == other.utf8.count
    else { return nil }
    return .word(length: one.utf8.count)
  }

  private static func split(_ path: String) -> (folder: String, name: Substring) {
    let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    return (String(path[..<end]), path[end...])
  }

  /// A name cut where numbers begin and end, or where words do.
  private static func parts(of name: Substring, isOfNumbers: Bool) -> [Substring] {
    let isInside = isOfNumbers ? isDigit : isOfWord
    var parts: [Substring] = []
    var rest = name
    while let first = rest.first {
      let part = rest.prefix { isInside($0) == isInside(first) }
      parts.append(part)
      rest = rest[part.endIndex...]
    }
    return parts
  }

  private static func isDigit(_ letter: Character) -> Bool { letter.isASCII && letter.isNumber }

  private static func isOfWord(_ letter: Character) -> Bool {
    isDigit(letter) || letter.isASCII && letter.isLetter
  }
}
