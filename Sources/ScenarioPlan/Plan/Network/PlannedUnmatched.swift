/// The answer to a request that no entry answers.
package enum PlannedUnmatched: Sendable, Hashable, Codable {
  /// A status that says so; the scenario fails.
  case fail
  /// The end of its connection; connections to hosts without an entry are refused.
  case refuse
  /// No answer.
  case hang
  /// A reply.
  indirect case reply(PlannedReply)

  /// The rule in a word.
  package var summary: String {
    switch self {
    case .fail: "fail"
    case .refuse: "refuse"
    case .hang: "hang"
    case .reply(let reply): reply.computation?.status?.text.sourceText ?? "\(reply.status)"
    }
  }
}
