/// A condition on a whole number.
package indirect enum IntegerCondition: Sendable, Hashable, Codable {
  /// This number.
  case equals(Int64)
  /// The number is one of these.
  case oneOf([Int64])
  /// The number is less.
  case lessThan(Int64)
  /// Greater.
  case greaterThan(Int64)
  /// Both ends included.
  case between(Int64, Int64)
  /// The negation.
  case not(IntegerCondition)
  /// Every condition holds.
  case allOf([IntegerCondition])
  /// At least one condition holds.
  case anyOf([IntegerCondition])

  /// Returns whether it holds for a number.
  package func holds(for number: Int64) -> Bool {
    switch self {
    case .equals(let other): number == other
    case .oneOf(let others): others.contains(number)
    case .lessThan(let bound): number < bound
    case .greaterThan(let bound): number > bound
    case .between(let lower, let upper): lower <= number && number <= upper
    case .not(let condition): !condition.holds(for: number)
    case .allOf(let conditions): conditions.allSatisfy { $0.holds(for: number) }
    case .anyOf(let conditions): conditions.contains { $0.holds(for: number) }
    }
  }

  /// The condition in words.
  package var summary: String {
    switch self {
    case .equals(let other): "\(other)"
    case .oneOf(let others): "one of \(others.map(String.init).joined(separator: ", "))"
    case .lessThan(let bound): "less than \(bound)"
    case .greaterThan(let bound): "greater than \(bound)"
    case .between(let lower, let upper): "between \(lower) and \(upper)"
    case .not(let condition): "not \(condition.summary)"
    case .allOf(let conditions): conditions.map(\.summary).joined(separator: " and ")
    case .anyOf(let conditions): conditions.map(\.summary).joined(separator: " or ")
    }
  }
}
