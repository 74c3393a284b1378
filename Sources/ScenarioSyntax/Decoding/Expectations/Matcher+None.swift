internal import Foundations
internal import ScenarioModel

extension Matcher {
  /// True unless the condition on a count is known not to hold where there is none.
  var mayHoldForNone: Bool { holdsForNone ?? true }

  /// Whether the condition holds for 0; `nil` if an expression decides.
  private var holdsForNone: Bool? {
    switch condition {
    case .equals(let value): value.count.map { $0 == 0 }
    case .near(let value, let most): Self.both(value.count, most.count) { abs($0) <= $1 }
    case .oneOf(let values): Self.any(values.map { $0.count.map { $0 == 0 } })
    case .atLeast(let bound): bound.count.map { $0 <= 0 }
    case .atMost(let bound): bound.count.map { $0 >= 0 }
    case .greaterThan(let bound): bound.count.map { $0 < 0 }
    case .lessThan(let bound): bound.count.map { $0 > 0 }
    case .between(let lower, let upper): Self.both(lower.count, upper.count) { $0 <= 0 && $1 >= 0 }
    case .not(let matcher): matcher.holdsForNone.map { !$0 }
    case .allOf(let matchers): Self.any(matchers.map { $0.holdsForNone.map { !$0 } }).map { !$0 }
    case .anyOf(let matchers): Self.any(matchers.map(\.holdsForNone))
    default: nil
    }
  }

  private static func both(
    _ one: Double?, _ other: Double?, _ holds: (Double, Double) -> Bool
  ) -> Bool? {
    guard let one, let other else { return nil }
    return holds(one, other)
  }

  /// Whether one of several holds; one that is unknown leaves it open unless another one does.
  private static func any(_ results: [Bool?]) -> Bool? {
    if results.contains(true) { return true }
    return results.contains(nil) ? nil : false
  }
}

extension DataNode {
  /// The number, if it is written out.
  fileprivate var count: Double? {
    switch content {
    case .literal(.integer(let integer)): Double(integer)
    case .literal(.number(let number)): number
    default: nil
    }
  }
}
