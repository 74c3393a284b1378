internal import Foundations
internal import Patterns

extension Mismatch {
  /// Creates the mismatch of a value that should be equal; values that only look equal are spelled
  /// out.
  ///
  /// - Parameter place: the words behind the expected value.
  init(
    verb: String = "expected", expected: String, at place: String = "", actual: String,
    diff: [String] = [], range: SourceRange
  ) {
    let areTwins = expected.isTwin(of: actual)
    self.init(
      message: "\(verb) \(areTwins ? expected.spelledOut : expected)\(place)",
      actual: areTwins ? actual.spelledOut : actual, diff: diff, range: range)
  }

  /// A condition whose value cannot be made.
  init(undecided error: RunScopeError, _ subject: MatchSubject, at range: SourceRange) {
    self.init(
      message: "expected a value that cannot be made: \(error.message)", actual: subject.excerpt,
      range: error.range ?? range)
    isUndecided = true
  }

  /// A condition that takes more work than is done for one.
  init(givenUp error: LongTextError, _ actual: String, at range: SourceRange) {
    self.init(message: error.message, actual: actual, range: range)
    help = error.help
    isUndecided = true
    isUnreadable = true
  }
}

extension Mismatch {
  /// Says that the value is written as the condition wants it, and of another kind; `nil` if it is not.
  mutating func mark(alike help: String?) {
    guard let help else { return }
    alikeHelp = help
    isOfOtherKind = true
  }

  /// The mismatch of what is not there with a condition that does not ask whether it is: the opposite does not hold
  /// either, as a misspelt path would satisfy it.
  var undecidedByAbsence: Mismatch {
    var mismatch = self
    mismatch.isOfOtherKind = true
    mismatch.absenceHelp =
      "\"not\" does not hold of what is missing: if it may be, write any_of: [{ absent: true }, { not: … }] at its path"
    return mismatch
  }

  /// Says whether the value is of another kind, given the mismatches of conditions of which one would do: all of them
  /// say nothing of it, or one finds it written as it wants it.
  mutating func markKind(asIn parts: [Mismatch]) {
    isOfOtherKind = !parts.isEmpty && parts.allSatisfy(\.isOfOtherKind)
    mark(alike: parts.lazy.compactMap(\.alikeHelp).first)
    absenceHelp = parts.lazy.compactMap(\.absenceHelp).first
  }
}

extension Optional<Mismatch> {
  /// The mismatch alone, or none.
  var list: [Mismatch] { map { [$0] } ?? [] }
}

extension [Mismatch] {
  /// Collects the mismatches of several conditions, one after the other, up to `limit`.
  static func gathered<Part>(
    of parts: some Sequence<Part>, limit: Int, _ mismatches: (Part, Int) throws -> [Mismatch]
  ) rethrows -> [Mismatch] {
    var found: [Mismatch] = []
    for part in parts {
      guard found.count < limit else { break }
      found += try mismatches(part, limit - found.count)
    }
    return found
  }

  /// The mismatches, each said to be of a part.
  func of(_ part: String) -> [Mismatch] {
    map { mismatch in
      var mismatch = mismatch
      mismatch.message = "\(part): \(mismatch.message)"
      return mismatch
    }
  }
}
