import Testing

@Suite("The README")
struct ReadmeTests {
  @Test("The first scenario runs as it is written")
  func firstScenario() throws {
    let readme = try #require(TemporaryFolder.read("\(BuiltRunner.root)/README.md"))
    let begin = try #require(readme.firstRange(of: "```yaml\n"))
    let rest = readme[begin.upperBound...]
    let end = try #require(rest.firstRange(of: "```\n"))
    let folder = try TemporaryFolder()
    let path = folder.write(String(rest[..<end.lowerBound]), to: "trial.yaml")

    let outcome = try BuiltRunner.run(["run", path])

    #expect(outcome.exitCode == 0, "\(outcome.text)")
    #expect(outcome.output.contains("1 passed, 0 failed"))
  }

  @Test("Each list that is shown is one that a file may hold", arguments: ["responses", "chaos"])
  func lists(key: String) throws {
    let readme = try #require(TemporaryFolder.read("\(BuiltRunner.root)/README.md"))
    let begin = try #require(readme.firstRange(of: "```yaml\n\(key):\n"))
    let rest = readme[begin.upperBound...]
    let end = try #require(rest.firstRange(of: "```\n"))
    let folder = try TemporaryFolder()
    let head = "version: 1\ntarget: { command: [\"true\"] }\n\(key):\n"
    let right = folder.write(head + rest[..<end.lowerBound], to: "right.yaml")
    let wrong = folder.write(
      head + rest[..<end.lowerBound] + "  - { nothing: 1 }\n", to: "wrong.yaml")

    let outcome = try BuiltRunner.run(["check", right])
    let contrast = try BuiltRunner.run(["check", wrong])

    #expect(outcome.exitCode == 0, "\(outcome.text)")
    #expect(contrast.exitCode == 2, "\(contrast.text)")
  }
}
