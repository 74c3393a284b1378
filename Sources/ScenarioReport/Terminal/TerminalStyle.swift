/// The style of a report for people: how much it says, and when.
package struct TerminalStyle: Sendable, Hashable {
  /// The form in which a case is reported that ends.
  package enum Form: Sendable, Hashable {
    /// A line.
    case list
    /// A character.
    case dots
    /// No output.
    case quiet
  }

  /// The cases whose output is shown.
  package enum ShownOutput: String, Sendable, Hashable, CaseIterable {
    /// The output of cases that did not pass.
    case failed
    /// The output of all cases.
    case all
    /// The output of none.
    case never
  }

  /// The time at which failures are reported in full.
  package enum FailureOutput: String, Sendable, Hashable, CaseIterable {
    /// Failures at the end of the run.
    case final
    /// Immediately when the case has ended.
    case immediate
  }

  /// The form in which a case is reported that ends.
  package var form = Form.list
  /// The cases whose output is shown.
  package var shownOutput = ShownOutput.failed
  /// The time at which failures are reported in full.
  package var failureOutput = FailureOutput.final
  /// True if virtual times are aligned in a column.
  package var isAligned = false
  /// True if the end shows the time that the run took.
  package var showsTime = false
  /// The number of slowest cases that the end reports.
  package var slowestCount = 0

  /// Creates the style of a plain list.
  package init() {}
}
