import Foundations
import Testing

@Suite("Links between hosts that are slow, lossy or down")
struct HostLinkTests {
  private static let server = """
    def serve(c):
        say("accepted", now())
        count = 0
        try:
            while data := c.recv(1 << 16):
                count += len(data)
                if count < 100: c.sendall(data)
        except OSError as error: say(error.errno, now())
        say(count, "and the end", now())
        c.close()
    listener = socket.create_server(("", 7000))
    say("ready")
    while True:
        c, _ = listener.accept()
        threading.Thread(target=serve, args=(c,), daemon=True).start()
    """

  private static let client = """
    what = sys.argv[-1]
    try:
        c = socket.create_connection(("b.test", 7001 if what == "elsewhere" else 7000))
        say("connected", now())
        c.sendall(b"ping")
        say(c.recv(99).decode(), now())
        if what == "much":
            c.sendall(bytes(2_000_000))
            c.shutdown(socket.SHUT_WR)
            say(c.recv(9), now())
        if what == "waits": say(c.recv(9), now())
        if what == "stays":
            time.sleep(5)
            c.sendall(b"again")
            say(c.recv(9), now())
            say(c.recv(9), now())
    except OSError as error: say(error.errno, now())
    """

  private static func text(_ chaos: String, _ steps: String, _ expect: String) -> String {
    HostScenario.head(server, client) + """
      chaos: [\(chaos)]
      steps: [{ start: b }, \(steps)]
      expect: { targets: { \(expect) } }

      """
  }

  private static func run(_ what: String) -> String { "{ run: { target: a, args: [\(what)] } }" }

  @Test("A connection over a slow link takes a round trip to be made, and another to be asked")
  func latency() throws {
    let text = Self.text(
      "{ link: a <-> b, provide: { latency: 50ms } }", Self.run("ping"),
      "a: { stdout: { lines: [connected 0.100, ping 0.200] } }, b: { stdout: { lines: [ready, accepted 0.050] } }"
    )
    try HostScenario.expect(text, butNot: ("latency: 50ms", "latency: 40ms"), as: "connected 0.080")
  }

  @Test("Each way has faults of its own, and the first entry that is about it counts")
  func ways() throws {
    try HostScenario.expect(
      Self.text(
        "{ link: a -> b, provide: { latency: 50ms } }, { link: b -> a, provide: { latency: 200ms } }",
        Self.run("ping"), "a: { stdout: { lines: [connected 0.250, ping 0.500] } }"),
      butNot: ("link: b -> a", "link: a <-> b"), as: "connected 0.050")
  }

  @Test("Bytes take their time where a link is thin, and one way alone may be")
  func bandwidth() throws {
    let text = Self.text(
      "{ link: a -> b, provide: { bandwidth: 1MB } }", Self.run("much"),
      "a: { stdout: { lines: [connected 0.000, ping 0.000, \"b'' 2.000\"] } }")
    try HostScenario.expect(text, butNot: ("a -> b", "b -> a"), as: "b'' 0.000")
  }

  @Test("What is lost comes when it is sent again, all of it, and alike in each run")
  func loss() throws {
    let text = Self.text(
      "{ link: a <-> b, provide: { loss: 0.05 } }", Self.run("much"),
      "b: { stdout: { contains: 2000004 and the end } }, a: { stdout: { not: { contains: \"b'' 0.0\" } } }"
    )
    try HostScenario.expect(text, butNot: ("loss: 0.05", "loss: 0"), as: "b'' 0.0")
    let told = text.replacing("not: { contains: \"b'' 0.0\" }", with: "equals: none")
    func lines() throws -> [Substring] {
      try HostScenario.run(told).text.split(separator: "\n").filter { $0.hasPrefix("+") }
    }
    let first = try lines()
    let second = try lines()
    #expect(first == second && first.count > 1)
  }

  @Test(
    "A link that is silent one way lets requests through and no answers, until that is reverted")
  func halfOpen() throws {
    let text = Self.text(
      "{ link: b -> a, name: mute, apply: false, provide: { timeout: 0 } }",
      "{ start: { target: a, args: [stays] } }, { tick: 3s }, { apply: mute }, { tick: 10s }, { revert: mute }, { tick: 1s }",
      "a: { stdout: { contains: \"b'again' 13.000\" } }")
    try HostScenario.expect(
      text, butNot: ("{ tick: 10s }", "{ tick: 11s }"), as: "b'again' 14.000")
  }

  @Test("A link that is down ends connections, and refuses others until it is up again")
  func down() throws {
    let text = Self.text(
      "{ link: a <-> b, name: cable, apply: false, provide: down }",
      "{ start: { target: a, args: [stays] } }, { tick: 3s }, { apply: cable }, { wait: exit, target: a }, \(Self.run("ping")), { revert: cable }, \(Self.run("ping"))",
      "a: { stdout: { contains: connected } }, b: { stdout: { contains: accepted } }"
    ).replacing(
      "\(Self.run("ping")), { revert",
      with: "{ run: { target: a, args: [ping] }, expect: { stdout: '111 5.000' } }, { revert")
    try HostScenario.expect(text, butNot: ("{ revert: cable }", "{ tick: 0s }"), as: "111 5.000")
  }

  @Test("A link that resets connections resets both ends", arguments: ["<->", "->", "<-"])
  func reset(arrow: String) throws {
    let link = arrow == "<-" ? "b -> a" : "a \(arrow) b"
    let text = Self.text(
      "{ link: \(link), provide: { reset_peer: 2s } }", Self.run("waits"),
      "a: { stdout: { lines: [connected 0.000, 104 2.000] } }, b: { stdout: { contains: 104 2.000 } }"
    )
    try HostScenario.expect(text, butNot: ("reset_peer: 2s", "reset_peer: 3s"), as: "104 3.000")
  }

  @Test(
    "A reset at once counts as fired", arguments: ["reset_peer: 0s", "reset_peer: { bytes: 2 }"])
  func resetAtOnce(fault: String) throws {
    let text = Self.text(
      "{ link: a <-> b, name: rst, provide: { \(fault) } }", Self.run("waits"),
      "a: { stdout: { contains: 104 0.000 } } }, chaos: { rst: { fired: 1 }"
    )
    try HostScenario.expect(
      text, butNot: ("fired: 1", "fired: 2"), as: "firings of \"rst\": expected 2")
  }

  @Test("A link with a time limit lets connections be made, and ends them without their bytes")
  func timeLimit() throws {
    let text = Self.text(
      "{ link: a <-> b, provide: { timeout: 5s } }", Self.run("ping"),
      "a: { stdout: \"connected 0.000\\n 5.000\\n\" }, b: { stdout: { contains: 0 and the end 5.000 } }"
    )
    try HostScenario.expect(text, butNot: ("timeout: 5s", "timeout: 4s"), as: " 4.000")
  }

  @Test("Who connects over a slow link to a port at which nobody listens is refused")
  func refused() throws {
    let text = Self.text(
      "{ link: a <-> b, provide: { latency: 50ms } }",
      "\(Self.run("ping")), \(Self.run("elsewhere"))",
      "a: { stdout: { matches: '^111' } }")
    try HostScenario.expect(text, butNot: ("[elsewhere]", "[ping]"), as: "connected")
  }

  @Test("Datagrams are lost, doubled, late and out of order, alike in each run")
  func datagrams() throws {
    let text =
      HostScenario.head(
        """
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.bind(("", 7000))
        say("ready")
        while True: say(s.recv(99).decode(), now())
        """,
        """
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.connect(("b.test", 7000))
        for number in range(20):
            s.send(b"%02d" % number)
            time.sleep(.01)
        """) + """
        chaos:
          - { link: a -> b, provide: { latency: 100ms, loss: 0.2, duplicate: 0.2, reorder: 0.2 } }
        steps: [{ start: b }, { run: a }, { tick: 1s }, { stop: b }]
        expect: { targets: { b: { signal: TERM, stdout: { contains: '0.100' } } } }

        """
    func lines(_ text: String) throws -> [String] {
      // What was received is told where another line is expected.
      let outcome = try HostScenario.run(text.replacing("contains: '0.100'", with: "equals: none"))
      return outcome.text.split(separator: "\n").filter { $0.hasPrefix("+") }.map(String.init)
    }
    let received = try lines(text).dropFirst().map { $0.dropFirst().split(separator: " ") }
    let numbers = received.compactMap { $0.first.map(String.init) }
    #expect(Set(numbers).count < 20 && Set(numbers).count > 8, "\(received)")
    #expect(numbers.count > Set(numbers).count, "\(received)")
    #expect(numbers != numbers.sorted(), "\(received)")
    let again = try lines(text)
    let onceMore = try lines(text)
    #expect(onceMore == again)
    let whole = text.replacing(", loss: 0.2, duplicate: 0.2, reorder: 0.2", with: "")
    let all = try lines(whole).dropFirst().map { $0.dropFirst().prefix(2) }
    #expect(all == (0..<20).map { $0 < 10 ? "0\($0)" : "\($0)" }, "\(all)")
  }

  @Test("One entry may be about several hosts, by their names or by a pattern")
  func severalHosts() throws {
    let text =
      HostScenario.head(Self.server, Self.client, hosts: "n1 n2 other") + """
        chaos: [{ name: far, link: "[b, other] <-> n*", provide: { latency: 50ms } }]
        steps:
          - start: b
          - run: { target: n1, args: [ping] }
            expect: { stdout: { lines: [connected 0.100, ping 0.200] } }
          - run: { target: n2, args: [ping] }
            expect: { stdout: { lines: [connected 0.300, ping 0.400] } }
          - run: { target: other, args: [ping] }
            expect: { stdout: { lines: [connected 0.400, ping 0.400] } }
        expect: { chaos: { far: { matched: 2, fired: 2 } } }

        """
    try HostScenario.expect(text, butNot: ("<-> n*", "<-> n1"), as: "connected 0.200")
  }

  @Test("A link to the mock server may be that of some targets alone, and of one direction")
  func linksToMockServer() throws {
    let text = """
      version: 2
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      targets:
        n1: { host: n1.test, command: &ask [curl, -s, -w, ' %{time_total}', 'http://a.test/'] }
        n2: { host: n2.test, command: *ask }
        asks: { command: *ask }
      responses: [{ GET http://a.test/: { text: hi } }]
      chaos:
        - { name: far, link: n1 <-> a.test, provide: { latency: 50ms } }
        - { name: slow, link: "a.test:80 -> as*", provide: { latency: 2s } }
      steps:
        - run: n1
          expect: { stdout: hi 0.100000 }
        - run: n2
          expect: { stdout: hi 0.000000 }
        - run: asks
          expect: { stdout: hi 2.000000 }
        - exec: { in: n1, command: [curl, -s, -w, ' %{time_total}', 'http://a.test/'] }
          expect: { stdout: hi 0.100000 }
      expect: { chaos: { far: { matched: 2, fired: 2 }, slow: { fired: 1 } } }

      """
    let outcome = try HostScenario.run(text)
    outcome.expectExit(0)
    let twin = try HostScenario.run(text.replacing("link: n1 <->", with: "link: n2 <->"))
    twin.expectExit(1)
    #expect(twin.text.contains("hi 0.000000"), "\(twin.text)")
  }

  @Test("Mistakes are told with their places")
  func mistakes() throws {
    func expect(
      _ link: String, _ provide: String, _ messages: String...,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let folder = try TemporaryFolder()
      let text = """
        version: 2
        targets:
          n1: { command: [a], host: n1.test }
          n2: { command: [b], host: n2.test }
          asks: { command: [c] }
        chaos:
          - link: \(link)
            provide: \(provide)
        steps: [{ run: n1 }]

        """
      let outcome = try BuiltRunner.run(["check", folder.write(text, to: "mistake.yaml")])
      #expect(outcome.exitCode == 2, "\(outcome.text)", sourceLocation: sourceLocation)
      for message in messages {
        #expect(
          outcome.errorOutput.contains(message), "\(outcome.text)", sourceLocation: sourceLocation)
      }
    }
    try expect(
      "n1 <-> n3", "down", "mistake.yaml:7:11", "unknown target \"n3\"", "did you mean \"n1\"")
    try expect("n1 -> asks", "down", "\"asks\" has no \"host\", so it has no links to cut")
    try expect("n1 <-> n1", "down", "mistake.yaml:7:11", "\"n1\" has no link to itself")
    try expect("n1 ->", "down", "\"n1 ->\" is not a link between hosts")
    try expect("n1 <- n2", "down", "is not a link between hosts", "write \"link: n2 -> n1\"")
    try expect("n1, n2 -> asks", "down", "write \"link: '[n1, n2] -> asks'\"")
    try expect("[n1, n2]", "down", "must be a text, not a list", "write \"link: n1 <-> n2\"")
    try expect(
      "{ from: n1, to: [n2, asks] }", "down", "must be a text, not a map",
      "write \"link: 'n1 -> [n2, asks]'\"")
    try expect("'m* <-> n1'", "down", "no target with a \"host\" is called \"m*\"")
    try expect("n1 <-> n2.test", "down", "is the name of a host", "write the target's name: n2")
    try expect(
      "n1 <-> api.example.com", "{ dns: nxdomain }", "\"dns\" cannot be limited to one host")
    try expect("n9 -> api.example.com", "down", "unknown target \"n9\"", "did you mean \"n1\"")
    try expect(
      "'n1 -> [a.test, b.test]'", "down", "a link leads from targets to one host",
      "write an entry for each")
    try expect(
      "n1 <-> n2:7000", "down", "mistake.yaml:7:11", "links between hosts have no port",
      "\"n2\" is a target", "remove \":7000\"")
    try expect("n1 -> asks:80", "down", "\"asks\" is a target", "remove \":80\"")
    try expect("'n1 <-> n*:80'", "down", "\"n*\" is a target", "remove \":80\"")
    try expect("n1 <-> api", "down", "unknown target \"api\"", "write its port: api:80")
    try expect("n1 <-> 2001:db8::1", "down", "2001:db8::1")
    try expect("n1 -> n2", "{ dns: nxdomain }", "\"dns\" is a fault of the mock server")
    try expect(
      "n1 -> n2", "{ latency: { latency: 1s, stream: upstream } }", "mistake.yaml:8:40",
      "\"stream\" cannot be combined with a link with an arrow")
    try expect("n1 -> n2", "{ reorder: 0.1 }", "\"reorder\" has no effect without a delay")
    try expect("n1 -> n2", "{ loss: 2 }", "\"loss\" must be from 0 to 1")
    try expect(
      "api.example.com", "{ duplicate: 0.1 }",
      "\"duplicate\" applies only to datagrams between hosts")
  }
}
