internal import Foundations

/// The small pieces: names, references, white space, what is passed over, and where a mistake is.
extension XMLParser {
  var current: UInt8? { position < source.count ? source[position] : nil }

  func starts(with text: StaticString) -> Bool {
    guard source.count - position >= text.utf8CodeUnitCount else { return false }
    for offset in 0..<text.utf8CodeUnitCount
    where source[position + offset] != text.utf8Start[offset] {
      return false
    }
    return true
  }

  mutating func take(_ text: StaticString) -> Bool {
    guard starts(with: text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  /// Passes over white space; whether there was some.
  @discardableResult
  mutating func skipSpace() -> Bool {
    let start = position
    while let byte = current, XMLDocument.isSpace(byte) { position += 1 }
    return position > start
  }

  /// Goes behind the next occurrence of a text, and returns where that begins; `nil` if there is none.
  mutating func skip(to text: StaticString) -> Int? {
    while position < source.count {
      if source[position] == text.utf8Start[0], starts(with: text) {
        let start = position
        position += text.utf8CodeUnitCount
        return start
      }
      position += 1
    }
    return nil
  }

  // MARK: - Names

  func name(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }

  /// - Parameter element: the name of the element around it, for an error.
  mutating func takeName(
    _ what: String, of element: Range<Int>? = nil
  ) throws(XMLParseError) -> Range<Int> {
    let start = position
    guard let first = current, Self.isNameStart(first) else {
      throw failure("expected \(what)\(element.map { " of <\(name($0))>" } ?? ""), found \(found)")
    }
    while let byte = current, Self.isNamePart(byte) { position += 1 }
    return start..<position
  }

  /// Letters beyond ASCII are all taken for letters of a name.
  private static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
      true
    default: false
    }
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: isNameStart(byte)
    }
  }

  // MARK: - References

  /// Reads `&lt;`, `&#60;` or `&#x3C;`.
  mutating func takeReference() throws(XMLParseError) -> [UInt8] {
    let start = position
    position += 1
    let nameStart = position
    while let byte = current, byte == UInt8(ascii: "#") || Self.isNamePart(byte),
      position - nameStart < Self.longestReference
    {
      position += 1
    }
    let name = self.name(nameStart..<position)
    guard !name.isEmpty, take(";") else {
      throw failure("a \"&\" that begins no reference must be written &amp;", at: start)
    }
    if let byte = Self.entities[name] { return [byte] }
    guard name.hasPrefix("#") else {
      throw failure(
        "the entity \"&\(name);\" is not known: those of a document type are never read", at: start)
    }
    let digits = name.dropFirst()
    let code =
      digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    guard let code, Self.isCharacter(code), let scalar = Unicode.Scalar(code) else {
      throw failure("\"&\(name);\" is no character", at: start)
    }
    return Array(String(Character(scalar)).utf8)
  }

  private static let longestReference = 64
  private static let entities: [String: UInt8] = [
    "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
    "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"),
  ]

  /// Section 2.2.
  private static func isCharacter(_ code: UInt32) -> Bool {
    switch code {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  // MARK: - Passing over

  /// Passes over `<?xml version="1.0"?>`.
  mutating func skipDeclaration() throws(XMLParseError) {
    guard starts(with: "<?xml"), position + 5 < source.count,
      XMLDocument.isSpace(source[position + 5])
    else { return }
    guard skip(to: "?>") != nil else { throw failure("\"<?xml\" has no \"?>\"", at: 0) }
  }

  /// Passes over a document type with its declarations, in whose quotes and comments brackets do not count; whether it
  /// has an end.
  mutating func skipDocumentType() -> Bool {
    position += "<!DOCTYPE".utf8.count
    var isInside = false
    while let byte = current {
      if starts(with: "<!--") {
        position += 4
        guard skip(to: "-->") != nil else { return false }
        continue
      }
      if starts(with: "<?") {
        guard skip(to: "?>") != nil else { return false }
        continue
      }
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard skip(to: "\"") != nil else { return false }
      case UInt8(ascii: "'"):
        guard skip(to: "'") != nil else { return false }
      case UInt8(ascii: "["): isInside = true
      case UInt8(ascii: "]"): isInside = false
      case UInt8(ascii: ">") where !isInside: return true
      default: break
      }
    }
    return false
  }

  // MARK: - Mistakes

  func failure(_ message: String, at offset: Int? = nil) -> XMLParseError {
    let place = XMLDocument.position(of: offset ?? position, in: source)
    return XMLParseError(message, line: place.line, column: place.column)
  }

  func control(_ byte: UInt8) -> XMLParseError {
    let digits = String(byte, radix: 16, uppercase: true)
    return failure(
      "the control character U+00\(byte < 16 ? "0" : "")\(digits) is not allowed in XML")
  }

  func line(of offset: Int) -> Int { XMLDocument.position(of: offset, in: source).line }

  /// The character at the position, for messages.
  var found: String {
    guard position < source.count else { return "the end of the document" }
    let text = String(decoding: source[position...].prefix(8), as: UTF8.self)
    return text.first.map { "\"\($0)\"" } ?? "the end of the document"
  }
}
