extension LinearExpressionParser {
  private static let controls: [Unicode.Scalar: UInt8] = [
    "t": 0x09, "n": 0x0A, "r": 0x0D, "f": 0x0C, "e": 0x1B, "a": 0x07, "0": 0x00,
  ]

  /// Parses the rest behind a backslash outside of `[ ]`.
  mutating func escape() throws(PatternError) -> Node {
    guard let scalar = rest.popFirst() else { throw malformed("a \"\\\" stands at the end") }
    switch scalar {
    case "b": return .one(.assert(.wordBoundary))
    case "B": return .one(.assert(.noWordBoundary))
    case "A": return .one(.assert(.start))
    case "z": return .one(.assert(.end))
    case "Z": return .one(.assert(.endOrFinalNewline))
    case "Q": return try quoted()
    case "1"..."9", "k": throw beyond("a reference to an earlier group")
    default: break
    }
    if let member = Self.classMember(scalar) { return .one(.set(ScalarSet([member]))) }
    return literal(try escapedScalar(scalar))
  }

  /// Parses `\Q … \E`: text without special characters.
  private mutating func quoted() throws(PatternError) -> Node {
    var nodes: [Node] = []
    while !take("\\E") {
      guard let scalar = rest.popFirst() else { break }
      nodes.append(literal(scalar))
    }
    return .sequence(nodes)
  }

  private static func classMember(_ scalar: Unicode.Scalar) -> ScalarSet.Member? {
    switch scalar {
    case "d": .digit
    case "D": .not(.digit)
    case "w": .word
    case "W": .not(.word)
    case "s": .space
    case "S": .not(.space)
    case "v": .newline
    case "V", "N": .not(.newline)
    default: nil
    }
  }

  /// A scalar that an escape names.
  private mutating func escapedScalar(
    _ scalar: Unicode.Scalar
  ) throws(PatternError) -> Unicode.Scalar {
    if let control = Self.controls[scalar] { return Unicode.Scalar(control) }
    switch scalar {
    case "x": return try hexadecimal(digits: 2)
    case "u": return try hexadecimal(digits: 4)
    default: break
    }
    guard scalar.isASCII, !scalar.properties.isAlphabetic, !("0"..."9").contains(scalar) else {
      throw beyond("\"\\\(scalar)\"")
    }
    return scalar
  }

  private mutating func hexadecimal(digits: Int) throws(PatternError) -> Unicode.Scalar {
    let text: String
    if rest.first == "{" {
      let content = rest.dropFirst().prefix { $0 != "}" }
      text = String(Substring(content))
      rest = rest[content.endIndex...].dropFirst()
    } else {
      text = String(Substring(rest.prefix(digits)))
      guard text.unicodeScalars.count == digits else { throw malformed("an escape is cut short") }
      rest = rest.dropFirst(digits)
    }
    guard let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value) else {
      throw malformed("\"\(text)\" is not the number of a letter")
    }
    return scalar
  }

  // MARK: - Classes

  /// `[a-z\d]` behind its opening bracket.
  mutating func characterClass() throws(PatternError) -> ScalarSet {
    let isNegated = take("^")
    var members: [ScalarSet.Member] = []
    while let scalar = rest.popFirst() {
      switch scalar {
      case "]":
        guard !members.isEmpty else { throw malformed("\"[]\" is empty") }
        return ScalarSet(members, isNegated: isNegated, ignoresCase: flags.ignoresCase)
      case "[":
        guard take(":") else { throw beyond("a class within a class") }
        members.append(contentsOf: try posixClass())
        continue
      case "&" where rest.first == "&", "~" where rest.first == "~", "-" where rest.first == "-":
        throw beyond("an operation on classes")
      default: break
      }
      if scalar == "\\", let mark = rest.first, let member = Self.classMember(mark) {
        rest.removeFirst()
        members.append(member)
        continue
      }
      let lower = try classScalar(scalar)
      guard rest.first == "-", let behind = rest.dropFirst().first, behind != "]" else {
        members.append(.range(lower...lower))
        continue
      }
      rest.removeFirst()
      guard let mark = rest.popFirst() else { break }
      let upper = try classScalar(mark)
      guard lower <= upper else { throw malformed("a range runs backwards") }
      members.append(.range(lower...upper))
    }
    throw malformed("a \"[\" is not closed")
  }

  private mutating func classScalar(
    _ scalar: Unicode.Scalar
  ) throws(PatternError) -> Unicode.Scalar {
    guard scalar == "\\" else { return scalar }
    guard let mark = rest.popFirst() else { throw malformed("a \"\\\" stands at the end") }
    guard mark != "b" else { return "\u{8}" }
    return try escapedScalar(mark)
  }

  /// `[:alpha:]` and its like, behind `[:`.
  private mutating func posixClass() throws(PatternError) -> [ScalarSet.Member] {
    let name = rest.prefix { $0 != ":" && $0 != "]" }
    rest = rest[name.endIndex...]
    guard take(":]") else { throw malformed("\"[:\" has no \":]\"") }
    switch String(Substring(name)) {
    case "digit": return [.range("0"..."9")]
    case "xdigit": return [.range("0"..."9"), .range("a"..."f"), .range("A"..."F")]
    case "space": return [.space]
    case let other: throw beyond("the class \"[:\(other):]\"")
    }
  }
}
