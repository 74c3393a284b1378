internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioReport

/// Writes to the standard streams.
enum Console {
  /// Writes all of a text; a closed pipe ends it silently, as the reader wished.
  ///
  /// - Returns: Why the text was not taken; `nil` if it was.
  static func write(
    _ text: String, to descriptor: Int32, content: PrintedText = .text
  ) -> ReportError? {
    let name = descriptor == STDOUT_FILENO ? "standard output" : "standard error"
    do {
      try DescriptorSink(descriptor: descriptor, name: name, content: content).write(text)
      return nil
    } catch {
      return error.errorNumber == EPIPE ? nil : error
    }
  }

  /// Writes what a command is there to print.
  ///
  /// - Parameter content: what it is; workflow commands of CI systems in it have no effect, but in a document, which is
  ///   printed verbatim.
  /// - Throws: Exit code 3 if standard output does not take it.
  static func print(_ text: String, content: PrintedText = .text) throws {
    guard let error = write(text, to: STDOUT_FILENO, content: content) else { return }
    report(error)
    throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.undecided.rawValue)
  }

  /// Writes to standard error, in the form of all messages.
  static func report(_ diagnostic: Diagnostic, usesColour: Bool = false) {
    report(DiagnosticRenderer(isColoured: usesColour) { _ in nil }.render(diagnostic))
  }

  /// Writes to standard error, in the form of all messages.
  static func report(_ error: ReportError) {
    report(Diagnostic(error.message, code: .unwrittenReport, at: nil, help: error.help))
  }

  /// Writes to standard error; where that is closed, the text is lost.
  static func report(_ text: String, content: PrintedText = .text) {
    _ = write(text, to: STDERR_FILENO, content: content)
  }
}

/// A bug in this program: exit code 70.
struct InternalError: Error {
  /// The error: lower case, no full stop.
  var message: String
}
