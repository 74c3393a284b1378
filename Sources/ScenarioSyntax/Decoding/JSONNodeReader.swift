internal import Foundations

/// Reads JSON into nodes that know their places, so that what another tool wrote is judged like a file of
/// the language.
///
/// libyaml refuses what JSON allows: surrogate escapes, and keys beyond 1,024 letters.
struct JSONNodeReader {
  private let path: String
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0
  /// The offset up to which lines and columns have been counted: places are asked for in ascending
  /// order.
  private var counted = 0
  private var line = 1
  private var column = 1

  private init(_ source: SourceText) {
    path = source.path
    bytes = source.bytes
  }

  /// Reads a whole text, whose bytes are known to be UTF-8.
  static func read(_ source: SourceText) throws(Diagnostic) -> YAMLNode {
    var reader = JSONNodeReader(source)
    reader.skipWhitespace()
    let node = try reader.readValue()
    reader.skipWhitespace()
    guard reader.position == reader.bytes.count else {
      throw reader.failure("expected the end of the JSON text")
    }
    return node
  }

  private mutating func readValue() throws(Diagnostic) -> YAMLNode {
    guard position < bytes.count else { throw failure("expected a JSON value") }
    switch bytes[position] {
    case UInt8(ascii: "{"): return try readMap()
    case UInt8(ascii: "["): return try readList()
    case UInt8(ascii: "\""): return try readScalar(to: endOfString(), style: .doubleQuoted)
    default:
      let end = bytes[position...].firstIndex { !Self.isWordByte($0) } ?? bytes.endIndex
      guard end > position else { throw failure("expected a JSON value") }
      return try readScalar(to: end, style: .plain)
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  // MARK: - Lists and maps

  private mutating func readList() throws(Diagnostic) -> YAMLNode {
    let start = try enter()
    defer { depth -= 1 }
    var nodes: [YAMLNode] = []
    if take(UInt8(ascii: "]")) { return node(.sequence([]), at: start, children: []) }
    while true {
      nodes.append(try readValue())
      skipWhitespace()
      if take(UInt8(ascii: "]")) { break }
      guard take(UInt8(ascii: ",")) else { throw failure("expected \",\" or \"]\" in a list") }
    }
    return node(.sequence(nodes), at: start, children: nodes)
  }

  private mutating func readMap() throws(Diagnostic) -> YAMLNode {
    let start = try enter()
    defer { depth -= 1 }
    var members: [YAMLMember] = []
    var keys: Set<String> = []
    if take(UInt8(ascii: "}")) { return node(.mapping([]), at: start, children: []) }
    while true {
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw failure("expected a key in double quotes")
      }
      let keyNode = try readScalar(to: endOfString(), style: .doubleQuoted)
      guard case .scalar(let scalar) = keyNode.content else { throw failure("expected a key") }
      guard keys.insert(scalar.text).inserted else {
        throw Diagnostic(
          "duplicate key \"\(scalar.text)\"", code: .duplicateKey, at: keyNode.range,
          help: "keep one of them: JSON parsers differ on which one they use")
      }
      skipWhitespace()
      guard take(UInt8(ascii: ":")) else { throw failure("expected \":\" after a key") }
      let value = try readValue()
      members.append(
        YAMLMember(key: Located(scalar.text, at: keyNode.range), value: value))
      skipWhitespace()
      if take(UInt8(ascii: "}")) { break }
      guard take(UInt8(ascii: ",")) else { throw failure("expected \",\" or \"}\" in a map") }
    }
    return node(.mapping(members), at: start, children: members.map(\.value))
  }

  private mutating func enter() throws(Diagnostic) -> SourceRange {
    let start = range(length: 1)
    guard depth < YAMLLimits().depth else {
      throw failure("lists and maps nest deeper than \(YAMLLimits().depth)")
    }
    depth += 1
    position += 1
    skipWhitespace()
    return start
  }

  private func node(
    _ content: YAMLNode.Content, at range: SourceRange, children: [YAMLNode]
  ) -> YAMLNode {
    YAMLNode(
      content: content, range: range, lastLine: children.last?.lastLine ?? range.line,
      size: children.reduce(1) { $0 + $1.size }, height: 1 + (children.map(\.height).max() ?? 0))
  }

  // MARK: - Scalars

  /// The place behind the closing quote of the string that begins here.
  private mutating func endOfString() throws(Diagnostic) -> Int {
    var index = position + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard index < bytes.count else { throw failure("the string has no closing quote") }
    return index + 1
  }

  private mutating func readScalar(
    to end: Int, style: YAMLScalar.Style
  ) throws(Diagnostic) -> YAMLNode {
    let written = Array(bytes[position..<end])
    let range = range(length: String(decoding: written, as: UTF8.self).unicodeScalars.count)
    let value: Value
    do throws(JSONParseError) {
      value = try JSONText.parse(utf8: written)
    } catch {
      throw Diagnostic(
        error.message,
        code: .badJSON,
        at: SourceRange(file: path, line: range.line, column: range.column + error.column - 1),
        help: "the file must be JSON")
    }
    position = end
    var text = String(decoding: written, as: UTF8.self)
    if case .string(let string) = value { text = string }
    return YAMLNode(
      content: .scalar(YAMLScalar(text: text, style: style, tag: nil)), range: range,
      lastLine: range.line, size: 1, height: 1)
  }

  // MARK: - Bytes

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    skipWhitespace()
    return true
  }

  private mutating func skipWhitespace() {
    while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) {
      position += 1
    }
  }

  /// The range that begins here.
  private mutating func range(length: Int) -> SourceRange {
    while counted < position {
      if LineBreak.ends(bytes, at: counted) {
        line += 1
        column = 1
      } else if bytes[counted] & 0xC0 != 0x80 {
        column += 1
      }
      counted += 1
    }
    return SourceRange(file: path, line: line, column: column, length: length)
  }

  private mutating func failure(_ message: String) -> Diagnostic {
    Diagnostic(message, code: .badJSON, at: range(length: 1), help: "the file must be JSON")
  }
}
