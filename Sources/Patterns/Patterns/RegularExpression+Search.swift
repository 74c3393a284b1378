internal import Foundations
import _StringProcessing

extension RegularExpression {
  /// Returns whether the expression is found anywhere in the text.
  ///
  /// Letters are Unicode scalars, so that `\r\n` is two of them. An expression that is malformed,
  /// which the planner refuses, is found nowhere.
  package func isFound(in text: String) -> Bool { search(in: text) == .found }

  /// Searches for the expression anywhere in the text.
  ///
  /// - Parameter stepLimit: the number of steps after which the search is given up.
  package func search(
    in text: String, stepLimit: Int = LinearExpression.stepLimit
  ) -> LinearExpression.Outcome {
    if let linear = try? LinearExpression(self.text) {
      return linear.search(in: text, stepLimit: stepLimit)
    }
    guard let expression = try? Self.compile(self.text) else { return .notFound }
    return (try? expression.firstMatch(in: text)) != nil ? .found : .notFound
  }

  /// Returns the reason why a text is not judged in which the search was given up, in words behind
  /// the text's name.
  package func givenUp(after stepLimit: Int) -> LongTextError {
    LongTextError(
      "is not judged: the search for /\(text.excerpt(limit: 80))/ was given up after \(stepLimit) steps",
      help:
        "repetitions of repetitions such as (?:a?){1000} cost most: write fewer, or look at less text, as at"
        + " `lines:` or at a path of JSON")
  }

  /// The end of the first match, in bytes of UTF-8; `nil` if there is none.
  func firstEnd(in text: String) -> Int? {
    guard let expression = try? Self.compile(self.text),
      let match = try? expression.firstMatch(in: text)
    else { return nil }
    return text.utf8.distance(from: text.startIndex, to: match.range.upperBound)
  }

  /// Returns the match of the first group where the expression is first found, or the whole match
  /// if it has no groups; `nil` if it is not found, or its group takes no part.
  package func firstGroup(in text: String) -> String? {
    if let linear = try? LinearExpression(self.text, keepsGroups: true) {
      let match = LinearMatch(of: linear, in: text)
      return match.flatMap { $0.groups.isEmpty ? $0.range : $0.groups[0] }.map(text.text)
    }
    guard let expression = try? Self.compile(self.text),
      let match = try? expression.firstMatch(in: text)
    else { return nil }
    let output = match.output
    return output[output.count > 1 ? 1 : 0].substring.map(String.init)
  }

  /// A search for all matches that are not empty: their ranges in bytes of UTF-8, from left to right, none within
  /// another.
  ///
  /// An expression that is malformed is found nowhere.
  package var rangeSearch: @Sendable (String) -> [Range<Int>] {
    if let linear = try? LinearExpression(text, keepsGroups: true) {
      return { LinearMatch.ranges(of: linear, in: $0) }
    }
    return { [self] text in
      guard let expression = try? Self.compile(self.text) else { return [] }
      return text.matches(of: expression).filter { !$0.range.isEmpty }.map { match in
        let start = text.utf8.distance(from: text.startIndex, to: match.range.lowerBound)
        let end = text.utf8.distance(from: text.startIndex, to: match.range.upperBound)
        return start..<end
      }
    }
  }

  /// Checks that the expression is well formed, and that searching for it takes bounded time.
  ///
  /// A server cannot wait for an expression that backtracks.
  package func validateForRequests() throws(PatternError) {
    try validate()
    _ = try LinearExpression(text)
  }

  /// Checks that the expression is well formed.
  package func validate() throws(PatternError) {
    do {
      _ = try Self.compile(text)
    } catch {
      let looksBehind = ["(?<=", "(?<!"].contains { text.contains($0) }
      throw PatternError(
        "\"\(text)\" is not a regular expression: \(Self.firstLine(of: error))",
        help: looksBehind
          ? "match what is in front as well, and capture the rest with a group: (?<= and (?<! are not supported"
          : "write a \"\\\" before a special character that stands for itself: . * + ? ( ) [ ] { }")
    }
  }

  private static func compile(_ text: String) throws -> Regex<AnyRegexOutput> {
    try Regex(text).matchingSemantics(.unicodeScalar)
  }

  private static func firstLine(of error: any Error) -> String {
    let description = String(describing: error)
    return description.split(separator: "\n").first.map(String.init) ?? description
  }
}
