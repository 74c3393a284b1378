package import Foundations

/// The reason why an expression that only the run can evaluate has no value.
package struct RunScopeError: Error, Hashable, Sendable {
  /// Lower case, no full stop.
  package var message: String
  /// The place of the expression in the file.
  package var range: SourceRange?
  /// The exact fix, if one is known.
  package var help: String?

  /// Creates an error.
  package init(_ message: String, at range: SourceRange?, help: String? = nil) {
    self.message = message
    self.range = range
    self.help = help
  }
}
