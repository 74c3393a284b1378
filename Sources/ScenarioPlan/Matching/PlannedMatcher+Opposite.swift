internal import Foundations
internal import Patterns
internal import ScenarioModel

/// The opposite of a condition, and what neither it nor its opposite says anything of.
extension PlannedMatcher {
  /// Returns the mismatch of `not` around a matcher, given the matcher's own.
  func opposite(
    of matcher: PlannedMatcher, _ inner: Mismatch?, _ subject: MatchSubject
  ) -> Mismatch? {
    guard let inner else {
      return mismatch(matcher.oppositeText, subject, diff: matcher.places(in: subject))
    }
    guard inner.isOfOtherKind, !inner.isUndecided else { return inner.isUndecided ? inner : nil }
    guard inner.help == nil else { return inner }
    var unfit = inner
    if inner.alikeHelp != nil {
      unfit.message = matcher.oppositeText
    } else if let opposite = matcher.opposite {
      unfit.message = opposite
    }
    (unfit.diff, unfit.comparison) = ([], nil)
    unfit.help = inner.alikeHelp ?? inner.absenceHelp ?? matcher.helpForKind(of: subject)
    return unfit
  }

  /// The first lines of a text of several in which stands what should not, for messages.
  private func places(in subject: MatchSubject) -> [String] {
    guard case .text(let text) = subject else { return [] }
    let isFound: (String) -> Bool
    switch condition {
    case .contains(let data):
      guard let part = data.literal?.textForm, !part.isEmpty else { return [] }
      isFound = { $0.utf8.firstRange(of: part.utf8) != nil }
    case .matches(let expression): isFound = { expression.isFound(in: $0) }
    default: return []
    }
    let lines = TextLines.split(text.withoutFinalNewline.prefix(Self.searchedLength))
    guard lines.count > 1 else { return [] }
    return lines.enumerated().lazy.filter { isFound(TextLines.content($0.element)) }
      .prefix(Self.shownPlaces).map {
        "line \($0.offset + 1): \(TextLines.content($0.element).excerpt(limit: 240))"
      }
  }

  /// The number of characters that are searched for the places of what should not be there.
  private static let searchedLength = 1 << 20
  private static let shownPlaces = 3

  /// The mismatch of a value about whose kind the condition says nothing.
  func unfit(_ message: String, _ subject: MatchSubject) -> Mismatch {
    var mismatch = mismatch(message, subject)
    mismatch.isOfOtherKind = subject != .absent
    return mismatch
  }

  /// The mismatch of a value that is no text; null stands for a text that there is not, and has no such part.
  func unfitText(_ message: String, _ subject: MatchSubject) -> Mismatch {
    subject == .value(.null) ? mismatch(message, subject) : unfit(message, subject)
  }

  /// The mismatch that decides on a subject: where one of several conditions says nothing of its kind, another one may
  /// not hold.
  func decisiveMismatch(of subject: MatchSubject, _ scope: some RunScope) -> Mismatch? {
    guard let first = check(subject, scope: scope) else { return nil }
    guard first.isOfOtherKind else { return first }
    return mismatches(of: subject, scope: scope, limit: .max).first { !$0.isOfOtherKind } ?? first
  }

  /// The mismatch of a value that meets none of several conditions, given those of each.
  func noneHolds(
    of matchers: [PlannedMatcher], _ found: [Mismatch], _ subject: MatchSubject
  ) -> Mismatch {
    let list = matchers.map(\.summary).joined(separator: ", or ")
    var none = mismatch("expected any of: \(list.excerpt(limit: 200))", subject)
    none.markKind(asIn: found)
    return none
  }

  /// Returns the mismatch of an expression that gives an empty text, which every text has a part of; `nil` where there is
  /// something to look for.
  func emptiness(
    of expected: Value, from data: PlannedData, _ subject: MatchSubject
  ) -> Mismatch? {
    guard expected == .string(""), data.literal == nil, subject.isText else { return nil }
    var mismatch = unfit("the expression \(data.sourceText) gives an empty text", subject)
    mismatch.help = "every text has an empty part: see to it that the expression gives something"
    return mismatch
  }

  /// The source of an expression whose text is looked for, where it gives an empty one, which every text has a part of;
  /// `nil` if there is none.
  package func emptySearch(in scope: some RunScope) -> String? {
    switch condition {
    case .contains(let data), .startsWith(let data), .endsWith(let data),
      .matchesComputed(let data):
      data.literal == nil && (try? data.resolve(in: scope)) == .string("") ? data.sourceText : nil
    case .not(let inner): inner.emptySearch(in: scope)
    case .allOf(let parts), .anyOf(let parts):
      parts.lazy.compactMap { $0.emptySearch(in: scope) }.first
    default: nil
    }
  }

  // MARK: - Words

  private var oppositeText: String { opposite ?? "expected it not to be so: \(summary)" }

  /// What is expected where the condition must not hold; `nil` where its summary says it better.
  private var opposite: String? {
    switch condition {
    case .equals(let data): "expected not \(data.sourceText.excerpt(limit: 80))"
    case .contains(let data):
      "expected something that does not contain \(data.sourceText.excerpt(limit: 80))"
    case .startsWith(let data):
      "expected text that does not begin with \(data.sourceText.excerpt(limit: 80))"
    case .endsWith(let data):
      "expected text that does not end with \(data.sourceText.excerpt(limit: 80))"
    case .matches(let expression): "expected no match of /\(expression.text)/"
    case .oneOf(let choices):
      "expected none of \(choices.map(\.sourceText).joined(separator: ", ").excerpt(limit: 120))"
    case .anyOf(let matchers):
      "expected none of: \(matchers.map(\.summary).joined(separator: ", or ").excerpt(limit: 200))"
    case .any(let matcher): "expected no element that \(matcher.summary.excerpt(limit: 200))"
    case .exists(let isThere): isThere ? "expected nothing" : "expected something"
    case .empty(let isEmpty): isEmpty ? "expected something" : "expected nothing"
    default: nil
    }
  }

  /// The way to let a value pass of whose kind the condition says nothing.
  private func helpForKind(of subject: MatchSubject) -> String? {
    guard case .value(let value) = subject, let type = value.type else { return nil }
    let help =
      "\"not\" says nothing of \(value.kindWithArticle) here: to let one pass, write"
      + " any_of: [{ type: \(type.rawValue) }, { not: … }]"
    guard case .map = value, case .contains = condition else { return help }
    return help + "; for a key that must not be there, write absent: true at its own path"
  }
}

extension MatchSubject {
  /// Returns the help for a value that data are written like, and that is of another kind, as 5 and "5" are; `nil` if
  /// they differ otherwise.
  func kindHelp(ifAlike expected: Value) -> String? {
    switch self {
    case .text, .node, .nodes, .absent: return nil
    case .value, .integer:
      guard let value = asValue, !expected.isEqual(to: value),
        ValueComparison.areAlike(expected, value)
      else { return nil }
      return kindHelp(for: expected)
    }
  }

  /// The help for data that differ from the value in kind alone.
  func kindHelp(for expected: Value) -> String {
    guard let value = asValue, expected.isScalar else { return Self.helpForParts }
    if case .list(let elements) = value,
      let element = elements.first(where: { ValueComparison.areAlike(expected, $0) })
    {
      return MatchSubject.value(element).kindHelp(for: expected)
    }
    guard value.isScalar else { return Self.helpForParts }
    return "what is there is \(value.kindWithArticle), and \(expected.excerpt()) is"
      + " \(expected.kindWithArticle): write \(value.excerpt())"
  }

  private static let helpForParts =
    "they are the same but for numbers or truth values that one of them has as text"

  /// True for a text, be it of an output or of data.
  fileprivate var isText: Bool {
    switch self {
    case .text, .value(.string), .node: true
    case .value, .integer, .nodes, .absent: false
    }
  }
}

extension Value {
  /// False if such a value holds nothing of the other one's kind, whatever it is: a number no text, a map no number.
  func mayContain(_ expected: Value) -> Bool {
    switch self {
    case .bool, .integer, .number: false
    case .map: if case .map = expected { true } else { false }
    case .null, .string, .list: true
    }
  }

  fileprivate var isScalar: Bool {
    switch self {
    case .list, .map: false
    case .null, .bool, .integer, .number, .string: true
    }
  }

  /// The kind as JSON Schema names it; `nil` for null, which needs quotes.
  fileprivate var type: DataType? {
    switch self {
    case .null: nil
    case .bool: .boolean
    case .integer, .number: .number
    case .string: .string
    case .list: .array
    case .map: .object
    }
  }
}
