public import ScenarioModel

/// Why an expression that only the run can fill in has no value.
public struct RunScopeError: Error, Hashable, Sendable {
  /// Lower case, no full stop.
  public var message: String
  /// Where the author wrote the expression.
  public var range: SourceRange?
  /// The exact fix, if one is known.
  public var help: String?

  /// Creates an error.
  public init(_ message: String, at range: SourceRange?, help: String? = nil) {
    self.message = message
    self.range = range
    self.help = help
  }
}
