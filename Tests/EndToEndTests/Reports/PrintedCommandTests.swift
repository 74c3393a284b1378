import Testing

@Suite("Commands of CI systems in a target's output")
struct PrintedCommandTests {
  @Test(
    "A target commands no CI system through what is printed, neither live nor at the end",
    arguments: [[], ["--show-output", "all"], ["--report", "tap=-"], ["--report", "jsonl=-"]])
  func printed(options: [String]) throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      name: it writes commands
      target:
        command: [bash, -c, "echo '::error file=a::b'; echo 'x ##vso[task.y]z' >&2; echo '##[group]'; exit 1"]
      expect: { exit: 0, stdout: '::set-output name=a::b' }

      """, to: "commands.yaml")
    let outcome = try BuiltRunner.run(["run", path] + options)
    withExtendedLifetime(folder) {}

    #expect(outcome.exitCode == 1, "\(outcome.text)")
    let text = outcome.text
    #expect(text.contains("error file=a::b"), "\(outcome.text)")
    let commands = text.split(separator: "\n").filter { line in
      line.drop { $0.isWhitespace }.hasPrefix("::") || line.contains("##[")
        || line.contains("##vso[")
    }
    #expect(commands == [])
  }

  @Test("What is listed commands none either, and JSON says the same", arguments: ["text", "json"])
  func listed(format: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      name: 'x ##[error]a ##vso[task.y]b'
      tags: ['::warning::c']
      target: { command: ['true'] }

      """, to: "names.yaml")
    let outcome = try BuiltRunner.run(["list", path, "--format", format])
    withExtendedLifetime(folder) {}

    #expect(outcome.exitCode == 0, "\(outcome.text)")
    #expect(outcome.output.contains("[error]a"), "\(outcome.text)")
    for command in ["##[", "##vso["] { #expect(!outcome.output.contains(command)) }
  }

  @Test(
    "Neither do annotations, plans and snapshots that wait for a decision",
    arguments: [
      ["run", "--report", "github"], ["run", "--report", "tap=/dev/stdout"], ["plan"], ["review"],
    ])
  func elsewhere(command: [String]) throws {
    let folder = try TemporaryFolder()
    func write(_ last: String) -> String {
      folder.write(
        """
        version: 2
        name: 'x ##[error]a ##vso[task.y]b'
        target: { command: [printf, '%s\\n', '##vso[x]b', '##[error]c', '##teamcity[d]', '\(last)'] }
        expect: { exit: 0, stdout: { snapshot: kept } }

        """, to: "commands.yaml")
    }
    _ = try BuiltRunner.run(["run", write("once")])
    let path = write("changed")
    _ = try BuiltRunner.run(["run", path])
    let outcome = try BuiltRunner.run(command + [path])
    withExtendedLifetime(folder) {}

    #expect(outcome.output.contains("[error]c"), "\(outcome.text)")
    for word in ["##[", "##vso[", "##teamcity["] {
      #expect(!outcome.text.contains(word), "\(outcome.text)")
    }
  }
}
