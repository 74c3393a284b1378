import Testing

/// What the kernel has not delivered yet counts: no deadline comes before it.
@Suite("What is under way when everything sleeps")
struct UnderWayTests {
  private static let folder = "\(BuiltRunner.root)/Tests/Stress"

  /// Many cases at once: the launch of one must not hold back what the mock server of another closes.
  @Test(
    "The end of a connection comes before a timeout, however many cases are being started",
    arguments: ["reset", "truncate", "reset-peer"])
  func ends(name: String) throws {
    let outcome = try BuiltRunner.run([
      "run", "\(Self.folder)/\(name).yaml", "--repeat", "60", "-j", "16",
    ])

    #expect(outcome.exitCode == 0, "\(outcome.text)")
    #expect(outcome.output.contains("60 passed, 0 failed"), "\(outcome.text)")
  }

  @Test("Bytes and datagrams come before a timeout", arguments: ["held-bytes", "datagrams"])
  func bytes(name: String) throws {
    let outcome = try BuiltRunner.run([
      "run", "\(Self.folder)/\(name).yaml", "--repeat", "20", "-j", "8",
    ])

    #expect(outcome.exitCode == 0, "\(outcome.text)")
  }

  @Test(
    "A server that does not answer, and one that does not take the connection, let the timeout come",
    arguments: [
      ("listen(5)", "create_connection(server.getsockname(), timeout=5).recv(1)"),
      ("listen(0)", "[create_connection(server.getsockname(), timeout=5) for _ in range(9)]"),
    ])
  func silence(server: String, client: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target:
        command: [python3, silent.py]
        files:
          silent.py: |
            import threading, time
            from socket import socket, create_connection
            server = socket()
            server.bind(("127.0.0.1", 0))
            server.\(server)
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
            try:
                \(client)
            except TimeoutError:
                print("timed out", flush=True)
      clock: { at: 2026-01-01T00:00:00Z, flow: auto }
      expect: { exit: 0, stdout: "timed out\\n", duration: 5s }

      """, to: "silent.yaml")
    let outcome = try BuiltRunner.run(["run", path])

    #expect(outcome.exitCode == 0, "\(outcome.text)")
    withExtendedLifetime(folder) {}
  }

  @Test(
    "More cases than a process has places for supervisors have their mock servers one after the other"
  )
  func places() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target: { command: [curl, --silent, "http://a.example.com/"] }
      responses: [ { GET http://a.example.com/: { text: fine } } ]
      expect: { stdout: fine }

      """, to: "places.yaml")
    let outcome = try BuiltRunner.run(["run", path, "--repeat", "260", "-j", "4"])

    #expect(outcome.exitCode == 0, "\(outcome.text)")
    withExtendedLifetime(folder) {}
  }

  @Test("A terminal answers once the echo is off, however many cases are being started")
  func terminal() throws {
    let outcome = try BuiltRunner.run([
      "run", "\(BuiltRunner.root)/Tests/RealPrograms/screen-zsh-asks.yaml", "--repeat", "60",
      "-j", "16",
    ])

    #expect(outcome.exitCode == 0, "\(outcome.text)")
  }
}
