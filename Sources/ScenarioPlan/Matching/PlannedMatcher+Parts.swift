internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel

/// The conditions on the parts of a value: how a text begins and ends, its length, the elements of a list.
extension PlannedMatcher {
  /// An end of a text.
  enum Edge: String {
    /// The beginning of the text.
    case start = "begins"
    /// The end of the text.
    case end = "ends"
  }

  /// Returns the mismatch of a text's beginning or end; a newline at its end does not count.
  ///
  /// - Parameter shows: whether it is compared side by side.
  func edge(
    _ edge: Edge, _ expected: Value, _ subject: MatchSubject, shows: Bool = false
  ) -> Mismatch? {
    guard let part = expected.textForm, let text = subject.asText else {
      return unfitText("expected text that \(edge.rawValue) with \(expected.excerpt())", subject)
    }
    let isThere =
      switch edge {
      case .start: text.utf8.starts(with: part.utf8)
      case .end:
        text.utf8.reversed().starts(with: part.utf8.reversed())
          || text.withoutFinalNewline.utf8.reversed().starts(with: part.utf8.reversed())
      }
    guard !isThere else { return nil }
    var missing = mismatch(
      "expected text that \(edge.rawValue) with \(expected.excerpt())", subject)
    if shows { missing.comparison = TextComparison(of: part, at: edge, of: TextInMemory(text)) }
    return missing
  }

  /// Returns the mismatch of an expression that is not found.
  func search(
    for expression: RegularExpression, _ subject: MatchSubject, _ scope: some RunScope, _ limit: Int
  ) -> [Mismatch] {
    guard let text = subject.asText else {
      return [unfitText("expected text with a match of /\(expression.text)/", subject)]
    }
    var outcome = expression.search(in: text, stepLimit: scope.searchLimit)
    let body = text.withoutFinalNewline
    if outcome == .notFound, expression.mindsEnd, body.endIndex < text.endIndex {
      outcome = expression.search(in: String(body), stepLimit: scope.searchLimit)
    }
    switch outcome {
    case .found: return []
    case .givenUp:
      let error = expression.givenUp(after: scope.searchLimit)
      return [Mismatch(givenUp: error, subject.excerpt, at: range)]
    case .notFound: break
    }
    var missing = mismatch("expected a match of /\(expression.text)/", subject)
    if limit > 1 {
      missing.tell(NearestLine.miss(ofMatchOf: expression, in: TextInMemory(text)))
      missing.help = expression.helpForLines {
        $0.search(in: text, stepLimit: scope.searchLimit) == .found
      }
    }
    return [missing]
  }

  /// The result of making an expression of a value that is known in the run alone.
  enum ComputedExpression {
    /// The expression.
    case success(RegularExpression)
    /// There is no value, for this reason.
    case failure(Mismatch)
  }

  /// A regular expression of a value that is known in the run alone.
  func computedExpression(_ value: Value, _ subject: MatchSubject) -> ComputedExpression {
    guard let text = value.textForm else {
      return .failure(
        unfit("expected a regular expression, and \"matches\" gives \(value.excerpt())", subject))
    }
    let expression = RegularExpression(text)
    do throws(PatternError) {
      try expression.validate()
      return .success(expression)
    } catch {
      return .failure(unfit("/\(text)/ is no regular expression: \(error.message)", subject))
    }
  }

  // MARK: - Lengths and elements

  /// Checks how many characters, elements or members there are.
  func length(
    _ matcher: PlannedMatcher, _ subject: MatchSubject, _ scope: some RunScope, _ limit: Int
  ) -> [Mismatch] {
    let count: Int
    switch subject.asValue {
    case .string(let text)?: count = text.unicodeScalars.count
    case .list(let elements)?: count = elements.count
    case .map(let members)?: count = members.count
    default: return [unfit("expected something that has a length", subject)]
    }
    return matcher.mismatches(of: .integer(Int64(count)), scope: scope, limit: limit).of("length")
  }

  /// Checks every element of a list.
  func each(
    _ matcher: PlannedMatcher, _ subject: MatchSubject, _ scope: some RunScope, _ limit: Int
  ) -> [Mismatch] {
    guard let elements = subject.elements else { return [unfit("expected a list", subject)] }
    return .gathered(of: elements.enumerated(), limit: limit) { element, limit in
      matcher.mismatches(of: element.element, scope: scope, limit: limit)
        .of("[\(element.offset)]")
    }
  }

  /// Checks that one element of a list satisfies a matcher.
  func any(
    _ matcher: PlannedMatcher, _ subject: MatchSubject, _ scope: some RunScope
  ) -> Mismatch? {
    guard let elements = subject.elements else { return unfit("expected a list", subject) }
    var found: [Mismatch] = []
    for element in elements {
      guard let mismatch = matcher.check(element, scope: scope) else { return nil }
      if mismatch.isUndecided { return mismatch }
      found.append(mismatch)
    }
    var none = mismatch(
      "expected an element that \(matcher.summary.excerpt(limit: 200))", subject)
    none.markKind(asIn: found)
    return none
  }

  /// Returns the mismatch of a number or duration that is not close enough to another one.
  func nearness(
    _ expected: Value, within tolerance: Value, _ subject: MatchSubject
  ) -> Mismatch? {
    let wanted = "\(expected.excerpt()), give or take \(tolerance.excerpt())"
    guard let value = subject.asValue,
      let isNear = ValueComparison.isNear(value, expected, within: tolerance)
    else { return unfit("expected a value that can be compared with \(wanted)", subject) }
    return isNear ? nil : mismatch("expected \(wanted)", subject)
  }
}

extension Value {
  /// Returns whether it is a JSON value of a kind.
  func isOf(_ type: DataType) -> Bool {
    switch (self, type) {
    case (.list, .array), (.map, .object), (.string, .string), (.bool, .boolean), (.null, .null),
      (.integer, .number), (.integer, .integer), (.number, .number):
      true
    case (.number(let number), .integer): number.rounded() == number
    default: false
    }
  }
}
