internal import OrderedCollections
internal import ScenarioModel

extension PlannedMatcher {
  /// Checks a subject; `nil` means that it satisfies the matcher.
  ///
  /// `scope` answers what only the run knows.
  public func check(_ subject: MatchSubject, scope: some RunScope) -> Mismatch? {
    do throws(RunScopeError) {
      return try mismatch(subject, scope)
    } catch {
      return Mismatch(
        message: "expected a value that cannot be made: \(error.message)",
        actual: subject.excerpt, range: error.range ?? range)
    }
  }

  private func mismatch(
    _ subject: MatchSubject, _ scope: some RunScope
  ) throws(RunScopeError) -> Mismatch? {
    switch condition {
    case .equals(let data):
      return equality(try data.resolve(in: scope), subject)
    case .not(let matcher):
      guard try matcher.mismatch(subject, scope) == nil else { return nil }
      return mismatch("expected it not to be so: \(matcher.summary)", subject)
    case .contains(let data):
      return containment(try data.resolve(in: scope), subject)
    case .matches(let expression):
      guard let text = subject.asText else {
        return mismatch("expected text with a match of /\(expression.text)/", subject)
      }
      guard !expression.isFound(in: text) else { return nil }
      return mismatch("expected a match of /\(expression.text)/", subject)
    case .empty(let expected):
      guard subject.isEmpty != expected else { return nil }
      return mismatch(expected ? "expected nothing" : "expected something", subject)
    case .lines(let matchers):
      return try lines(matchers, subject, scope)
    case .json, .jsonSubset, .jsonPaths, .schema:
      return try json(subject, scope)
    case .oneOf(let choices):
      return try oneOf(choices, subject, scope)
    case .lessThan(let bound):
      return order(.less, try bound.resolve(in: scope), subject)
    case .greaterThan(let bound):
      return order(.greater, try bound.resolve(in: scope), subject)
    case .between(let lower, let upper):
      let (low, high) = (try lower.resolve(in: scope), try upper.resolve(in: scope))
      return order(.notLess, low, subject) ?? order(.notGreater, high, subject)
    case .allOf(let matchers):
      for matcher in matchers {
        if let mismatch = try matcher.mismatch(subject, scope) { return mismatch }
      }
      return nil
    case .anyOf(let matchers):
      return try anyOf(matchers, subject, scope)
    case .lineCount(let matcher):
      return lineCount(matcher, subject, scope)
    case .snapshot(let snapshot):
      guard let text = subject.asText else { return mismatch("expected text", subject) }
      return scope.mismatch(of: text, with: snapshot, at: range)
    case .yaml(let matcher):
      return try yaml(matcher, subject, scope)
    }
  }

  func mismatch(_ message: String, _ subject: MatchSubject, diff: [String] = []) -> Mismatch {
    Mismatch(message: message, actual: subject.excerpt, diff: diff, range: range)
  }

  // MARK: - Equality

  private func equality(_ expected: Value, _ subject: MatchSubject) -> Mismatch? {
    guard !Self.isEqual(expected, subject) else { return nil }
    return mismatch(
      "expected \(expected.excerpt())", subject, diff: Self.diff(expected, subject))
  }

  /// Text is compared as text, one final newline aside; everything else as values.
  private static func isEqual(_ expected: Value, _ subject: MatchSubject) -> Bool {
    switch subject {
    case .text(let text):
      guard let expected = expected.textForm else { return false }
      return text.withoutFinalNewline.utf8.elementsEqual(expected.withoutFinalNewline.utf8)
    case .value(let value): return expected.isEqual(to: value)
    case .integer(let integer): return expected.isEqual(to: .integer(integer))
    case .absent: return false
    }
  }

  /// A diff where one of both has more than one line.
  private static func diff(_ expected: Value, _ subject: MatchSubject) -> [String] {
    let old: String
    let new: String
    switch (expected, subject) {
    case (_, .absent): return []
    case (.string(let text), .text(let actual)):
      (old, new) = (text, actual)
    case (_, .text(let actual)):
      (old, new) = (expected.textForm ?? expected.jsonText(pretty: true), actual)
    default:
      (old, new) = (
        expected.jsonText(pretty: true), subject.asValue?.jsonText(pretty: true) ?? ""
      )
    }
    let feed = UInt8(ascii: "\n")
    guard
      old.withoutFinalNewline.utf8.contains(feed) || new.withoutFinalNewline.utf8.contains(feed)
    else { return [] }
    return LineDiff.lines(expected: old, actual: new)
  }

  private func oneOf(
    _ choices: [PlannedData], _ subject: MatchSubject, _ scope: some RunScope
  ) throws(RunScopeError) -> Mismatch? {
    for choice in choices where Self.isEqual(try choice.resolve(in: scope), subject) {
      return nil
    }
    let list = choices.map(\.sourceText).joined(separator: ", ")
    return mismatch("expected one of \(list.excerpt(limit: 120))", subject)
  }

  private func anyOf(
    _ matchers: [PlannedMatcher], _ subject: MatchSubject, _ scope: some RunScope
  ) throws(RunScopeError) -> Mismatch? {
    for matcher in matchers where try matcher.mismatch(subject, scope) == nil {
      return nil
    }
    let list = matchers.map(\.summary).joined(separator: ", or ")
    return mismatch("expected any of: \(list.excerpt(limit: 200))", subject)
  }

  // MARK: - Containment

  private func containment(_ expected: Value, _ subject: MatchSubject) -> Mismatch? {
    switch subject {
    case .text(let text), .value(.string(let text)):
      guard let part = expected.textForm else {
        return mismatch(
          "expected text that contains \(expected.excerpt()), which is \(expected.kindWithArticle)",
          subject)
      }
      guard !text.containsBytes(of: part) else { return nil }
      return mismatch("expected text that contains \(expected.excerpt())", subject)
    case .value(let value):
      return subset(expected, of: value)
    case .integer, .absent:
      return mismatch("expected something that contains \(expected.excerpt())", subject)
    }
  }

  func subset(_ expected: Value, of value: Value) -> Mismatch? {
    // A lone element is looked for in a list, as in `contains: red`.
    var wanted = expected
    if case .list = value {
      switch expected {
      case .list: break
      default: wanted = .list([expected])
      }
    }
    guard let difference = ValueComparison.missing(wanted, in: value) else { return nil }
    let place = difference.path == "$" ? "" : " at \(difference.path)"
    return Mismatch(
      message: "expected \(difference.expected.excerpt())\(place)",
      actual: difference.actual?.excerpt() ?? "nothing", range: range)
  }

  // MARK: - Lines

  private func lines(
    _ matchers: [PlannedMatcher], _ subject: MatchSubject, _ scope: some RunScope
  ) throws(RunScopeError) -> Mismatch? {
    guard let text = subject.asText else { return mismatch("expected text", subject) }
    let lines = Self.lines(of: text)
    for (index, (line, matcher)) in zip(lines, matchers).enumerated() {
      guard var mismatch = try matcher.mismatch(.text(line), scope) else { continue }
      mismatch.message = "line \(index + 1): \(mismatch.message)"
      return mismatch
    }
    guard lines.count != matchers.count else { return nil }
    return Mismatch(
      message: "expected \(counted(matchers.count, "line"))",
      actual: counted(lines.count, "line"), diff: lines.prefix(20).map { "+" + $0 }, range: range)
  }

  /// The lines of a text; one that nothing stands in has none.
  public static func lines(of text: String) -> [String] {
    text.isEmpty ? [] : TextLines.split(text.withoutFinalNewline).map(TextLines.content)
  }

  private func lineCount(
    _ matcher: PlannedMatcher, _ subject: MatchSubject, _ scope: some RunScope
  ) -> Mismatch? {
    guard let text = subject.asText else { return mismatch("expected text", subject) }
    return matcher.mismatch(ofLineCount: Self.lines(of: text).count, scope: scope)
  }

  /// What a condition on a number of lines says of one.
  func mismatch(ofLineCount count: Int, scope: some RunScope) -> Mismatch? {
    guard var mismatch = check(.integer(Int64(count)), scope: scope) else { return nil }
    mismatch.message = "number of lines: \(mismatch.message)"
    return mismatch
  }

  private func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  // MARK: - Order

  private enum Order: String {
    case less = "less than"
    case greater = "greater than"
    case notLess = "not less than"
    case notGreater = "not greater than"
  }

  private func order(_ order: Order, _ bound: Value, _ subject: MatchSubject) -> Mismatch? {
    guard let value = subject.asValue, let isLess = ValueComparison.isLess(value, bound),
      let isGreater = ValueComparison.isLess(bound, value)
    else {
      return mismatch(
        "expected a value that can be compared with \(bound.excerpt())", subject)
    }
    let holds =
      switch order {
      case .less: isLess
      case .greater: isGreater
      case .notLess: !isLess
      case .notGreater: !isGreater
      }
    return holds ? nil : mismatch("expected a value \(order.rawValue) \(bound.excerpt())", subject)
  }
}

extension MatchSubject {
  fileprivate var isEmpty: Bool {
    switch self {
    case .text(let text), .value(.string(let text)): text.isEmpty
    case .value(.list(let elements)): elements.isEmpty
    case .value(.map(let members)): members.isEmpty
    case .value(.null), .absent: true
    case .value, .integer: false
    }
  }
}

extension String {
  /// The text without one newline at its end.
  var withoutFinalNewline: Substring {
    if utf8.last == UInt8(ascii: "\n") {
      var end = utf8.index(before: utf8.endIndex)
      if end > utf8.startIndex {
        let before = utf8.index(before: end)
        if utf8[before] == UInt8(ascii: "\r") { end = before }
      }
      return self[..<end]
    }
    return self[...]
  }

  /// Whether the bytes of another text stand in this one: no canonical equivalence, as grep
  /// searches.
  func containsBytes(of part: String) -> Bool {
    let needle = Array(part.utf8)
    guard let first = needle.first else { return true }
    let haystack = Array(utf8)
    guard haystack.count >= needle.count else { return false }
    for start in 0...(haystack.count - needle.count) where haystack[start] == first {
      if haystack[start..<(start + needle.count)].elementsEqual(needle) { return true }
    }
    return false
  }
}
