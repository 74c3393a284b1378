import Glibc
import Testing

/// `scenario record` of commands that somebody interrupts, and of those that do not wait for their input.
@Suite("Recorded interruptions")
struct RecordedInterruptionTests {
  /// Records a command, and sends the runner a signal from outside once the command has removed the file behind its
  /// first argument, which is there in the real world and in no replay.
  private func record(
    _ command: [String], by signal: String = "INT", in project: ProjectFolder
  ) throws -> BuiltRunner.Outcome {
    let elsewhere = try TemporaryFolder()
    let mark = elsewhere.write("", to: "mark")
    let shell =
      "cd \(project.path); ( { while [ -e \(mark) ]; do sleep 0.01; done; kill -\(signal) $$; } & );"
      + " exec \"$@\""
    let outcome = try BuiltRunner.run(
      ["record", "-o", "a.yaml", "--"] + command + [mark], prefix: ["bash", "-c", shell, "bash"])
    withExtendedLifetime(elsewhere) {}
    return outcome
  }

  /// Records a script.
  ///
  /// `STAND` in it is a process of its own that asks for the signal and sleeps until it comes. It is there before it asks:
  /// a command that the shell starts only after the signal was sent would never hear of it.
  private func record(
    script: String, by signal: String = "INT", in project: ProjectFolder
  ) throws -> BuiltRunner.Outcome {
    let words = script.replacing(
      "STAND", with: "sh -c 'rm \"$1\" 2> /dev/null; exec sleep 1000' sh \"$1\"")
    return try record(["sh", "-c", words, "sh"], by: signal, in: project)
  }

  @Test("What Ctrl-C ends is sent SIGINT, and so does the scenario, which passes")
  func interrupted() throws {
    let project = try ProjectFolder()
    try project.write("seen\n", to: "in.txt")
    let outcome = try record(
      script: "trap 'echo bye; exit 7' INT; cat in.txt; STAND",
      in: project)
    outcome.expectExit(130)
    #expect(outcome.output.contains("passed:"), "\(outcome.text)")
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("in.txt: |") && text.contains("  - signal: INT\n"), "\(text)")
    #expect(text.contains("exit: 7") && text.contains("bye"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    try project.write(text.replacing("exit 7", with: "exit 6"), to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }

  @Test("A command that heeds nothing dies of the signal, and all that it has started with it")
  func died() throws {
    let project = try ProjectFolder()
    try project.write(
      """
      import os, signal, subprocess, sys
      signal.signal(signal.SIGINT, signal.SIG_DFL)
      print("begun", flush=True)
      child = subprocess.Popen(["sleep", "1000"])
      if os.path.exists(sys.argv[1]):
          os.remove(sys.argv[1])
      child.wait()

      """, to: "main.py")
    let outcome = try record(["python3", "main.py"], in: project)
    #expect(outcome.exitCode == 130 && outcome.output.contains("passed:"), "\(outcome.text)")
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("  signal: INT\n") && text.contains("begun"), "\(text)")
    #expect(text.contains("  - signal: { signal: INT, process: sleep }"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
  }

  @Test("SIGTERM is passed on as SIGTERM")
  func terminated() throws {
    let project = try ProjectFolder()
    let outcome = try record(
      script: "trap 'exit 3' INT; trap 'exit 4' TERM; STAND",
      by: "TERM",
      in: project)
    outcome.expectExit(143)
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("  - signal: TERM\n") && text.contains("exit: 4"), "\(text)")
  }

  // MARK: - Input

  /// Records a command with a pipe for its input that stays open.
  private func recordBesideOpenPipe(
    _ script: String, typed: String, in project: ProjectFolder
  ) throws -> BuiltRunner.Outcome {
    // The shell has both ends of the pipe open for as long as the runner lives.
    let shell =
      "cd \(project.path) && mkfifo ../$$.pipe && exec 3<>../$$.pipe && rm ../$$.pipe"
      + " && printf '\(typed)' >&3 && \"$@\" <&3"
    return try BuiltRunner.run(
      ["record", "-o", "a.yaml", "--", "sh", "-c", script], prefix: ["bash", "-c", shell, "bash"])
  }

  @Test("A command that reads nothing ends although its input stays open")
  func openInput() throws {
    let project = try ProjectFolder()
    let outcome = try recordBesideOpenPipe("echo done", typed: "unread\\n", in: project)
    outcome.expectExit(0)
    #expect(project.read("a.yaml")?.contains("stdin:") == false)
    #expect(project.read("a.yaml")?.contains("done") == true)
  }

  @Test("Of an open input the scenario has what the command has read")
  func readInput() throws {
    let project = try ProjectFolder()
    let outcome = try recordBesideOpenPipe(
      "read word; echo got $word", typed: "hello\\nunread\\n", in: project)
    outcome.expectExit(0)
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("hello") && text.contains("got hello"), "\(text)")
    #expect(!text.contains("unread"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    try project.write(text.replacing("    hello", with: "    other"), to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }

  @Test("What is piped and is no text, or too long, is reported once the command is over")
  func unfitInput() throws {
    let project = try ProjectFolder()
    for (script, told) in [
      ("printf 'a\\0b'", "is not text"),
      ("head -c 1100000 /dev/zero | tr '\\0' a", "larger than 1 MiB"),
    ] {
      let outcome = try BuiltRunner.run(
        ["record", "-o", "a.yaml", "--", "wc", "-c"],
        prefix: ["sh", "-c", "cd \(project.path); { \(script); } | \"$@\"", "sh"])
      #expect(outcome.exitCode == 3 && outcome.errorOutput.contains(told), "\(outcome.text)")
      #expect(project.read("a.yaml") == nil)
    }
  }
}
