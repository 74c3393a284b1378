package import Foundations
package import ScenarioPlan

extension PlannedGraphQLInitialisation {
  /// Returns whether a client is welcome that sends this with `connection_init`.
  package func admits(_ payload: Value?, scope: some RunScope) -> Bool {
    guard let match = self.payload else { return true }
    return RequestAssessment(payload, asVariablesOf: match, scope).isMatch
  }
}
