internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel

extension PlannedMatcher {
  /// Checks a subject; `nil` means that it satisfies the matcher.
  ///
  /// `scope` answers what only the run knows.
  package func check(_ subject: MatchSubject, scope: some RunScope) -> Mismatch? {
    mismatches(of: subject, scope: scope, limit: 1).first
  }

  /// Checks a subject; each condition that does not hold is reported, in the order in which they
  /// are written.
  ///
  /// - Parameter limit: the largest number that are looked for and reported.
  package func mismatches(
    of subject: MatchSubject, scope: some RunScope, limit: Int = Mismatch.limit
  ) -> [Mismatch] {
    do throws(RunScopeError) {
      return try found(in: subject, scope, limit)
    } catch {
      return [Mismatch(undecided: error, subject, at: range)]
    }
  }

  private func found(
    in subject: MatchSubject, _ scope: some RunScope, _ limit: Int
  ) throws(RunScopeError) -> [Mismatch] {
    if let misencoded = try misencoding(of: subject, scope) { return [misencoded] }
    switch condition {
    case .equals(let data):
      return equality(try data.resolve(in: scope), subject).list
    case .not(let matcher):
      return opposite(of: matcher, matcher.decisiveMismatch(of: subject, scope), subject).list
    case .contains(let data):
      let expected = try data.resolve(in: scope)
      // What is only judged, as requests are, need not be explained.
      return
        (emptiness(of: expected, from: data, subject)
        ?? containment(expected, subject, tellsNearest: limit > 1)).list
    case .startsWith(let data):
      let expected = try data.resolve(in: scope)
      return
        (emptiness(of: expected, from: data, subject)
        ?? edge(.start, expected, subject, shows: limit > 1)).list
    case .endsWith(let data):
      let expected = try data.resolve(in: scope)
      return
        (emptiness(of: expected, from: data, subject)
        ?? edge(.end, expected, subject, shows: limit > 1)).list
    case .matches(let expression): return search(for: expression, subject, scope, limit)
    case .matchesComputed(let data):
      let expected = try data.resolve(in: scope)
      if let empty = emptiness(of: expected, from: data, subject) { return [empty] }
      switch computedExpression(expected, subject) {
      case .success(let expression): return search(for: expression, subject, scope, limit)
      case .failure(let mismatch): return [mismatch]
      }
    case .exists(let expected):
      guard (subject != .absent) != expected else { return [] }
      return [mismatch(expected ? "expected something" : "expected nothing", subject)]
    case .type(let types):
      if let value = subject.asValue, types.contains(where: { value.isOf($0) }) { return [] }
      let names = types.map(\.rawValue).joined(separator: " or ")
      return [mismatch("expected a value of type \(names)", subject)]
    case .length(let matcher): return length(matcher, subject, scope, limit)
    case .each(let matcher): return each(matcher, subject, scope, limit)
    case .any(let matcher): return any(matcher, subject, scope).list
    case .atLeast(let bound): return order(.notLess, try bound.resolve(in: scope), subject).list
    case .atMost(let bound): return order(.notGreater, try bound.resolve(in: scope), subject).list
    case .near(let data, let tolerance):
      return nearness(
        try data.resolve(in: scope), within: try tolerance.resolve(in: scope), subject
      ).list
    case .empty(let expected):
      guard subject.isEmpty != expected else { return [] }
      return [mismatch(expected ? "expected nothing" : "expected something", subject)]
    case .lines(let matchers):
      return lines(matchers, subject, scope, limit)
    case .json, .jsonSubset, .jsonPaths, .schema:
      return try json(subject, scope, limit)
    case .oneOf(let choices):
      return try oneOf(choices, subject, scope).list
    case .lessThan(let bound):
      return order(.less, try bound.resolve(in: scope), subject).list
    case .greaterThan(let bound):
      return order(.greater, try bound.resolve(in: scope), subject).list
    case .between(let lower, let upper):
      let (low, high) = (try lower.resolve(in: scope), try upper.resolve(in: scope))
      return (order(.notLess, low, subject) ?? order(.notGreater, high, subject)).list
    case .allOf(let matchers):
      return .gathered(of: matchers, limit: limit) { matcher, limit in
        matcher.mismatches(of: subject, scope: scope, limit: limit)
      }
    case .anyOf(let matchers):
      return anyOf(matchers, subject, scope).list
    case .lineCount(let matcher):
      return lineCount(matcher, subject, scope, limit)
    case .snapshot(let snapshot):
      guard let text = subject.asText else { return [mismatch("expected text", subject)] }
      return scope.mismatch(of: text, with: snapshot, at: range).list
    case .yaml(let matcher):
      return try yaml(matcher, subject, scope, limit)
    case .xml, .xmlPaths:
      return try xml(subject, scope, limit)
    }
  }

  func mismatch(_ message: String, _ subject: MatchSubject, diff: [String] = []) -> Mismatch {
    Mismatch(message: message, actual: subject.excerpt, diff: diff, range: range)
  }

  // MARK: - Equality

  private func equality(_ expected: Value, _ subject: MatchSubject) -> Mismatch? {
    guard !Self.isEqual(expected, subject) else { return nil }
    let texts = Self.texts(expected, subject)
    var mismatch = Mismatch(
      expected: expected.excerpt(), actual: subject.excerpt,
      diff: texts.map { Self.diff($0.expected, $0.actual) } ?? [], range: range)
    mismatch.comparison = texts.map { TextComparison(expected: $0.expected, actual: $0.actual) }
    mismatch.mark(alike: subject.kindHelp(ifAlike: expected))
    return mismatch
  }

  /// Text is compared as text, one final newline aside; everything else as values.
  private static func isEqual(_ expected: Value, _ subject: MatchSubject) -> Bool {
    switch subject {
    case .text(let text):
      guard let expected = expected.textForm else { return false }
      return text.withoutFinalNewline.utf8.elementsEqual(expected.withoutFinalNewline.utf8)
    case .value(let value): return expected.isEqual(to: value)
    case .integer(let integer): return expected.isEqual(to: .integer(integer))
    case .node(let text):
      return ValueComparison.areAlike(expected, .string(text))
        || ValueComparison.isNumber(expected, in: text)
    case .nodes(let texts):
      return ValueComparison.areAlike(expected, .list(texts.map { .string($0) }))
    case .absent: return false
    }
  }

  /// The two as texts that can be compared line by line; `nil` if there is nothing to compare with.
  private static func texts(
    _ expected: Value, _ subject: MatchSubject
  ) -> (expected: String, actual: String)? {
    switch (expected, subject) {
    case (_, .absent): nil
    case (.string(let text), .text(let actual)), (.string(let text), .node(let actual)):
      (text, actual)
    case (_, .text(let actual)): (expected.textForm ?? expected.jsonText(pretty: true), actual)
    case (.list, .nodes):
      (expected.jsonText(pretty: true), subject.asValue?.jsonText(pretty: true) ?? "")
    // One value and several nodes have no lines to compare: the nodes are shown.
    case (_, .nodes): nil
    default:
      (expected.jsonText(pretty: true), subject.asValue?.jsonText(pretty: true) ?? "")
    }
  }

  /// A diff where one of both has more than one line.
  private static func diff(_ old: String, _ new: String) -> [String] {
    let feed = UInt8(ascii: "\n")
    guard
      old.withoutFinalNewline.utf8.contains(feed) || new.withoutFinalNewline.utf8.contains(feed)
    else { return [] }
    return LineDiff.lines(expected: old, actual: new)
  }

  private func oneOf(
    _ choices: [PlannedData], _ subject: MatchSubject, _ scope: some RunScope
  ) throws(RunScopeError) -> Mismatch? {
    var alike: String?
    for choice in choices {
      let expected = try choice.resolve(in: scope)
      if Self.isEqual(expected, subject) { return nil }
      alike = alike ?? subject.kindHelp(ifAlike: expected)
    }
    let list = choices.map(\.sourceText).joined(separator: ", ")
    var none = mismatch("expected one of \(list.excerpt(limit: 120))", subject)
    none.mark(alike: alike)
    return none
  }

  private func anyOf(
    _ matchers: [PlannedMatcher], _ subject: MatchSubject, _ scope: some RunScope
  ) -> Mismatch? {
    var found: [Mismatch] = []
    for matcher in matchers {
      guard let mismatch = matcher.check(subject, scope: scope) else { return nil }
      if mismatch.isUndecided { return mismatch }
      found.append(mismatch)
    }
    return noneHolds(of: matchers, found, subject)
  }

  // MARK: - Containment

  private func containment(
    _ expected: Value, _ subject: MatchSubject, tellsNearest: Bool
  ) -> Mismatch? {
    switch subject {
    case .text(let text), .value(.string(let text)), .node(let text):
      guard let part = expected.textForm else {
        return unfit(
          "expected text that contains \(expected.excerpt()), which is \(expected.kindWithArticle)",
          subject)
      }
      guard !text.containsBytes(of: part) else { return nil }
      var missing = mismatch("expected text that contains \(expected.excerpt())", subject)
      if part.utf8.contains(where: { $0 >= 0x80 }), text.contains(part) {
        missing.help =
          "the text holds what looks the same, in another form of Unicode than"
          + " \"\(part.spelledOut.excerpt(limit: 80))\""
      } else if tellsNearest {
        missing.tell(NearestLine.miss(of: part, in: TextInMemory(text)))
      }
      return missing
    case .value(let value):
      guard var missing = subset(expected, of: value) else { return nil }
      if !value.mayContain(expected) { missing.isOfOtherKind = true }
      return missing
    case .nodes(let texts):
      return subset(
        expected, of: .list(texts.map { .string($0) }), isEqual: ValueComparison.areAlike)
    case .integer, .absent:
      return mismatch("expected something that contains \(expected.excerpt())", subject)
    }
  }

  func subset(
    _ expected: Value, of value: Value, isEqual: (Value, Value) -> Bool = { $0.isEqual(to: $1) }
  ) -> Mismatch? {
    // A lone element is looked for in a list, as in `contains: red`.
    var wanted = expected
    if case .list = value {
      switch expected {
      case .list: break
      default: wanted = .list([expected])
      }
    }
    guard let difference = ValueComparison.missing(wanted, in: value, isEqual: isEqual) else {
      return nil
    }
    var mismatch = Mismatch(
      expected: difference.expected.excerpt(),
      at: difference.path == "$" ? "" : " at \(difference.path)",
      actual: difference.actual?.excerpt() ?? "nothing", range: range)
    if ValueComparison.missing(wanted, in: value, isEqual: ValueComparison.areAlike) == nil {
      mismatch.mark(alike: MatchSubject.value(value).kindHelp(for: expected))
    }
    return mismatch
  }

  // MARK: - Lines

  private func lines(
    _ matchers: [PlannedMatcher], _ subject: MatchSubject, _ scope: some RunScope, _ limit: Int
  ) -> [Mismatch] {
    guard let text = subject.asText else { return [mismatch("expected text", subject)] }
    let lines = Self.lines(of: text)
    let found = [Mismatch].gathered(of: zip(lines, matchers).enumerated(), limit: limit) {
      numbered, limit in
      let (line, matcher) = numbered.element
      return matcher.mismatches(of: .text(line), scope: scope, limit: limit)
        .of("line \(numbered.offset + 1)")
    }
    guard lines.count != matchers.count, found.count < limit else { return found }
    let count = Mismatch(
      message: "expected \(counted(matchers.count, "line"))",
      actual: counted(lines.count, "line"),
      diff: Self.difference(of: lines, from: matchers, scope), range: range)
    return found + [count]
  }

  /// The number of lines that are compared with conditions out of their order.
  static let comparedLineLimit = 200

  /// The lines that are not as conditions want them, and the conditions that no line fulfils, with those around them.
  static func difference(
    of lines: [String], from matchers: [PlannedMatcher], _ scope: some RunScope
  ) -> [String] {
    let (lines, matchers) = (
      Array(lines.prefix(comparedLineLimit)), Array(matchers.prefix(comparedLineLimit))
    )
    let alignment = ListAlignment.ofEqual(matchers.indices, lines.indices, editLimit: 40) {
      matchers[$0].check(.text(lines[$1]), scope: scope) == nil
    }
    return LineDiff.shortened(
      alignment.steps.map { step in
        switch step {
        case .same(_, let line): (" " + lines[line].excerpt(limit: 400), false)
        case .removed(let place): ("-" + matchers[place].lineText.excerpt(limit: 400), true)
        case .added(let line): ("+" + lines[line].excerpt(limit: 400), true)
        }
      })
  }

  /// The line that it wants, or what it asks of one.
  private var lineText: String {
    guard case .equals(let data) = condition, let text = data.literal?.textForm else {
      return summary
    }
    return text
  }

  /// The lines of a text; one that nothing stands in has none.
  package static func lines(of text: String) -> [String] {
    text.isEmpty ? [] : TextLines.split(text.withoutFinalNewline).map(TextLines.content)
  }

  private func lineCount(
    _ matcher: PlannedMatcher, _ subject: MatchSubject, _ scope: some RunScope, _ limit: Int
  ) -> [Mismatch] {
    guard let text = subject.asText else { return [mismatch("expected text", subject)] }
    return matcher.mismatches(ofLineCount: Self.lines(of: text).count, scope: scope, limit: limit)
  }

  /// Returns the mismatches of a number of lines.
  func mismatches(ofLineCount count: Int, scope: some RunScope, limit: Int) -> [Mismatch] {
    mismatches(of: .integer(Int64(count)), scope: scope, limit: limit).of("number of lines")
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
      return unfit("expected a value that can be compared with \(bound.excerpt())", subject)
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
    case .text(let text), .value(.string(let text)), .node(let text): text.isEmpty
    case .value(.list(let elements)): elements.isEmpty
    case .nodes(let texts): texts.isEmpty
    case .value(.map(let members)): members.isEmpty
    case .value(.null), .absent: true
    case .value, .integer: false
    }
  }
}

extension String {
  /// The text without one newline at its end.
  var withoutFinalNewline: Substring {
    utf8.last == UInt8(ascii: "\n") ? self[..<utf8.index(before: utf8.endIndex)] : self[...]
  }

  /// Returns whether the bytes of another text occur in this one, without canonical equivalence, as
  /// grep searches.
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
