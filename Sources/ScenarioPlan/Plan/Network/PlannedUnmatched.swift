/// What a request gets that no entry answers.
package enum PlannedUnmatched: Sendable, Hashable, Codable {
  /// A status that tells so, and the scenario fails.
  case fail
  /// The end of its connection; connections to hosts that no entry speaks of are refused.
  case refuse
  /// Nothing.
  case hang
  /// A reply.
  indirect case reply(PlannedReply)

  /// The rule in a word.
  package var summary: String {
    switch self {
    case .fail: "fail"
    case .refuse: "refuse"
    case .hang: "hang"
    case .reply(let reply): "\(reply.status)"
    }
  }
}
