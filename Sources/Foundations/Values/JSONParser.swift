internal import OrderedCollections

/// A recursive descent parser over the bytes of a JSON text that is known to be UTF-8.
struct JSONParser {
  private let bytes: [UInt8]
  private let refusesRepetition: Bool
  private var position = 0
  private var depth = 0

  init(bytes: [UInt8], refusesRepetition: Bool) {
    self.bytes = bytes
    self.refusesRepetition = refusesRepetition
  }

  mutating func parseDocument() throws(JSONParseError) -> Value {
    skipWhitespace()
    let value = try parseValue()
    skipWhitespace()
    guard position == bytes.count else {
      throw failure("expected the end of the text, found \(found())")
    }
    return value
  }

  private mutating func parseValue() throws(JSONParseError) -> Value {
    guard let byte = current else { throw failure("expected a value, found \(found())") }
    switch byte {
    case UInt8(ascii: "{"): return try parseMap()
    case UInt8(ascii: "["): return try parseList()
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
    default:
      if take(word: "true") { return .bool(true) }
      if take(word: "false") { return .bool(false) }
      if take(word: "null") { return .null }
      throw failure("expected a value, found \(found())")
    }
  }

  // MARK: - Lists and maps

  private mutating func parseList() throws(JSONParseError) -> Value {
    try enter()
    defer { depth -= 1 }
    var elements: [Value] = []
    if take(UInt8(ascii: "]")) { return .list([]) }
    while true {
      elements.append(try parseValue())
      skipWhitespace()
      if take(UInt8(ascii: "]")) { return .list(elements) }
      guard take(UInt8(ascii: ",")) else {
        throw failure("expected \",\" or \"]\" in a list, found \(found())")
      }
    }
  }

  private mutating func parseMap() throws(JSONParseError) -> Value {
    try enter()
    defer { depth -= 1 }
    var members: OrderedDictionary<String, Value> = [:]
    if take(UInt8(ascii: "}")) { return .map([:]) }
    while true {
      guard current == UInt8(ascii: "\"") else {
        throw failure("expected a key in double quotes, found \(found())")
      }
      let start = position
      let key = try parseString()
      skipWhitespace()
      guard take(UInt8(ascii: ":")) else {
        throw failure("expected \":\" behind the key \"\(key)\", found \(found())")
      }
      if let index = members.index(forKey: key), members.keys[index].isTwin(of: key) {
        throw failure(
          "the keys \"\(members.keys[index].spelledOut)\" and \"\(key.spelledOut)\" look the same,"
            + " and cannot be kept apart")
      }
      if refusesRepetition, members[key] != nil {
        throw failure("duplicate key \"\(key)\"", at: start)
      }
      members[key] = try parseValue()
      skipWhitespace()
      if take(UInt8(ascii: "}")) { return .map(members) }
      guard take(UInt8(ascii: ",")) else {
        throw failure("expected \",\" or \"}\" in a map, found \(found())")
      }
    }
  }

  /// Steps over the opening bracket.
  private mutating func enter() throws(JSONParseError) {
    guard depth < JSONText.maximumDepth else {
      throw failure("lists and maps nest deeper than \(JSONText.maximumDepth)")
    }
    depth += 1
    position += 1
    skipWhitespace()
  }

  // MARK: - Numbers

  private mutating func parseNumber() throws(JSONParseError) -> Value {
    let start = position
    var isWhole = true
    let isNegative = takeByte(UInt8(ascii: "-"))
    if takeByte(UInt8(ascii: "0")) {
      if let byte = current, isDigit(byte) {
        throw failure("a number must not begin with 0", at: start)
      }
    } else {
      try takeDigits()
    }
    if takeByte(UInt8(ascii: ".")) {
      isWhole = false
      try takeDigits()
    }
    if takeByte(UInt8(ascii: "e")) || takeByte(UInt8(ascii: "E")) {
      isWhole = false
      if !takeByte(UInt8(ascii: "+")) { _ = takeByte(UInt8(ascii: "-")) }
      try takeDigits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    skipWhitespace()
    // "-0" must stay a negative zero, which no Int64 can hold.
    if isWhole, let integer = Int64(text), !(isNegative && integer == 0) {
      return .integer(integer)
    }
    guard let number = Double(text), number.isFinite else {
      throw failure("the number \(text) is out of range", at: start)
    }
    return .number(number)
  }

  private mutating func takeDigits() throws(JSONParseError) {
    let start = position
    while let byte = current, isDigit(byte) { position += 1 }
    guard position > start else { throw failure("expected a digit, found \(found())") }
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  // MARK: - Strings

  private mutating func parseString() throws(JSONParseError) -> String {
    let start = position
    position += 1
    var content: [UInt8] = []
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        content.append(contentsOf: try parseEscape().utf8)
      case 0..<0x20:
        throw failure("a control character in a string must be written as an escape")
      default:
        content.append(byte)
        position += 1
      }
    }
    throw failure("the string has no closing quote", at: start)
  }

  private mutating func parseEscape() throws(JSONParseError) -> String {
    let start = position
    position += 1
    guard let byte = current else { throw failure("the string has no closing quote") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try parseUnicodeEscape(from: start)
    default: throw failure("unknown escape in a string", at: start)
    }
  }

  /// Reads the digits behind `\u`, and the second half of a surrogate pair.
  private mutating func parseUnicodeEscape(from start: Int) throws(JSONParseError) -> String {
    let first = try parseFourHexDigits()
    if let scalar = Unicode.Scalar(first) { return String(Character(scalar)) }
    guard (0xD800..<0xDC00).contains(first), takeByte(UInt8(ascii: "\\")),
      takeByte(UInt8(ascii: "u"))
    else {
      throw failure("a surrogate escape without its other half", at: start)
    }
    let second = try parseFourHexDigits()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else {
      throw failure("a surrogate escape without its other half", at: start)
    }
    return String(Character(scalar))
  }

  private mutating func parseFourHexDigits() throws(JSONParseError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
        byte < 0x80
      else {
        throw failure("expected four hexadecimal digits behind \"\\u\", found \(found())")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  // MARK: - Bytes

  private var current: UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private mutating func takeByte(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  /// Reads a punctuation mark and the white space behind it.
  private mutating func take(_ byte: UInt8) -> Bool {
    guard takeByte(byte) else { return false }
    skipWhitespace()
    return true
  }

  private mutating func take(word: StaticString) -> Bool {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count else { return false }
    let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[position..<end].elementsEqual(expected) else { return false }
    position = end
    return true
  }

  private mutating func skipWhitespace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  // MARK: - Failures

  private func found() -> String {
    guard position < bytes.count else { return "the end of the text" }
    let rest = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self)
    guard let scalar = rest.unicodeScalars.first else { return "the end of the text" }
    guard scalar.value >= 0x20 else {
      return "the control character U+00"
        + String(scalar.value, radix: 16, uppercase: true).padded(to: 2)
    }
    return "\"\(scalar)\""
  }

  private func failure(_ message: String, at offset: Int? = nil) -> JSONParseError {
    let place = TextPosition(of: offset ?? position, in: bytes)
    return JSONParseError(message, line: place.line, column: place.column)
  }
}
