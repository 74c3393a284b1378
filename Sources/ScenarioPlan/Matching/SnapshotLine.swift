/// A line of a snapshot, as it is written and as it is meant.
///
/// A backslash in front of an elision makes it a text: `\...` and `\[..]`. At a line's end `\r` is a carriage
/// return, so that the ends of lines of the file itself do not count. In front of each of these, and nowhere
/// else, `\\` is a backslash.
struct SnapshotLine {
  private static let anyLines = Array("...".utf8)
  private static let anyLetters = Array("[..]".utf8)
  private static let backslash = UInt8(ascii: "\\")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let letter = UInt8(ascii: "r")
  /// The byte that represents `[..]` in a line's content: it does not occur in UTF-8.
  private static let mark: UInt8 = 0xff

  /// The line as it is written.
  let text: String
  /// True if it matches any number of lines.
  let isAnyLines: Bool
  /// True if a part of it matches any text.
  let hasElision: Bool
  /// The line's content, with `mark` for an elision.
  let meaning: [UInt8]

  /// Reads a line of a snapshot's file.
  init(_ written: some Collection<UInt8>) {
    var line = Array(written)
    if line.last == Self.carriageReturn { line.removeLast() }
    text = String(decoding: line, as: UTF8.self)
    isAnyLines = line == Self.anyLines
    meaning = isAnyLines ? line : Self.meaning(of: line)
    hasElision = meaning.contains(Self.mark)
  }

  /// A line that matches any number of lines.
  static let elision = SnapshotLine(anyLines)

  /// Returns whether this line, which is no `...`, matches a line of an output.
  func fits(_ line: [UInt8]) -> Bool {
    guard hasElision else { return meaning == line }
    return WildcardMatch.holds(meaning, line, isAny: { $0 == Self.mark }, ==)
  }

  // MARK: - Backslashes

  /// Returns a line of an output, escaped so that it matches itself and nothing else.
  static func written(_ line: [UInt8]) -> String {
    let isPlain = !line.contains(backslash) && !line.contains(anyLetters[0])
    if isPlain, line.last != carriageReturn, line != anyLines {
      return String(decoding: line, as: UTF8.self)
    }
    var result: [UInt8] = []
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.prefix { $0 == backslash }.count
      let next = rest.dropFirst(count)
      if let length = elisionLength(next, isWholeLine: rest.startIndex == 0) {
        result += backslashes(2 * count + 1) + next.prefix(length)
        rest = next.dropFirst(length)
      } else if next.elementsEqual([carriageReturn]) {
        result += backslashes(2 * count + 1) + [letter]
        rest = []
      } else if next.elementsEqual([letter]) {
        result += backslashes(2 * count) + [letter]
        rest = []
      } else {
        result += rest.prefix(count + 1)
        rest = next.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func meaning(of line: [UInt8]) -> [UInt8] {
    guard line.contains(backslash) || line.contains(anyLetters[0]) else { return line }
    var result: [UInt8] = []
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.prefix { $0 == backslash }.count
      let next = rest.dropFirst(count)
      if let length = elisionLength(next, isWholeLine: rest.startIndex == 0) {
        // Behind a backslash three dots are not the whole line.
        let isText = count % 2 == 1 || length == anyLines.count
        result += backslashes(count / 2) + (isText ? Array(next.prefix(length)) : [mark])
        rest = next.dropFirst(length)
      } else if next.elementsEqual([letter]), count > 0 {
        result += backslashes(count / 2) + [count % 2 == 1 ? carriageReturn : letter]
        rest = []
      } else {
        result += rest.prefix(count + 1)
        rest = next.dropFirst()
      }
    }
    return result
  }

  /// Returns the length of the elision at the beginning of bytes; `nil` if there is none.
  ///
  /// - Parameter isWholeLine: whether only backslashes precede them.
  private static func elisionLength(_ bytes: ArraySlice<UInt8>, isWholeLine: Bool) -> Int? {
    if bytes.starts(with: anyLetters) { return anyLetters.count }
    return isWholeLine && bytes.elementsEqual(anyLines) ? anyLines.count : nil
  }

  private static func backslashes(_ count: Int) -> [UInt8] {
    [UInt8](repeating: backslash, count: count)
  }
}
