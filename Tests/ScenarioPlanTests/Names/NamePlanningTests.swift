import Foundations
import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import ScenarioSyntax
import Testing

@Suite("DNS records in a plan")
struct NamePlanningTests {
  private func file(_ dns: String, more: String = "") -> String {
    "target: { command: [a] }\nnetwork:\n  dns:\n    \(dns)\n\(more)"
  }

  private func names(_ dns: String, more: String = "") throws -> PlannedNames {
    try #require(try Samples.onlyCase(file(dns, more: more)).network?.names)
  }

  private func problems(_ text: String) -> [String] {
    let (file, found) = ScenarioFile.parse(text: "version: 2\n" + text, path: "f.yaml")
    guard let file, found.isEmpty else { return found.map(\.message) }
    return Planner.plan(files: [file], options: PlannerOptions(fileExists: { _ in false }))
      .diagnostics.map(\.message)
  }

  @Test(
    "Data is encoded as the type's RFC says",
    arguments: [
      ("A: 10.1.2.3", 1, "0a010203"),
      ("AAAA: '2001:db8::1'", 28, "20010db8000000000000000000000001"),
      ("AAAA: '::ffff:10.0.0.1'", 28, "00000000000000000000ffff0a000001"),
      ("AFSDB: 1 a.b", 18, "00010161016200"),
      ("CAA: 0 issue le.org", 257, "000569737375656c652e6f7267"),
      ("CNAME: a.b.", 5, "0161016200"),
      ("DNSKEY: 257 3 13 AQI=", 48, "0101030d0102"),
      (
        "DS: 1 13 1 " + String(repeating: "ab", count: 20), 43,
        "00010d01" + String(repeating: "ab", count: 20)
      ),
      ("HINFO: '\"a b\" c'", 13, "036120620163"),
      (
        "HTTPS: '1 . alpn=h2,h3 port=443 ipv4hint=1.2.3.4'", 65,
        "0001000001000602683202683300030002" + "01bb" + "0004000401020304"
      ),
      (
        "HTTPS: 1 . port=1 mandatory=port no-default-alpn key65333=x", 65,
        "000100" + "000000020003" + "00020000" + "000300020001" + "ff35000178"
      ),
      ("SVCB: 0 a.b", 64, "00000161016200"),
      ("MX: 10 a.b", 15, "000a0161016200"),
      ("NAPTR: 1 2 S X \"\" .", 35, "0001000201530158" + "0000"),
      ("NS: .", 2, "00"),
      ("SOA: a b 1 2 1m 1h 1d", 6, "016100016200000000010000000200" + "00003c00000e1000015180"),
      ("SRV: 1 2 3 a", 33, "000100020003016100"),
      ("TLSA: 3 1 0 ab CD", 52, "030100abcd"),
      ("TXT: a b", 16, "03612062"),
      ("TXT: ''", 16, "00"),
      ("TXT: '\"a b\" c\\100'", 16, "03612062026364"),
      ("URI: 1 2 \"http://a\"", 256, "00010002687474703a2f2f61"),
      ("PTR: john\\.doe.a", 12, "086a6f686e2e646f65016100"),
      ("MX: '\\# 4 000a 0000'", 15, "000a0000"),
      ("other: { TYPE65280: 0a00 }", 65_280, "0a00"),
      ("other: { TYPE65280: '\\# 0' }", 65_280, ""),
      ("other: { TYPE65280: { base64: AQI= } }", 65_280, "0102"),
    ] as [(String, UInt16, String)])
  func data(text: String, type: UInt16, expected: String) throws {
    let names = try names("records: { x.test: { \(text) } }")

    let record = try #require(names.records.first?.answers.first?.records.first)
    #expect(record.type == type)
    #expect(record.data.hexadecimal == expected)
  }

  @Test("A long text becomes several of 255 bytes")
  func longText() throws {
    let names = try names("records: { x.test: { TXT: \(String(repeating: "a", count: 300)) } }")

    let data = try #require(names.records.first?.answers.first?.records.first?.data)
    #expect(data.count == 302)
    #expect(data[0] == 255)
    #expect(data[256] == 45)
  }

  @Test("Names, times to live, queues and settings")
  func settings() throws {
    let names = try names(
      """
      unknown: nxdomain
          search: [Corp.test., lab.test]
          ndots: 2
          ttl: 1m
          records:
            API.test.: 10.0.0.1
            v6.test: '2001:db8::1'
            q.test:
              - { A: [10.0.0.1, 10.0.0.2], ttl: 5s, times: 3 }
              - { A: [] }
            "*.apps.test": { CNAME: api.test }
      """,
      more: "steps: [{ dns: { api.test: 10.0.0.9 } }, { dns: { api.test: 10.0.0.8 } }, { run: [] }]"
    )

    #expect(names.unknown == .nxdomain)
    #expect(names.search == ["corp.test", "lab.test"])
    #expect(names.dots == 2)
    #expect(names.timeToLive == 60)
    #expect(
      names.records.map(\.name) == [
        "api.test", "api.test", "api.test", "v6.test", "q.test", "*.apps.test",
      ])
    #expect(names.records.map(\.step) == [1, 0, nil, nil, nil, nil])
    #expect(names.records[2].answers[0].records[0].timeToLive == 60)
    #expect(names.records[3].answers[0].records[0].type == 28)
    #expect(names.records[4].answers.map(\.times) == [3, 1])
    #expect(names.records[4].answers[0].records.map(\.timeToLive) == [5, 5])
    #expect(names.records[4].answers[1].absentTypes == [1])
  }

  @Test("A scenario's records replace those of the file's top, name by name")
  func inheritance() throws {
    let names = try names(
      "{ unknown: refused, records: { a.test: 10.0.0.1, b.test: 10.0.0.2 } }",
      more: "scenarios: [{ name: x, network: { dns: { ttl: 5s, records: { a.test: 10.0.0.9 } } } }]"
    )

    #expect(names.unknown == .refused)
    #expect(names.timeToLive == 5)
    #expect(names.records.map(\.name) == ["a.test", "b.test"])
    #expect(names.records[0].answers[0].records[0].data == [10, 0, 0, 9])
  }

  @Test(
    "Mistakes are reported",
    arguments: [
      (
        "records: { a.test: { MX: mail.a.test } }",
        "\"mail.a.test\" is not the PREFERENCE of MX records, which is a number from 0 to 65535"
      ),
      ("records: { a.test: { MX: 10 } }", "\"10\" is not the data of MX records: HOST is missing"),
      ("records: { a.test: { MX: 10 1.2.3.4 } }", "\"1.2.3.4\" is an address, not a host name"),
      (
        "records: { a.test: { MX: 10 a b } }",
        "\"10 a b\" is not the data of one MX record: there is \"b\" behind it"
      ),
      ("records: { a.test: 10.1.2.300 }", "\"10.1.2.300\" is not an IPv4 address"),
      ("records: { a.test: { AAAA: 10.1.2.3 } }", "\"10.1.2.3\" is not an IPv6 address"),
      (
        "records: { a.test: { CNAME: b.test, TXT: x } }",
        "\"a.test\" is an alias by its CNAME record, and can have no other records"
      ),
      (
        "records: { a.test: { CNAME: [b.test, c.test] } }",
        "\"a.test\" can have only one CNAME record"
      ),
      (
        "records: { a.test: { CNAME: A.test. } }", "the CNAME record of \"a.test\" leads back to it"
      ),
      (
        "records: { '*.a.test': { CNAME: x.a.test } }",
        "the CNAME record of \"*.a.test\" leads back to it"
      ),
      (
        "records: { '*.a.test': { CNAME: b.test }, c.a.test: 10.0.0.1, b.test: { CNAME: c.a.test } }",
        nil
      ),
      (
        "records: { a.test: { DNAME: b.a.test } }",
        "the DNAME record of \"a.test\" leads back to it"
      ),
      (
        "records: { a.test: { TXT: [\(Array(repeating: String(repeating: "a", count: 250), count: 250).joined(separator: ", "))] } }",
        "the answer with the records of \"a.test\" has 65785 bytes, but a message of DNS has at most 65535"
      ),
      (
        "records: { a.test: { SRV: 1 1 65536 b } }",
        "\"65536\" is not the PORT of SRV records, which is a number from 0 to 65535"
      ),
      (
        "records: { a.test: { SSHFP: 4 2 abcd } }",
        "\"4 2 abcd\" has a digest of 2 bytes, not of 32"
      ),
      (
        "records: { a.test: { CAA: 0 a-b c } }",
        "\"a-b\" is not the TAG of CAA records, which is letters and digits, as in issue"
      ),
      ("records: { a.test: { HTTPS: 1 . foo=1 } }", "\"foo\" is not a parameter of a service"),
      ("records: { a.test: { NS: a..b } }", "\"a..b\" is not a host name"),
      ("records: { a.test: { TXT: '\"a' } }", "\"\"a\" has a quote without its end"),
      (
        "records: { a.test: { other: { TYPE65280: 0 } } }",
        "\"0\" is not data in hexadecimal digits"
      ),
      ("records: { a.test: { A: 1.2.3.4, ttl: 1500ms } }", "\"1.5s\" is not a time to live"),
      ("records: { a.test: { A: 1.2.3.4, ttl: 90000d } }", "\"90000d\" is not a time to live"),
      (
        "records: { a.test: { A: 1.2.3.4, times: 2 } }",
        "\"times\" has no effect: the last answer serves all further lookups"
      ),
      (
        "records: { a.test: [1.2.3.4, 1.2.3.5] }",
        "an entry of \"a.test\" must be a map, not the text \"1.2.3.4\""
      ),
      ("records: { a.test: {} }", "\"a.test\" has no records"),
      ("records: { a.test: { XX: 1 } }", "unknown key \"XX\" in the records of \"a.test\""),
      ("records: { a.test: { other: { TYPE1: 00 } } }", "\"TYPE1\" has a name of its own"),
      ("records: { a.test: 1.2.3.4, A.test: 1.2.3.4 }", "\"a.test\" has records twice"),
      ("records: { 1.2.3.4: { PTR: a } }", "\"1.2.3.4\" is not the name of records"),
      ("records: { a.*.test: 1.2.3.4 }", "\"a.*.test\" is not the name of records"),
      (
        "records: { a.test: { MX: +5 b.test } }",
        "\"+5\" is not the PREFERENCE of MX records, which is a number from 0 to 65535"
      ),
      ("records: { a.test: 10.1.2.-0 }", "\"10.1.2.-0\" is not an IPv4 address"),
      (
        "records: { a.test: { HTTPS: 1 . port=+1 } }",
        "\"+1\" is not the value of \"port\", which is a port"
      ),
      (
        "records: { a.test: { other: { TYPE+7: 0a } } }",
        "\"TYPE+7\" is not the number of a type of records"
      ),
      (
        "records: { a.test: { other: { TYPE41: 0a } } }",
        "\"TYPE41\" is a type of questions or messages, which no name has records of"
      ),
      (
        "records: { a.test: { other: { TYPE252: 0a } } }",
        "\"TYPE252\" is a type of questions or messages, which no name has records of"
      ),
      (
        "records: { localhost: 10.0.0.1 }",
        "records of \"localhost\" have no effect: that name is this machine's own"
      ),
      (
        "records: { '*.Localhost.': { TXT: a } }",
        "records of \"*.localhost\" have no effect: that name is this machine's own"
      ),
      ("search: ['*.test']", "a domain of \"search\" has no \"*\""),
      ("unknown: nxdomian", "unknown value \"nxdomian\" for \"unknown\""),
    ] as [(String, String?)])
  func mistakes(dns: String, message: String?) {
    #expect(problems(file(dns)) == [message].compactMap(\.self))
  }

  @Test("Aliases that lead to each other by wildcards are each told of")
  func wildcardLoop() {
    #expect(
      problems(
        file("records: { '*.a.test': { CNAME: b.test }, b.test: { CNAME: x.a.test } }"))
        == [
          "the CNAME record of \"*.a.test\" leads back to it",
          "the CNAME record of \"b.test\" leads back to it",
        ])
    #expect(
      problems(file("records: { a.test: { DNAME: b.test }, b.test: { DNAME: a.test } }"))
        == ["a", "b"].map { "the DNAME record of \"\($0).test\" leads back to it" })
  }

  @Test("The address of a target on a host is no other name's, whatever has made it a host")
  func addressesOfHosts() {
    func found(_ address: String) -> [String] {
      problems(
        """
        targets: { one: { command: [a] }, two: { host: two.test, command: [a] } }
        network: { hosts: { one.test: one }, dns: { records: { x.test: \(address) } } }
        steps: [{ start: one }]
        """
      ).filter { $0.contains("is the address of the target") }
    }
    #expect(found("198.18.0.1") == ["\"198.18.0.1\" is the address of the target \"one.test\""])
    #expect(found("198.18.0.2") == ["\"198.18.0.2\" is the address of the target \"two.test\""])
    #expect(found("'::ffff:198.18.0.2'").count == 1)
    #expect(found("'::ffff:c612:2'").count == 1)
    #expect(found("198.18.0.3").isEmpty)
  }

  @Test("A wildcard may lead to the name of a target that it would stand for otherwise")
  func wildcardToHost() {
    func found(_ host: String) -> [String] {
      problems(
        """
        targets: { one: { host: \(host), command: [a] } }
        network: { dns: { records: { "*.corp.test": { CNAME: web.corp.test } } } }
        steps: [{ start: one }]
        """
      ).filter { $0.contains("leads back to it") }
    }
    #expect(found("web.corp.test").isEmpty)
    #expect(found("web.test").count == 1)
  }

  @Test("A target that is a host has no other address, and a live network no records")
  func contradictions() {
    let host = """
      targets: { n1: { host: n1.test, command: [a] } }
      network: { dns: { records: { n1.test: 10.0.0.1 } } }
      steps: [{ start: n1 }]
      """
    #expect(
      problems(host).contains {
        $0.contains("\"n1.test\" is a target, which has an address of its own")
      })
    #expect(
      problems("target: { command: [a] }\nnetwork: { mode: live, dns: { ttl: 5s } }")
        .contains { $0.contains("\"dns\" has no effect: the network is live") })
  }
}
