internal import ArgumentParser
internal import Glibc
internal import ScenarioModel
internal import ScenarioReport

/// What is piped to a command that writes a scenario.
enum PipedInput {
  /// More than this is no example of an input.
  private static let limit = 1 << 20

  /// What is piped to the runner; `nil` for nothing, as a terminal has nothing to say.
  ///
  /// - Parameter help: What to do where it is too long, or no text.
  static func read(help: String) throws -> String? {
    guard isatty(STDIN_FILENO) == 0 else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
      guard bytes.count <= limit else {
        throw refusal("more than 1 MiB is piped to the command", .tooLarge, help)
      }
    }
    guard !bytes.isEmpty else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
      throw refusal("what is piped to the command is no text", .badEncoding, help)
    }
    return text
  }

  private static func refusal(
    _ message: String, _ code: DiagnosticCode, _ help: String
  ) -> ArgumentParser.ExitCode {
    Console.tell(
      Diagnostic(
        message, code: code, at: nil, help: help))
    return ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
  }
}
