internal import Foundations
internal import ScenarioEvents
internal import ScenarioPlan

/// Compares the orders in which the threads of a case have run each time that it was run.
struct OrderComparison {
  private let originals: Set<String>
  /// The order of the run of each case that was over first.
  private var firsts: [String: OrderAccount] = [:]

  /// - Parameter originals: the cases that repeat no other one, whatever they are called.
  init(originals: Set<String>) {
    self.originals = originals
  }

  /// A warning where a case has gone another way than before and nothing is known to be the reason; `nil` otherwise.
  mutating func review(_ event: Event) -> Event? {
    guard case .timeAccount(let account) = event.kind, let order = account.order,
      order.doubts.isEmpty, let scenario = event.scenario
    else { return nil }
    let name = originals.contains(scenario) ? scenario : PlannedCase.original(of: scenario)
    guard let first = firsts[name] else {
      firsts[name] = order
      return nil
    }
    guard order.digest != first.digest else { return nil }
    var warning = event
    warning.kind = .warning(
      "the threads ran in a different order than before (\(order.text), but \(first.text) before): either an input of the target differed, or it has a race that `scenario` does not detect",
      range: nil)
    return warning
  }
}
