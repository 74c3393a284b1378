@testable import Foundations
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

@Suite("Links of chaos")
struct LinkDecodingTests {
  private func entry(_ provider: String) throws -> ChaosEntry {
    let text = "version: 2\nchaos: [ { link: \"api.example.com:443\", provide: \(provider) } ]\n"
    let file = try #require(parse(text).file)
    return try #require(file.defaults.chaos.first)
  }

  private func faults(_ provider: String) throws -> [LinkFault] {
    guard case .link(let faults) = try entry(provider).provider.content else { return [] }
    return faults
  }

  private static let second = Nanoseconds.seconds(1)

  @Test("An entry has a link, which names it")
  func link() throws {
    let entry = try entry("down")

    guard case .link(let link) = entry.victim else {
      Issue.record("\(entry.victim)")
      return
    }
    #expect(link.place.value == "api.example.com:443")
    #expect(entry.name.value == "api.example.com:443")
  }

  @Test(
    "Each toxic is read with its attributes, and by its main one alone",
    arguments: [
      ("{ latency: 1s }", Toxic.Kind.latency(second, jitter: .zero)),
      ("{ latency: { latency: 1s, jitter: 20ms } }", .latency(second, jitter: .milliseconds(20))),
      ("{ bandwidth: 32KiB }", .bandwidth(bytesPerSecond: 32 << 10)),
      ("{ bandwidth: { rate: 32KiB/s } }", .bandwidth(bytesPerSecond: 32 << 10)),
      ("{ bandwidth: { rate: 100 } }", .bandwidth(bytesPerSecond: 100)),
      ("{ slow_close: { delay: 1s } }", .slowClose(delay: second)),
      ("{ timeout: 0 }", .timeout(.zero)),
      ("{ timeout: { timeout: 1s } }", .timeout(second)),
      ("reset_peer", .resetPeer(timeout: .zero, bytes: 0)),
      ("{ reset_peer: { bytes: 1KiB } }", .resetPeer(timeout: .zero, bytes: 1024)),
      ("{ reset_peer: 1s }", .resetPeer(timeout: second, bytes: 0)),
      (
        "{ slicer: { average_size: 9, size_variation: 3, delay: 1s } }",
        .slicer(averageSize: 9, sizeVariation: 3, delay: second)
      ),
      ("{ slicer: 9 }", .slicer(averageSize: 9, sizeVariation: 0, delay: .zero)),
      ("{ limit_data: 0 }", .limitData(bytes: 0)),
    ])
  func toxics(provider: String, kind: Toxic.Kind) throws {
    #expect(try faults(provider) == [.toxic(Toxic(kind))])
  }

  @Test("A stream is the toxic's own, or that of all beside it")
  func streams() throws {
    let mixed = try faults(
      "{ stream: both, latency: { latency: 1s, stream: upstream }, limit_data: 1, timeout: 0s }")
    let words = try faults("[ { timeout: { timeout: 0, stream: upstream } }, reset_peer ]")

    func streams(_ faults: [LinkFault]) -> [Toxic.Stream] {
      faults.compactMap { if case .toxic(let toxic) = $0 { toxic.stream } else { nil } }
    }
    #expect(streams(mixed) == [.up, .both, .both])
    #expect(mixed.map(\.word) == ["latency", "limit_data", "timeout"])
    #expect(streams(words) == [.up, .down])
  }

  @Test("Names and handshakes are read, and sequences nest")
  func others() throws {
    #expect(try faults("{ dns: nodata }") == [.dns(.fault(.nodata))])
    #expect(
      try faults("{ dns: { answer: [192.0.2.1, 192.0.2.2] } }")
        == [.dns(.addresses(["192.0.2.1", "192.0.2.2"]))])
    #expect(
      try faults("{ tls: stall, latency: 1s }")
        == [.tls(.stall), .toxic(Toxic(.latency(Self.second, jitter: .zero)))])
    guard
      case .sequence(let providers) = try entry("{ sequence: [down, original, [down]] }").provider
        .content
    else {
      Issue.record("no sequence")
      return
    }
    #expect(providers.count == 3)
  }

  @Test(
    "What is wrong is told where it stands",
    arguments: [
      ("{ latancy: 1s }", "unknown key \"latancy\"", "did you mean \"latency\"?"),
      ("latency", "\"latency\" needs a value", "{ latency: … }"),
      ("{ latency: { jitter: 1s } }", "missing required key \"latency\"", ""),
      ("{ latency: }", "\"latency\" needs a value", "{ latency: 250ms }"),
      ("{ latency: -1s }", "must not be negative", "write 1s"),
      ("{ latency: 100 }", "\"100\" has no unit", "100ms"),
      ("{ latency: { latency: 1s, toxicity: 0.5 } }", "unknown key \"toxicity\"", "probability"),
      ("{ latency: { latency: 1s, stream: sideways } }", "unknown value \"sideways\"", "both"),
      ("{ bandwidth: { rate: 0 } }", "\"rate\" must be at least 1, not 0", "timeout: 0"),
      ("{ bandwidth: -5 }", "\"rate\" must be at least 1, not -5", ""),
      ("{ bandwidth: fast }", "must be a number of bytes", "32KiB"),
      ("{ limit_data: { bytes: -1 } }", "must be zero or more, not -1", ""),
      ("{ limit_data: {} }", "missing required key \"bytes\"", ""),
      (
        "{ slicer: { average_size: 5, size_variation: 5 } }",
        "\"size_variation\" must be smaller than \"average_size\"", "below 5"
      ),
      ("{ slicer: { average_size: 0 } }", "\"average_size\" must be at least 1", ""),
      ("{ dns: no_such_host }", "unknown value \"no_such_host\"", "dns: nxdomain"),
      ("{ dns: nxdomian }", "unknown value \"nxdomian\"", "did you mean \"nxdomain\"?"),
      ("{ dns: { answer: 1.2.3 } }", "\"1.2.3\" is not an IPv4 address", ""),
      ("{ tls: expird }", "unknown value \"expird\"", "did you mean \"expired\"?"),
      ("{ stream: upstream, down: true }", "\"stream\" does not belong to \"down\"", ""),
      ("{ down: false }", "\"down: false\" changes nothing", ""),
      ("{ latency: 1s, error: EIO }", "cannot be combined with", "keep one"),
      ("[]", "\"provide\" is empty", ""),
      ("refuse", "unknown provider \"refuse\"", "provide: down"),
      ("{ latency: 1s, toxicity: 0.5 }", "unknown key \"toxicity\"", "probability"),
      ("{ link: latency }", "unknown key \"link\" in \"provide\"", "next to \"provide\""),
      ("down, stream: upstream", "unknown key \"stream\" in an entry", "next to the toxic"),
      ("down, toxicity: 1", "unknown key \"toxicity\" in an entry", "probability"),
      ("[ { error: EIO } ]", "must be a fault of a link", "sequence"),
    ])
  func mistakes(provider: String, message: String, help: String) {
    let text = "version: 2\nchaos: [ { link: h, provide: \(provider) } ]\n"
    let diagnostics = ScenarioFile.parse(text: text, path: "trial.yaml").diagnostics
    let found = diagnostics.filter { $0.message.contains(message) }

    #expect(!found.isEmpty, "\(diagnostics.map(\.message))")
    #expect(found.allSatisfy { ($0.help ?? "").contains(help) }, "\(found.map(\.help))")
    #expect(found.allSatisfy { $0.range?.line == 2 })
  }

  @Test("A link is a host, and a misspelled one is reported once")
  func places() {
    func told(_ entry: String) -> [String] {
      ScenarioFile.parse(
        text: "version: 2\nchaos: [ { \(entry), provide: down } ]\n", path: "trial.yaml"
      ).diagnostics.map { "\($0.message); \($0.help ?? "")" }
    }

    #expect(
      told("link: https://a.example")
        == [
          "\"https://a.example\" is a URL, not a host; "
            + "write a host, as in \"link: api.example.com:443\""
        ])
    #expect(
      told("link: ").first?.hasPrefix("\"link\" must be a text, not nothing; write a host") ?? false
    )
    #expect(told("lnik: a").count == 1)
    #expect(told("link: a").isEmpty)
  }

  @Test("A link stands alone")
  func besides() {
    for other in ["call: fsync", "function: malloc", "function: malloc, in: exe"] {
      let text = "version: 2\nchaos: [ { link: h, \(other), provide: down } ]\n"

      #expect(messages(text).contains("cannot be combined with \"link\""))
    }
  }
}
