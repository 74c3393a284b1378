/// One finding of `scenario doctor`.
package struct DoctorFinding: Sendable, Hashable, Codable {
  /// Whether it is as it must be.
  package enum Status: String, Sendable, Hashable, Codable {
    /// It is.
    case ok
    /// Some scenarios will miss it.
    case warn
    /// Scenarios with a world of their own cannot run.
    case fail
    /// It was not looked at, because something that it needs has failed.
    case skip
  }

  /// Whether it is as it must be.
  package var status: Status
  /// The subject of the finding, in a few words.
  package var subject: String
  /// The value that was found.
  package var value: String
  /// What to change, a line each; empty where nothing is to be changed.
  package var help: [String]

  /// Creates a finding.
  package init(_ status: Status, _ subject: String, _ value: String, help: [String] = []) {
    self.status = status
    self.subject = subject
    self.value = value
    self.help = help
  }
}
