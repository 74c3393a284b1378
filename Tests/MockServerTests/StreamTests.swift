import Foundations
import Glibc
import MockEngine
import MockServer
import ScenarioPlan
import Testing

struct StreamTests {
  private func stream(
    _ steps: [PlannedStreamStep], trailers: [PlannedVariable] = []
  ) -> PlannedReply {
    var reply = PlannedReply.with(.stream(steps))
    reply.trailers = trailers
    return reply
  }

  private func send(_ text: String, after delay: Nanoseconds = .zero) -> PlannedStreamStep {
    PlannedStreamStep(delay: delay, .send(.text(PlannedText(text))))
  }

  @Test("The pieces of a stream leave at their times, and the head before them")
  func times() throws {
    let test = try TestServer([
      .entry("GET", "/n", replies: [stream([send("one", after: .seconds(1)), send("two")])]),
      .entry("GET", "/m", replies: [.text("next")]),
    ])
    let client = try test.client()
    try client.send("GET /n HTTP/1.1\r\nhost: api.test\r\n\r\n")

    while !(try client.peek()).suffix(4).elementsEqual([13, 10, 13, 10]) {}
    #expect(test.world.wait { $0.timerCount == 1 })
    test.world.advance(by: .seconds(1))
    let response = try client.response()

    #expect(response.headers["transfer-encoding"] == "chunked")
    #expect(response.chunks == [3, 3])
    #expect(response.text == "onetwo")
    #expect(try client.get("/m").text == "next")
  }

  @Test("HTTP/1.0 gets a stream up to the end of the connection")
  func oldVersion() throws {
    let test = try TestServer([.entry("GET", "/n", replies: [stream([send("one"), send("two")])])])
    let client = try test.client()

    try client.send("GET /n HTTP/1.0\r\nconnection: keep-alive\r\n\r\n")
    let text = String(decoding: try client.receiveToEnd(), as: UTF8.self)

    #expect(text.hasSuffix("\r\n\r\nonetwo"))
    #expect(text.contains("connection: close"))
    #expect(!text.contains("chunked"))
  }

  @Test("HEAD gets the head of a stream and the connection serves on")
  func head() throws {
    let test = try TestServer([
      .entry("HEAD", "/n", replies: [stream([send("one", after: .seconds(9))])]),
      .entry("GET", "/m", replies: [.text("next")]),
    ])
    let client = try test.client()

    try client.send("HEAD /n HTTP/1.1\r\nhost: api.test\r\n\r\n")

    #expect(try client.response(hasBody: false).headers["transfer-encoding"] == "chunked")
    #expect(try client.get("/m").text == "next")
    #expect(test.world.timerCount == 0)
  }

  @Test("A stream that is left has no end", arguments: [ConnectionEnding.abrupt, .reset])
  func left(ending: ConnectionEnding) throws {
    let test = try TestServer([
      .entry(
        "GET", "/n",
        replies: [stream([send("one"), PlannedStreamStep(delay: .seconds(1), .close(ending))])])
    ])
    let client = try test.client()
    try client.send("GET /n HTTP/1.1\r\nhost: api.test\r\n\r\n")
    #expect(test.world.wait { $0.timerCount == 1 })
    while !String(decoding: try client.peek(), as: UTF8.self).hasSuffix("one\r\n") {}

    test.world.advance(by: .seconds(1))

    if ending == .reset {
      #expect(throws: Client.Failure.self) { try client.receiveToEnd() }
    } else {
      let text = String(decoding: try client.receiveToEnd(), as: UTF8.self)
      #expect(text.hasSuffix("one\r\n"))
    }
  }

  @Test("Trailers come behind a body in chunks, and are announced")
  func trailers() throws {
    var reply = PlannedReply.text("body")
    reply.trailers = [PlannedVariable(name: "X-Sum", value: PlannedText("7"))]
    let test = try TestServer([.entry("GET", "/n", replies: [reply])])

    let response = try test.client().get("/n")

    #expect(response.text == "body")
    #expect(response.headers["trailer"] == "X-Sum")
    #expect(response.trailers == ["X-Sum: 7"])
  }

  @Test("A reply that says that it is chunked is")
  func chunked() throws {
    let headers = [PlannedVariable(name: "Transfer-Encoding", value: PlannedText("chunked"))]
    let test = try TestServer([.entry("GET", "/n", replies: [.text("body", headers: headers)])])

    let response = try test.client().get("/n")

    #expect(response.chunks == [4])
    #expect(response.headers["content-length"] == nil)
  }

  @Test("Trailers of a request are written down")
  func requestTrailers() throws {
    let test = try TestServer([.entry("POST", "/n", replies: [.text("ok")])])
    let client = try test.client()

    try client.send(
      "POST /n HTTP/1.1\r\nhost: api.test\r\ntransfer-encoding: chunked\r\n\r\n"
        + "2\r\nhi\r\n0\r\nx-sum: 7\r\n\r\n")

    #expect(try client.response().status == 200)
    #expect(
      test.server.requests().map(\.trailers) == [
        [RecordedRequest.Header(name: "x-sum", value: "7")]
      ])
  }

  @Test("Distances from now become dates in virtual time")
  func dates() throws {
    let headers = [
      PlannedVariable(name: "Expires", value: PlannedText("+1h")),
      PlannedVariable(name: "Set-Cookie", value: PlannedText("id=a+1; Expires=+14d; Path=/")),
      PlannedVariable(name: "Last-Modified", value: PlannedText("Sat, 05 Nov 1994 08:49:37 GMT")),
    ]
    let test = try TestServer([
      .entry("GET", "/n", replies: [.text("x", headers: headers, after: .seconds(60))])
    ])
    let client = try test.client()

    try client.send("GET /n HTTP/1.1\r\nhost: api.test\r\n\r\n")
    #expect(test.world.wait { $0.timerCount == 1 })
    test.world.advance(by: .seconds(60))
    let found = try client.response().headers

    #expect(found["date"] == "Sun, 06 Nov 1994 08:50:37 GMT")
    #expect(found["expires"] == "Sun, 06 Nov 1994 09:50:37 GMT")
    #expect(found["set-cookie"] == "id=a+1; Expires=Sun, 20 Nov 1994 08:50:37 GMT; Path=/")
    #expect(found["last-modified"] == "Sat, 05 Nov 1994 08:49:37 GMT")
  }

  @Test("A file is read as the client takes it; one that shrinks meanwhile breaks the reply off")
  func backpressure() throws {
    let file = try TemporaryFile(String(repeating: "r", count: 50_000_000))
    let test = try TestServer([
      .entry("GET", "/n", replies: [PlannedReply.with(.file(path: file.path))])
    ])
    let client = try test.client()

    try client.send("GET /n HTTP/1.1\r\nhost: api.test\r\n\r\n")
    _ = try client.peek()
    // Answered by the same thread, so the first reply waits for its client by now.
    _ = try test.client().get("/other")
    #expect(truncate(file.path, 0) == 0)

    #expect(throws: Client.Failure.self) { try client.response() }
    #expect(
      test.world.wait {
        if case .brokenReply(_, let message) = $0.events.last {
          return message.contains("was truncated while it was read")
        }
        return false
      })
  }
}
