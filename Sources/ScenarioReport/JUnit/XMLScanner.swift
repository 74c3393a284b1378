/// Walks through the tags and texts of an XML document, and requires that each tag is closed.
///
/// Documents of others are read as far as a report needs it: declarations, comments and document types are passed
/// over, entities of a document's own stay as they are written, and nothing outside of the bytes is ever opened.
struct XMLScanner {
  /// One piece of a document.
  enum Token {
    /// `<name attribute="value">`; `<name/>` is followed by its closing tag all the same.
    case opening(name: String, attributes: [String: String])
    /// `</name>`.
    case closing(name: String)
    /// Text between tags, by its place; `text(in:)` decodes it.
    case text(TextPlace)
  }

  /// The place of a text in the document.
  struct TextPlace {
    fileprivate var range: Range<Int>
    /// True if nothing in it is an entity.
    fileprivate var isLiteral: Bool
  }

  /// The reason why a document is not read to its end.
  struct Problem: Error {
    /// Lower case, no full stop.
    var message: String
    /// The line, counted from 1.
    var line: Int
  }

  private let bytes: [UInt8]
  private var place = 0
  private var open: [(name: String, place: Int)] = []
  /// The name of the element without content whose closing tag comes next.
  private var emptyElement: String?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
  }

  /// Returns the next piece; `nil` at the end of a document that is whole.
  mutating func next() throws(Problem) -> Token? {
    if let name = emptyElement {
      emptyElement = nil
      return .closing(name: name)
    }
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "<") else { return text() }
      let start = place
      place += 1
      if skip("!--", to: "-->") { continue }
      if let text = try literalText(from: start) { return text }
      if skip("?", to: "?>") { continue }
      if place < bytes.count, bytes[place] == UInt8(ascii: "!") {
        skipDeclaration()
        continue
      }
      return try tag(from: start)
    }
    if let last = open.last {
      throw Problem(
        message:
          "the file ends within <\(last.name)>, which begins in line \(line(at: last.place))",
        line: line(at: bytes.count))
    }
    return nil
  }

  /// Decodes a text.
  func text(in place: TextPlace) -> String {
    let text = String(decoding: bytes[place.range], as: UTF8.self)
    return place.isLiteral ? text : Self.decoded(text)
  }

  // MARK: - Pieces

  private mutating func text() -> Token {
    let start = place
    place = next(UInt8(ascii: "<")) ?? bytes.count
    return .text(TextPlace(range: start..<place, isLiteral: false))
  }

  private mutating func literalText(from start: Int) throws(Problem) -> Token? {
    let beginning = "![CDATA["
    guard bytes[place...].starts(with: beginning.utf8) else { return nil }
    let textStart = place + beginning.utf8.count
    place = textStart
    guard skip(to: "]]>") else {
      throw Problem(message: "a CDATA section is not closed", line: line(at: start))
    }
    return .text(TextPlace(range: textStart..<(place - 3), isLiteral: true))
  }

  private mutating func tag(from start: Int) throws(Problem) -> Token {
    let isClosing = place < bytes.count && bytes[place] == UInt8(ascii: "/")
    if isClosing { place += 1 }
    let name = word()
    guard !name.isEmpty else {
      throw Problem(message: "a \"<\" does not begin a tag", line: line(at: start))
    }
    let attributes = isClosing ? [:] : try attributes(of: name, from: start)
    skipSpace()
    let isEmpty = !isClosing && place < bytes.count && bytes[place] == UInt8(ascii: "/")
    if isEmpty { place += 1 }
    guard place < bytes.count, bytes[place] == UInt8(ascii: ">") else {
      throw Problem(
        message: place < bytes.count
          ? "the tag <\(isClosing ? "/" : "")\(name)> is not well formed"
          : "the file ends within a tag",
        line: line(at: start))
    }
    place += 1
    guard isClosing else {
      if isEmpty { emptyElement = name } else { open.append((name, start)) }
      return .opening(name: name, attributes: attributes)
    }
    guard let last = open.popLast(), last.name == name else {
      throw Problem(
        message: "the tag </\(name)> does not close an open tag", line: line(at: start))
    }
    return .closing(name: name)
  }

  private mutating func attributes(
    of element: String, from start: Int
  ) throws(Problem) -> [String: String] {
    var attributes: [String: String] = [:]
    while true {
      skipSpace()
      let name = word()
      guard !name.isEmpty else { return attributes }
      skipSpace()
      guard take(UInt8(ascii: "=")) else {
        throw Problem(
          message: "the attribute \"\(name)\" of <\(element)> has no value", line: line(at: start))
      }
      skipSpace()
      guard place < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[place])
      else {
        throw Problem(
          message: "the value of the attribute \"\(name)\" of <\(element)> is not in quotes",
          line: line(at: start))
      }
      let quote = bytes[place]
      place += 1
      let valueStart = place
      guard let end = next(quote) else {
        throw Problem(message: "the file ends within a tag", line: line(at: start))
      }
      place = end + 1
      attributes[name] = Self.decoded(String(decoding: bytes[valueStart..<end], as: UTF8.self))
    }
  }

  /// Passes over `<!DOCTYPE …>`, whose declarations in brackets may hold further `>`.
  private mutating func skipDeclaration() {
    var depth = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where depth <= 0: return
      default: break
      }
    }
  }

  // MARK: - Bytes

  private func line(at offset: Int) -> Int {
    1 + bytes[..<min(offset, bytes.count)].count { $0 == UInt8(ascii: "\n") }
  }

  private func next(_ byte: UInt8) -> Int? {
    place < bytes.count ? bytes[place...].firstIndex(of: byte) : nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  /// Passes over what begins with a text, until its end or that of the file; whether it did.
  private mutating func skip(_ start: String, to end: String) -> Bool {
    guard bytes[place...].starts(with: start.utf8) else { return false }
    place += start.utf8.count
    if !skip(to: end) { place = bytes.count }
    return true
  }

  /// Goes behind the next occurrence of a text; whether there is one.
  private mutating func skip(to end: String) -> Bool {
    let ending = Array(end.utf8)
    while let candidate = next(ending[0]) {
      place = candidate
      if bytes[place...].starts(with: ending) {
        place += ending.count
        return true
      }
      place += 1
    }
    return false
  }

  private mutating func word() -> String {
    let start = place
    while place < bytes.count {
      switch bytes[place] {
      case 9, 10, 13, 32, UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/"),
        UInt8(ascii: "<"), UInt8(ascii: "\""), UInt8(ascii: "'"):
        return String(decoding: bytes[start..<place], as: UTF8.self)
      default: place += 1
      }
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func skipSpace() {
    while place < bytes.count, [9, 10, 13, 32].contains(bytes[place]) { place += 1 }
  }

  /// The text without the five entities of XML and its numbers of characters.
  private static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[start...]
      // No entity that counts has a longer name; without a bound, many `&` would each look through the rest.
      guard let end = rest.prefix(10).firstIndex(of: ";"),
        let character = character(rest[..<end].dropFirst())
      else {
        result.append("&")
        rest = rest.dropFirst()
        continue
      }
      result.append(character)
      rest = rest[end...].dropFirst()
    }
    return result + rest
  }

  private static func character(_ name: Substring) -> Character? {
    let named: [Substring: Character] = [
      "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]
    if let character = named[name] { return character }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let code = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return code.flatMap(Unicode.Scalar.init).map(Character.init)
  }
}
