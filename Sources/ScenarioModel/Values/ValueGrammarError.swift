/// Why a text is not the duration or instant that it should be.
public struct ValueGrammarError: Error, Hashable, Sendable {
  /// Lower case, no full stop, the offending text in quotes.
  public var message: String
  /// The exact fix.
  public var help: String

  /// Creates an error.
  public init(_ message: String, help: String) {
    self.message = message
    self.help = help
  }
}
