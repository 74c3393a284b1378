import Glibc
import Testing

@Suite("What the shell has set decides nothing")
struct ShellLimitTests {
  private static let modes = """
    version: 2
    name: modes
    target:
      command: 'touch f; mkdir d; stat -c %a laid/below'
      files: { laid/below/x: hi }
    steps:
      - exec: 'touch e'
      - run:
    expect:
      stdout: "755\\n"
      files: { f: { mode: MODE }, d/: { mode: 0755 }, e: { mode: 0644 }, laid/below/x: { mode: 0644 } }

    """

  private func run(_ text: String, after command: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "x.yaml")
    return try BuiltRunner.run(
      ["run", path], prefix: ["bash", "-c", "\(command); exec \"$@\"", "bash"])
  }

  @Test("Files have the same modes under each umask", arguments: ["022", "002", "077", "777"])
  func mask(mask: String) throws {
    let right = Self.modes.replacing("MODE", with: "0644")
    let twin = Self.modes.replacing("MODE", with: "0666")

    let outcome = try run(right, after: "umask \(mask)")
    let other = try run(twin, after: "umask \(mask)")

    outcome.expectExit(0)
    other.expectExit(1)
  }

  @Test(
    "A snapshot has the mask of who runs the scenario", arguments: [("022", "644"), ("077", "600")])
  func snapshot(mask: String, mode: String) throws {
    let project = try ProjectFolder()
    try project.write(
      "version: 2\nname: x\ntarget: { command: [echo, hi] }\nexpect: { stdout: { snapshot: x } }\n",
      to: "s/a.yaml")

    let outcome = try BuiltRunner.run(
      ["run", "s"],
      prefix: ["env", "-C", project.path, "bash", "-c", "umask \(mask); exec \"$@\"", "bash"])
    let found = try BuiltRunner.command([
      "stat", "-c", "%a", "\(project.path)/s/__snapshots__/a.yaml/x.snap",
    ])

    outcome.expectExit(0)
    #expect(found.output == "\(mode)\n")
  }

  @Test("A target that crashes leaves no core, and one that asks for it may have it")
  func core() throws {
    // core(5): anything but a plain name is a program or another folder.
    guard TemporaryFolder.read("/proc/sys/kernel/core_pattern") == "core\n",
      try BuiltRunner.command(["bash", "-c", "ulimit -c unlimited"]).exitCode == 0
    else { return print("skipped: the machine writes no file named core") }
    func text(_ command: String) -> String {
      """
      version: 2
      name: crash
      target: { command: "\(command)sh -c 'kill -SEGV $$'; true" }
      steps:
        - exec: "sh -c 'kill -SEGV $$'; true"
        - run:
      expect:
        stderr: "Segmentation fault\\n"
        files: { ./: { only: [] } }

      """
    }

    let outcome = try run(text(""), after: "ulimit -c unlimited")
    let twin = try run(text("ulimit -c unlimited; "), after: "ulimit -c unlimited")

    outcome.expectExit(0)
    twin.expectExit(1)
    #expect(twin.text.contains("unexpected: core"), "\(twin.text)")
  }

  @Test("A program that decides about calls has the mask, the limits and the signals of a target")
  func decision() throws {
    let folder = try TemporaryFolder()
    let script = """
      signals=$(grep -h -e SigBlk -e SigIgn /proc/self/status | tr '\\t\\n' '::')
      read question
      echo "{\\"text\\": \\"$(umask) $(ulimit -c) $(ulimit -S -n) $signals\\"}"
      """
    let program = folder.write(script, to: "decide.sh")
    let zero = String(repeating: "0", count: 16)
    func text(_ mask: String) -> String {
      """
      version: 2
      name: what a decision has
      target: { command: [head, f], files: { f: "\(String(repeating: "-", count: 200))" } }
      chaos:
        - { call: read, where: { path: f }, when: { nth: 1 }, provide: { exec: [sh, \(program)] } }
      expect:
        stdout: { contains: "\(mask) 0 512 SigBlk::\(zero):SigIgn::\(zero):" }

      """
    }

    let command = "umask 077; ulimit -S -c unlimited; ulimit -S -n 512; trap '' PIPE USR1"
    let outcome = try run(text("0022"), after: command)
    let twin = try run(text("0077"), after: command)

    outcome.expectExit(0)
    twin.expectExit(1)
  }

  @Test("A command outside of the target may have as many open files as the runner was given")
  func files() throws {
    func text(_ limit: Int) -> String {
      """
      version: 2
      name: open files
      target: { command: [sh, -c, 'ulimit -S -n'] }
      steps:
        - exec: 'test "$(ulimit -S -n)" = \(limit)'
        - run:
      expect: { stdout: "512\\n" }

      """
    }

    let outcome = try run(text(512), after: "ulimit -S -n 512")
    let twin = try run(text(513), after: "ulimit -S -n 512")

    outcome.expectExit(0)
    twin.expectExit(1)
  }
}
