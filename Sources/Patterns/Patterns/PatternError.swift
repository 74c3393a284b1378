/// The reason why a pattern, a path or a URL cannot be read.
package struct PatternError: Error, Hashable, Sendable {
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
