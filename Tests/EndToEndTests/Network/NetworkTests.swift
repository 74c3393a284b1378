import Testing

@Suite("The network")
struct NetworkTests {
  private func run(_ text: String, _ options: [String] = []) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "network.yaml")
    let outcome = try BuiltRunner.run(["run", path] + options)
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test("A scenario without responses lets nothing leave the machine, and says what wanted to")
  func closed() throws {
    let outcome = try run(
      "version: 2\ntarget: { command: [bash, -c, 'echo > /dev/tcp/192.0.2.1/80'] }\n"
        + "expect: { exit: 1, stderr: { contains: Network is unreachable } }\n")

    outcome.expectExit(1)
    #expect(outcome.output.contains("tried to reach 192.0.2.1:80"))
    #expect(outcome.output.contains("by bash (pid "))
    #expect(outcome.output.contains("- GET http://192.0.2.1/**: {}"))
    #expect(outcome.output.contains("network.yaml:2:"))
  }

  @Test(
    "That a program has sent no request holds of one that has run, and of no other",
    arguments: [("curl", "other", 0), ("curl", "x", 1), ("wget", "x", 1)])
  func requestsOfPrograms(program: String, path: String, code: Int32) throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [curl, --silent, "http://api.example.com/x"] }
      responses: [ { GET http://api.example.com/x: { text: up } } ]
      expect:
        requests:
          - { request: { url: "http://api.example.com/\(path)", from: { process: \(program) } }, count: 0 }

      """)
    #expect(outcome.exitCode == code, "\(outcome.text)")
    #expect(
      outcome.text.contains("no program \"wget\" has run") == (program == "wget"), "\(outcome.text)"
    )
    if program == "wget" { #expect(outcome.text.contains("programs that have run: curl")) }
  }

  @Test(
    "A datagram does not leave the machine either",
    arguments: ["192.0.2.1:123", "127.0.0.1:9"])
  func datagram(address: String) throws {
    let parts = address.split(separator: ":")
    let program =
      "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
      + "try: s.sendto(b'x', ('\(parts[0])', \(parts[1])))\nexcept OSError as e: print(e)\n"
    let outcome = try run(
      "version: 2\ntarget:\n  command: [python3, send.py]\n  files:\n    send.py: |\n"
        + program.split(separator: "\n").map { "      \($0)\n" }.joined())

    let isLoopback = parts[0] == "127.0.0.1"
    #expect(outcome.exitCode == (isLoopback ? 0 : 1), "\(outcome.text)")
    #expect(outcome.output.contains("tried to reach \(address)") == !isLoopback)
  }

  @Test(
    "A host name that nobody answers for is named, with its program and an entry for it",
    arguments: [
      ("getent hosts foo.example.com", ["foo.example.com"]),
      (
        "getent ahosts foo.example.com; getent hosts bar.example.org",
        ["foo.example.com", "bar.example.org"]
      ),
    ])
  func lookup(command: String, names: [String]) throws {
    let text =
      "version: 2\ntarget: { command: [bash, -c, '\(command)'] }\nexpect: { exit: { not: 0 } }\n"
    let outcome = try run(text)

    outcome.expectExit(1)
    for name in names {
      #expect(outcome.output.contains("\"\(name)\", by getent (pid "), "\(outcome.text)")
      #expect(outcome.output.contains("- GET https://\(name)/**: {}"), "\(outcome.text)")
    }
    #expect(outcome.output.contains("unmatched: refuse"))
    // What is advised helps.
    let refused = try run(
      text.replacing("{ not: 0 }", with: "0") + "network: { unmatched: refuse }\n")
    refused.expectExit(0)
  }

  @Test("Services on loopback stay reachable")
  func loopback() throws {
    let outcome = try run(
      "version: 2\ntarget: { command: [bash, -c, 'echo > /dev/tcp/127.0.0.1/1'] }\n"
        + "expect: { exit: 1, stderr: { contains: Connection refused } }\n")

    outcome.expectExit(0)
  }

  @Test("Virtual time does not pass while an answer is under way, twenty runs in a row")
  func exactTime() throws {
    for _ in 0..<20 {
      let outcome = try run(
        """
        version: 2
        target:
          command: "sleep 14d; curl --silent https://billing.example.com/trial"
        clock: { at: 2026-03-01T09:00:00Z, flow: auto }
        responses:
          - GET https://billing.example.com/trial: { text: ended }
        expect: { exit: 0, stdout: ended }

        """)

      outcome.expectExit(0)
      #expect(outcome.output.contains("real, 14d virtual]"), "\(outcome.output)")
    }
  }

  @Test(
    "A delayed reply and the client's own timeout are compared to the nanosecond",
    arguments: [("4.999s", 0), ("5.001s", 28)])
  func delayAgainstTimeout(delay: String, exitCode: Int) throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [curl, --silent, --max-time, "5", "http://slow.example.com/"] }
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      responses:
        - request: GET http://slow.example.com/
          reply: { after: \(delay), text: late }
      expect: { exit: \(exitCode) }

      """)

    outcome.expectExit(0)
  }

  @Test("An unmatched request is shown where the step stands that made it")
  func unmatchedPosition() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [curl, --silent] }
      responses:
        - GET http://a.example.com/one: { text: one }
      steps:
        - run: ["http://a.example.com/one"]
        - run: ["http://a.example.com/two"]

      """)

    outcome.expectExit(1)
    #expect(outcome.output.contains("network.yaml:7:"), "\(outcome.output)")
    #expect(outcome.output.contains("no response for GET http://a.example.com/two"))
  }
}
