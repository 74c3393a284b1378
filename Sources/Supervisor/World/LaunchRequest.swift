package import Foundations

/// The way in which the target is started.
package struct LaunchRequest: Sendable {
  /// The source of the target's standard input.
  package enum Input: Sendable {
    /// No input: /dev/null.
    case empty
    /// These bytes, then the end.
    case bytes([UInt8])
    /// The bytes that steps send, until a step closes it.
    case open
    /// The bytes from this descriptor, which stays the caller's.
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
  /// The source of its standard input.
  package var input: Input
  /// The size of the pseudo-terminal that its three streams are, and that controls its session.
  ///
  /// `nil` for pipes. `input` is what is typed then, and no end follows it.
  package var terminal: TerminalSize?

  /// The target on whose host it runs; `nil` for its own, if it has one.
  package var home: TargetNumber?

  /// The caller's descriptors that are its three streams, which stay the caller's; `nil` for what `input` and `terminal`
  /// say.
  package var streams: Streams?

  /// Three open descriptors.
  package struct Streams: Sendable {
    /// The descriptor for its standard input.
    package var input: Int32
    /// The descriptor for its standard output.
    package var output: Int32
    /// The descriptor for its standard error.
    package var error: Int32
    /// True if they are one terminal, which is to control its session.
    package var isTerminal: Bool

    /// Names descriptors.
    package init(input: Int32, output: Int32, error: Int32, isTerminal: Bool) {
      self.input = input
      self.output = output
      self.error = error
      self.isTerminal = isTerminal
    }
  }

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
