import Glibc
import Testing

@Suite("What commands beside the world leave behind")
struct HelperTreeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ text: String) -> String {
    folder.write("version: 2\nclock: { flow: real }\n" + text, to: "helpers.yaml")
  }

  private func number(in name: String) throws -> pid_t {
    try ProcessWatch.number(in: "\(folder.path)/\(name)")
  }

  /// A daemon that has left its session, its group and its parent.
  private func daemon(_ name: String) -> String {
    "setsid sh -c 'sleep 1000 & echo $! > \(folder.path)/\(name)' > /dev/null 2>&1 < /dev/null"
  }

  @Test("A daemon of a command lives while the case does, and ends with it")
  func daemons() throws {
    let path = write(
      """
      target: { command: ['true'] }
      steps:
        - exec: "\(daemon("d"))"
        - exec: "kill -0 $(cat \(folder.path)/d)"
        - run:
        - exec: "kill -0 $(cat \(folder.path)/d)"

      """)
    let outcome = try BuiltRunner.run(["run", path])

    outcome.expectExit(0)
    // It is gone as soon as the runner is.
    #expect(kill(try number(in: "d"), 0) == -1)
  }

  @Test("Commands, those below always too, and their daemons end when the runner is killed")
  func killedRunner() throws {
    let path = write(
      """
      scenarios:
        - name: one
          target: { command: ['true'] }
          steps: [{ exec: "\(daemon("a")); echo $$ > \(folder.path)/b; exec sleep 1000" }, { run: }]
        - name: two
          target: { command: ['true'] }
          cleanup: [{ exec: "\(daemon("c")); echo $$ > \(folder.path)/e; exec sleep 1000" }]

      """)
    let runner = try BuiltRunner.start(["run", path, "-j2"])
    let processes = try ["a", "b", "c", "e"].map { try number(in: $0) }

    kill(runner.process, SIGKILL)
    _ = runner.wait()

    for process in processes { #expect(ProcessWatch.isGone(process), "\(process)") }
  }

  @Test("A second interruption leaves no command running, nor the folder of the run")
  func secondInterruption() throws {
    let path = write(
      """
      grace: 1h
      target: { command: ['true'] }
      steps:
        - exec: "trap 'echo $$ > \(folder.path)/asked' TERM; \(daemon("d")); while :; do sleep 1; done"
        - run:

      """)
    let place = "\(folder.path)/temporary"
    mkdir(place, 0o700)
    let runner = try BuiltRunner.start(["run", path], prefix: ["/usr/bin/env", "TMPDIR=\(place)"])
    let daemon = try number(in: "d")
    kill(runner.process, SIGINT)
    let command = try number(in: "asked")

    kill(runner.process, SIGINT)
    let outcome = runner.wait()

    outcome.expectExit(130)
    #expect(ProcessWatch.isGone(command))
    #expect(ProcessWatch.isGone(daemon))
    #expect(rmdir(place) == 0, "\(place) is not empty")
  }

  @Test(
    "A command that stops its parent stops neither its case nor the run",
    arguments: [
      ("kill -STOP $PPID", 0), ("while kill -STOP $PPID; do :; done &", 0),
      ("while kill -STOP $PPID; do :; done", 3),
    ])
  func stoppedParent(command: String, exitCode: Int32) throws {
    let path = write(
      """
      timeout: 5s
      grace: 100ms
      target: { command: ['true'] }
      steps:
        - exec: '\(command)'
        - run:

      """)
    // A runner that waits for its stopped child would wait for ever.
    let outcome = try BuiltRunner.run(["run", path], prefix: ["timeout", "-s", "KILL", "120"])

    #expect(outcome.exitCode == exitCode, "\(outcome.text)")
    #expect(
      outcome.text.contains("did not exit within its timeout of 5s") == (exitCode == 3),
      "\(outcome.text)")
  }

  @Test("A run whose command has stopped its parent is interrupted as any other")
  func interruptedBehindStoppedParent() throws {
    let path = write(
      """
      timeout: 10m
      grace: 100ms
      target: { command: ['true'] }
      steps:
        - exec: 'kill -STOP $PPID; echo $$ > \(folder.path)/number; exec sleep 600'
        - run:

      """)
    let runner = try BuiltRunner.start(["run", path], prefix: ["timeout", "-s", "KILL", "120"])
    let command = try number(in: "number")
    kill(runner.process, SIGTERM)
    let outcome = runner.wait()

    #expect(outcome.text.contains("the run was interrupted"), "\(outcome.text)")
    #expect(ProcessWatch.isGone(command))
  }

  @Test(
    "A command out of time may heed SIGTERM and say goodbye; who does not is killed, and told",
    arguments: [("trap 'echo bye; exit' TERM", true), ("trap '' TERM", false)])
  func grace(trap: String, isHeeded: Bool) throws {
    let path = write(
      """
      timeout: 500ms
      grace: \(isHeeded ? "1h" : "100ms")
      target: { command: ['true'] }
      steps:
        - exec: "\(trap); while :; do sleep 0.01; done"
        - run:

      """)
    let outcome = try BuiltRunner.run(["run", path])

    outcome.expectExit(3)
    #expect(outcome.output.contains("did not exit within its timeout of 500ms of real time"))
    #expect(outcome.output.contains("  bye") == isHeeded, "\(outcome.text)")
    #expect(outcome.output.contains("SIGKILL did") != isHeeded, "\(outcome.text)")
  }
}
