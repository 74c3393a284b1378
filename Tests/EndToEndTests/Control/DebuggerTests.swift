import Glibc
import Testing

@Suite("A debugger in a world that stands")
struct DebuggerTests {
  private static let program = """
    #include <pthread.h>
    #include <stdio.h>
    #include <unistd.h>
    int counter = 41;
    __attribute__((noinline)) int advance(int by) { counter += by; return counter; }
    static void *sleeper(void *unused) { sleep(3600); return unused; }
    int main(void) {
      pthread_t other;
      pthread_create(&other, NULL, sleeper, NULL);
      char line[16];
      fopen("ready", "w");
      while (fgets(line, sizeof line, stdin)) { advance(1); printf("%d\\n", counter); fflush(stdout); }
      return 0;
    }

    """

  /// What gdb said, and what the run came to.
  private func debug(_ commands: [String], expects: String) throws -> (
    gdb: BuiltRunner.Outcome, run: BuiltRunner.Outcome
  ) {
    let folder = try TemporaryFolder()
    let source = folder.write(Self.program, to: "program.c")
    let binary = "\(folder.path)/program"
    let compiled = try BuiltRunner.command(
      ["cc", "-g", "-O0", "-pthread", "-o", binary, source])
    try #require(compiled.exitCode == 0, "\(compiled.text)")
    let path = folder.write(
      """
      version: 2
      target: { command: [\(binary)], ready: { file: ready } }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      steps:
        - start:
        - send: "one\\n"
        - wait: { stdout: "42" }
        - pause: 5m
        - send: "two\\n"
        - close: stdin
        - wait: exit
      expect: { stdout: { lines: [\(expects)] }, duration: { less_than: 2h } }

      """, to: "debugged.yaml")
    let process = try BuiltRunner.start(["run", path], prefix: ["TMPDIR=\(folder.path)"])
    var socket = ""
    try process.await("stood still") {
      for name in TemporaryFolder.names(folder.path) where name.hasPrefix("scenario-") {
        for inner in TemporaryFolder.names("\(folder.path)/\(name)") where inner == "gdb-1" {
          socket = "\(folder.path)/\(name)/\(inner)"
        }
      }
      return !socket.isEmpty
    }
    var status = stat()
    #expect(stat(socket, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    let gdb = try BuiltRunner.command(
      ["gdb", "-batch", "-nx", "-ex", "set pagination off", "-ex", "target remote \(socket)"]
        + commands.flatMap { ["-ex", $0] })
    let pause = socket.replacing("/gdb-1", with: "/pause-1")
    try BuiltRunner.run(["enter", "--go-on", pause]).expectExit(0)
    return (gdb, process.wait())
  }

  @Test("gdb sees threads, frames, variables and registers, and changes what it sees")
  func looks() throws {
    let (gdb, run) = try debug(
      [
        "info threads", "thread apply all bt", "print counter", "set variable counter = 7",
        "print counter", "print/x $rip != 0", "set variable counter = 42", "detach",
      ], expects: "42, 43")
    #expect(gdb.output.contains("in main () at"), "\(gdb.text)")
    #expect(gdb.output.contains("sleeper"), "\(gdb.text)")
    #expect(gdb.output.contains("$1 = 42"), "\(gdb.text)")
    #expect(gdb.output.contains("$2 = 7"), "\(gdb.text)")
    #expect(gdb.output.contains("$3 = 0x1"), "\(gdb.text)")
    run.expectExit(0)
  }

  @Test("What gdb has changed stays changed")
  func changes() throws {
    let (gdb, run) = try debug(["set variable counter = 7", "detach"], expects: "42, 8")
    gdb.expectExit(0)
    run.expectExit(0)
    let (_, twin) = try debug(["detach"], expects: "42, 8")
    twin.expectExit(1)
  }

  @Test("A breakpoint stops where it stands, and steps go on from there")
  func breakpoints() throws {
    let folder = try TemporaryFolder()
    let source = folder.write(
      """
      #include <stdio.h>
      #include <sys/stat.h>
      __attribute__((noinline)) int twice(int of) {
        int result = of;
        result += of;
        return result;
      }
      int main(void) {
        mkfifo("orders", 0600);
        fopen("ready", "w");
        FILE *orders = fopen("orders", "r+");
        char line[16];
        for (int round = 0; fgets(line, sizeof line, orders) && line[0] != 'e'; round++) twice(round);
        return 0;
      }

      """, to: "program.c")
    let binary = "\(folder.path)/program"
    let compiled = try BuiltRunner.command(["cc", "-g", "-O0", "-o", binary, source])
    try #require(compiled.exitCode == 0, "\(compiled.text)")
    let path = folder.write(
      """
      version: 2
      target: { command: [\(binary)], ready: { file: ready } }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      steps:
        - start:
        - pause: 5m
        - exec: "echo end > orders"
        - wait: exit

      """, to: "debugged.yaml")
    let process = try BuiltRunner.start(["run", path], prefix: ["TMPDIR=\(folder.path)"])
    var socket = ""
    try process.await("stood still") {
      for name in TemporaryFolder.names(folder.path) where name.hasPrefix("scenario-") {
        for inner in TemporaryFolder.names("\(folder.path)/\(name)") where inner == "gdb-1" {
          socket = "\(folder.path)/\(name)/\(inner)"
        }
      }
      return !socket.isEmpty
    }
    let pause = socket.replacing("/gdb-1", with: "/pause-1")
    // Somebody else in the world gives the order while gdb waits.
    let order =
      "shell \(BuiltRunner.executable) enter \(pause) -- sh -c 'echo > orders; echo > orders' &"
    let gdb = try BuiltRunner.command([
      "gdb", "-batch", "-nx", "-ex", "target remote \(socket)", "-ex", "break twice", "-ex", order,
      "-ex", "continue", "-ex", "set variable of = 21", "-ex", "next", "-ex", "next", "-ex",
      "print result", "-ex", "backtrace", "-ex", "continue", "-ex", "info breakpoints", "-ex",
      "delete", "-ex", "detach",
    ])
    #expect(gdb.output.contains("Breakpoint 1, twice"), "\(gdb.text)")
    #expect(gdb.output.contains("$1 = 42"), "\(gdb.text)")
    #expect(gdb.output.contains("breakpoint already hit 2 times"), "\(gdb.text)")
    try BuiltRunner.run(["enter", "--go-on", pause]).expectExit(0)
    let run = process.wait()
    run.expectExit(0)
  }
}
