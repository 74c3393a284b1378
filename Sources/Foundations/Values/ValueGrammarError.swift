/// The reason why a text is not the duration or instant that it should be.
package struct ValueGrammarError: Error, Hashable, Sendable {
  /// Lower case, no full stop, the offending text in quotes.
  package var message: String
  /// The exact fix.
  package var help: String

  /// Creates an error.
  package init(_ message: String, help: String) {
    self.message = message
    self.help = help
  }
}
