import Testing

@Suite("Clients that wait for the server to begin")
struct SilentClientTests {
  private func run(_ program: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target: { command: [python3, -c, "import socket; \(program)"] }
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      network: { unused: ignore }
      timeout: 5s
      responses:
        - GET http://mail.example.com/: { text: hi }

      """, to: "silent.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  private static let hint = "the mock server waits for the client to begin"

  @Test(
    "A failure tells that the mock server plays no server that speaks first",
    arguments: ["20", "None"])
  func silent(timeout: String) throws {
    let outcome = try run(
      "socket.create_connection(('mail.example.com', 25), timeout=\(timeout)).recv(1)")

    #expect(outcome.exitCode == (timeout == "None" ? 3 : 1), "\(outcome.text)")
    #expect(outcome.output.contains("mail.example.com:25: "), "\(outcome.text)")
    #expect(outcome.output.contains(Self.hint))
  }

  @Test("Nothing is told of a client that has spoken")
  func spoken() throws {
    let outcome = try run(
      """
      c = socket.create_connection(('mail.example.com', 80)); \
      c.send(b'GET / HTTP/1.0\\\\r\\\\nhost: mail.example.com\\\\r\\\\n\\\\r\\\\n'); c.recv(1); raise SystemExit(2)
      """)

    outcome.expectExit(1)
    #expect(outcome.output.contains("exited with code 2"), "\(outcome.text)")
    #expect(!outcome.output.contains(Self.hint))
  }

  @Test("A client that gave up is told of also where nothing speaks of the target's end")
  func gaveUp() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target: { command: [curl, --silent, --max-time, "10", "http://slow.example.com/"] }
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      responses:
        - request: GET http://slow.example.com/
          reply: { after: 30s, text: late }

      """, to: "slow.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}

    outcome.expectExit(1)
    #expect(outcome.output.contains("the reply was due at +30s"), "\(outcome.text)")
  }
}
