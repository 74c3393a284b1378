import Testing

@Suite("Mistakes")
struct MistakeTests {
  private func run(
    _ text: String, command: String = "run"
  ) throws -> (path: String, outcome: BuiltRunner.Outcome) {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "mistake.yaml")
    let outcome = try BuiltRunner.run([command, path])
    withExtendedLifetime(folder) {}
    return (path, outcome)
  }

  private func expectInvalid(
    _ text: String, at position: String, saying words: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for command in ["run", "check", "plan"] {
      let (path, outcome) = try run(text, command: command)
      let said = outcome.errorOutput
      #expect(outcome.exitCode == 2, "\(outcome.text)", sourceLocation: sourceLocation)
      #expect(
        said.contains("\(path):\(position): error["), "\(said)", sourceLocation: sourceLocation)
      #expect(said.contains("^"), sourceLocation: sourceLocation)
      for word in words {
        #expect(said.contains(word), "\(said)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test("An unknown key is refused, with the nearest known one")
  func unknownKey() throws {
    try expectInvalid(
      "version: 2\ntarget: { command: [date] }\nclok: { flow: auto }\n", at: "3:1",
      saying: ["\"clok\"", "clock", "help:"])
  }

  @Test("A scenario that cannot be read hides no mistake of the others")
  func besideBroken() throws {
    let text = """
      version: 2
      target: { command: [echo, hi], env: { A: "${{ build.two }}" } }
      scenarios:
        - name: one
          biuld: { two: 1 }
        - name: two
          build: { two: 2 }
          steps: [{ run: [] }, { apply: nothing }]

      """
    try expectInvalid(text, at: "5:5", saying: ["2 errors", "mistake.yaml:8:35: error[E104]"])

    // What stands at the top may need the part that could not be read.
    let whole = text.replacing("build: { two: 2 }", with: "build: { two: 2, one: { $build: zz } }")
    try expectInvalid(whole, at: "8:35", saying: ["3 errors", "mistake.yaml:7:37: error[E060]"])
    let (_, top) = try run(text.replacing("version: 2", with: "version: 2\nchoas: []"))
    #expect(top.errorOutput.contains("2 errors"), "\(top.text)")
    #expect(!top.errorOutput.contains("E104"), "\(top.text)")
  }

  @Test(
    "A mistake at the top hides those alone that may follow from it",
    arguments: [
      ("timout: 5s", true, true), ("clock: { at: never }", true, true),
      ("factoris: {}", true, false), ("build: 7", true, false), ("chaos: 7", false, true),
      ("zzzzzz: 7", false, false),
    ])
  func brokenTop(line: String, tellsEntry: Bool, tellsFactory: Bool) throws {
    let (_, outcome) = try run(
      """
      version: 2
      \(line)
      target: { command: [echo, hi] }
      scenarios:
        - name: one
          steps: [{ run: [] }, { apply: nothing }]
        - name: two
          target: { command: [echo, { $build: nobody }] }

      """, command: "check")

    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains("mistake.yaml:2:"), "\(outcome.text)")
    #expect(outcome.errorOutput.contains("mistake.yaml:6:35: error[E104]") == tellsEntry)
    #expect(outcome.errorOutput.contains("mistake.yaml:8:41: error[E060]") == tellsFactory)
  }

  @Test("Files of the current folder are called by their names alone")
  func currentFolder() throws {
    let folder = try TemporaryFolder()
    folder.write("version: 2\ntimout: 5s\n", to: "a.yaml")
    let shell =
      "cd \(folder.path) && mkdir -p sub && cp a.yaml sub/b.yaml"
      + " && exec \(BuiltRunner.executable) check"

    let here = try BuiltRunner.command(["sh", "-c", "\(shell) ."])
    let below = try BuiltRunner.command(["sh", "-c", "\(shell) ./sub/"])

    #expect(here.errorOutput.hasPrefix("a.yaml:2:1: error["), "\(here.text)")
    #expect(here.errorOutput.contains("\nsub/b.yaml:2:1: error["), "\(here.text)")
    #expect(below.errorOutput.hasPrefix("sub/b.yaml:2:1: error["), "\(below.text)")
  }

  /// The most memory that a check took, in KiB.
  private func memory(_ text: String) throws -> (size: Int, said: String) {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "long.yaml")
    let script = """
      import resource, subprocess, sys
      subprocess.run(sys.argv[1:])
      print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    let outcome = try BuiltRunner.command([
      "\(BuiltRunner.root)/.build/python/bin/python", "-c", script, BuiltRunner.executable,
      "check", path,
    ])
    withExtendedLifetime(folder) {}
    let size = outcome.output.split(separator: "\n").last.flatMap { Int($0) }
    return (try #require(size, "\(outcome.text)"), outcome.errorOutput)
  }

  @Test(
    "Of a line as long as a file, the mistake is reported within a few times its size",
    arguments: ["target: { command: [echo, \"", ""])
  func longLine(beginning: String) throws {
    let count = 6 << 20
    let small = try memory("version: 2\n" + beginning + "x: 1\n")
    let large = try memory(
      "version: 2\n" + beginning + String(repeating: "x", count: count) + ": 1\n")

    #expect(large.said.contains("long.yaml:2:"), "\(large.said.prefix(500))")
    // The text twice, and what libyaml makes of it, which doubles as it grows.
    #expect(large.size - small.size < 5 * count >> 10, "\(large.size) KiB, \(small.size) KiB")
  }

  @Test("A wrong type is refused where it stands")
  func wrongType() throws {
    try expectInvalid(
      "version: 2\ntarget: { command: [date] }\nseed: soon\n", at: "3:7",
      saying: ["\"soon\"", "help:"])
  }

  @Test("A bad duration is refused with the right form")
  func badDuration() throws {
    try expectInvalid(
      "version: 2\ntarget: { command: [date] }\nsteps:\n  - jump: 5 parsecs\n", at: "4:11",
      saying: ["\"5 parsecs\"", "help:"])
  }

  @Test("An unknown factory is refused by the planner, with the nearest known one")
  func unknownFactory() throws {
    try expectInvalid(
      """
      version: 2
      target: { command: [cat, user.json], files: { user.json: { json: { $build: usr } } } }
      factories: { user: { fields: { name: Bob } } }

      """, at: "2:76", saying: ["\"usr\"", "user"])
  }

  @Test("All mistakes are reported at once, and nothing runs")
  func allAtOnce() throws {
    let (_, outcome) = try run(
      "version: 2\ntarget: { command: [touch, /tmp/never] }\nseeed: 1\ntimeout: 5\n")

    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains("\"seeed\""))
    #expect(outcome.errorOutput.contains("timeout"))
    #expect(outcome.errorOutput.contains("nothing was run"))
    #expect(outcome.output.isEmpty)
  }

  @Test("A file that does not exist is named")
  func missingFile() throws {
    let outcome = try BuiltRunner.run(["run", "no/such/file.yaml"])

    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains("\"no/such/file.yaml\": No such file or directory"))
    #expect(outcome.errorOutput.contains("help:"))
  }

  @Test("A fixture that does not exist is named before anything runs")
  func missingFixture() throws {
    try expectInvalid(
      "version: 2\ntarget: { command: [date], files: { a: { file: nothing.txt } } }\n",
      at: "2:48", saying: ["nothing.txt"])
  }

  @Test("A wrong option is invalid input")
  func wrongOption() throws {
    let outcome = try BuiltRunner.run(["run", "--sede", "1"])

    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains("--sede"))
  }

  // MARK: - Targets

  @Test("A target that does not exist cannot be decided, and is shown in the file")
  func missingTarget() throws {
    let (path, outcome) = try run("version: 2\ntarget: { command: [no-such-program] }\n")

    outcome.expectExit(3)
    #expect(outcome.output.contains("\(path):2:"))
    #expect(outcome.output.contains("the program \"no-such-program\" was not found in PATH"))
    #expect(outcome.output.contains("help:"))
    #expect(outcome.output.contains("^"))
  }

  @Test("A 32-bit target is refused in words")
  func foreignTarget() throws {
    let folder = try TemporaryFolder()
    var header: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 1, 1, 1] + [UInt8](repeating: 0, count: 9)
    header += [2, 0, 3, 0] + [UInt8](repeating: 0, count: 32)
    let program = folder.write(header, to: "old", mode: 0o755)

    let (path, outcome) = try run("version: 2\ntarget: { command: [\(program)] }\n")

    outcome.expectExit(3)
    #expect(outcome.output.contains("\(path):2:"))
    #expect(outcome.output.contains("is a 32-bit program"))
    #expect(outcome.output.contains("help:"))
  }

  @Test("A machine that forbids ptrace is told of, with what to do")
  func forbiddenTracing() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("version: 2\ntarget: { command: [date] }\n", to: "date.yaml")

    let outcome = try BuiltRunner.run(
      ["run", path], prefix: ["\(BuiltRunner.root)/.build/programs/deny_call", "ptrace"])

    outcome.expectExit(3)
    #expect(outcome.output.contains("does not let the runner trace processes"))
    #expect(outcome.output.contains("--cap-add=SYS_PTRACE"))
    #expect(!outcome.text.contains("Fatal error"))
  }
}
