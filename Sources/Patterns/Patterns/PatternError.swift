/// The reason why a pattern, a path or a URL cannot be read.
package struct PatternError: Error, Hashable, Sendable {
  /// Lower case, no full stop, the offending text in quotes.
  package var message: String
  /// The exact fix.
  package var help: String
  /// The place inside of a schema that is wrong, as a JSON pointer behind `#`; `nil` for other mistakes.
  package var place: String?

  /// Creates an error.
  package init(_ message: String, help: String, place: String? = nil) {
    self.message = message
    self.help = help
    self.place = place
  }
}
