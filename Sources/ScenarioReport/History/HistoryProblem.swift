/// The reason why a report has no place in a history.
package struct HistoryProblem: Error, Sendable, Hashable {
  /// Lower case, no full stop.
  package var message: String
  /// The line that shows it, counted from 1; `nil` where it is the whole file.
  package var line: Int?
  /// The exact next step.
  package var help: String

  init(_ message: String, line: Int? = nil, help: String) {
    self.message = message
    self.line = line
    self.help = help
  }
}
