package import Foundations
internal import ScenarioModel

extension PlannedCase {
  /// The longest silence that anything expects of a target that says that it lives; `nil` where nothing does.
  ///
  /// - Parameter index: the target's number, from 0.
  package func watchdog(ofTarget index: Int) -> Nanoseconds? {
    let all = (steps + (always ?? [])).flatMap(\.allExpectations) + expect
    return all.flatMap { $0.watchdogs }.filter { $0.target == index }.map(\.bound).min()
  }

  /// The shortest wait or silence of the target of which anything is expected; `nil` where nothing is.
  package var shortestExpectedWait: Nanoseconds? {
    let all = (steps + (always ?? [])).flatMap(\.allExpectations) + expect
    return all.flatMap(\.waits).min()
  }
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
    case .borne(let inner), .repeated(_, let inner): inner.flatMap(\.watchdogs)
    default: []
    }
  }

  /// The waits and silences of which it says anything.
  fileprivate var waits: [Nanoseconds] {
    switch subject {
    case .watchdog(let bound): [bound]
    case .timers(let timers): timers.shortest.map { [$0] } ?? []
    case .request(_, _, let intervals): (intervals ?? []).flatMap(\.lengths)
    case .borne(let inner): inner.flatMap(\.waits)
    case .repeated(let check, let inner): [check.interval] + inner.flatMap(\.waits)
    default: []
    }
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
