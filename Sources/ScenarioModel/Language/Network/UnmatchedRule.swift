/// `network.unmatched:` what a request gets that no entry answers.
package enum UnmatchedRule: Sendable {
  /// The words of the language.
  package enum Word: String, Sendable, CaseIterable {
    /// A status that says so; the scenario fails.
    case fail
    /// A refused connection, as by a host on which no process listens.
    case refuse
    /// No answer, for ever.
    case hang
  }

  /// A word.
  case word(Word)
  /// A reply; the scenario does not fail.
  case reply(Reply)
}
