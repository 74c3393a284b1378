import Glibc
import Testing

@Suite(
  "Folders that the runner cannot list",
  .enabled(if: OrdinaryUser.canRun, "another user cannot start the runner from here"))
struct UnlistedFolderTests {
  private func run(_ files: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    chmod(folder.path, 0o755)
    let path = folder.write(
      """
      version: 2
      target: { command: 'mkdir -p d/e f; echo x > d/a.bak; echo x > f/a.txt; chmod 000 d' }
      expect: { exit: 0, files: { \(files) } }

      """, to: "unlisted.yaml")
    let outcome = try BuiltRunner.run(["run", path], prefix: OrdinaryUser.prefix)
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test(
    "A condition on files that may be in one is undecided, whatever it asks",
    arguments: ["d/*.bak", "d/a.bak", "**/*.bak", "?/e/*", "d/**"],
    ["{ absent: true }", "{ exists: true }", "x", "{ kind: folder }", "{ mode: 0644 }"])
  func undecided(pattern: String, condition: String) throws {
    let outcome = try run("\"\(pattern)\": \(condition)")

    outcome.expectExit(3)
    #expect(
      outcome.text.contains("error: files: cannot list the folder \"d\": Permission denied"),
      "\(outcome.text)")
    #expect(outcome.text.contains("let the target make the folder readable"), "\(outcome.text)")
  }

  @Test(
    "A condition on files that cannot be in one is decided",
    arguments: [
      ("'*.bak': { absent: true }", 0), ("f/*: x", 0), ("d: { absent: true }", 1),
      ("'f/**/*.bak': { exists: true }", 1), ("d/: { absent: true }", 1),
      ("d/: { exists: true }", 0), ("'**/*.txt': { exists: true }", 0),
    ])
  func decided(files: String, exitCode: Int32) throws {
    let outcome = try run(files)

    #expect(outcome.exitCode == exitCode, "\(outcome.text)")
  }
}
