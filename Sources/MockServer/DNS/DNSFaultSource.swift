internal import ScenarioModel

/// Decides which DNS queries get another answer.
protocol DNSFaultSource: Sendable {
  /// Returns whether a fault is possible, so that the order of queries matters.
  func concerns(_ query: DNSQuery) -> Bool
  /// The answer that a fault gives, `nil` for the usual one, and the fault if one has fired.
  ///
  /// - Parameter round: the same for all queries that came before any of them was answered; `nil` where that is
  ///   not known.
  func answer(
    to query: DNSQuery, round: Int?
  ) -> (answer: LinkFault.NameAnswer?, fault: FiredLinkFault?)
}
