import Glibc
import Testing

@Suite("A world that stands paused")
struct PauseTests {
  private let server = """
    version: 2
    name: a server stands
    target:
      command: [python3, server.py]
      files:
        server.py:
          text: |
            import socket, time
            s = socket.socket()
            s.bind(("127.0.0.1", 0))
            s.listen()
            open("port", "w").write(str(s.getsockname()[1]))
            begin = time.monotonic()
            c, _ = s.accept()
            c.sendall(b"hello\\n")
            time.sleep(1)
            print(time.monotonic() - begin)
      ready: { file: port }
    clock: { at: 2030-01-01T00:00:00Z, flow: auto }
    timeout: 20s
    steps:
      - start:
      - pause: 5m
      - wait: exit
    expect: { stdout: "1.0" }

    """

  private func start(
    _ text: String, in folder: TemporaryFolder, _ arguments: [String] = []
  ) throws -> (process: BuiltRunner.Running, socket: String) {
    let path = folder.write(text, to: "pause.yaml")
    let process = try BuiltRunner.start(
      ["run", path] + arguments, prefix: ["TMPDIR=\(folder.path)"])
    var socket = ""
    try process.await("stood still") {
      for name in TemporaryFolder.names(folder.path) where name.hasPrefix("scenario-") {
        for inner in TemporaryFolder.names("\(folder.path)/\(name)") where inner == "pause-1" {
          socket = "\(folder.path)/\(name)/\(inner)"
        }
      }
      return !socket.isEmpty
    }
    return (process, socket)
  }

  @Test(
    "A command in it has the folder, the network and the time of the case, and ends with its own code"
  )
  func enter() throws {
    let folder = try TemporaryFolder()
    let (process, socket) = try start(server, in: folder)

    var status = stat()
    #expect(stat(socket, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)

    let visit = try BuiltRunner.run([
      "enter", socket, "--", "bash", "-c",
      "date +%FT%T; exec 3<>/dev/tcp/127.0.0.1/$(cat port); read x <&3; echo $x; exit 7",
    ])
    visit.expectExit(7)
    #expect(visit.output.hasPrefix("2030-01-01T00:00:00\n"), "\(visit.text)")

    let missing = try BuiltRunner.run(["enter", socket, "--", "no-such-program"])
    missing.expectExit(2)
    #expect(missing.errorOutput.contains("no-such-program"))

    try BuiltRunner.run(["enter", "--go-on", socket]).expectExit(0)
    let outcome = process.wait()
    outcome.expectExit(0)
    #expect(outcome.text.contains("scenario enter \(socket)"))
    #expect(outcome.text.contains("a server stands is paused"))
  }

  @Test(
    "Without a terminal a pause needs a bound, and ends by it; the case's own time does not run meanwhile"
  )
  func bounds() throws {
    func text(_ pause: String, _ flow: String) -> String {
      """
      version: 2
      target: { command: "date +%s.%N; read line; date +%s.%N" }
      clock: { at: 2030-01-01T00:00:00Z, flow: \(flow) }
      timeout: 2s
      steps: [{ start: }, { pause\(pause) }, { send: "x\\n" }, { wait: exit }]
      expect: { stdout: { matches: '(?s)^(.*)\\n1893456000\\.' } }

      """
    }
    let folder = try TemporaryFolder()
    let bounded = try BuiltRunner.run(["run", folder.write(text(": 3s", "real"), to: "a.yaml")])
    bounded.expectExit(0)

    let unbounded = try BuiltRunner.run(["run", folder.write(text(":", "real"), to: "b.yaml")])
    unbounded.expectExit(3)
    #expect(unbounded.text.contains("the pause would never end: this run has no terminal"))
    #expect(unbounded.text.contains("b.yaml:5:"))
  }

  @Test(
    "A failure leaves the world standing where the run says so, and the case fails as it does otherwise"
  )
  func failure() throws {
    let text = """
      version: 2
      name: fails
      target: { command: "echo one > file; exit 3" }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }

      """
    let folder = try TemporaryFolder()
    let (process, socket) = try start(
      text, in: folder, ["--pause-on-failure", "--pause-limit", "5m"])
    let visit = try BuiltRunner.run(["enter", socket, "--", "cat", "file"])
    #expect(visit.output == "one\n", "\(visit.text)")
    try BuiltRunner.run(["enter", "--go-on", socket]).expectExit(0)
    let outcome = process.wait()
    outcome.expectExit(1)
    #expect(outcome.text.contains("exited with code 3"))

    let path = folder.write(text, to: "pause.yaml")
    let refused = try BuiltRunner.run(["run", path, "--pause-on-failure"])
    refused.expectExit(2)
    #expect(refused.text.contains("--pause-limit 10m"))
  }

  @Test("An interruption ends a pause")
  func interruption() throws {
    let folder = try TemporaryFolder()
    let (process, socket) = try start(server, in: folder)
    kill(process.process, SIGINT)
    let outcome = process.wait()
    outcome.expectExit(130)
    #expect(access(socket, F_OK) != 0)
    let late = try BuiltRunner.run(["enter", socket, "--", "true"])
    #expect(late.exitCode != 0)
  }
}
