/// The tokens of a GraphQL document (specification of October 2021, section 2.1).
struct GraphQLLexer {
  enum Token: Hashable {
    case punctuator(UInt8)
    case spread
    case name(String)
    /// A number or a string: nothing here needs its value.
    case scalar
  }

  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// The next token; `nil` at the end of the document.
  mutating func next() throws(GraphQLSyntaxError) -> Token? {
    skipIgnored()
    guard let byte = current else { return nil }
    switch byte {
    case _ where Self.isNameStart(byte):
      let start = position
      while let byte = current, Self.isNameStart(byte) || Self.isDigit(byte) { position += 1 }
      return .name(String(decoding: bytes[start..<position], as: UTF8.self))
    case UInt8(ascii: "\""):
      try takeString()
      return .scalar
    case _ where byte == UInt8(ascii: "-") || Self.isDigit(byte):
      try takeNumber()
      return .scalar
    case UInt8(ascii: "."):
      guard bytes[position...].starts(with: "...".utf8) else {
        throw failure("expected \"...\"")
      }
      position += 3
      return .spread
    case _ where Self.punctuators.contains(byte):
      position += 1
      return .punctuator(byte)
    default:
      throw failure("unexpected letter")
    }
  }

  /// An error at the current place.
  func failure(_ message: String) -> GraphQLSyntaxError {
    var line = 1
    var column = 1
    for byte in bytes.prefix(position) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return GraphQLSyntaxError(message: message, line: line, column: column)
  }

  // MARK: - Parts

  private static let punctuators = Set("!$&():=@[]{}|".utf8)

  private var current: UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  /// White space, line ends, commas and comments mean nothing.
  private mutating func skipIgnored() {
    while let byte = current {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","):
        position += 1
      case UInt8(ascii: "#"):
        while let byte = current, byte != 0x0A, byte != 0x0D { position += 1 }
      default:
        return
      }
    }
  }

  private mutating func takeNumber() throws(GraphQLSyntaxError) {
    if current == UInt8(ascii: "-") { position += 1 }
    try takeDigits()
    if current == UInt8(ascii: ".") {
      position += 1
      try takeDigits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try takeDigits()
    }
    if let byte = current, Self.isNameStart(byte) {
      throw failure("a number must not end in a letter")
    }
  }

  private mutating func takeDigits() throws(GraphQLSyntaxError) {
    guard let byte = current, Self.isDigit(byte) else { throw failure("expected a digit") }
    while let byte = current, Self.isDigit(byte) { position += 1 }
  }

  private mutating func takeString() throws(GraphQLSyntaxError) {
    if bytes[position...].starts(with: "\"\"\"".utf8) { return try takeBlockString() }
    position += 1
    while let byte = current, byte != 0x0A, byte != 0x0D {
      position += 1
      if byte == UInt8(ascii: "\"") { return }
      if byte == UInt8(ascii: "\\"), current != nil { position += 1 }
    }
    throw failure("the string has no closing quote")
  }

  /// Within a block string only `\"""` is an escape.
  private mutating func takeBlockString() throws(GraphQLSyntaxError) {
    position += 3
    while position < bytes.count {
      if bytes[position...].starts(with: "\\\"\"\"".utf8) {
        position += 4
      } else if bytes[position...].starts(with: "\"\"\"".utf8) {
        position += 3
        return
      } else {
        position += 1
      }
    }
    throw failure("the block string has no closing quotes")
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
