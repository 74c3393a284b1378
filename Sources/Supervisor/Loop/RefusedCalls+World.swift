extension RefusedCalls {
  /// Returns the calls, among those that an environment changes, which are refused.
  static func of(_ configuration: SupervisorConfiguration, _ rules: FaultRules) -> RefusedCalls {
    guard configuration.changesWorld else { return none }
    return among(
      Set(rules.systemCallsOfCalls).union(configuration.clock == nil ? [] : ofClocks))
  }
}
