/// How much a report for people says, and when.
public struct TerminalStyle: Sendable, Hashable {
  /// What is told of a case that ends.
  public enum Form: Sendable, Hashable {
    /// A line.
    case list
    /// A character.
    case dots
    /// Nothing.
    case quiet
  }

  /// Of which cases the output is shown.
  public enum ShownOutput: String, Sendable, Hashable, CaseIterable {
    /// Of those that did not pass.
    case failed
    /// Of all.
    case all
    /// Of none.
    case never
  }

  /// When failures are told in full.
  public enum FailureOutput: String, Sendable, Hashable, CaseIterable {
    /// At the end of the run.
    case final
    /// As soon as the case has ended.
    case immediate
  }

  /// What is told of a case that ends.
  public var form = Form.list
  /// Of which cases the output is shown.
  public var shownOutput = ShownOutput.failed
  /// When failures are told in full.
  public var failureOutput = FailureOutput.final
  /// Whether virtual times stand below each other.
  public var isAligned = false
  /// Whether the end tells the time that the run took.
  public var tellsTime = false
  /// How many of the slowest cases the end tells.
  public var slowestCount = 0

  /// Creates the style of a plain list.
  public init() {}
}
