import Testing

@Suite("Links that go wrong")
struct LinkChaosTests {
  private func run(
    _ text: String, command: String = "run", _ options: [String] = []
  ) throws -> (outcome: BuiltRunner.Outcome, path: String, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "link.yaml")
    return (try BuiltRunner.run([command, path] + options), path, folder)
  }

  private func scenario(_ chaos: String, _ rest: String, body: String = "up") -> String {
    """
    version: 2
    name: link
    target: { command: [curl, --silent, --show-error, "http://api.example.com/"] }
    clock: { at: 2026-03-01T09:00:00Z, flow: auto }
    network: { unused: ignore }
    responses:
      - GET http://api.example.com/: { text: "\(body)" }
    chaos: [ \(chaos) ]
    expect: \(rest)

    """
  }

  // MARK: - Toxics

  @Test(
    "Each toxic makes of curl what it says, and of another host's connection nothing",
    arguments: [
      ("{ latency: 3s }", "{ exit: 0, duration: 3s }"),
      ("{ latency: { latency: 3s, stream: both } }", "{ exit: 0, duration: 6s }"),
      (
        "{ bandwidth: { rate: 1KiB, stream: upstream } }",
        "{ exit: 0, duration: { less_than: 1s } }"
      ),
      ("{ slow_close: { delay: 1s } , limit_data: 0 }", "{ exit: 52, duration: 0s }"),
      ("[ { limit_data: 0 }, { slow_close: 1s } ]", "{ exit: 52, duration: 1s }"),
      ("{ timeout: 90s }", "{ exit: 52, duration: 90s }"),
      ("reset_peer", "{ exit: 56, duration: 0s }"),
      ("{ reset_peer: { timeout: 2s } }", "{ exit: 56, duration: 2s }"),
      ("{ reset_peer: { stream: upstream, timeout: 2s } }", "{ exit: 56, duration: 2s }"),
      (
        "{ slicer: { average_size: 1, delay: 1ms } }",
        "{ exit: 0, duration: { greater_than: 50ms } }"
      ),
      ("{ limit_data: 200 }", "{ exit: 18, duration: 0s }"),
      ("down", "{ exit: 7, duration: 0s }"),
      ("{ dns: servfail }", "{ exit: 6 }"),
    ])
  func toxics(provider: String, expected: String) throws {
    let body = String(repeating: "x", count: 1_000)
    func entry(_ host: String) -> String {
      "{ name: toxic, link: \(host), provide: \(provider) }"
    }
    let isFast = expected.contains("less_than")

    let broken = try run(scenario(entry("api.example.com"), expected, body: body)).outcome
    let whole = try run(scenario(entry("api.example.org"), expected, body: body)).outcome

    broken.expectExit(0)
    whole.expectExit(1)
    let reason = isFast ? "the chaos entry \"toxic\" never fired" : "expected"
    #expect(whole.output.contains(reason), "\(whole.text)")
  }

  @Test("64 KiB at 32 KiB a second take two seconds, and a nanosecond less is too little")
  func bandwidth() throws {
    let chaos = "{ link: api.example.com, provide: { bandwidth: 32KiB } }"
    let measured = try run(
      scenario(chaos, "{ exit: 0 }", body: String(repeating: "x", count: 65_536 - 200)))
    // The reply has a head as well, so that it takes about as long as that.
    #expect(measured.outcome.output.contains("real, 1.99"), "\(measured.outcome.text)")

    let expected = "{ duration: { between: [2s, 2.01s] } }"
    let whole = try run(
      scenario(chaos, expected, body: String(repeating: "x", count: 65_536)))
    let short = try run(
      scenario(chaos, expected, body: String(repeating: "x", count: 32_768)))
    #expect(whole.outcome.exitCode == 0, "\(whole.outcome.text)")
    #expect(short.outcome.exitCode == 1, "\(short.outcome.text)")
  }

  @Test("A run with chance is the same again, and another seed is another run")
  func reproducible() throws {
    let text = """
      version: 2
      target:
        command: >-
          for i in $(seq 24); do curl --silent --max-time 9 http://api.example.com/; echo " $?"; done
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      responses:
        - GET http://api.example.com/: { text: up }
      chaos:
        - link: api.example.com
          when: { probability: 0.3 }
          provide:
            sequence:
              - down
              - { latency: { latency: 5s, jitter: 5s } }
              - reset_peer
              - { latency: { latency: 8s, jitter: 4s } }
      expect: { stdout: { lines: [never] } }

      """
    func result(_ seed: String) throws -> (output: [Substring], time: Substring?) {
      let lines = try run(text, ["--seed", seed]).outcome.output.split(separator: "\n")
      let time = lines.first { $0.contains("virtual]") }?
        .split(separator: "real, ").last?.prefix { $0 != "]" }
      return (lines.filter { $0.hasPrefix("  ") && $0.contains(" ") && !$0.contains("+") }, time)
    }

    let first = try result("7")
    for _ in 0..<5 {
      let again = try result("7")
      #expect(again.output == first.output)
      #expect(again.time == first.time)
    }
    #expect(try result("8").time != first.time)
  }

  // MARK: - Modes

  @Test(
    "A link to a real host breaks as one to the mock server does", arguments: ["spy", "record"])
  func realHost(mode: String) throws {
    let backends = try RealBackends()
    func text(_ provider: String, _ expected: String) -> String {
      """
      version: 2
      name: real
      network:
        mode: \(mode)
        upstreams: { "api.example.com:443": "127.0.0.1:\(backends.securePort)" }
      target: { command: [curl, --silent, "https://api.example.com/chunks"] }
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      chaos: [ { link: api.example.com, provide: \(provider) } ]
      expect: \(expected)

      """
    }
    for (provider, expected) in [
      ("{ latency: 2s }", "{ exit: 0, stdout: 'one,two,three', duration: { between: [4s, 6s] } }"),
      ("{ tls: expired }", "{ exit: 60 }"), ("down", "{ exit: 7 }"),
      ("{ dns: nxdomain }", "{ exit: 6 }"),
    ] {
      let path = try backends.scenario(text(provider, expected))
      let outcome = try BuiltRunner.run(
        ["run", path], prefix: ["/usr/bin/env", "SSL_CERT_FILE=\(backends.authorityPath)"])
      #expect(outcome.exitCode == 0, "\(provider): \(outcome.text)")
    }
  }

  @Test("A link to a host that is left alone breaks as well")
  func liveHost() throws {
    let backends = try RealBackends()
    for (provider, expected) in [
      ("{ latency: { latency: 2s, stream: both } }", "{ exit: 0, duration: 4s }"),
      ("reset_peer", "{ exit: 56 }"), ("{ timeout: 0 }", "{ exit: 28, duration: 10s }"),
      ("{ limit_data: 0 }", "{ exit: 52 }"), ("down", "{ exit: 7 }"),
    ] {
      let path = try backends.scenario(
        """
        version: 2
        network:
          hosts: { api.example.com: live }
          upstreams: { "api.example.com:80": "127.0.0.1:\(backends.plainPort)" }
        target: { command: [curl, --silent, --max-time, "10", "http://api.example.com/chunks"] }
        clock: { at: 2026-03-01T09:00:00Z, flow: auto }
        chaos: [ { name: link, link: api.example.com, provide: \(provider) } ]
        expect: \(expected.dropLast(2)), chaos: { link: { fired: 1 } } }

        """)
      let outcome = try BuiltRunner.run(["run", path])
      #expect(outcome.exitCode == 0, "\(provider): \(outcome.text)")
    }
  }

  // MARK: - The account

  @Test("Reports tell what went wrong, on which connection and when")
  func events() throws {
    let folder = try TemporaryFolder()
    let text = scenario(
      "{ name: late, link: api.example.com, when: { skip: 1 }, provide: { latency: 3s } }",
      "{ exit: 0 }"
    ).replacing(
      "[curl, --silent, --show-error, \"http://api.example.com/\"]",
      with: "\"curl -s http://api.example.com/; sleep 1; curl -s http://api.example.com/\"")
    let path = folder.write(text, to: "link.yaml")
    let report = "\(folder.path)/events.jsonl"

    let outcome = try BuiltRunner.run(["run", path, "--report", "jsonl=\(report)"])
    let events = try #require(TemporaryFolder.read(report)).split(separator: "\n")

    outcome.expectExit(0)
    #expect(outcome.output.contains("real, 4s virtual]"), "\(outcome.text)")
    let faults = events.filter { $0.contains("\"faultInjected\"") }
    #expect(faults.count == 1)
    for part in [
      #""entry":"late""#, #""occurrence":2"#, #""action":"latency 3s""#, #""connection":2"#,
      #""subject":"api.example.com:80""#, #""processOrdinal":4"#,
      #""virtualTime":{"nanoseconds":0,"seconds":1772355601}"#,
    ] {
      #expect(faults.first?.contains(part) ?? false, "\(faults)")
    }
    let account = try #require(events.first { $0.contains("\"chaosAccount\"") })
    #expect(account.contains(#""fired":1,"matched":2,"name":"late""#), "\(account)")
  }

  @Test("An entry that nothing came of fails, and tells how far it got")
  func unfired() throws {
    let outcome = try run(
      scenario(
        "{ name: far, link: api.example.com, provide: { limit_data: 1MiB } }", "{ exit: 0 }")
    ).outcome

    outcome.expectExit(1)
    #expect(outcome.output.contains("the chaos entry \"far\" never fired"))
    #expect(outcome.output.contains("1 connection matched, but no fault was injected"))
    #expect(outcome.output.contains("1 seen, 1 matched, 0 fired"))
  }

  @Test("A mistake is told by check, with its place")
  func mistakes() throws {
    for command in ["check", "run", "plan"] {
      let (outcome, path, _) = try run(
        scenario("{ link: api.example.com, provide: { latancy: 1s } }", "{ exit: 0 }"),
        command: command)

      outcome.expectExit(2)
      #expect(outcome.errorOutput.contains("\(path):8:46: error["), "\(outcome.errorOutput)")
      #expect(outcome.errorOutput.contains("did you mean \"latency\"?"))
    }
  }

  @Test("The plan shows what goes wrong")
  func plan() throws {
    let outcome = try run(
      scenario(
        "{ link: 'api.example.com:80', when: { times: 2 }, provide: { slicer: 10 } }", "{ exit: 0 }"
      ),
      command: "plan"
    ).outcome

    outcome.expectExit(0)
    #expect(
      outcome.output.contains(
        "api.example.com:80: connections to api.example.com:80; 2 times; has slicer 10 bytes"),
      "\(outcome.text)")
  }
}
