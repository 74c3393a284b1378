import Glibc
import Testing

@Suite("Whatever leaves for another machine meets the mock server")
struct CaptureTests {
  private static let program = "\(BuiltRunner.root)/.build/programs/capture"

  /// Runs the program below a scenario, and returns what it printed.
  private func run(
    _ words: [String], responses: Bool = true, network: String = "", options: [String] = []
  ) throws -> (lines: [Substring], outcome: BuiltRunner.Outcome) {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target: { command: [bash, -c, "\(Self.program) \(words.joined(separator: " ")) > out; cat out"] }
      \(network)
      \(responses ? "responses: [{ GET http://who.example.com/who: { text: me } }]" : "")
      """ + (responses && network.isEmpty ? "\nnetwork: { unused: ignore }\n" : "\n"),
      to: "capture.yaml")
    let report = folder.path + "/events.jsonl"
    let outcome = try BuiltRunner.run(["run", path, "--report", "jsonl=\(report)"] + options)
    let events = TemporaryFolder.read(report) ?? ""
    let end = events.split(separator: "\n").first { $0.contains("\"caseFinished\"") } ?? ""
    let text = end.firstRange(of: "\"standardOutput\":\"").map { end[$0.upperBound...] } ?? ""
    let lines = text.prefix { $0 != "\"" }.replacing("\\/", with: "/").replacing("\\n", with: "\n")
    withExtendedLifetime(folder) {}
    return (lines.split(separator: "\n"), outcome)
  }

  @Test(
    "Connections of every make reach it, and keep the other end that they meant",
    arguments: [
      ("connect", "192.0.2.1", "192.0.2.1/80/16"),
      ("nonblocking", "192.0.2.1", "192.0.2.1/80/16"),
      ("fastopen-sendto", "192.0.2.1", "192.0.2.1/80/16"),
      ("fastopen-sendmsg", "192.0.2.1", "192.0.2.1/80/16"),
      ("connect", "2001:db8::7", "2001:db8::7/80/28"),
      ("nonblocking", "2001:db8::7", "2001:db8::7/80/28"),
      ("v6only", "2001:db8::7", "2001:db8::7/80/28"),
      ("fastopen-sendmsg", "2001:db8::7", "2001:db8::7/80/28"),
      ("connect", "::ffff:192.0.2.9", "::ffff:192.0.2.9/80/28"),
    ])
  func connections(kind: String, address: String, peer: String) throws {
    let (lines, outcome) = try run([kind, address, "80"])

    outcome.expectExit(0)
    #expect(lines.contains("peer=\(peer)"), "\(lines)")
    #expect(lines.contains("reply=me"))
    #expect(!lines.contains("changed"))
    #expect(
      outcome.output.contains("1 connection to the mock server, 0 addresses reached for real"))
  }

  @Test(
    "Without anybody who could answer, the same connections fail, and the report says so",
    arguments: ["connect", "fastopen-sendto", "fastopen-sendmsg"])
  func closed(kind: String) throws {
    let (lines, outcome) = try run([kind, "192.0.2.1", "80"], responses: false)

    outcome.expectExit(1)
    #expect(lines.first?.hasSuffix("=ENETUNREACH") ?? false, "\(lines)")
    #expect(outcome.output.contains("tried to reach 192.0.2.1:80"), "\(outcome.text)")
    #expect(outcome.output.contains("1 refused, 0 addresses reached for real"))
  }

  @Test("A scenario that fails names what it was refused, by which program, and what would answer")
  func refusals() throws {
    let folder = try TemporaryFolder()
    let send =
      "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM);"
      + " s.sendto(b'x', ('syslog.corp.test', 514))"
    func outcome(exit: Int) throws -> BuiltRunner.Outcome {
      try BuiltRunner.run([
        "run",
        folder.write(
          """
          version: 2
          target:
            command:
              - sh
              - -c
              - curl -s http://b.test:8080/x; curl -s https://b.test/; python3 -c "\(send)"; exit 1
          responses: [ { GET http://a.test/: { text: a } } ]
          network: { unmatched: refuse, unused: ignore }
          expect: { exit: \(exit) }

          """, to: "refused.yaml"),
      ])
    }
    let failed = try outcome(exit: 0)
    let passed = try outcome(exit: 1)
    withExtendedLifetime(folder) {}

    failed.expectExit(1)
    for line in [
      "refused: b.test:8080, by curl; a response such as `- GET http://b.test:8080/**: {}` answers it",
      "refused: b.test:443, by curl; a response such as `- GET https://b.test/**: {}` answers it",
      "refused: syslog.corp.test:514 (UDP), by python3; a target with `host: syslog.corp.test` can receive it",
    ] {
      #expect(failed.output.contains(line), "\(failed.text)")
    }
    #expect(passed.exitCode == 0 && !passed.output.contains("refused: "), "\(passed.text)")
  }

  @Test(
    "An answer to a question for a name comes from whom it was asked",
    arguments: ["sendto", "sendmsg", "sendmmsg", "connected"], ["192.0.2.53", "2001:db8::53"])
  func names(kind: String, server: String) throws {
    let (lines, outcome) = try run(["dns-\(kind)", server])

    outcome.expectExit(0)
    #expect(lines.contains("answer=198.18.0.1"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("source=\(server)/53/") }, "\(lines)")
    #expect(!lines.contains("changed"))
    if kind == "sendmmsg" {
      #expect(lines.contains("send=2"))
      #expect(lines.contains("lengths=31,31"))
    }
  }

  @Test("Name servers are told apart")
  func nameServers() throws {
    let servers = ["192.0.2.1", "192.0.2.2", "192.0.2.1", "2001:db8::53"]
    let folder = try TemporaryFolder()
    let calls = servers.map { "\(Self.program) dns-sendmsg \($0)" }.joined(separator: "; ")
    let path = folder.write(
      """
      version: 2
      target: { command: [bash, -c, "(\(calls)) | grep source"] }
      network: {}
      expect:
        stdout:
          lines: [\(servers.map { "source=\($0)/53/\($0.contains(":") ? 28 : 16)" }.joined(separator: ", "))]

      """, to: "servers.yaml")

    let outcome = try BuiltRunner.run(["run", path])

    outcome.expectExit(0)
    withExtendedLifetime(folder) {}
  }

  @Test(
    "Datagrams to elsewhere are refused as the network would",
    arguments: ["192.0.2.1", "2001:db8::1"])
  func datagrams(address: String) throws {
    let (lines, outcome) = try run(["datagrams", address, "443"])

    outcome.expectExit(0)
    #expect(
      lines == [
        "sendto=ENETUNREACH", "sendmsg=ENETUNREACH", "sendmmsg=ENETUNREACH", "connect=ok",
        "peer=\(address)/443/\(address.contains(":") ? 28 : 16)", "first=ok",
        "receive=ECONNREFUSED",
      ])
  }

  @Test("Sockets whose packets nobody would see cannot be made; all others can")
  func sockets() throws {
    let (lines, _) = try run(["sockets"])

    for name in ["unix", "netlink", "tcp", "udp6", "option"] {
      #expect(lines.contains("\(name)=ok"))
    }
    for line in [
      "packet=EPERM", "raw=EPERM", "raw6=EPERM", "sctp=EPROTONOSUPPORT", "vsock=EAFNOSUPPORT",
      "sequence=EPROTONOSUPPORT", "bluetooth=EAFNOSUPPORT", "join=ENODEV",
    ] {
      #expect(lines.contains(line[...]), "\(lines)")
    }
  }

  @Test(
    "Packet and raw sockets that the machine would give are reported, once each",
    .enabled(if: geteuid() == 0), arguments: [false, true])
  func reportedSockets(isUnderChaos: Bool) throws {
    let (_, outcome) = try run(
      ["sockets"], responses: !isUnderChaos,
      network: isUnderChaos
        ? """
        chaos:
          - call: socket
            when: { skip: 2, times: 1 }
            provide: { error: EMFILE }
        """ : "")

    for kind in ["packet", "raw"] {
      let parts = outcome.text.split(separator: "opens a \(kind) socket")
      #expect(parts.count == 2, "\(outcome.text)")
    }
    #expect(outcome.text.contains("socket fails with EPERM; with `network: { mode: live }`"))
  }

  @Test("They cannot be made either while chaos has a hand in making sockets")
  func socketsUnderChaos() throws {
    let (lines, outcome) = try run(
      ["sockets"], responses: false,
      network: """
        chaos:
          - call: socket
            when: { skip: 2, times: 1 }
            provide: { error: EMFILE }
        """)

    outcome.expectExit(0)
    #expect(lines.contains("packet=EPERM"))
    #expect(lines.contains("vsock=EAFNOSUPPORT"))
    #expect(lines.contains("udp6=ok"))
  }

  @Test(
    "A scenario says what becomes of services on loopback",
    arguments: [("open", "ECONNREFUSED"), ("closed", "ECONNREFUSED"), ("answered", "ok")])
  func loopback(word: String, result: String) throws {
    let (lines, outcome) = try run(
      ["connect", "127.0.0.1", "1"], network: "network: { loopback: \(word), unused: ignore }")

    #expect(lines.contains("connect=\(result)"), "\(outcome.text)")
    #expect(lines.contains("peer=127.0.0.1/1/16") == (word == "answered"))
  }

  @Test("A datagram in a scenario without responses is named, and no response for HTTP is proposed")
  func closedDatagram() throws {
    let folder = try TemporaryFolder()
    let outcome = try BuiltRunner.run([
      "run",
      folder.write(
        """
        version: 2
        target:
          command: [python3, -c, "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.7', 9999))"]

        """, to: "closed.yaml"),
    ])

    #expect(outcome.exitCode != 0, "\(outcome.text)")
    #expect(
      outcome.text.contains("the target tried to reach 192.0.2.7:9999 by a datagram"),
      "\(outcome.text)")
    #expect(outcome.text.contains("no response answers datagrams"), "\(outcome.text)")
    #expect(!outcome.text.contains("GET http"), "\(outcome.text)")
  }

  @Test("Where the network is live, the report counts and lists what was reached")
  func live() throws {
    // Connecting a datagram socket sends nothing.
    let folder = try TemporaryFolder()
    let report = folder.path + "/junit.xml"
    let file = folder.write(
      """
      version: 2
      name: looks around
      target:
        command: [python3, look.py]
        files:
          look.py: |
            import socket
            try: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("192.0.2.7", 9))
            except OSError: pass
      network: { mode: live }

      """, to: "live.yaml")
    let outcome = try BuiltRunner.run(["run", file, "--report", "junit=\(report)"])
    let text = TemporaryFolder.read(report) ?? ""

    outcome.expectExit(0)
    #expect(outcome.output.contains("1 address reached for real: 192.0.2.7:9"))
    #expect(text.contains("<property name=\"scenario.network.reached\" value=\"1\"/>"), "\(text)")
    #expect(text.contains("name=\"scenario.network.reached: looks around\""))
    withExtendedLifetime(folder) {}
  }

  @Test("Each request knows its process, its words, its connection and its time")
  func origins() throws {
    let folder = try TemporaryFolder()
    let report = folder.path + "/events.jsonl"
    let file = folder.write(
      """
      version: 2
      target: { command: "curl -s http://a.example.com/1 http://a.example.com/2; sleep 5; curl -s http://b.example.com/3" }
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      responses:
        - GET http://a.example.com/{n}: { text: a }
        - GET http://b.example.com/{n}: { text: b }
      expect: { stdout: aab }

      """, to: "origins.yaml")
    let outcome = try BuiltRunner.run(["run", file, "--report", "jsonl=\(report)"])
    let events = (TemporaryFolder.read(report) ?? "").split(separator: "\n")
    let requests = events.filter { $0.contains("\"requestReceived\"") }
    let processes = requests.map { line in
      line.firstRange(of: "\"process\":").map { line[$0.upperBound...].prefix(while: \.isNumber) }
    }

    outcome.expectExit(0)
    #expect(requests.count == 3)
    #expect(requests.map { $0.contains("\"connection\":1") } == [true, true, false])
    #expect(requests.map { $0.contains("\"connection\":2") } == [false, false, true])
    #expect(requests.allSatisfy { $0.contains("\"arguments\":[\"curl\",\"-s\"") }, "\(requests)")
    #expect(processes[0] != nil && processes[0] == processes[1] && processes[1] != processes[2])
    #expect(requests[2].contains("\"time\":5000000000"), "\(requests[2])")
    withExtendedLifetime(folder) {}
  }

  @Test(
    "Targets see files of the scenario's own by which they resolve names, where it answers for the network",
    arguments: [("network: {}", 0), ("", 1)])
  func nameFiles(network: String, exitCode: Int32) throws {
    let folder = try TemporaryFolder()
    let command = "grep -c '^search [.]$' /etc/resolv.conf; grep ^hosts: /etc/nsswitch.conf"
    let file = folder.write(
      """
      version: 2
      target: { command: [bash, -c, "\(command)"] }
      \(network)
      expect: { stdout: { lines: ["1", "hosts: files dns"] } }

      """, to: "names.yaml")
    let outcome = try BuiltRunner.run(["run", file])

    #expect(outcome.exitCode == exitCode, "\(outcome.text)")
    withExtendedLifetime(folder) {}
  }
}
