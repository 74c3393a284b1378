package import Foundations
package import Patterns

/// Makes texts that a regular expression matches as a whole.
///
/// A repetition without a bound is repeated at most eight times more than it must be, unless another number is given.
package struct MatchingText: Sendable {
  /// A part of the expression.
  private indirect enum Part: Sendable {
    case nothing
    case one([Unicode.Scalar])
    case sequence([Part])
    case choice([Part])
    case repetition(Part, ClosedRange<Int>)

    var isNothing: Bool {
      if case .nothing = self { return true }
      return false
    }
  }

  /// The usual number of times that a repetition without a bound may be repeated beyond what it must be.
  package static let moreRepetitions = 8
  /// The maximum number of letters that a text may have.
  private static let lengthLimit = 10_000
  /// The maximum number of parts of the expression that are written for a text, those that hold no letter as well.
  private static let stepLimit = 200_000
  /// The number of times that a text is made anew because an anchor inside the expression did not hold.
  private static let attempts = 100

  private let pattern: String
  private let whole: Part
  private let check: LinearExpression

  /// Reads an expression.
  ///
  /// - Parameter moreRepetitions: how many times a repetition without a bound may be repeated beyond what it must be.
  /// - Throws: If it is malformed, or holds what a linear search cannot do.
  package init(
    _ pattern: String, moreRepetitions: Int = Self.moreRepetitions
  ) throws(PatternError) {
    self.pattern = pattern
    var parser = LinearExpressionParser(pattern)
    whole = try Self.part(try parser.tree(), of: pattern, moreRepetitions)
    // The group keeps choices together.
    check = try LinearExpression("\\A(?:\(pattern))\\z")
  }

  /// The next text of a stream.
  package func next(_ random: inout SplitMix64) throws(PatternError) -> String {
    for _ in 0..<Self.attempts {
      var text = String.UnicodeScalarView()
      var steps = 0
      guard write(whole, to: &text, &random, &steps) else { break }
      let made = String(text)
      if text.count <= Self.lengthLimit, check.search(in: made) == .found { return made }
    }
    throw PatternError(
      "found no text that \"\(pattern)\" matches as a whole",
      help: "remove anchors and word boundaries from its middle, or repeat less")
  }

  /// Writes a part; whether that ended before all steps were used up.
  private func write(
    _ part: Part, to text: inout String.UnicodeScalarView, _ random: inout SplitMix64,
    _ steps: inout Int
  ) -> Bool {
    steps += 1
    guard steps <= Self.stepLimit else { return false }
    switch part {
    case .nothing: break
    case .one(let scalars):
      text.append(scalars[Int(random.next(below: UInt64(scalars.count)))])
    case .sequence(let parts):
      for part in parts where !write(part, to: &text, &random, &steps) { return false }
    case .choice(let parts):
      let chosen = parts[Int(random.next(below: UInt64(parts.count)))]
      return write(chosen, to: &text, &random, &steps)
    case .repetition(let part, let bounds):
      let count = random.next(in: Int64(bounds.lowerBound)...Int64(bounds.upperBound))
      for _ in 0..<count where !write(part, to: &text, &random, &steps) { return false }
    }
    return true
  }

  // MARK: - Reading

  private static func part(
    _ node: LinearExpressionParser.Node, of pattern: String, _ more: Int
  ) throws(PatternError) -> Part {
    switch node {
    case .nothing: return .nothing
    case .one(.scalar(let scalar)): return .one([scalar])
    case .one(.set(let set)):
      let scalars = set.examples
      guard !scalars.isEmpty else {
        throw PatternError(
          "\"\(pattern)\" contains an empty set of characters", help: "add a character to it")
      }
      return .one(scalars)
    case .one(.anything): return .one(ScalarSet.printable)
    case .one: return .nothing
    case .sequence(let nodes):
      var parts: [Part] = []
      for node in nodes {
        let made = try part(node, of: pattern, more)
        if !made.isNothing { parts.append(made) }
      }
      return parts.isEmpty ? .nothing : .sequence(parts)
    case .choice(let nodes):
      var parts: [Part] = []
      for node in nodes { parts.append(try part(node, of: pattern, more)) }
      return parts.allSatisfy(\.isNothing) ? .nothing : .choice(parts)
    case .group(let node, _): return try part(node, of: pattern, more)
    case .repetition(let node, let minimum, let maximum, _):
      let most = min(maximum ?? minimum + more, max(minimum, lengthLimit))
      let repeated = try part(node, of: pattern, more)
      // Nothing stays nothing, however often.
      if repeated.isNothing { return .nothing }
      return .repetition(repeated, minimum...max(minimum, most))
    }
  }
}

extension ScalarSet {
  /// The characters that keyboards type without surprises.
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
