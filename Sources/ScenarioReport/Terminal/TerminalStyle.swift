/// The style of a report for people: how much it says, and when.
package struct TerminalStyle: Sendable, Hashable {
  /// The form in which a case is reported that ends.
  package enum Form: Sendable, Hashable {
    /// A line.
    case list
    /// A character.
    case dots
    /// Nothing.
    case quiet
  }

  /// Of which cases the output is shown.
  package enum ShownOutput: String, Sendable, Hashable, CaseIterable {
    /// Of those that did not pass.
    case failed
    /// Of all.
    case all
    /// Of none.
    case never
  }

  /// When failures are reported in full.
  package enum FailureOutput: String, Sendable, Hashable, CaseIterable {
    /// At the end of the run.
    case final
    /// As soon as the case has ended.
    case immediate
  }

  /// The form in which a case is reported that ends.
  package var form = Form.list
  /// Of which cases the output is shown.
  package var shownOutput = ShownOutput.failed
  /// When failures are reported in full.
  package var failureOutput = FailureOutput.final
  /// True if virtual times stand below each other.
  package var isAligned = false
  /// True if the end tells the time that the run took.
  package var showsTime = false
  /// The number of slowest cases that the end reports.
  package var slowestCount = 0

  /// Creates the style of a plain list.
  package init() {}
}
