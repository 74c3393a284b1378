public import ScenarioModel

/// A text that the target will have given, by a name.
public struct PlannedCapture: Sendable, Hashable, Codable {
  /// The name behind `capture.`.
  public var name: String
  /// Where it is looked for.
  public var source: CaptureRule.Source
  /// Its first group counts, or all that it matches.
  public var expression: RegularExpression
  /// Where the author wrote it.
  public var range: SourceRange

  /// Creates a capture.
  public init(
    name: String, source: CaptureRule.Source, expression: RegularExpression, range: SourceRange
  ) {
    self.name = name
    self.source = source
    self.expression = expression
    self.range = range
  }
}
