import MockServer
import Synchronization
import Testing

/// Who is at the other end of each connection that is asked about, in turn.
final class StrangersInTurn: Sendable {
  private let rest: Mutex<[Stranger?]>

  init(_ strangers: [Stranger?]) {
    rest = Mutex(strangers)
  }

  func next() -> Stranger? {
    rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

@Suite("Strangers at the mock server")
struct StrangerTests {
  @Test("A stranger gets no answer, uses up no reply, and is told of")
  func refused() throws {
    let test = try TestServer(
      [.entry("GET", "/n", replies: [.text("one")])],
      strangers: StrangersInTurn([Stranger(program: "nmap"), nil]))
    let stranger = try test.client()
    try stranger.send("GET /n HTTP/1.1\r\nhost: api.test\r\n\r\n")

    #expect(try stranger.receiveToEnd() == [])
    #expect(
      test.world.wait { world in
        world.events == [.stranger(host: "api.test:80", Stranger(program: "nmap"))]
      })
    #expect(try test.client().get("/n").text == "one")
    #expect(test.server.requests().count == 1)
  }

  @Test("A stranger that asks the name server by a stream gets no answer, and is told of")
  func refusedByNameServer() throws {
    let test = try TestServer([], strangers: StrangersInTurn([Stranger(program: "nmap"), nil]))
    let question = NameQuery.bytes("api.test")
    let message = [0, UInt8(question.count)] + question
    let stranger = try Client(port: test.server.nameServerStreamPort)
    try stranger.send(message)

    #expect(try stranger.receiveToEnd() == [])
    #expect(
      test.world.wait { world in
        world.events == [.stranger(host: "DNS:53", Stranger(program: "nmap"))]
      })
    let client = try Client(port: test.server.nameServerStreamPort)
    try client.send(Array(message.prefix(9)))
    try client.send(Array(message.dropFirst(9)))
    let length = try client.receive(count: 2)
    let answer = NameQuery.parse(try client.receive(count: Int(length[1])))
    #expect(answer?.data == [198, 18, 0, 1])
  }

  @Test("Who belongs to the scenario is answered, although that had to be found out")
  func admitted() throws {
    let test = try TestServer(
      [.entry("GET", "/n", replies: [.text("one"), .text("two")])],
      strangers: StrangersInTurn([nil]))
    let client = try test.client()

    #expect(try client.get("/n").text == "one")
    #expect(try client.get("/n").text == "two")
    #expect(!test.world.events.contains { if case .stranger = $0 { true } else { false } })
  }
}
