/// Strings and block strings (specification of October 2021, section 2.9.4).
extension GraphQLLexer {
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  mutating func takeString() throws(GraphQLSyntaxError) -> GraphQLToken.Content {
    position += 1
    var text: [UInt8] = []
    while let byte = current {
      switch byte {
      case Self.quote:
        position += 1
        return .string(String(decoding: text, as: UTF8.self), isBlock: false)
      case Self.backslash:
        text.append(contentsOf: try takeEscape())
      case 0x0A, 0x0D:
        throw failure("the string has no closing quote", at: position)
      case 0..<0x20 where byte != 0x09:
        throw failure("the string holds \(scalarText(at: position))", at: position)
      default:
        text.append(byte)
        position += 1
      }
    }
    throw failure("the string has no closing quote", at: position)
  }

  /// `\n` and its like, `\u0041`, `\u{1F600}`, and two halves of a surrogate pair.
  private mutating func takeEscape() throws(GraphQLSyntaxError) -> String.UTF8View {
    let start = position
    position += 1
    guard let byte = current else { throw failure("the string has no closing quote", at: position) }
    position += 1
    switch byte {
    case Self.quote: return "\"".utf8
    case Self.backslash: return "\\".utf8
    case UInt8(ascii: "/"): return "/".utf8
    case UInt8(ascii: "b"): return "\u{8}".utf8
    case UInt8(ascii: "f"): return "\u{C}".utf8
    case UInt8(ascii: "n"): return "\n".utf8
    case UInt8(ascii: "r"): return "\r".utf8
    case UInt8(ascii: "t"): return "\t".utf8
    case UInt8(ascii: "u"):
      guard let scalar = takeScalar() else {
        throw failure("the escape is not that of a Unicode character", at: start)
      }
      return String(Character(scalar)).utf8
    default:
      throw failure("\"\\\(scalarText(at: start + 1).dropFirst()) is no escape", at: start)
    }
  }

  /// Reads the scalar behind `\u`.
  private mutating func takeScalar() -> Unicode.Scalar? {
    if current == UInt8(ascii: "{") {
      position += 1
      let code = takeHexadecimal(count: 1...6)
      guard current == UInt8(ascii: "}") else { return nil }
      position += 1
      return code.flatMap { Unicode.Scalar($0) }
    }
    guard let code = takeHexadecimal(count: 4...4) else { return nil }
    guard (0xD800...0xDBFF).contains(code) else { return Unicode.Scalar(code) }
    guard isAhead("\\u") else { return nil }
    position += 2
    guard let low = takeHexadecimal(count: 4...4), (0xDC00...0xDFFF).contains(low) else {
      return nil
    }
    return Unicode.Scalar(0x10000 + (code - 0xD800) * 0x400 + (low - 0xDC00))
  }

  private mutating func takeHexadecimal(count: ClosedRange<Int>) -> UInt32? {
    var code: UInt32 = 0
    var length = 0
    while length < count.upperBound, let byte = current,
      let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80
    {
      code = code * 16 + UInt32(digit)
      length += 1
      position += 1
    }
    return length >= count.lowerBound ? code : nil
  }

  // MARK: - Block strings

  /// Within a block string only `\"""` is an escape.
  mutating func takeBlockString() throws(GraphQLSyntaxError) -> GraphQLToken.Content {
    position += 3
    var text: [UInt8] = []
    while let byte = current {
      if isAhead("\\\"\"\"") {
        text += [Self.quote, Self.quote, Self.quote]
        position += 4
      } else if isAhead("\"\"\"") {
        position += 3
        return .string(Self.blockValue(text), isBlock: true)
      } else if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D {
        throw failure("the block string holds \(scalarText(at: position))", at: position)
      } else {
        text.append(byte)
        position += 1
      }
    }
    throw failure("the block string has no closing quotes", at: position)
  }

  /// `BlockStringValue`: without common indentation and without blank lines around it.
  private static func blockValue(_ raw: [UInt8]) -> String {
    var lines = lines(of: raw)
    let indents = lines.dropFirst().compactMap { line in
      line.firstIndex { !isSpace($0) }.map { $0 - line.startIndex }
    }
    if let indent = indents.min(), indent > 0 {
      for index in lines.indices.dropFirst() { lines[index] = lines[index].dropFirst(indent) }
    }
    guard let first = lines.firstIndex(where: { !$0.allSatisfy(isSpace) }),
      let last = lines.lastIndex(where: { !$0.allSatisfy(isSpace) })
    else {
      return ""
    }
    return String(decoding: Array(lines[first...last].joined(separator: [0x0A])), as: UTF8.self)
  }

  private static func lines(of raw: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    var index = 0
    while index < raw.count {
      let byte = raw[index]
      if byte == 0x0A || byte == 0x0D {
        lines.append(raw[start..<index])
        if byte == 0x0D, index + 1 < raw.count, raw[index + 1] == 0x0A { index += 1 }
        start = index + 1
      }
      index += 1
    }
    lines.append(raw[start...])
    return lines
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09
  }
}
