import Testing

@Suite("The command that reproduces a failure, pasted into a shell")
struct ReproduceTests {
  /// Runs a file in a folder and hands on each command that is told.
  private func commands(
    _ name: String, _ text: String, _ options: [String] = []
  ) throws -> (folder: TemporaryFolder, commands: [String], outcome: BuiltRunner.Outcome) {
    let folder = try TemporaryFolder()
    folder.write(text, to: name)
    let outcome = try shell(
      "exec scenario run \(options.joined(separator: " ")) .", in: folder)
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    let commands = lines.filter { $0.hasPrefix("reproduce: ") }
      .map { String($0.dropFirst("reproduce: ".count)) }
    return (folder, commands, outcome)
  }

  private func shell(_ script: String, in folder: TemporaryFolder) throws -> BuiltRunner.Outcome {
    let runner = BuiltRunner.executable.split(separator: "/").dropLast().joined(separator: "/")
    let path = folder.write(
      "PATH=/\(runner):$PATH\ncd '\(folder.path)'\n\(script)\n", to: "script.sh")
    return try BuiltRunner.command(["bash", path])
  }

  @Test(
    "Whatever a file is called, the command finds the scenario in it",
    arguments: [
      "plain.yaml", "two words.yaml", "it's.yaml", "a\nb.yaml", "tab\t$HOME`id`\"x\".yaml",
      "back\\slash.yaml", "-x.yaml", "~.yaml", "\u{202E}ä.yaml", "colon:7.yaml", "\u{1}2.yaml",
    ])
  func files(name: String) throws {
    let text = """
      version: 2
      scenarios:
        - { name: passes, target: { command: [true] } }
        - { name: fails, target: { command: [echo, one] }, expect: { stdout: two } }
      """
    let (folder, commands, outcome) = try commands(name, text)

    outcome.expectExit(1)
    let command = try #require(commands.first, "\(outcome.text)")
    let again = try shell(command, in: folder)
    #expect(again.exitCode == 1, "\(command)\n\(again.text)")
    #expect(again.output.contains("0 passed, 1 failed"), "\(command)\n\(again.text)")
  }

  @Test("Each row of a matrix has a command that runs it alone, whatever its values are")
  func rows() throws {
    let text = #"""
      version: 2
      name: row
      target: { command: [printf, "%s", "${{ matrix.word }}"] }
      matrix: { word: ["a b", "it's", "$HOME", "x\ny", "[a]*", "\\", "\u0001", "\u202E", ""] }
      expect: { stdout: nothing }
      """#
    let (folder, commands, outcome) = try commands("rows.yaml", text)

    #expect(commands.count == 9, "\(outcome.text)")
    #expect(Set(commands).count == 9)
    for command in commands {
      let again = try shell(command, in: folder)
      #expect(again.output.contains("0 passed, 1 failed"), "\(command)\n\(again.text)")
      #expect(again.output.contains("reproduce: \(command)\n"), "\(command)\n\(again.text)")
    }
  }

  @Test("A repetition is met again by as many, of a row as well; the case itself by one run")
  func repetitions() throws {
    let text = """
      version: 2
      name: sometimes
      target: { command: [echo, something] }
      matrix: { word: [one] }
      expect: { stdout: nothing }
      """
    let (folder, commands, outcome) = try commands("rows.yaml", text, ["--repeat", "3"])

    #expect(commands.count == 3, "\(outcome.text)")
    #expect(commands[0].hasSuffix("--seed 0") && commands[2].hasSuffix("--seed 0 --repeat 3"))
    let again = try shell(commands[2], in: folder)
    #expect(again.output.contains("0 passed, 3 failed"), "\(commands[2])\n\(again.text)")
  }

  @Test("Options that decide about the end are reported, others are not")
  func options() throws {
    let text = """
      version: 2
      name: leaves something
      target: { command: 'sleep 1000 & exit 0' }
      """
    let (folder, commands, outcome) = try commands(
      "leak.yaml", text, ["--leak", "fail", "--timeout", "20s", "-j", "2"])

    let command = try #require(commands.first, "\(outcome.text)")
    #expect(command == "scenario run leak.yaml:2 --timeout 20s --leak fail --seed 0")
    try shell(command, in: folder).expectExit(1)
    try shell("scenario run leak.yaml:2 --seed 0", in: folder).expectExit(0)
  }

  @Test("Of scenarios in one line the command names one, whatever else was selected")
  func oneLine() throws {
    let text = """
      version: 2
      target: { command: [echo, one] }
      expect: { stdout: two }
      scenarios: [{ name: "a (b" }, { name: "a" }, { name: long,
        tags: [x] }, { name: last }]
      """
    let (folder, commands, outcome) = try commands("flow.yaml", text)

    #expect(commands.count == 4, "\(outcome.text)")
    #expect(Set(commands).count == 4, "\(commands)")
    for command in commands {
      let again = try shell(command, in: folder)
      #expect(again.output.contains("0 passed, 1 failed"), "\(command)\n\(again.text)")
      #expect(again.output.contains("reproduce: \(command)\n"), "\(command)\n\(again.text)")
    }

    let apart = try self.commands(
      "block.yaml",
      text.replacing("scenarios: [", with: "scenarios:\n  - ").replacing("}, {", with: "}\n  - {")
        .replacing("}]", with: "}"))
    #expect(
      apart.commands.count == 4 && apart.commands.allSatisfy { !$0.contains("--filter") },
      "\(apart.commands)")
  }
}
