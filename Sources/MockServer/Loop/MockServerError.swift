/// The reason why the mock server cannot perform a request.
package struct MockServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The activity that failed.
  package enum Activity: Hashable, Sendable {
    /// Opening a listener.
    case listening
    /// Reading a file that the plan names.
    case reading
    /// Making a certificate.
    case certifying
    /// Any activity after `shutdown()`.
    case afterShutdown
  }

  /// The activity that failed.
  package var activity: Activity
  /// The message in one line: lower case, no full stop.
  package var message: String
  /// The next step, shown behind `help:`.
  package var help: String

  /// Creates an error.
  package init(_ activity: Activity, message: String, help: String) {
    self.activity = activity
    self.message = message
    self.help = help
  }

  /// The message and the next step.
  package var description: String {
    "\(message)\nhelp: \(help)"
  }
}
