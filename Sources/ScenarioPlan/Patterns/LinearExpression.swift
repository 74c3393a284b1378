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

  /// How many steps a search in one piece of text may take.
  static let stepLimit = 400_000_000

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
    var scan = LinearScan(self)
    switch scan.take(text, stepLimit: Self.stepLimit) {
    case .found: return .found
    case .givenUp: return .givenUp
    case .notFound: return scan.endingAtEnd() != nil ? .found : .notFound
    }
  }
}
