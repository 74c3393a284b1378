internal import Foundations

/// Cuts an expression into tokens (XPath 1.0, section 3.7).
struct XPathLexer {
  enum Token: Hashable {
    /// `/`, `//`, `[`, `::`, `!=` and the like, and the operators `and`, `or`, `div`, `mod`, `*`.
    case sign(String)
    /// `a`, `p:a`, `p:*`; a lone `*` is one as well.
    case name(String)
    case text(String)
    case number(Double)
    case end
  }

  struct Place {
    var token: Token
    /// The bytes in the text.
    var range: Range<Int>
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Returns all tokens, the end as the last one.
  static func tokens(of text: String) throws(XPathError) -> [Place] {
    var lexer = XPathLexer(text)
    var places: [Place] = []
    while true {
      let place = try lexer.next(behind: places.last?.token)
      places.append(place)
      if place.token == .end { return places }
    }
  }

  private static let signs = [
    "::", "//", "..", "!=", "<=", ">=", "/", "(", ")", "[", "]", ".", "@", ",", "|", "+", "-", "=",
    "<", ">",
  ].map { Array($0.utf8) }

  private mutating func next(behind last: Token?) throws(XPathError) -> Place {
    while position < bytes.count, XMLDocument.isSpace(bytes[position]) { position += 1 }
    let start = position
    guard position < bytes.count else { return Place(token: .end, range: start..<start) }
    let byte = bytes[position]
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try text(byte) }
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    if isDigit(byte)
      || byte == UInt8(ascii: ".") && position + 1 < bytes.count && isDigit(bytes[position + 1])
    {
      return number(isDigit)
    }
    if byte == UInt8(ascii: "*") {
      position += 1
      return Place(
        token: Self.mayEndOperand(last) ? .sign("*") : .name("*"), range: start..<position)
    }
    if let sign = Self.signs.first(where: { bytes[start...].starts(with: $0) }) {
      position += sign.count
      return Place(token: .sign(String(decoding: sign, as: UTF8.self)), range: start..<position)
    }
    guard Self.isNameStart(byte) else { throw try unknown(at: start) }
    return try name(behind: last)
  }

  private mutating func text(_ quote: UInt8) throws(XPathError) -> Place {
    let start = position
    guard let end = bytes[(start + 1)...].firstIndex(of: quote) else {
      throw XPathError("the text in quotes has no end", at: start)
    }
    position = end + 1
    return Place(
      token: .text(String(decoding: bytes[(start + 1)..<end], as: UTF8.self)),
      range: start..<position)
  }

  private mutating func number(_ isDigit: (UInt8) -> Bool) -> Place {
    let start = position
    while position < bytes.count, isDigit(bytes[position]) { position += 1 }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      while position < bytes.count, isDigit(bytes[position]) { position += 1 }
    }
    let value = XPathNumber.value(of: String(decoding: bytes[start..<position], as: UTF8.self))
    return Place(token: .number(value), range: start..<position)
  }

  private mutating func name(behind last: Token?) throws(XPathError) -> Place {
    let start = position
    takeWord()
    if position + 1 < bytes.count, bytes[position] == UInt8(ascii: ":"),
      bytes[position + 1] != UInt8(ascii: ":")
    {
      position += 1
      if bytes[position] == UInt8(ascii: "*") {
        position += 1
      } else {
        guard Self.isNameStart(bytes[position]) else {
          throw XPathError("expected a name behind the prefix", at: position)
        }
        takeWord()
      }
    }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    let isOperator = ["and", "or", "div", "mod"].contains(word) && Self.mayEndOperand(last)
    return Place(token: isOperator ? .sign(word) : .name(word), range: start..<position)
  }

  private mutating func takeWord() {
    while position < bytes.count, Self.isNamePart(bytes[position]) { position += 1 }
  }

  /// Section 3.7: behind an operand a name is an operator, and `*` multiplies.
  private static func mayEndOperand(_ token: Token?) -> Bool {
    switch token {
    case nil, .end?: false
    case .name?, .text?, .number?: true
    case .sign(let sign)?: [")", "]", ".", ".."].contains(sign)
    }
  }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), 0x80...:
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

  private func unknown(at start: Int) throws(XPathError) -> XPathError {
    switch bytes[start] {
    case UInt8(ascii: "$"):
      XPathError(
        "a path has no variables", at: start,
        help: "put an expression of this language into the path's condition")
    case UInt8(ascii: "!"):
      XPathError("\"!\" means nothing here", at: start, help: "write not(…), or != to compare")
    case UInt8(ascii: "&"):
      XPathError("\"&\" means nothing here", at: start, help: "write and")
    default:
      XPathError(
        "\"\(String(decoding: bytes[start...].prefix(4), as: UTF8.self).first ?? "?")\" means nothing here",
        at: start)
    }
  }
}

/// The reason why an expression is not XPath.
struct XPathError: Error {
  /// Lower case, no full stop.
  var message: String
  /// The byte in the text.
  var offset: Int
  /// The way to fix it; `nil` where that is plain.
  var help: String?

  init(_ message: String, at offset: Int, help: String? = nil) {
    self.message = message
    self.offset = offset
    self.help = help
  }
}
