/// The reason why a report could not be written.
package struct ReportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The message: lower case, no full stop, the path in quotes.
  package var message: String
  /// The path of the report, where it has one.
  package var path: String?
  /// The exact next step.
  package var help: String?
  /// The errno of the call that failed, where one did.
  package var errorNumber: Int32?

  /// Creates an error.
  package init(
    _ message: String, path: String? = nil, help: String? = nil, errorNumber: Int32? = nil
  ) {
    self.message = message
    self.path = path
    self.help = help
    self.errorNumber = errorNumber
  }

  /// The error of a file or folder that a command was to make.
  ///
  /// - Parameters:
  ///   - verb: What was to be done to it.
  ///   - errorNumber: The errno of the call that failed.
  package init(_ verb: String, _ path: String, errorNumber: Int32) {
    let error = SystemError(code: errorNumber)
    self.init(
      "cannot \(verb) \"\(path)\": \(error.text)", path: path,
      help: error.help(forWriting: path) ?? "choose a path where files can be created",
      errorNumber: errorNumber)
  }

  /// The message and, on a line of its own, the help.
  package var description: String {
    guard let help else { return message }
    return "\(message)\nhelp: \(help)"
  }
}
