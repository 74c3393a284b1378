import MockServer
import Testing

struct NameServerTests {
  private func ask(
    _ message: [UInt8], of test: TestServer
  ) throws -> NameQuery.Answer? {
    let client = try Client(port: test.server.nameServerPort, datagrams: true)
    try client.send(message)
    return NameQuery.parse(try client.receive())
  }

  @Test("Each name gets an address of its own, in order of the first question")
  func addresses() throws {
    let test = try TestServer([])

    let first = try #require(try ask(NameQuery.bytes("api.test"), of: test))
    let second = try #require(try ask(NameQuery.bytes("db.test"), of: test))
    let again = try #require(try ask(NameQuery.bytes("API.Test"), of: test))

    #expect(first.data == [198, 18, 0, 1])
    #expect(second.data == [198, 18, 0, 2])
    #expect(again.data == first.data)
    #expect(first.timeToLive == [0, 0, 0, 0])
    #expect(first.identifier == 0x1234)
    #expect(first.isResponse)
    #expect(test.server.hostName(forAddress: "198.18.0.2") == "db.test")
    #expect(test.server.hostName(forAddress: "198.18.0.3") == nil)
  }

  @Test("Other types get an answer without records", arguments: [28, 15, 16, 65, 255])
  func otherTypes(type: UInt16) throws {
    let test = try TestServer([])

    let answer = try #require(try ask(NameQuery.bytes("api.test", type: type), of: test))

    #expect(answer.code == 0)
    #expect(answer.data == nil)
    #expect(answer.questions == 1)
    #expect(test.server.hostName(forAddress: "198.18.0.1") == nil)
  }

  @Test("A question about an address answers the name, and only for known addresses")
  func reverse() throws {
    let test = try TestServer([])
    _ = try ask(NameQuery.bytes("api.test"), of: test)

    let known = try #require(
      try ask(NameQuery.bytes("1.0.18.198.in-addr.arpa", type: 12), of: test))
    let unknown = try #require(
      try ask(NameQuery.bytes("9.0.18.198.in-addr.arpa", type: 12), of: test))

    #expect(known.data == [3] + Array("api".utf8) + [4] + Array("test".utf8) + [0])
    #expect(unknown.code == 3)
  }

  @Test("localhost stays local")
  func localhost() throws {
    let test = try TestServer([])

    #expect(try ask(NameQuery.bytes("localhost"), of: test)?.data == [127, 0, 0, 1])
    #expect(try ask(NameQuery.bytes("notlocalhost"), of: test)?.data == [198, 18, 0, 1])
  }

  @Test("EDNS does not disturb")
  func extended() throws {
    let test = try TestServer([])
    let record: [UInt8] = [0, 0, 41, 0x10, 0, 0, 0, 0, 0, 0, 0]

    let answer = try ask(NameQuery.bytes("api.test", extra: record, additional: 1), of: test)

    #expect(answer?.data == [198, 18, 0, 1])
  }

  @Test(
    "What is malformed gets a format error",
    arguments: [
      [0x12, 0x34],
      [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0],
      [0x12, 0x34, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1, 0x61, 0, 0, 1, 0, 1],
      // A compression pointer to itself.
      [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xC0, 12, 0, 1, 0, 1],
      // A label and a pointer back to it.
      [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x61, 0xC0, 12, 0, 1, 0, 1],
      // A label that is longer than the message.
      [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 63, 0x61],
      // A reserved kind of label.
      [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x40, 0x61, 0, 0, 1, 0, 1],
      // A dot within a label.
      [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 0x61, 0x2E, 0x62, 0, 0, 1, 0, 1],
      // No type and class.
      [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x61, 0, 0, 1],
      // A name of 256 bytes.
      [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        + (0..<4).flatMap { _ in [63] + [UInt8](repeating: 0x61, count: 63) } + [0, 0, 1, 0, 1],
    ] as [[UInt8]])
  func malformed(message: [UInt8]) throws {
    let test = try TestServer([])

    let answer = try #require(try ask(message, of: test))

    #expect(answer.code == 1)
    #expect(answer.identifier == 0x1234)
  }

  @Test("Garbage and answers get no answer, and the next question does")
  func silence() throws {
    let test = try TestServer([])
    let client = try Client(port: test.server.nameServerPort, datagrams: true)

    try client.send([0x12])
    try client.send([0x99, 0x99, 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0])
    try client.send(NameQuery.bytes("api.test"))

    #expect(NameQuery.parse(try client.receive())?.identifier == 0x1234)
  }

  @Test("Another operation than a query is not implemented")
  func operation() throws {
    let test = try TestServer([])
    var message = NameQuery.bytes("api.test")
    message[2] = 0x28

    #expect(try ask(message, of: test)?.code == 4)
  }

  @Test("Two questions on one stream, cut anywhere, get two answers")
  func stream() throws {
    let test = try TestServer([])
    let client = try Client(port: test.server.nameServerStreamPort)
    let first = NameQuery.bytes("api.test", identifier: 1)
    let second = NameQuery.bytes("db.test", identifier: 2)
    let bytes = [0, UInt8(first.count)] + first + [0, UInt8(second.count)] + second

    try client.send(Array(bytes.prefix(7)))
    try client.send(Array(bytes.dropFirst(7)))
    var answers: [NameQuery.Answer?] = []
    for _ in 0..<2 {
      let length = try client.receive(count: 2)
      answers.append(NameQuery.parse(try client.receive(count: Int(length[1]))))
    }

    #expect(answers.map(\.?.identifier) == [1, 2])
    #expect(answers.map(\.?.data) == [[198, 18, 0, 1], [198, 18, 0, 2]])
  }

  @Test("Every cut and every changed byte of a question is survived")
  func mutations() throws {
    let test = try TestServer([])
    let client = try Client(port: test.server.nameServerStreamPort)
    let message = NameQuery.bytes("a-name.api.test", type: 12)

    for index in message.indices {
      for byte in [0, 1, 0x3F, 0x40, 0xC0, 0xFF] as [UInt8] {
        var changed = message
        changed[index] = byte
        // An answer instead of a query ends the stream.
        guard changed[2] & 0x80 == 0 else { continue }
        try client.send([0, UInt8(changed.count)] + changed)
        let length = try client.receive(count: 2)
        _ = try client.receive(count: Int(length[0]) << 8 | Int(length[1]))
      }
      guard index >= 2 else { continue }
      try client.send([0, UInt8(index)] + message.prefix(index))
      #expect(try client.receive(count: 2) == [0, 12])
      _ = try client.receive(count: 12)
    }
  }
}
