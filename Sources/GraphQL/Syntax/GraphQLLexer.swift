/// Cuts a document into tokens (specification of October 2021, section 2.1).
struct GraphQLLexer {
  let bytes: [UInt8]
  var position = 0
  private var line = 1
  /// The column of `counted`, which grows with it, so that every byte is read once.
  private var column = 1
  private var counted = 0
  private var tokenCount = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The next token; `.end` behind the last.
  mutating func next() throws(GraphQLSyntaxError) -> GraphQLToken {
    guard bytes.count <= GraphQLLimits.length else {
      throw failure("the document is longer than \(GraphQLLimits.length) bytes", at: 0)
    }
    skipIgnored()
    let location = location(of: position)
    tokenCount += 1
    guard tokenCount <= GraphQLLimits.tokens else {
      throw GraphQLSyntaxError(
        message: "the document has more than \(GraphQLLimits.tokens) tokens", location: location)
    }
    guard let byte = current else { return GraphQLToken(content: .end, location: location) }
    return GraphQLToken(content: try content(byte), location: location)
  }

  private mutating func content(_ byte: UInt8) throws(GraphQLSyntaxError) -> GraphQLToken.Content {
    switch byte {
    case _ where Self.isNameStart(byte):
      return .name(takeName())
    case UInt8(ascii: "\""):
      return isAhead("\"\"\"") ? try takeBlockString() : try takeString()
    case _ where byte == UInt8(ascii: "-") || Self.isDigit(byte):
      return try takeNumber()
    case UInt8(ascii: "."):
      guard isAhead("...") else { throw failure("expected \"...\"", at: position) }
      position += 3
      return .spread
    case _ where Self.punctuators.contains(byte):
      position += 1
      return .punctuator(byte)
    default:
      throw failure("unexpected \(scalarText(at: position))", at: position)
    }
  }

  // MARK: - Places

  /// An error at a byte that is not before the token which was read last.
  mutating func failure(_ message: String, at offset: Int) -> GraphQLSyntaxError {
    GraphQLSyntaxError(message: message, location: location(of: offset))
  }

  private mutating func location(of offset: Int) -> GraphQLLocation {
    while counted < min(offset, bytes.count) {
      let byte = bytes[counted]
      counted += 1
      let isReturnBeforeFeed =
        byte == 0x0D && counted < bytes.count && bytes[counted] == 0x0A
      if byte == 0x0A || byte == 0x0D && !isReturnBeforeFeed {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return GraphQLLocation(line: line, column: column)
  }

  /// The scalar at a byte, as messages show it.
  func scalarText(at offset: Int) -> String {
    let text = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self)
    guard let scalar = text.unicodeScalars.first else { return "the end of the document" }
    guard scalar.value >= 0x20, scalar.value != 0x7F else {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: 4 - min(4, digits.count)) + digits
    }
    return scalar == "\"" ? "'\"'" : "\"\(scalar)\""
  }

  // MARK: - Parts

  private static let punctuators = Set("!$&():=@[]{}|".utf8)

  var current: UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  func isAhead(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard position + length <= bytes.count else { return false }
    return (0..<length).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
  }

  /// White space, line ends, commas, comments and byte order marks mean nothing.
  private mutating func skipIgnored() {
    while let byte = current {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","):
        position += 1
      case 0xEF where isAhead("\u{FEFF}"):
        position += 3
      case UInt8(ascii: "#"):
        while let byte = current, byte != 0x0A, byte != 0x0D { position += 1 }
      default:
        return
      }
    }
  }

  private mutating func takeName() -> String {
    let start = position
    while let byte = current, Self.isNameStart(byte) || Self.isDigit(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Section 2.9.1: no zeros in front, and neither a name nor a dot behind.
  private mutating func takeNumber() throws(GraphQLSyntaxError) -> GraphQLToken.Content {
    let start = position
    var isFloat = false
    if current == UInt8(ascii: "-") { position += 1 }
    if current == UInt8(ascii: "0") {
      position += 1
      if let byte = current, Self.isDigit(byte) {
        throw failure("a number must not begin with a zero", at: position)
      }
    } else {
      try takeDigits()
    }
    if current == UInt8(ascii: ".") {
      isFloat = true
      position += 1
      try takeDigits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      isFloat = true
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try takeDigits()
    }
    if let byte = current, Self.isNameStart(byte) || byte == UInt8(ascii: ".") {
      throw failure(
        "expected the end of the number, found \(scalarText(at: position))", at: position)
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    return isFloat ? .float(text) : .integer(text)
  }

  private mutating func takeDigits() throws(GraphQLSyntaxError) {
    guard let byte = current, Self.isDigit(byte) else {
      throw failure("expected a digit, found \(scalarText(at: position))", at: position)
    }
    while let byte = current, Self.isDigit(byte) { position += 1 }
  }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
