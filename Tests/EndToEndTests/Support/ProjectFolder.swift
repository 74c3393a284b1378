import Glibc
import Testing

/// A project of a test's own, in which the runner is started; removed with all that is in it.
final class ProjectFolder {
  let path: String

  /// Makes the folder, with a mark, so that no project further up is meant.
  init(configuration: String? = "") throws {
    path = TemporaryFolder.unique("project")
    try #require(mkdir(path, 0o700) == 0)
    if let configuration { try write(configuration, to: "scenario.yml") }
  }

  deinit {
    _ = try? BuiltRunner.command(["rm", "-rf", path])
  }

  /// Writes a file, with the folders that lead to it.
  func write(_ text: String, to name: String, mode: mode_t = 0o644) throws {
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/\(part)"
      mkdir(folder, 0o755)
    }
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    try #require(count == bytes.count)
  }

  /// The text of a file; `nil` if there is none.
  func read(_ name: String) -> String? { TemporaryFolder.read("\(path)/\(name)") }

  /// Runs the runner in the folder, with variables as `NAME=VALUE`.
  func scenario(
    _ arguments: [String], variables: [String] = [], below folder: String = ""
  ) throws -> BuiltRunner.Outcome {
    try BuiltRunner.run(arguments, prefix: ["env", "-C", "\(path)/\(folder)"] + variables)
  }

  /// Runs git in the folder, as nobody in particular.
  @discardableResult
  func git(_ arguments: [String]) throws -> BuiltRunner.Outcome {
    let identity = ["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "gc.auto=0"]
    let outcome = try BuiltRunner.command(
      ["env", "GIT_CONFIG_GLOBAL=/dev/null", "git", "-C", path] + identity + arguments)
    try #require(outcome.exitCode == 0, "\(outcome.text)")
    return outcome
  }
}
