package import Foundations
package import ScenarioModel

extension PlannedCase {
  /// The longest silence that anything expects of a target that says that it lives; `nil` where nothing does.
  ///
  /// - Parameter index: the target's number, from 0.
  package func watchdog(ofTarget index: Int) -> Nanoseconds? {
    let all = (steps + (always ?? [])).flatMap(\.allExpectations) + expect
    return all.flatMap { $0.watchdogs }.filter { $0.target == index }.map(\.bound).min()
  }

  /// The shortest wait or silence of which anything is expected; `nil` where nothing is.
  package var shortestExpectedWait: ExpectedWait? {
    let all = (steps + (always ?? [])).flatMap(\.allExpectations) + expect
    return all.flatMap(\.waits).min { $0.length < $1.length }
  }
}

/// A wait or silence of which a case expects anything.
package struct ExpectedWait {
  /// The length.
  package var length: Nanoseconds
  /// The key whose checks are so far apart; `nil` for a wait of the target.
  package var check: RepeatedCheck.Quantity?
  /// The place of what expects it.
  package var range: SourceRange
}

extension PlannedStep {
  /// The expectations within the step and behind it.
  fileprivate var allExpectations: [PlannedExpectation] {
    guard case .block(_, let steps) = action else { return expect }
    return steps.flatMap(\.allExpectations) + expect
  }
}

extension PlannedExpectation {
  /// The conditions on watchdogs, with their targets.
  fileprivate var watchdogs: [(target: Int, bound: Nanoseconds)] {
    switch subject {
    case .watchdog(let bound): [(target ?? 0, bound)]
    case .tolerated(let inner), .repeated(_, let inner): inner.flatMap(\.watchdogs)
    default: []
    }
  }

  /// The waits and silences of which it says anything.
  fileprivate var waits: [ExpectedWait] {
    let own: [Nanoseconds] =
      switch subject {
      case .watchdog(let bound): [bound]
      case .timers(let timers): timers.shortest.map { [$0] } ?? []
      case .request(_, _, let intervals): (intervals ?? []).flatMap(\.lengths)
      case .repeated(let check, _): [check.interval]
      default: []
      }
    var quantity: RepeatedCheck.Quantity?
    var inner: [ExpectedWait] = []
    switch subject {
    case .tolerated(let expectations): inner = expectations.flatMap(\.waits)
    case .repeated(let check, let expectations):
      quantity = check.quantity
      inner = expectations.flatMap(\.waits)
    default: break
    }
    return own.map { ExpectedWait(length: $0, check: quantity, range: range) } + inner
  }
}

extension PlannedMatcher {
  /// The lengths of time that it names.
  fileprivate var lengths: [Nanoseconds] {
    let named: [PlannedData] =
      switch condition {
      case .equals(let data), .atLeast(let data), .atMost(let data), .lessThan(let data),
        .greaterThan(let data), .near(let data, _):
        [data]
      case .between(let first, let last): [first, last]
      case .oneOf(let choices): choices
      default: []
      }
    return named.compactMap { data in
      guard case .string(let text)? = data.literal else { return nil }
      return try? Nanoseconds(text: text)
    }
  }
}
