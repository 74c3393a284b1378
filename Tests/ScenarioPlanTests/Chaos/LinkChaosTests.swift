@testable import FaultEngine
import Foundations
import ScenarioModel
@testable import ScenarioPlan
import Testing

@Suite("Links of chaos, planned and decided")
struct LinkChaosTests {
  private static func facts(
    _ name: String? = "api.example.com", port: UInt16? = 443, address: String = "198.18.0.1",
    process: Int = 1, time: Nanoseconds = .zero
  ) -> LinkFacts {
    LinkFacts(
      name: name, address: port == nil ? "" : address, port: port, processOrdinal: process,
      program: ProgramNames(executable: process == 1 ? "/usr/bin/curl" : "/usr/bin/wget"),
      time: time, now: WallInstant(seconds: 0) + time)
  }

  /// Decides about connections made one after the other; the words of what goes wrong.
  private static func decide(
    _ table: inout FaultRuleSet, _ connections: [LinkFacts]
  ) -> [String?] {
    connections.map { facts in
      var facts = facts
      var encounter = LinkMatchState()
      return table.decide(&facts, &encounter)?.faults.map(\.word).joined(separator: "+")
    }
  }

  @Test("Host and port decide, and an address has many forms")
  func places() throws {
    var table = try FaultRuleSet.of(
      """
        - { link: "*.example.com:443", provide: down }
        - { link: "[2001:db8::1]:80", provide: reset_peer }
        - { link: 198.18.0.1, provide: { limit_data: 1 } }
      """)

    let words = Self.decide(
      &table,
      [
        Self.facts(), Self.facts(port: 80), Self.facts("example.org"),
        Self.facts(nil, port: 80, address: "2001:db8:0:0:0:0:0:1"),
        Self.facts(nil, port: 81, address: "2001:db8:0:0:0:0:0:1"),
      ])

    #expect(words == ["down", "limit_data", "limit_data", "reset_peer", nil])
    #expect(table.concerns(host: "a.example.com", address: "198.18.0.9", port: 443))
    #expect(!table.concerns(host: "a.example.com", address: "198.18.0.9", port: 80))
  }

  @Test("A link of some targets is met by their connections alone, and hides no other's")
  func clients() throws {
    let planned = try Samples.onlyCase(
      """
      targets: { n1: { command: [a] }, n2: { command: [b] }, db: { command: [c] } }
      clock: { flow: auto }
      steps: [{ run: n1 }, { run: n2 }, { run: db }]
      chaos:
        - { link: "n* -> api.example.com", provide: { latency: 1s } }
        - { link: db <-> api.example.com, provide: { sequence: [{ latency: 2s }, down] } }

      """)
    var table = FaultRuleSet(entries: planned.chaos, directory: nil, seed: 0)
    let decisions = ["n1", "db", "n2", nil, "db"].map { name -> [LinkFault]? in
      var facts = Self.facts()
      facts.targetName = name
      var encounter = LinkMatchState()
      return table.decide(&facts, &encounter)?.faults
    }

    let up = LinkFault.toxic(Toxic(.latency(.seconds(1), jitter: .zero), stream: .up))
    let both = LinkFault.toxic(Toxic(.latency(.seconds(2), jitter: .zero), stream: .both))
    #expect(decisions == [[up], [both], [up], nil, [.down]])
    #expect(planned.chaos.map(\.name) == ["n* -> api.example.com", "db <-> api.example.com"])
  }

  @Test("The schedule counts connections, and the first entry that is due decides")
  func schedule() throws {
    var table = try FaultRuleSet.of(
      """
        - { link: api.example.com, when: { skip: 1, times: 2 }, provide: down }
        - link: "*"
          where: { process: curl }
          provide: { sequence: [reset_peer, { latency: 1s }] }
      """)

    let words = Self.decide(
      &table, (0..<4).map { _ in Self.facts() } + [Self.facts("other", process: 2)])

    #expect(words == ["reset_peer", "down", "down", "latency", nil])
    #expect(table.counts.map(\.matched) == [4, 4])
    #expect(table.counts.map(\.seen) == [5, 5])
    // Deciding is not yet going wrong.
    #expect(table.counts.map(\.fired) == [0, 0])
    table.recordFired(0, process: 1)
    #expect(table.counts.map(\.fired) == [1, 0])
  }

  @Test("Chance is the same for one seed, entry and connection, whatever else there is")
  func chance() throws {
    let chance = "when: { probability: 0.5 }, provide: down }\n"
    let entry = "  - { name: flaky, link: api.example.com, \(chance)"
    let connections = (0..<64).map { _ in Self.facts() }
    var alone = try FaultRuleSet.of(entry, seed: 7)
    var other = try FaultRuleSet.of(entry, seed: 8)
    var second = try FaultRuleSet.of(
      "  - { link: b.example.com, \(chance)" + entry, seed: 7)

    let words = Self.decide(&alone, connections)
    #expect((16...48).contains(words.count { $0 != nil }))
    #expect(Self.decide(&second, connections) == words)
    #expect(Self.decide(&other, connections) != words)
  }

  @Test("Connections and names are counted apart")
  func names() throws {
    var table = try FaultRuleSet.of(
      """
        - { link: api.example.com, provide: { sequence: [{ dns: nxdomain }, original] } }
        - { link: api.example.com, provide: down }
      """)

    let words = Self.decide(
      &table,
      [
        Self.facts(port: nil), Self.facts(), Self.facts("b.example.com", port: nil),
        Self.facts(port: nil),
      ])

    #expect(words == ["dns", "down", nil, ""])
    #expect(table.counts.map(\.seen) == [3, 1])
  }

  @Test("What was decided holds until its entry is taken back or its time is over")
  func holding() throws {
    var table = try FaultRuleSet.of(
      "  - { name: slow, link: api.example.com, when: { from: +1s, until: +3s }, provide: down }")
    var encounter = LinkMatchState()
    var early = Self.facts()
    var within = Self.facts(time: .seconds(1))
    var late = Self.facts(time: .seconds(3))

    #expect(table.decide(&early, &encounter) == nil)
    #expect(table.nextWindow(for: encounter, &early) == .seconds(1))
    let decision = try #require(table.decide(&within, &encounter))
    #expect(table.holds(decision, &within))
    #expect(table.nextWindow(for: encounter, &within) == .seconds(2))
    #expect(table.decide(&within, &encounter, current: decision) == nil)
    #expect(!table.holds(decision, &late))
    #expect(table.counts[0].matched == 1)

    table.revert(.entry("slow"))
    #expect(!table.holds(decision, &within))
    table.apply(.all, seed: nil)
    table.forget(.all, in: &encounter)
    #expect(table.decide(&within, &encounter)?.occurrence == 1)
  }

  @Test("An entry that never fired tells which hosts were connected to")
  func nearMisses() throws {
    var table = try FaultRuleSet.of(
      """
        - { link: "api.example.org:443", provide: down }
        - { link: "*.example.com", when: { skip: 5 }, provide: down }
        - { link: api.example.org, provide: { dns: nodata } }
        - { link: api.example.com, provide: { limit_data: 1MiB } }
      """)
    _ = Self.decide(&table, [Self.facts(), Self.facts("b.example.com", port: 80)])

    let lines = table.unfired().map(\.explanation)
    #expect(
      lines == [
        [
          "2 connections were made, to api.example.com:443, b.example.com:80",
          "none of them matches \"link: api.example.org:443\"",
        ],
        ["2 connections matched, but the first 5 are skipped"], ["the target looked up no name"],
        [
          "1 connection matched, but no fault was injected: "
            + "no data or end of stream came for the fault"
        ],
      ])
  }

  // MARK: - Planning

  private func plan(_ entries: String, network: String = "{}") throws -> [Diagnostic] {
    try Samples.plan(
      """
      target: { command: [./program] }
      network: \(network)
      responses: [\(network.contains("live") ? "" : "{ \"GET https://h/\": { text: x } }")]
      steps: [{ name: save, run: }]
      chaos: [\(entries)]
      """
    ).diagnostics
  }

  @Test(
    "What cannot be is an error before anything runs",
    arguments: [
      (
        "call: connect, provide: down", "\"down\" is a fault of a link, not of \"connect\"",
        "link: HOST"
      ),
      (
        "call: read, provide: { sequence: [original, { latency: 1s }] }",
        "\"latency\" is a fault of a link", ""
      ),
      (
        "link: h, provide: { error: EIO }", "this provider is only for calls, not for a link",
        "latency"
      ),
      ("link: h, provide: { error: ECONNREFUSED }", "only for calls", "provide: down"),
      ("link: h, provide: { delay: 3s }", "only for calls", "write { latency: 3s }"),
      ("link: h, provide: { delay: [1s, 5s] }", "only for calls", "latency: 3s, jitter: 2s"),
      ("link: h, provide: hang", "only for calls", "timeout: 0"),
      ("link: h, provide: { sequence: [down, nil] }", "only for calls", ""),
      ("link: 'h:99999', provide: down", "\"99999\"", "a port is a number"),
      ("link: 'h/path', provide: down", "\"h/path\"", ""),
      (
        "link: h, where: { path: /x }, provide: down",
        "\"path\" is not a condition for a connection",
        "process"
      ),
      ("link: h, where: { thread: x }, provide: down", "\"thread\" is not a condition", ""),
      (
        "link: h, provide: { match: [{ where: { size: 1 }, provide: down }] }",
        "\"size\" is not a condition", ""
      ),
      (
        "link: h, provide: [down, { latency: 1s }]", "\"down\" cannot be combined with",
        "sequence"
      ),
      (
        "link: h, provide: [{ tls: close }, { tls: stall }]", "a handshake can have only one fault",
        ""
      ),
      (
        "link: h, provide: { sequence: [{ dns: nodata }, down] }",
        "\"dns\" cannot be combined with faults", "an entry for each"
      ),
      ("link: 'h:80', provide: { dns: nodata }", "a DNS name has no port", "link: h"),
      ("link: 10.0.0.1, provide: { dns: nodata }", "is an address", "name of the host"),
      (
        "link: h, where: { port: 80 }, provide: { dns: nodata }",
        "a DNS query has no port", ""
      ),
      ("link: 127.0.0.1, provide: down", "connections within this machine", "answered"),
      ("link: localhost, provide: down", "connections within this machine", "answered"),
      ("link: 127.1, provide: down", "\"127.1\" is not an address", "four numbers"),
      ("link: 0.0.0.0, provide: down", "connections within this machine", "answered"),
      ("link: '[::]', provide: down", "connections within this machine", "answered"),
      (
        "link: h, when: { during: svae }, provide: down", "unknown step \"svae\"",
        "did you mean \"save\"?"
      ),
    ])
  func mistakes(entry: String, message: String, help: String) throws {
    let diagnostics = try plan("{ \(entry) }")
    let found = diagnostics.filter { $0.message.contains(message) }

    #expect(found.count == 1, "\(diagnostics.map(\.message))")
    #expect(found.allSatisfy { $0.severity == .error })
    #expect(found.allSatisfy { ($0.help ?? "").contains(help) }, "\(found)")
  }

  @Test("A link cannot be seen where the network is live, and can where a host is not")
  func live() throws {
    let entry = "{ link: h, provide: down }"

    #expect(
      try plan(entry, network: "{ mode: live }").map(\.message)
        == ["the link \"h\" cannot be changed: the network is live"])
    #expect(try plan(entry, network: "{ mode: spy }").isEmpty)
    #expect(
      try plan("{ link: 127.0.0.1, provide: down }", network: "{ loopback: answered }").isEmpty)
  }

  @Test(
    "An entry that an earlier one leaves nothing to is told of",
    arguments: [
      ("link: '*.com', provide: down", "link: 'a.com:80', provide: down", true),
      ("link: a.com, provide: down", "link: 'a.com:80', provide: down", true),
      ("link: 'a.com:80', provide: down", "link: a.com, provide: down", false),
      ("link: a.com, provide: { dns: nodata }", "link: a.com, provide: down", false),
      ("link: a.com, when: { times: 1 }, provide: down", "link: a.com, provide: down", false),
      ("link: a.com, provide: down", "link: b.com, provide: down", false),
      ("call: connect, provide: nil", "link: b.com, provide: down", false),
    ])
  func shadows(first: String, second: String, isShadowed: Bool) throws {
    let found = try plan("{ \(first) }, { \(second) }").filter {
      $0.message.contains("matches all of its connections")
    }

    #expect(found.count == (isShadowed ? 1 : 0))
    #expect(found.allSatisfy { $0.severity == .warning })
  }

  @Test("An entry alone makes a network to be broken, and stands in the plan's summary")
  func alone() throws {
    let planned = try Samples.onlyCase(
      "target: { command: [./p] }\nsteps: [{ run: }]\n"
        + "chaos: [{ link: 'h:80', provide: [{ latency: 1s }, { tls: close }] }]\n")

    #expect(planned.network != nil)
    #expect(
      planned.chaos.first?.summary
        == "h:80: connections to h:80; always; has latency 1s, tls: close")
  }
}
