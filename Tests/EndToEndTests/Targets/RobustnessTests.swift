import Glibc
import Testing

@Suite("What must not harm")
struct RobustnessTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(
    _ text: String, _ options: [String] = [], prefix: [String] = []
  ) throws -> BuiltRunner.Outcome {
    let path = folder.write(text, to: "scenario.yaml")
    return try BuiltRunner.run(["run", path] + options, prefix: prefix)
  }

  private static let greeting = "version: 2\ntarget: { command: [echo, hi] }\n"

  // MARK: - What is read

  @Test("A FIFO that nobody writes to is refused wherever a file is read, and not waited for")
  func fifos() throws {
    let project = try ProjectFolder(configuration: nil)
    try project.write(Self.greeting, to: "good.yaml")
    try project.write(Self.greeting + "include: [fifo]\n", to: "uses.yaml")
    try #require(mkfifo("\(project.path)/fifo", 0o600) == 0)
    try #require(mkfifo("\(project.path)/fifo.yaml", 0o600) == 0)
    let commands = [
      ["run", "fifo.yaml"], ["run", "."], ["list", "fifo.yaml:2"], ["check", "fifo.yaml"],
      ["run", "uses.yaml"], ["run", "--plan", "fifo"], ["plan", "good.yaml", "--against", "fifo"],
      ["run", "good.yaml", "--test-list", "fifo"], ["run", "good.yaml", "--exclude-list", "fifo"],
      ["run", "good.yaml", "--shard", "1/1", "--timings", "fifo"],
    ]
    for words in commands {
      let outcome = try project.scenario(words)
      #expect(outcome.exitCode == 2, "\(words)\n\(outcome.text)")
      #expect(outcome.errorOutput.contains("is not a regular file"), "\(words)\n\(outcome.text)")
    }
    try #require(mkfifo("\(project.path)/scenario.yml", 0o600) == 0)
    let settings = try project.scenario(["run", "good.yaml"])
    settings.expectExit(2)
    #expect(settings.errorOutput.contains("\"scenario.yml\" is not a regular file"))
  }

  // MARK: - Reports

  @Test("A report goes into a FIFO and through a symbolic link, and both stay what they are")
  func reportTargets() throws {
    let fifo = "\(folder.path)/fifo"
    let link = "\(folder.path)/link.xml"
    try #require(mkfifo(fifo, 0o600) == 0)
    folder.write("old", to: "real.xml")
    try #require(symlink("real.xml", link) == 0)
    let reader = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }

    let outcome = try run(
      Self.greeting, ["--report", "jsonl=\(fifo)", "--report", "junit=\(link)"])

    outcome.expectExit(0)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(reader, &buffer, buffer.count)
    let events = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    #expect(events.contains("runFinished"))
    #expect(TemporaryFolder.read("\(folder.path)/real.xml")?.contains("<testcase") ?? false)
    var status = stat()
    #expect(lstat(fifo, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test("Two reports in one place are refused before anything runs")
  func sameReport() throws {
    let outcome = try run(
      Self.greeting,
      ["--report", "jsonl=\(folder.path)/r", "--report", "junit=\(folder.path)/./r"])

    outcome.expectExit(2)
    #expect(outcome.errorOutput.hasPrefix("error[E110]: two reports write to"))
    #expect(outcome.errorOutput.contains("help:"))
    #expect(TemporaryFolder.names(folder.path) == ["scenario.yaml"])
  }

  @Test("A report that cannot be opened is an error in the form of all errors")
  func impossibleReport() throws {
    let outcome = try run(Self.greeting, ["--report", "junit=\(folder.path)/scenario.yaml/x"])

    outcome.expectExit(3)
    #expect(outcome.errorOutput.hasPrefix("error[E111]: the report \""))
  }

  @Test("What cannot be printed is not success", arguments: ["plan", "check"])
  func fullOutput(command: String) throws {
    let path = folder.write(Self.greeting, to: "scenario.yaml")
    let toFullDisk = ["/bin/sh", "-c", "exec \"$@\" >/dev/full", "sh"]

    let outcome = try BuiltRunner.run([command, path], prefix: toFullDisk)

    outcome.expectExit(3)
    #expect(outcome.errorOutput.contains("error[E111]: standard output could not be written"))
  }

  // MARK: - Files and output

  @Test("A FIFO where a file is expected cannot be judged, and nothing waits for it")
  func expectedFIFO() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [mkfifo, pipe] }
      expect: { files: { pipe: hi } }

      """)

    outcome.expectExit(3)
    #expect(outcome.output.contains("scenario.yaml:3:"))
    #expect(outcome.output.contains("files: \"pipe\" is not a regular file"))
  }

  @Test("A FIFO is no scenario file", arguments: ["run", "check", "plan"])
  func scenarioFIFO(command: String) throws {
    let path = "\(folder.path)/fifo.yaml"
    try #require(mkfifo(path, 0o600) == 0)

    let outcome = try BuiltRunner.run([command, path])

    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains("\"\(path)\" is not a regular file"))
  }

  @Test("Output that is longer than what a condition can hold at once cannot be judged by it")
  func longOutput() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [bash, -c, "yes | head --bytes 67108871"] }
      expect: { stdout: { json: { a: 1 } } }

      """)

    outcome.expectExit(3)
    #expect(outcome.output.contains("scenario.yaml:3:"))
    #expect(
      outcome.output.contains("stdout is longer than 64 MiB, and JSON needs all of it at once"))
    #expect(outcome.output.contains("help: use `equals`, `contains`, `lines`"))
  }

  @Test("Nothing is left behind, whatever the target makes")
  func leavesNothing() throws {
    let scratch = try TemporaryFolder()
    folder.write("mine", to: "precious")
    let command = """
      mkdir -p $'a\\xff/b' && touch $'a\\xff/b/\\xfe' && chmod 0 $'a\\xff' && \
      ln -s \(folder.path) link && ln -s \(folder.path) ../link
      """

    let outcome = try run(
      """
      version: 2
      target:
        command:
          - bash
          - -c
          - |
            \(command)

      """, prefix: ["env", "TMPDIR=\(scratch.path)"])

    outcome.expectExit(0)
    #expect(TemporaryFolder.names(scratch.path) == [])
    #expect(TemporaryFolder.read("\(folder.path)/precious") == "mine")
  }

  // MARK: - Terminals

  @Test("A scenario file cannot steer the terminal", arguments: ["run", "check", "plan"])
  func escapes(command: String) throws {
    let path = folder.write(
      "version: 2\n\"\\e[2Jkey\": 1\ntarget: { command: [date] }\n", to: "a\u{1B}[31m.yaml")

    let outcome = try BuiltRunner.run([command, path])

    outcome.expectExit(2)
    #expect(!outcome.text.unicodeScalars.contains("\u{1B}"))
    #expect(outcome.errorOutput.contains("unknown key \"\\x{1B}[2Jkey\""), "\(outcome.text)")
    #expect(outcome.errorOutput.contains("a\\x{1B}[31m.yaml:2:1: error["), "\(outcome.text)")
  }

  @Test("A plan cannot steer the terminal")
  func planEscapes() throws {
    let path = folder.write(
      "version: 2\ntarget: { command: [echo, \"\\e[2J\"] }\n", to: "plan.yaml")

    let outcome = try BuiltRunner.run(["plan", path])

    outcome.expectExit(0)
    #expect(!outcome.text.unicodeScalars.contains("\u{1B}"))
    #expect(outcome.output.contains("\\x{1B}[2J"))
  }

  // MARK: - Selection

  @Test("A line behind the file's end is refused")
  func lineBeyond() throws {
    let path = folder.write(Self.greeting, to: "scenario.yaml")

    try BuiltRunner.run(["run", "\(path):2"]).expectExit(0)
    let outcome = try BuiltRunner.run(["run", "\(path):40"])

    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains("\"\(path)\" has no line 40"))
  }

  @Test("A line behind the last scenario of a list is refused once")
  func lineBeyondList() throws {
    let path = folder.write(
      "version: 2\ntarget: { command: [\"true\"] }\nscenarios:\n  - { name: one }\n",
      to: "list.yaml")

    try BuiltRunner.run(["run", "\(path):4"]).expectExit(0)
    let outcome = try BuiltRunner.run(["run", "\(path):40"])

    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains("line 40 of"))
    #expect(outcome.errorOutput.contains("1 error; nothing was run"))
  }

  @Test("An empty folder selects nothing", arguments: ["run", "check"])
  func emptyFolder(command: String) throws {
    let outcome = try BuiltRunner.run([command, folder.path])

    outcome.expectExit(4)
    #expect(outcome.output.isEmpty)
  }

  // MARK: - The caller's world

  @Test("A TMPDIR that is empty or relative serves", arguments: ["", "."])
  func temporaryFolder(value: String) throws {
    let outcome = try run(Self.greeting, prefix: ["env", "TMPDIR=\(value)"])

    outcome.expectExit(0)
  }

  @Test("A TMPDIR that does not exist is an error that says what to do")
  func missingTemporaryFolder() throws {
    let outcome = try run(Self.greeting, prefix: ["env", "TMPDIR=\(folder.path)/no"])

    outcome.expectExit(3)
    #expect(outcome.output.contains("cannot create a folder in \"\(folder.path)/no\""))
    #expect(outcome.output.contains("help: set TMPDIR"))
  }

  @Test("A hang-up and a quit end a run in good order", arguments: [SIGHUP, SIGQUIT])
  func signals(number: Int32) throws {
    let path = folder.write(
      """
      version: 2
      scenarios:
        - name: quick
          target: { command: [echo, hi] }
        - name: slow
          target: { command: [bash, -c, "touch \(folder.path)/begun; sleep 1234.5"] }

      """, to: "slow.yaml")
    let running = try BuiltRunner.start(
      ["run", path, "--report", "junit=\(folder.path)/junit.xml"])
    try running.await("begun") { access("\(folder.path)/begun", F_OK) == 0 }

    kill(running.process, number)
    let outcome = running.wait()

    #expect(outcome.exitCode == 128 + number, "\(outcome.text)")
    let junit = try #require(TemporaryFolder.read("\(folder.path)/junit.xml"))
    #expect(junit.contains("Interrupted"))
  }

  @Test("A hang-up that the caller ignores is ignored")
  func ignoredHangUp() throws {
    let path = folder.write(
      """
      version: 2
      target: { command: [bash, -c, "echo > ../../../started; sleep 0.3"] }
      network: { mode: live }

      """, to: "slow.yaml")
    let scratch = "\(folder.path)/scratch"
    mkdir(scratch, 0o700)
    let running = try BuiltRunner.start(
      ["run", path],
      prefix: ["env", "TMPDIR=\(scratch)", "/bin/sh", "-c", "trap '' HUP; exec \"$@\"", "sh"])
    try running.await("started") { access("\(scratch)/started", F_OK) == 0 }

    kill(running.process, SIGHUP)
    let outcome = running.wait()
    unlink("\(scratch)/started")
    rmdir(scratch)

    outcome.expectExit(0)
  }
}
