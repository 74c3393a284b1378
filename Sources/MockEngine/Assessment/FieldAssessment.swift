internal import Foundations
internal import ScenarioPlan

/// Checks conditions on names that may occur several times.
///
/// One value that satisfies a matcher is enough; where a matcher forbids something, no value may
/// have it.
struct FieldAssessment<Scope: RunScope> {
  let scope: Scope

  /// Compares values with a condition: the actual text; `nil` if it holds.
  ///
  /// - Parameters:
  ///   - values: the values of the name, in order.
  ///   - elements: the values as a list of its own has them, for headers that are lists.
  func actual(
    of condition: PlannedFieldCondition, values: [String], elements: [String]? = nil
  ) -> String? {
    let isSatisfied =
      switch condition {
      case .absent: values.isEmpty
      case .exists: !values.isEmpty
      case .some(let matcher): isSatisfied(matcher, values)
      case .each(let matchers):
        isPairing(matchers, values) || elements.map { isPairing(matchers, $0) } ?? false
      }
    return isSatisfied && emptySearch(in: condition) == nil ? nil : text(values)
  }

  /// Describes a condition in words.
  func expected(of condition: PlannedFieldCondition) -> String {
    let empty = emptySearch(in: condition).map { ", and \($0) gives an empty text" } ?? ""
    return words(for: condition) + empty
  }

  /// An expression that gives an empty text, which all requests would have: the condition then holds of none.
  private func emptySearch(in condition: PlannedFieldCondition) -> String? {
    let matchers: [PlannedMatcher] =
      switch condition {
      case .absent, .exists: []
      case .some(let matcher): [matcher]
      case .each(let matchers): matchers
      }
    return matchers.lazy.compactMap { $0.emptySearch(in: scope) }.first
  }

  private func words(for condition: PlannedFieldCondition) -> String {
    switch condition {
    case .absent: "nothing"
    case .exists: "something"
    case .some(let matcher): matcher.wanted
    case .each(let matchers): "[" + matchers.map(\.wanted).joined(separator: ", ") + "]"
    }
  }

  private func text(_ values: [String]) -> String {
    let texts = values.map { Value.string($0).excerpt() }
    switch texts.count {
    case 0: return "nothing"
    case 1: return texts[0]
    default: return "[" + texts.prefix(10).joined(separator: ", ") + "]"
    }
  }

  private func isSatisfied(_ matcher: PlannedMatcher, _ values: [String]) -> Bool {
    switch matcher.condition {
    case .not(let inner): return !isSatisfied(inner, values)
    case .allOf(let matchers): return matchers.allSatisfy { isSatisfied($0, values) }
    case .anyOf(let matchers): return matchers.contains { isSatisfied($0, values) }
    default:
      guard !values.isEmpty else { return matcher.check(.absent, scope: scope) == nil }
      return values.contains { matcher.check(.text($0), scope: scope) == nil }
    }
  }

  /// Returns whether each matcher can have a value of its own, and none is left over.
  private func isPairing(_ matchers: [PlannedMatcher], _ values: [String]) -> Bool {
    guard matchers.count == values.count else { return false }
    let choices = matchers.map { matcher in
      values.indices.filter { matcher.check(.text(values[$0]), scope: scope) == nil }
    }
    var owners = [Int?](repeating: nil, count: values.count)
    return matchers.indices.allSatisfy { matcher in
      var seen: Set<Int> = []
      return Self.assign(matcher, choices, &owners, &seen)
    }
  }

  /// Finds a value for a matcher, moving earlier ones to other values where need be.
  private static func assign(
    _ matcher: Int, _ choices: [[Int]], _ owners: inout [Int?], _ seen: inout Set<Int>
  ) -> Bool {
    for value in choices[matcher] where seen.insert(value).inserted {
      if let owner = owners[value], !assign(owner, choices, &owners, &seen) { continue }
      owners[value] = matcher
      return true
    }
    return false
  }
}

extension PlannedMatcher {
  /// The condition behind "expected": `"A1"`, or `contains "A1"`.
  var wanted: String {
    if case .equals(let data) = condition { return data.sourceText.excerpt(limit: 80) }
    return "a value that \(summary)"
  }

  /// The condition on the value of a state, behind "were": `"added"`, or `a value that contains "add"`.
  var wish: String {
    switch condition {
    case .equals: wanted
    case .exists(let isThere): isThere ? "set" : "not set"
    default: "a value that \(summary)"
    }
  }
}
