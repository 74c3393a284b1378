internal import ScenarioModel

/// Makes texts that a regular expression matches as a whole.
///
/// What an expression repeats without a bound is repeated at most eight times more than it must be.
struct MatchingText: Sendable {
  /// A part of the expression.
  private indirect enum Part: Sendable {
    case nothing
    case one([Unicode.Scalar])
    case sequence([Part])
    case choice([Part])
    case repetition(Part, ClosedRange<Int>)
  }

  private static let moreRepetitions = 8
  /// How many letters a text may have.
  private static let lengthLimit = 10_000
  /// How often a text is made anew because an anchor inside the expression did not hold.
  private static let attempts = 100

  private let pattern: String
  private let whole: Part
  private let check: LinearExpression

  /// Reads an expression.
  ///
  /// - Throws: If it is malformed, or holds what a linear search cannot do.
  init(_ pattern: String) throws(PatternError) {
    self.pattern = pattern
    var parser = LinearExpressionParser(pattern)
    whole = try Self.part(try parser.tree(), of: pattern)
    // The group keeps choices together.
    check = try LinearExpression("\\A(?:\(pattern))\\z")
  }

  /// The next text of a stream.
  func next(_ random: inout SplitMix64) throws(PatternError) -> String {
    for _ in 0..<Self.attempts {
      var text = String.UnicodeScalarView()
      write(whole, to: &text, &random)
      let made = String(text)
      if text.count <= Self.lengthLimit, check.search(in: made) == .found { return made }
    }
    throw PatternError(
      "no text was found that \"\(pattern)\" matches as a whole",
      help: "take anchors and word boundaries out of its middle, or repeat less")
  }

  private func write(
    _ part: Part, to text: inout String.UnicodeScalarView, _ random: inout SplitMix64
  ) {
    guard text.count <= Self.lengthLimit else { return }
    switch part {
    case .nothing: break
    case .one(let scalars):
      text.append(scalars[Int(random.next(below: UInt64(scalars.count)))])
    case .sequence(let parts): for part in parts { write(part, to: &text, &random) }
    case .choice(let parts):
      write(parts[Int(random.next(below: UInt64(parts.count)))], to: &text, &random)
    case .repetition(let part, let bounds):
      let count = random.next(in: Int64(bounds.lowerBound)...Int64(bounds.upperBound))
      for _ in 0..<count { write(part, to: &text, &random) }
    }
  }

  // MARK: - Reading

  private static func part(
    _ node: LinearExpressionParser.Node, of pattern: String
  ) throws(PatternError) -> Part {
    switch node {
    case .nothing: return .nothing
    case .one(.scalar(let scalar)): return .one([scalar])
    case .one(.set(let set)):
      let scalars = set.examples
      guard !scalars.isEmpty else {
        throw PatternError(
          "\"\(pattern)\" holds a set of letters that is empty", help: "put a letter into it")
      }
      return .one(scalars)
    case .one(.anything): return .one(ScalarSet.printable)
    case .one: return .nothing
    case .sequence(let nodes):
      var parts: [Part] = []
      for node in nodes { parts.append(try part(node, of: pattern)) }
      return .sequence(parts)
    case .choice(let nodes):
      var parts: [Part] = []
      for node in nodes { parts.append(try part(node, of: pattern)) }
      return parts.isEmpty ? .nothing : .choice(parts)
    case .repetition(let node, let minimum, let maximum):
      let most = min(maximum ?? minimum + moreRepetitions, max(minimum, lengthLimit))
      return .repetition(try part(node, of: pattern), minimum...max(minimum, most))
    }
  }
}

extension ScalarSet {
  /// What keyboards type without surprises.
  static let printable: [Unicode.Scalar] = (UInt8(0x20)...0x7E).map { Unicode.Scalar($0) }

  /// Scalars of the set: printable ones of ASCII if it has some, else the first that there are.
  var examples: [Unicode.Scalar] {
    let common = Self.printable.filter { contains($0) }
    guard common.isEmpty else { return common }
    var found: [Unicode.Scalar] = []
    for value in UInt32(0)...0x1_FFFF where found.count < 64 {
      if let scalar = Unicode.Scalar(value), contains(scalar) { found.append(scalar) }
    }
    return found
  }
}
