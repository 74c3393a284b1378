internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioReport
internal import ScenarioRunner

/// The standard input of a command that writes a scenario.
enum PipedInput {
  /// The largest size of an input, in bytes: more is no example of one.
  private static let limit = 1 << 20

  /// Reads the runner's standard input to its end; `nil` on a terminal.
  ///
  /// - Parameter help: What to do where it is too long, or no text.
  static func read(help: String) throws -> String? {
    guard isatty(STDIN_FILENO) == 0 else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return try text(bytes.count > limit ? nil : bytes, .invalidInput, help: help)
  }

  /// Passes the runner's standard input on as it comes; `nil` where all of it is there, as in a file.
  static func live() -> StdinTee? {
    // lseek(2): pipes and sockets have no place that one could go to.
    guard isatty(STDIN_FILENO) == 0, lseek(STDIN_FILENO, 0, SEEK_CUR) < 0, errno == ESPIPE else {
      return nil
    }
    return StdinTee(from: STDIN_FILENO, limit: limit)
  }

  /// An input as a scenario has it; `nil` for nothing.
  ///
  /// - Parameters:
  ///   - bytes: The input; `nil` if it is too long.
  ///   - code: What the runner says where it is too long, or no text.
  static func text(
    _ bytes: [UInt8]?, _ code: ScenarioReport.ExitCode, help: String
  ) throws -> String? {
    guard let bytes else {
      throw Console.refusal(
        code, "the piped standard input is larger than 1 MiB", help: help, .tooLarge)
    }
    guard !bytes.isEmpty else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
      throw Console.refusal(
        code, "the piped standard input is not text", help: help, .badEncoding)
    }
    return text
  }
}
