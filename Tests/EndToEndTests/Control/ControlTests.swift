import Glibc
import Testing

@Suite("Proof of control")
struct ControlTests {
  private func scenario(
    _ folder: TemporaryFolder, mode: mode_t, escapes: String = "fail"
  ) throws -> String {
    chmod(folder.path, 0o755)
    let sleep = try #require(FileBytes.read("/bin/sleep"))
    let program = folder.write(sleep, to: "sleep", mode: 0o755)
    chmod(program, mode)
    return folder.write(
      """
      version: 2
      name: sleeps
      target: { command: [\(program), "0.3"] }
      clock: { flow: auto, escapes: \(escapes) }
      expect: { exit: 0 }
      """, to: "sleeps.yaml")
  }

  @Test(
    "A program that cannot be read cannot be held: its wait is told of, and fails the case",
    .enabled(if: OrdinaryUser.canRun, "another user cannot start the runner from here"))
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let path = try scenario(folder, mode: 0o111)

    let outcome = try BuiltRunner.run(["run", path], prefix: OrdinaryUser.prefix)

    outcome.expectExit(3)
    #expect(outcome.output.contains("is out of reach: its memory cannot be read by this user"))
    #expect(outcome.output.contains("waits in clock_nanosleep for real time"))
    #expect(outcome.output.contains("help: add `clock: { escapes: allow }`"))
    #expect(
      outcome.output.contains("\ntime: 0 waits in virtual time, 1 in real time, 1 out of reach, "))
  }

  @Test(
    "The same program, where the scenario allows it to escape, passes with a warning",
    .enabled(if: OrdinaryUser.canRun, "another user cannot start the runner from here"))
  func allowed() throws {
    let folder = try TemporaryFolder()
    let path = try scenario(folder, mode: 0o111, escapes: "allow")

    let outcome = try BuiltRunner.run(["run", path], prefix: OrdinaryUser.prefix)

    outcome.expectExit(0)
    #expect(outcome.output.contains("warning: "))
    #expect(outcome.output.contains("is out of reach"))
  }

  @Test(
    "The same program, where it can be read, is held, and no word is lost about it",
    .enabled(if: OrdinaryUser.canRun, "another user cannot start the runner from here"))
  func readable() throws {
    let folder = try TemporaryFolder()
    let path = try scenario(folder, mode: 0o755)

    let outcome = try BuiltRunner.run(["run", path], prefix: OrdinaryUser.prefix)

    outcome.expectExit(0)
    #expect(!outcome.output.contains("time: "))
  }

  @Test(
    "A sanitizer that could not work is explained",
    arguments: [("ptrace (strace, gdb, etc)", true), ("load", false)])
  func sanitizer(reason: String, isExplained: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      name: leaks
      target:
        command: [sh, -c, "echo '==1==HINT: LeakSanitizer does not work under \(reason)' >&2; exit 23"]
      expect: { exit: 0 }
      """, to: "leaks.yaml")

    let outcome = try BuiltRunner.run(["run", path])

    outcome.expectExit(1)
    #expect(
      outcome.output.contains("disable it with `env: { LSAN_OPTIONS: detect_leaks=0 }`")
        == isExplained)
  }

  @Test("JSON Lines close each case with the account of its time")
  func account() throws {
    let folder = try TemporaryFolder()
    let path = try scenario(folder, mode: 0o755)
    let report = "\(folder.path)/events.jsonl"

    let outcome = try BuiltRunner.run(["run", path, "--report", "jsonl=\(report)"])

    outcome.expectExit(0)
    let lines = (TemporaryFolder.read(report) ?? "").split(separator: "\n")
    #expect(
      lines.contains {
        $0.hasPrefix(
          #"{"data":{"escapedWaits":0,"moved":300000000,"moves":1,"processesOutOfReach":0,"#
            + #""waits":1},"#) && $0.contains(#""event":"timeAccount""#)
      })
  }
}

/// Whole files as bytes.
private enum FileBytes {
  static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = Glibc.read(descriptor, &buffer, buffer.count), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }
}
