internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// The names of another scope, and the case's state as the root `state`.
struct StateScope<Base: RunScope>: RunScope {
  let base: Base
  let state: CaseState

  func value(of root: String) -> Value? {
    root == ExpressionRoot.state.rawValue ? state.value : base.value(of: root)
  }

  func mismatch(
    of text: String, with snapshot: PlannedSnapshot, at range: SourceRange
  ) -> Mismatch? {
    base.mismatch(of: text, with: snapshot, at: range)
  }

  var searchLimit: Int { base.searchLimit }
}

extension PlannedStateUse {
  /// Returns whether the state is as all conditions want it.
  func holds(in state: CaseState, scope: some RunScope) -> Bool {
    conditions.allSatisfy { $0.holds(of: state[$0.name], scope: scope) }
  }
}

extension PlannedFieldMatcher {
  /// Returns whether the value of the name in a state satisfies the condition.
  ///
  /// A value that is not set satisfies only conditions on its absence.
  func holds(of value: Value?, scope: some RunScope) -> Bool {
    guard let value else {
      return matcher.asksForPresence && matcher.check(.absent, scope: scope) == nil
    }
    return matcher.check(.value(value), scope: scope) == nil
  }
}
