internal import Foundations
internal import ScenarioPlan

extension ExpectationChecker {
  /// Returns whether a condition holds for a measured length of virtual time.
  ///
  /// It holds if it does for the length as it is, or to the nearest unit in which it is written
  /// (`DurationPrecision`). The opposite of a condition holds where the condition does not, thus for both of them.
  func holds(_ matcher: PlannedMatcher, for length: Nanoseconds) -> Bool {
    holds(matcher, forOneOf: [length, DurationPrecision(of: matcher).rounded(length)])
  }

  private func holds(_ matcher: PlannedMatcher, forOneOf lengths: [Nanoseconds]) -> Bool {
    func holds(_ matcher: PlannedMatcher) -> Bool { self.holds(matcher, forOneOf: lengths) }
    switch matcher.condition {
    case .allOf(let matchers): return matchers.allSatisfy(holds)
    case .anyOf(let matchers): return matchers.contains(where: holds)
    case .not(let inner):
      switch inner.condition {
      case .not(let positive): return holds(positive)
      case .allOf(let matchers): return matchers.contains { holds(.opposite(of: $0)) }
      case .anyOf(let matchers): return matchers.allSatisfy { holds(.opposite(of: $0)) }
      // What cannot be decided does not hold, and neither does its opposite.
      default: return lengths.allSatisfy { isMet(matcher, by: $0) }
      }
    default: return lengths.contains { isMet(matcher, by: $0) }
    }
  }

  private func isMet(_ matcher: PlannedMatcher, by length: Nanoseconds) -> Bool {
    matcher.check(.value(.string(length.description)), scope: world.scope) == nil
  }
}

extension PlannedMatcher {
  fileprivate static func opposite(of matcher: PlannedMatcher) -> PlannedMatcher {
    PlannedMatcher(.not(matcher), at: matcher.range)
  }
}
