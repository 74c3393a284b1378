/// One finding of `scenario doctor`.
package struct DoctorFinding: Sendable, Hashable, Codable {
  /// The result of the check.
  package enum Status: String, Sendable, Hashable, Codable {
    /// The mechanism works.
    case ok
    /// Some scenarios will lack it.
    case warn
    /// Scenarios with an environment of their own cannot run.
    case fail
    /// The mechanism was not tested, because one that it needs has failed.
    case skip
  }

  /// The result of the check.
  package var status: Status
  /// The subject of the finding, in a few words.
  package var subject: String
  /// The value that was found.
  package var value: String
  /// The changes to make, a line each; empty where there are none.
  package var help: [String]

  /// Creates a finding.
  package init(_ status: Status, _ subject: String, _ value: String, help: [String] = []) {
    self.status = status
    self.subject = subject
    self.value = value
    self.help = help
  }
}
