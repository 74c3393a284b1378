/// YAML texts in styles that authors use, from a seed: each number gives the same text.
struct RandomYAML {
  private var state: UInt64
  private var comments = 0
  private var opened: [String] = []
  /// Whether comments stand in the text.
  var hasComments = true

  /// Creates a source of texts.
  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  /// The next text: a map of maps, lists and scalars.
  mutating func text() -> String {
    opened = []
    var text = chance(20) ? "%YAML 1.1\n---\(eolComment())\n" : chance(10) ? "---\n" : ""
    text += ownComments(0)
    text += block(depth: 0, indentation: 0, isMapping: true)
    text += ownComments(0)
    if chance(10) { text += "...\n\(ownComments(0))" }
    if chance(8) { text = text.replacing("\n", with: "\r\n") }
    if chance(8) { text = "\u{FEFF}" + text }
    if chance(8), text.hasSuffix("\n"), !text.hasSuffix("\r\n") { text.removeLast() }
    return text
  }

  // MARK: - Chance

  private mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }

  private mutating func number(_ bound: Int) -> Int { Int(next() >> 33) % bound }

  private mutating func chance(_ oneIn: Int) -> Bool { number(oneIn) == 0 }

  private mutating func pick<Element>(_ list: [Element]) -> Element { list[number(list.count)] }

  // MARK: - Comments

  private mutating func comment() -> String {
    comments += 1
    return pick([
      "# c\(comments)", "#c\(comments)", "## ' \" c\(comments): [ {", "# c\(comments)  ",
    ])
  }

  private mutating func eolComment() -> String {
    guard hasComments, chance(5) else { return "" }
    return String(repeating: " ", count: 1 + number(12)) + comment()
  }

  private mutating func ownComments(_ indentation: Int) -> String {
    guard hasComments else { return "" }
    var text = ""
    while chance(5) {
      if chance(2) { text += "\n" }
      let column = chance(3) ? number(indentation + 8) : indentation
      text += String(repeating: " ", count: column) + comment() + "\n"
    }
    if chance(6) { text += "\n\n" }
    return text
  }

  // MARK: - Blocks

  private mutating func block(depth: Int, indentation: Int, isMapping: Bool) -> String {
    var text = ""
    let pad = String(repeating: " ", count: indentation)
    for index in 0..<(1 + number(4)) {
      text += ownComments(indentation)
      text += pad + (isMapping ? key(index) + ":" : "-")
      text += value(depth: depth + 1, indentation: indentation, isItem: !isMapping)
    }
    return text
  }

  private mutating func key(_ index: Int) -> String {
    pick([
      "k\(index)", "'k \(index)'", "\"k\\t\(index)\"", "k \(index)", "GET https://a/\(index)",
    ])
  }

  private mutating func value(depth: Int, indentation: Int, isItem: Bool) -> String {
    let step = pick([1, 2, 2, 4])
    let inner = String(repeating: " ", count: indentation + step)
    let properties = self.properties()
    switch depth > 4 ? 1 + number(6) : number(10) {
    case 0: return "\(properties.isEmpty ? "" : " " + properties)\(eolComment())\n"
    case 1, 2: return " \(properties)\(scalar())\(eolComment())\n"
    case 3:
      if let name = opened.first, properties.isEmpty, depth == 1, chance(2) {
        return " *\(name)\(eolComment())\n"
      }
      return
        "\(eolComment())\n\(ownComments(indentation + step))\(inner)\(properties)\(scalar())\(eolComment())\n"
    case 4: return " \(properties)\(flow(depth: depth, inner: inner))\(eolComment())\n"
    case 5: return literal(properties, inner: inner, step: step)
    case 6: return " \(properties)" + folded(inner)
    default:
      let isMapping = chance(2)
      if isItem, properties.isEmpty, chance(2) {
        let inside = block(depth: depth, indentation: indentation + 2, isMapping: isMapping)
        guard inside.hasPrefix(String(repeating: " ", count: indentation + 2)),
          !inside.drop(while: { $0 == " " }).hasPrefix("#")
        else { return "\n" + inside }
        return " " + inside.dropFirst(indentation + 2)
      }
      let isIndentless = !isItem && !isMapping && chance(3)
      return "\(properties.isEmpty ? "" : " " + properties)\(eolComment())\n"
        + block(
          depth: depth, indentation: isIndentless ? indentation : indentation + step,
          isMapping: isMapping)
    }
  }

  private mutating func properties() -> String {
    guard chance(8) else { return "" }
    let name = "a\(next() % 1000)"
    opened.append(name)
    return "&\(name) "
  }

  // MARK: - Scalars

  private mutating func scalar() -> String {
    pick([
      "plain", "two words", "12", "0x1F", "1.50", "true", "~", "null", "no", "'no'", "\"yes\"",
      "'it''s'", "\"it's\"", "\"a \\\"b\\\" 'c'\"", "\"\\u00e9\\n\\0\"", "''", "\"\"", "'12'",
      "\"a # b\"", "a#b", "'a: b'", "http://a.example/x", "\"\\u2028\"", "'  '", "é", "\"é ü\"",
      "'- a'", "-a", "\"[a]\"", "'${{ x }}'", "'{'", "\"a\\\\d+\"", "'<<'", "2026-03-01T09:00:00Z",
      "\"plain\"", "\"two  words\"", "'a/b.c'", "\"trailing \"", "\"\\\"\"", "!!str 12", "! x",
      "\"a\u{2028}b\"", "'a\u{85}b'",
    ])
  }

  private mutating func flow(depth: Int, inner: String) -> String {
    let isMapping = chance(2)
    var parts: [String] = []
    for index in 0..<number(5) {
      let value = depth < 5 && chance(4) ? flow(depth: depth + 1, inner: inner) : flowScalar()
      parts.append(isMapping ? "f\(index): \(value)" : value)
    }
    if parts.isEmpty { return isMapping ? "{ }" : "[]" }
    let (open, close) = isMapping ? ("{", "}") : ("[", "]")
    if chance(3) {
      let lines = parts.map {
        "\(inner)  \($0),\(eolComment())\n\(hasComments && chance(6) ? "\(inner)\(comment())\n" : "")"
      }
      return "\(open)\(eolComment())\n\(lines.joined())\(inner)\(close)"
    }
    let space = chance(2) ? " " : ""
    return open + space
      + parts.joined(separator: pick([",", ", ", " , "]).replacing(",", with: ", "))
      + (chance(5) ? "," : "") + space + close
  }

  private mutating func flowScalar() -> String {
    let text = scalar()
    return text.hasPrefix("-a") ? "-b" : text
  }

  private mutating func literal(_ properties: String, inner: String, step: Int) -> String {
    let style = pick(["|", ">"])
    let chomping = pick(["", "-", "+"])
    let isTold = chance(4)
    var lines = ["x", "  y", "# no comment", "", "z  ", "é: [", ""].shuffledPrefix(number(7) + 1) {
      number($0)
    }
    if !isTold {
      while let first = lines.first, first.isEmpty || first.hasPrefix(" ") { lines.removeFirst() }
    }
    let told = isTold ? "\(step)" : ""
    let body = lines.map { $0.isEmpty ? "\n" : "\(inner)\($0)\n" }.joined()
    return " \(properties)\(style)\(told)\(chomping)\(eolComment())\n\(body)"
  }

  private mutating func folded(_ inner: String) -> String {
    let gap = chance(3) ? "\n" : ""
    return pick([
      "one\n\(gap)\(inner)two three\n\(inner)four", "'one\n\(gap)\(inner)  two'",
      "\"one \\\n\(inner)  two\n\(gap)\(inner)\\ three\"", "\"one\\n\n\(inner)two\"",
    ]) + eolComment() + "\n"
  }
}

extension [String] {
  fileprivate func shuffledPrefix(_ count: Int, number: (Int) -> Int) -> [String] {
    var rest = self
    var taken: [String] = []
    while taken.count < count, !rest.isEmpty { taken.append(rest.remove(at: number(rest.count))) }
    return taken
  }
}
