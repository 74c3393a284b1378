import Foundations
import MockServer
import ScenarioModel
import ScenarioPlan
import Testing

/// What the name server says of names that a scenario has records for, or does not know.
@Suite("DNS records")
struct NameRecordTests {
  private static let option: [UInt8] = [0, 0, 41, 0x04, 0xD0, 0, 0, 0x80, 0, 0, 0]

  private func server(
    _ records: [String: [(type: UInt16, data: [UInt8])]],
    unknown: NameServiceSettings.Unknown = .answer, hosts: [String: String] = [:]
  ) throws -> TestServer {
    var names = PlannedNames()
    names.timeToLive = 30
    names.unknown = unknown
    names.records = records.map { name, records in
      PlannedName(
        name: name,
        answers: [
          PlannedName.Answer(
            records: records.map {
              PlannedRecord(type: $0.type, timeToLive: 300, data: $0.data)
            })
        ])
    }
    return try TestServer([], names: names, hosts: hosts)
  }

  private func ask(
    _ name: String, _ type: UInt16 = 1, of test: TestServer, extra: [UInt8] = []
  ) throws -> [UInt8] {
    let client = try Client(port: test.server.nameServerPort, datagrams: true)
    try client.send(
      NameQuery.bytes(name, type: type, extra: extra, additional: extra.isEmpty ? 0 : 1))
    return try client.receive()
  }

  private func encoded(_ name: String) -> [UInt8] {
    name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }

  @Test("Records come with their time to live, and the case of the question stays")
  func records() throws {
    let test = try server([
      "api.test": [(1, [10, 1, 2, 3]), (1, [10, 1, 2, 4]), (15, [0, 10, 0])]
    ])

    let bytes = try ask("ApI.tEsT", of: test)
    let records = try #require(NameQuery.records(in: bytes))

    #expect(records.map(\.data) == [[10, 1, 2, 3], [10, 1, 2, 4]])
    #expect(records.map(\.owner) == ["ApI.tEsT", "ApI.tEsT"])
    #expect(records.map(\.timeToLive) == [300, 300])
    #expect(NameQuery.records(in: try ask("api.test", 255, of: test))?.count == 3)
  }

  @Test("An alias leads to an address of its own for the name that was asked for")
  func aliases() throws {
    let test = try server(["www.test": [(5, encoded("cdn.test"))]])

    let records = try #require(NameQuery.records(in: try ask("www.test", of: test)))

    #expect(records.map(\.owner) == ["www.test", "cdn.test"])
    #expect(records.map(\.type) == [5, 1])
    #expect(records[1].timeToLive == 30)
    #expect(test.server.hostName(forAddress: "198.18.0.1") == "www.test")
  }

  @Test("An alias of a target leads to the target")
  func aliasesOfTargets() throws {
    let test = try server(
      ["db.test": [(5, encoded("n1.test"))]], unknown: .nxdomain, hosts: ["n1.test": "198.18.0.1"])

    let records = try #require(NameQuery.records(in: try ask("db.test", of: test)))

    #expect(records.last?.data == [198, 18, 0, 1])
    #expect(test.server.hostName(forAddress: "198.18.0.1") == "n1.test")
  }

  @Test("A target with other records keeps its address")
  func recordsOfTargets() throws {
    let test = try server(
      ["n1.test": [(16, [1, 0x61])]], unknown: .nxdomain, hosts: ["n1.test": "198.18.0.1"])

    #expect(NameQuery.parse(try ask("n1.test", of: test))?.data == [198, 18, 0, 1])
    #expect(NameQuery.parse(try ask("n1.test", 16, of: test))?.data == [1, 0x61])
  }

  @Test("An address in a record is that of its name, or of the name that was asked for last")
  func addresses() throws {
    let test = try server([
      "a.test": [(1, [10, 1, 2, 3])], "*.apps.test": [(1, [10, 9, 9, 9])],
      "six.test": [(28, [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1])],
      "mapped.test": [(28, [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 10, 0, 0, 7])],
      "here.test": [(1, [127, 0, 0, 1])], "taken.test": [(1, [198, 18, 0, 1])],
    ])

    #expect(test.server.hostName(forAddress: "10.1.2.3") == "a.test")
    #expect(test.server.hostName(forAddress: "2001:db8::1") == "six.test")
    #expect(test.server.hostName(forAddress: "10.0.0.7") == "mapped.test")
    #expect(test.server.hostName(forAddress: "::ffff:10.0.0.7") == "mapped.test")
    #expect(test.server.hostName(forAddress: "10.9.9.9") == nil)
    _ = try ask("x.apps.test", of: test)
    #expect(test.server.hostName(forAddress: "10.9.9.9") == "x.apps.test")
    // This machine's own.
    #expect(test.server.hostName(forAddress: "127.0.0.1") == nil)
    #expect(NameQuery.parse(try ask("other.test", of: test))?.data == [198, 18, 0, 2])
    #expect(
      NameQuery.parse(try ask("3.2.1.10.in-addr.arpa", 12, of: test))?.data == encoded("a.test"))
  }

  @Test("What is known has no other records, and what is unknown does not exist")
  func negativeAnswers() throws {
    let authority = encoded("ns.test") + encoded("me.test") + [UInt8](repeating: 0, count: 19) + [7]
    let test = try server(
      ["test": [(6, authority)], "a.b.test": [(16, [0])]], unknown: .nxdomain)

    func answer(_ name: String, _ type: UInt16) throws -> (code: UInt8?, [NameQuery.Record]) {
      let bytes = try ask(name, type, of: test)
      return (NameQuery.parse(bytes)?.code, try #require(NameQuery.records(in: bytes)))
    }
    for (name, type, code) in [
      ("a.b.test", 15, 0), ("a.b.test", 1, 0), ("b.test", 1, 0), ("x.test", 1, 3),
      ("x.test", 16, 3),
    ] as [(String, UInt16, UInt8)] {
      let (found, records) = try answer(name, type)
      #expect(found == code, "\(name) \(type)")
      #expect(records.map(\.section) == [2])
      #expect(records.map(\.owner) == ["test"])
      // RFC 2308, section 5: no longer than its least time.
      #expect(records.map(\.timeToLive) == [7])
    }
    let (code, records) = try answer("else.where", 1)
    #expect(code == 3)
    #expect(records.map(\.owner) == [""])
    #expect(records.map(\.timeToLive) == [30])
  }

  @Test(
    "Unknown names get what the scenario says",
    arguments: [(.refused, 5), (.servfail, 2)] as [(NameServiceSettings.Unknown, UInt8)])
  func unknown(answer: NameServiceSettings.Unknown, code: UInt8) throws {
    let test = try server([:], unknown: answer)

    #expect(NameQuery.parse(try ask("x.test", of: test))?.code == code)
    #expect(NameQuery.parse(try ask("localhost", of: test))?.data == [127, 0, 0, 1])
    #expect(test.world.events.contains(.unknownName("x.test", program: nil)))
  }

  @Test("What a client cannot take is cut, and comes by a stream")
  func truncation() throws {
    let text = [UInt8(255)] + [UInt8](repeating: 0x61, count: 255)
    let test = try server(["big.test": [(16, text), (16, text), (16, text)]])

    let short = try ask("big.test", 16, of: test)
    let wide = try ask("big.test", 16, of: test, extra: Self.option)

    #expect(short[2] & 0x02 != 0)
    #expect(NameQuery.records(in: short) == [])
    #expect(wide[2] & 0x02 == 0)
    #expect(NameQuery.records(in: wide)?.filter { $0.section == 1 }.count == 3)
    let client = try Client(port: test.server.nameServerStreamPort)
    let query = NameQuery.bytes("big.test", type: 16)
    try client.send([0, UInt8(query.count)] + query)
    let length = try client.receive(count: 2)
    let bytes = try client.receive(count: Int(length[0]) << 8 | Int(length[1]))
    #expect(NameQuery.records(in: bytes)?.count == 3)
  }

  @Test("A client of EDNS gets it back, and another version is refused")
  func extensions() throws {
    let test = try server([:])

    let answer = try #require(
      NameQuery.records(in: try ask("a.test", of: test, extra: Self.option)))
    var later = Self.option
    later[6] = 1
    let refused = try #require(NameQuery.records(in: try ask("a.test", of: test, extra: later)))

    #expect(answer.map(\.type) == [1, 41])
    // The flag that wants signatures.
    #expect(answer.last?.timeToLive == 0x8000)
    // RFC 6891, section 6.1.3: BADVERS.
    #expect(refused.map(\.type) == [41])
    #expect(refused.last?.timeToLive == 0x0100_8000)
    #expect(NameQuery.records(in: try ask("a.test", of: test))?.map(\.type) == [1])
  }

  @Test("A name server that the scenario answers for by TLS need not be there")
  func overTLSWithoutRealServer() throws {
    // No program listens there.
    let address = "127.255.255.254"
    let with = try TestServer([], names: PlannedNames(), mode: .spy)
    let without = try TestServer([], mode: .spy)

    #expect(with.server.realConnectionFault(host: nil, address: address, port: 853) == nil)
    #expect(with.server.realConnectionFault(host: nil, address: address, port: 854) == .refuse)
    #expect(without.server.realConnectionFault(host: nil, address: address, port: 853) == .refuse)
  }

  @Test("Queries by HTTP are answered, and are no requests of the scenario")
  func overHTTP() throws {
    let test = try server(["a.test": [(1, [10, 1, 2, 3])]])
    let query = NameQuery.bytes("a.test", identifier: 0)
    let client = try test.client(host: "dns.test")

    try client.send(
      "POST /dns-query HTTP/1.1\r\nhost: dns.test\r\ncontent-type: application/dns-message\r\n"
        + "content-length: \(query.count)\r\n\r\n")
    try client.send(query)
    let posted = try client.response()
    let text = Base64.encoded(query).replacing("=", with: "").replacing("+", with: "-")
    try client.send(
      "GET /dns-query?dns=\(text.replacing("/", with: "_")) HTTP/1.1\r\nhost: dns.test\r\n\r\n")
    let got = try client.response()
    try client.send(
      "GET /q?dns=\(text.replacing("/", with: "_")) HTTP/1.1\r\nhost: dns.test\r\n"
        + "accept: application/dns-message\r\n\r\n")
    let accepted = try client.response()

    #expect(posted.status == 200)
    #expect(posted.headers["content-type"] == "application/dns-message")
    #expect(NameQuery.records(in: posted.body)?.map(\.data) == [[10, 1, 2, 3]])
    #expect(got.body == posted.body)
    #expect(accepted.body == posted.body)
    #expect(test.server.requests().isEmpty)
    try client.send("GET /dns-query?dns=nothing HTTP/1.1\r\nhost: dns.test\r\n\r\n")
    #expect(try client.response().status == 501)
    try client.send(
      "GET /q?dns=\(text.replacing("/", with: "_")) HTTP/1.1\r\nhost: dns.test\r\n\r\n")
    #expect(try client.response().status == 501)
  }

  @Test(
    "Without records, and at a mocked host, a query by HTTP is a request like others",
    arguments: [(nil, "dns.test"), (PlannedNames(), "api.test")] as [(PlannedNames?, String)])
  func othersOverHTTP(names: PlannedNames?, host: String) throws {
    let test = try TestServer(
      [.entry("GET", "/n", replies: [.text("one")])], unmatched: .fail, names: names)
    let query = NameQuery.bytes("a.test", identifier: 0)
    let text = Base64.encodedForURL(query)
    let client = try test.client(host: host)

    try client.send(
      "GET /dns-query?dns=\(text) HTTP/1.1\r\nhost: \(host)\r\n"
        + "accept: application/dns-message\r\n\r\n")
    #expect(try client.response().status == 501)
    try client.send(
      "POST /dns-query HTTP/1.1\r\nhost: \(host)\r\n"
        + "content-type: application/dns-message\r\ncontent-length: \(query.count)\r\n\r\n")
    try client.send(query)
    #expect(try client.response().status == 501)

    #expect(test.server.requests().map(\.status) == [501, 501])
  }
}
