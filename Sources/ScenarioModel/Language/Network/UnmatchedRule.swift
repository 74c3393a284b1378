/// `network.unmatched:` what a request gets that no entry answers.
package enum UnmatchedRule: Sendable {
  /// The words of the language.
  package enum Word: String, Sendable, CaseIterable {
    /// A status that tells so, and the scenario fails.
    case fail
    /// What a host gives on which nobody listens.
    case refuse
    /// Nothing, for ever.
    case hang
  }

  /// One of the words.
  case word(Word)
  /// A reply; the scenario does not fail.
  case reply(Reply)
}
