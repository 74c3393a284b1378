/// A regular expression that is searched in a time bounded by its length times the text's.
///
/// All ways through the expression are followed at once (Thompson, 1968), so that no expression takes for
/// ever. What no such search can do, as looking back at an earlier group, it does not know.
struct LinearExpression: Sendable {
  /// A condition between two scalars.
  enum Assertion: Sendable {
    case start
    case end
    case endOrFinalNewline
    case lineStart
    case lineEnd
    case wordBoundary
    case noWordBoundary
  }

  /// One step of the search.
  enum Instruction: Sendable {
    case scalar(Unicode.Scalar)
    case set(ScalarSet)
    case anything
    case assert(Assertion)
    case split(Int, Int)
    case jump(Int)
    case match
  }

  /// How the search ended.
  enum Outcome: Sendable {
    case found
    case notFound
    /// Beyond the bound on steps.
    case givenUp
  }

  /// How many steps a search may take.
  private static let stepLimit = 400_000_000

  let program: [Instruction]

  /// Reads an expression.
  ///
  /// - Throws: If it is malformed, or holds what a linear search cannot do.
  init(_ text: String) throws(PatternError) {
    var parser = LinearExpressionParser(text)
    program = try parser.parse()
  }

  /// Looks for the expression anywhere in a text.
  func search(in text: String) -> Outcome {
    var search = LinearSearch(program: program)
    return search.run(text.unicodeScalars, stepLimit: Self.stepLimit)
  }
}

/// One search.
private struct LinearSearch {
  let program: [LinearExpression.Instruction]
  /// The places in the program that are alive, and when each was last made so.
  private var current: [Int] = []
  private var next: [Int] = []
  private var marks: [Int]
  private var pending: [Int] = []
  private var generation = 0
  private var steps = 0

  init(program: [LinearExpression.Instruction]) {
    self.program = program
    marks = [Int](repeating: -1, count: program.count)
  }

  mutating func run(
    _ text: String.UnicodeScalarView, stepLimit: Int
  ) -> LinearExpression.Outcome {
    var index = text.startIndex
    var before: Unicode.Scalar?
    while true {
      let scalar = index < text.endIndex ? text[index] : nil
      // What was made alive by the last scalar is opened where its surroundings are known.
      let alive = current
      current.removeAll(keepingCapacity: true)
      for place in alive where open(place, before, scalar, text, index) { return .found }
      if open(0, before, scalar, text, index) { return .found }
      guard let scalar else { return .notFound }
      generation += 1
      next.removeAll(keepingCapacity: true)
      for place in current {
        let isTaken =
          switch program[place] {
          case .scalar(let own): own == scalar
          case .set(let set): set.contains(scalar)
          case .anything: true
          default: false
          }
        if isTaken { next.append(place + 1) }
      }
      steps &+= current.count &+ 1
      if steps > stepLimit { return .givenUp }
      swap(&current, &next)
      before = scalar
      index = text.index(after: index)
    }
  }

  /// Follows a place to those that take a scalar; true if the end of the expression is among them.
  private mutating func open(
    _ start: Int, _ before: Unicode.Scalar?, _ scalar: Unicode.Scalar?,
    _ text: String.UnicodeScalarView, _ index: String.UnicodeScalarView.Index
  ) -> Bool {
    pending.append(start)
    defer { pending.removeAll(keepingCapacity: true) }
    while let place = pending.popLast() {
      guard marks[place] != generation else { continue }
      marks[place] = generation
      switch program[place] {
      case .match: return true
      case .jump(let target): pending.append(target)
      case .split(let first, let second):
        pending.append(second)
        pending.append(first)
      case .assert(let assertion):
        if holds(assertion, before, scalar, text, index) { pending.append(place + 1) }
      case .scalar, .set, .anything: current.append(place)
      }
    }
    return false
  }

  private func holds(
    _ assertion: LinearExpression.Assertion, _ before: Unicode.Scalar?, _ scalar: Unicode.Scalar?,
    _ text: String.UnicodeScalarView, _ index: String.UnicodeScalarView.Index
  ) -> Bool {
    switch assertion {
    case .start: return before == nil
    case .end: return scalar == nil
    case .endOrFinalNewline:
      guard let scalar else { return true }
      return ScalarSet.Member.isNewline(scalar) && text.index(after: index) == text.endIndex
    case .lineStart: return before.map(ScalarSet.Member.isNewline) ?? true
    case .lineEnd: return scalar.map(ScalarSet.Member.isNewline) ?? true
    case .wordBoundary: return isWord(before) != isWord(scalar)
    case .noWordBoundary: return isWord(before) == isWord(scalar)
    }
  }

  private func isWord(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map(ScalarSet.Member.word.contains) ?? false
  }
}
