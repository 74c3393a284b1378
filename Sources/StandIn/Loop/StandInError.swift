/// Why the stand-in cannot do what it was asked for.
public struct StandInError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was being done.
  public enum Activity: Hashable, Sendable {
    /// Opening a listener.
    case listening
    /// Reading a file that the plan names.
    case reading
    /// Making a certificate.
    case certifying
    /// Anything after `shutdown()`.
    case afterShutdown
  }

  /// What was being done.
  public var activity: Activity
  /// One line: lower case, no full stop.
  public var message: String
  /// The next step, shown behind `help:`.
  public var help: String

  /// Creates an error.
  public init(_ activity: Activity, message: String, help: String) {
    self.activity = activity
    self.message = message
    self.help = help
  }

  /// The message and the next step.
  public var description: String {
    "\(message)\nhelp: \(help)"
  }
}
