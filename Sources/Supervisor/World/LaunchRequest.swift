package import Foundations

/// How the target is started.
package struct LaunchRequest: Sendable {
  /// What the target reads from standard input.
  package enum Input: Sendable {
    /// Nothing: /dev/null.
    case empty
    /// These bytes, then the end.
    case bytes([UInt8])
    /// What steps send, until a step closes it.
    case open
    /// What comes from this descriptor, which stays the caller's.
    case descriptor(Int32)
  }

  /// The program's path; no search.
  package var path: String
  /// Arguments, the program's name first.
  package var arguments: [String]
  /// `NAME=VALUE` texts.
  package var environment: [String]
  /// The working directory.
  package var directory: String
  /// What it reads.
  package var input: Input
  /// The size of the pseudo-terminal that its three streams are, and that controls its session.
  ///
  /// `nil` for pipes. `input` is what is typed then, and no end follows it.
  package var terminal: TerminalSize?

  /// Creates a request.
  package init(
    path: String, arguments: [String], environment: [String], directory: String, input: Input
  ) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
    self.input = input
  }
}
