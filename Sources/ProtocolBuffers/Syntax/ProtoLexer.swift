internal import Foundations

/// Cuts a .proto file into tokens (protobuf.dev, "Protocol Buffers Language Specification", lexical elements).
///
/// Reads every byte once.
struct ProtoLexer {
  private let file: String
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  /// The column of `counted`, which grows with it.
  private var column = 1
  private var counted = 0

  init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      position = 3
      counted = 3
    }
  }

  /// The next token; `.end` behind the last.
  mutating func next() throws(ProtoProblem) -> ProtoToken {
    try skipIgnored()
    var location = place(of: position)
    guard let byte = current else { return ProtoToken(content: .end, location: location) }
    let start = position
    let content = try content(byte, from: location)
    let end = place(of: position)
    if end.line == location.line { location.length = max(1, end.column - location.column) }
    precondition(position > start)
    return ProtoToken(content: content, location: location)
  }

  private mutating func content(
    _ byte: UInt8, from location: ProtoLocation
  ) throws(ProtoProblem) -> ProtoToken.Content {
    switch byte {
    case _ where Self.isLetter(byte):
      let start = position
      while let byte = current, Self.isLetter(byte) || Self.isDigit(byte) { position += 1 }
      return .word(String(decoding: bytes[start..<position], as: UTF8.self))
    case _ where Self.isDigit(byte):
      return try number(from: location)
    case UInt8(ascii: ".") where position + 1 < bytes.count && Self.isDigit(bytes[position + 1]):
      return try number(from: location)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return .string(try string(from: location))
    case _ where Self.signs.contains(byte):
      position += 1
      return .sign(byte)
    default:
      throw failure("unexpected \(scalarText)", at: location, "remove it")
    }
  }

  // MARK: - Places

  private func failure(
    _ message: String, at location: ProtoLocation, _ help: String
  ) -> ProtoProblem {
    ProtoProblem(message, in: file, at: location, help: help)
  }

  private mutating func place(of offset: Int) -> ProtoLocation {
    while counted < offset {
      let byte = bytes[counted]
      counted += 1
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return ProtoLocation(line: line, column: column)
  }

  /// The scalar at the position, as messages show it.
  private var scalarText: String {
    let text = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self)
    guard let scalar = text.unicodeScalars.first else { return "the end of the file" }
    guard scalar.value >= 0x20, scalar.value != 0x7F else {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: 4 - min(4, digits.count)) + digits
    }
    return "\"\(scalar)\""
  }

  // MARK: - Parts

  private static let signs = Set("{}[]()<>;,=.-+:/".utf8)

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func isAhead(_ first: Character, _ second: Character) -> Bool {
    position + 1 < bytes.count && bytes[position] == first.asciiValue
      && bytes[position + 1] == second.asciiValue
  }

  private mutating func skipIgnored() throws(ProtoProblem) {
    while let byte = current {
      if [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D].contains(byte) {
        position += 1
      } else if isAhead("/", "/") {
        while let byte = current, byte != 0x0A { position += 1 }
      } else if isAhead("/", "*") {
        let start = place(of: position)
        position += 2
        while current != nil, !isAhead("*", "/") { position += 1 }
        guard current != nil else {
          throw failure("the comment does not end", at: start, "write \"*/\" where it ends")
        }
        position += 2
      } else {
        return
      }
    }
  }

  private mutating func number(
    from location: ProtoLocation
  ) throws(ProtoProblem) -> ProtoToken.Content {
    let start = position
    var isFloat = false
    if isAhead("0", "x") || isAhead("0", "X") {
      position += 2
      while let byte = current, Self.isDigit(byte) || (0x41...0x46).contains(byte & 0xDF) {
        position += 1
      }
    } else {
      while let byte = current {
        if Self.isDigit(byte) {
          position += 1
        } else if byte == UInt8(ascii: ".") {
          isFloat = true
          position += 1
        } else if byte & 0xDF == UInt8(ascii: "E") {
          isFloat = true
          position += 1
          if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
        } else {
          break
        }
      }
    }
    let digits = String(decoding: bytes[start..<position], as: UTF8.self)
    return try checked(isFloat ? .float(digits) : .integer(digits), digits, location)
  }

  private mutating func checked(
    _ content: ProtoToken.Content, _ digits: String, _ location: ProtoLocation
  ) throws(ProtoProblem) -> ProtoToken.Content {
    var isNumber = current.map { !Self.isLetter($0) } ?? true
    switch content {
    case .float: isNumber = isNumber && Double(digits) != nil
    default: isNumber = isNumber && !Self.isBadOctal(digits) && digits != "0x" && digits != "0X"
    }
    guard isNumber else {
      var place = location
      place.length = digits.unicodeScalars.count
      throw failure("\"\(digits)\" is not a number", at: place, "write a number such as 1 or 0.5")
    }
    return content
  }

  private static func isBadOctal(_ digits: String) -> Bool {
    digits.count > 1 && digits.hasPrefix("0") && !digits.lowercased().hasPrefix("0x")
      && digits.contains { $0 > "7" }
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || byte == UInt8(ascii: "_")
  }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  // MARK: - Strings

  private mutating func string(from location: ProtoLocation) throws(ProtoProblem) -> [UInt8] {
    let quote = bytes[position]
    position += 1
    var content: [UInt8] = []
    while true {
      guard let byte = current, byte != 0x0A else {
        throw failure("the string does not end", at: location, "end it with a quote in its line")
      }
      position += 1
      if byte == quote { return content }
      guard byte == UInt8(ascii: "\\") else {
        content.append(byte)
        continue
      }
      try escape(into: &content)
    }
  }

  private mutating func escape(into content: inout [UInt8]) throws(ProtoProblem) {
    let location = place(of: position - 1)
    let letter = current ?? 0
    position = min(position + 1, bytes.count)
    switch letter {
    case UInt8(ascii: "a"): content.append(0x07)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "v"): content.append(0x0B)
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "?"):
      content.append(letter)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var value = UInt32(letter - 0x30)
      for _ in 0..<2 {
        guard let digit = current, (0x30...0x37).contains(digit) else { break }
        value = value * 8 + UInt32(digit - 0x30)
        position += 1
      }
      content.append(UInt8(truncatingIfNeeded: value))
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      guard let value = hexadecimal(1...2) else { throw badEscape(at: location) }
      content.append(UInt8(truncatingIfNeeded: value))
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let count = letter == UInt8(ascii: "u") ? 4 : 8
      guard let value = hexadecimal(count...count), let scalar = Unicode.Scalar(value) else {
        throw badEscape(at: location)
      }
      content += Array(String(scalar).utf8)
    default: throw badEscape(at: location)
    }
  }

  private func badEscape(at location: ProtoLocation) -> ProtoProblem {
    var place = location
    place.length = 2
    return failure("unknown escape in a string", at: place, "write \"\\\\\" for a backslash")
  }

  private mutating func hexadecimal(_ count: ClosedRange<Int>) -> UInt32? {
    var value: UInt32 = 0
    var found = 0
    while found < count.upperBound, let byte = current,
      let digit = Character(.init(byte)).hexDigitValue
    {
      value = value << 4 | UInt32(digit)
      position += 1
      found += 1
    }
    return count.contains(found) ? value : nil
  }
}
