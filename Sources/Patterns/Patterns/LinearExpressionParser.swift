/// Reads regular expressions into steps of a linear search.
package struct LinearExpressionParser {
  /// The maximum number of steps that an expression may have, repetitions written out.
  private static let sizeLimit = 20_000
  /// The maximum number of groups that an expression may have of which the text is wanted.
  private static let groupLimit = 200
  /// The greatest depth to which groups may be nested.
  private static let depthLimit = 200

  /// A part of an expression.
  package indirect enum Node {
    case nothing
    case one(LinearExpression.Instruction)
    case sequence([Node])
    case choice([Node])
    case repetition(Node, minimum: Int, maximum: Int?, isLazy: Bool)
    /// A group whose text is wanted, by its number from 1.
    case group(Node, number: Int)
  }

  /// The flags of `(?i)` and its like.
  struct Flags {
    var ignoresCase = false
    var dotTakesNewlines = false
    var anchorsMatchLines = false
    var ignoresSpace = false
  }

  let text: String
  var rest: Substring.UnicodeScalarView
  var flags = Flags()
  /// The names of the groups whose text may be wanted, in the order of their numbers from 1; `nil` for one without.
  private(set) var groups: [String?] = []
  private let keepsGroups: Bool
  private var depth = 0
  private var program: [LinearExpression.Instruction] = []

  /// - Parameter keepsGroups: whether the search is to say what groups have matched.
  package init(_ text: String, keepsGroups: Bool = false) {
    self.text = text
    self.keepsGroups = keepsGroups
    rest = Substring(text).unicodeScalars
  }

  mutating func parse() throws(PatternError) -> [LinearExpression.Instruction] {
    try emit(try tree())
    program.append(.match)
    return program
  }

  /// The expression's parts, before they become steps.
  package mutating func tree() throws(PatternError) -> Node {
    let node = try choice()
    guard rest.isEmpty else { throw malformed("a \")\" closes nothing") }
    return node
  }

  func malformed(_ reason: String) -> PatternError {
    PatternError(
      "\"\(text)\" is not a regular expression: \(reason)",
      help: "write a \"\\\" before a special character that stands for itself: . * + ? ( ) [ ] { }")
  }

  func beyond(_ what: String) -> PatternError {
    PatternError(
      "\"\(text)\" holds \(what), which cannot be searched in bounded time",
      help: "write the condition without it, or as two conditions in all_of")
  }

  // MARK: - Grammar

  private mutating func choice() throws(PatternError) -> Node {
    depth += 1
    guard depth <= Self.depthLimit else { throw malformed("its groups stand too deep") }
    defer { depth -= 1 }
    let outer = flags
    var choices = [try sequence()]
    while rest.first == "|" {
      rest.removeFirst()
      choices.append(try sequence())
    }
    flags = outer
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func sequence() throws(PatternError) -> Node {
    var nodes: [Node] = []
    while let scalar = rest.first, scalar != "|", scalar != ")" {
      if flags.ignoresSpace, scalar.properties.isWhitespace || scalar == "#" {
        skipSpace()
        continue
      }
      nodes.append(try repeated(try atom()))
    }
    return nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  private mutating func skipSpace() {
    if rest.first == "#" {
      while let scalar = rest.popFirst(), scalar != "\n" {}
    } else {
      rest.removeFirst()
    }
  }

  private mutating func atom() throws(PatternError) -> Node {
    guard let scalar = rest.popFirst() else { return .nothing }
    switch scalar {
    case "(": return try group()
    case "[": return .one(.set(try characterClass()))
    case ".":
      return flags.dotTakesNewlines
        ? .one(.anything) : .one(.set(ScalarSet([.newline], isNegated: true)))
    case "^": return .one(.assert(flags.anchorsMatchLines ? .lineStart : .start))
    case "$": return .one(.assert(flags.anchorsMatchLines ? .lineEnd : .end))
    case "*", "+", "?": throw malformed("\"\(scalar)\" repeats nothing")
    case "\\": return try escape()
    default: return literal(scalar)
    }
  }

  func literal(_ scalar: Unicode.Scalar) -> Node {
    guard flags.ignoresCase else { return .one(.scalar(scalar)) }
    return .one(.set(ScalarSet([.range(scalar...scalar)], ignoresCase: true)))
  }

  // MARK: - Groups

  private mutating func group() throws(PatternError) -> Node {
    let outer = flags
    guard take("?") else { return try capturingGroup(named: nil, restoring: outer) }
    if take(":") { return try endOfGroup(restoring: outer) }
    if take("#") {
      while let scalar = rest.popFirst() {
        if scalar == ")" { return .nothing }
      }
      throw malformed("a comment has no end")
    }
    for (mark, name) in [
      ("=", "a lookahead"), ("!", "a lookahead"), ("<=", "a lookbehind"), ("<!", "a lookbehind"),
      (">", "an atomic group"),
    ] where rest.starts(with: mark.unicodeScalars) { throw beyond(name) }
    if take("P<") || take("<") {
      var name = String.UnicodeScalarView()
      while let scalar = rest.popFirst(), scalar != ">" {
        guard scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        else { throw malformed("the name of a group has a strange letter") }
        name.append(scalar)
      }
      return try capturingGroup(named: String(name), restoring: outer)
    }
    return try flagGroup(outer)
  }

  private mutating func capturingGroup(
    named name: String?, restoring outer: Flags
  ) throws(PatternError) -> Node {
    groups.append(name)
    // Each place of the program has its own copy of where groups are.
    guard !keepsGroups || groups.count <= Self.groupLimit else {
      throw beyond("more than \(Self.groupLimit) groups")
    }
    let number = groups.count
    let node = try endOfGroup(restoring: outer)
    return keepsGroups ? .group(node, number: number) : node
  }

  private mutating func endOfGroup(restoring outer: Flags) throws(PatternError) -> Node {
    let node = try choice()
    guard take(")") else { throw malformed("a \"(\" is not closed") }
    flags = outer
    return node
  }

  /// `(?i)` for the rest of the group, or `(?i: … )`.
  private mutating func flagGroup(_ outer: Flags) throws(PatternError) -> Node {
    var value = true
    while let scalar = rest.popFirst() {
      switch scalar {
      case "-": value = false
      case "i": flags.ignoresCase = value
      case "s": flags.dotTakesNewlines = value
      case "m": flags.anchorsMatchLines = value
      case "x": flags.ignoresSpace = value
      case ")": return .nothing
      case ":": return try endOfGroup(restoring: outer)
      default: throw beyond("the group option \"\(scalar)\"")
      }
    }
    throw malformed("a \"(\" is not closed")
  }

  mutating func take(_ mark: String) -> Bool {
    guard rest.starts(with: mark.unicodeScalars) else { return false }
    rest.removeFirst(mark.unicodeScalars.count)
    return true
  }

  // MARK: - Repetitions

  private mutating func repeated(_ atom: Node) throws(PatternError) -> Node {
    if flags.ignoresSpace { while rest.first?.properties.isWhitespace == true { skipSpace() } }
    let minimum: Int
    let maximum: Int?
    switch rest.first {
    case "*": (minimum, maximum) = (0, nil)
    case "+": (minimum, maximum) = (1, nil)
    case "?": (minimum, maximum) = (0, 1)
    case "{": (minimum, maximum) = try braces()
    default: return atom
    }
    rest.removeFirst()
    if rest.first == "+" { throw beyond("a possessive repetition") }
    let isLazy = rest.first == "?"
    if isLazy { rest.removeFirst() }
    if let mark = rest.first, ["{", "*", "+", "?"].contains(mark) {
      throw malformed("a repetition is repeated")
    }
    return .repetition(atom, minimum: minimum, maximum: maximum, isLazy: isLazy)
  }

  /// `{2}`, `{2,}`, `{,3}`, `{2,3}`, up to the closing brace.
  private mutating func braces() throws(PatternError) -> (Int, Int?) {
    let content = rest.dropFirst().prefix { $0 != "}" }
    guard content.count < 12, content.endIndex < rest.endIndex else {
      throw malformed("a \"{\" is not closed")
    }
    let parts = String(Substring(content)).split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " } }
    // "{-1}" is no repetition, though it holds what others read as a number.
    guard parts.allSatisfy({ $0.allSatisfy { "0"..."9" ~= $0 } }) else {
      throw malformed("\"{\" and \"}\" hold no number")
    }
    rest = rest[content.endIndex...]
    switch parts.count {
    case 1:
      guard let count = Int(parts[0]) else { break }
      return (count, count)
    case 2:
      guard let minimum = parts[0].isEmpty ? 0 : Int(parts[0]) else { break }
      if parts[1].isEmpty, !parts[0].isEmpty { return (minimum, nil) }
      guard let maximum = Int(parts[1]), maximum >= minimum else { break }
      return (minimum, maximum)
    default: break
    }
    throw malformed("\"{\" and \"}\" hold no number")
  }

  // MARK: - Steps

  private mutating func append(_ instruction: LinearExpression.Instruction) throws(PatternError) {
    guard program.count < Self.sizeLimit else {
      throw beyond("more than \(Self.sizeLimit) steps")
    }
    program.append(instruction)
  }

  private mutating func emit(_ node: Node) throws(PatternError) {
    switch node {
    case .nothing: break
    case .one(let instruction): try append(instruction)
    case .sequence(let nodes):
      for node in nodes { try emit(node) }
    case .choice(let nodes): try emitChoice(nodes)
    case .group(let node, let number):
      try append(.save(2 * number))
      try emit(node)
      try append(.save(2 * number + 1))
    case .repetition(let node, let minimum, let maximum, let isLazy):
      for _ in 0..<minimum {
        let size = program.count
        try emit(node)
        // Nothing stays nothing, however often.
        if program.count == size { return }
      }
      guard let maximum else { return try emitLoop(node, isLazy: isLazy) }
      var exits: [Int] = []
      for _ in minimum..<maximum {
        exits.append(program.count)
        try append(.split(program.count + 1, 0))
        try emit(node)
      }
      for exit in exits { program[exit] = split(exit + 1, program.count, isLazy: isLazy) }
    }
  }

  private mutating func emitChoice(_ nodes: [Node]) throws(PatternError) {
    var jumps: [Int] = []
    for node in nodes.dropLast() {
      let split = program.count
      try append(.split(split + 1, 0))
      try emit(node)
      jumps.append(program.count)
      try append(.jump(0))
      program[split] = .split(split + 1, program.count)
    }
    if let last = nodes.last { try emit(last) }
    for jump in jumps { program[jump] = .jump(program.count) }
  }

  /// A loop asks behind its body whether to go on, so that a body which takes no letter has been gone through once
  /// and its groups are kept.
  private mutating func emitLoop(_ node: Node, isLazy: Bool) throws(PatternError) {
    let beginning = program.count
    try append(.split(beginning + 1, 0))
    try emit(node)
    let end = program.count
    try append(split(beginning + 1, end + 1, isLazy: isLazy))
    program[beginning] = split(beginning + 1, end + 1, isLazy: isLazy)
  }

  /// A choice between going on with a repetition and leaving it, what is tried first at the front.
  private func split(
    _ body: Int, _ exit: Int, isLazy: Bool
  ) -> LinearExpression.Instruction {
    isLazy ? .split(exit, body) : .split(body, exit)
  }
}
