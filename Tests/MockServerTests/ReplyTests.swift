import Foundations
import MockServer
import ScenarioPlan
import Testing

struct ReplyTests {
  private func run(_ root: String, _ keys: String...) -> RunExpression {
    RunExpression(root: root, steps: keys.map { .key($0) }, range: anywhere)
  }

  @Test("A reply may speak of the request and of the case's directory")
  func expressions() throws {
    let body = PlannedData.list([
      .text(PlannedText(segments: [.run(run("request", "path", "id"))])),
      .text(PlannedText(segments: [.run(run("request", "query", "page"))])),
      .text(PlannedText(segments: [.run(run("request", "json", "sku"))])),
      .text(PlannedText(segments: [.run(run("request", "headers", "user-agent"))])),
      .text(PlannedText(segments: [.run(run("dir")), .literal("/db")])),
      .text(PlannedText(segments: [.run(run("request", "method"))])),
    ])
    let test = try TestServer([.entry("POST", "/orders/{id}", replies: [.with(.json(body))])])
    let client = try test.client()

    try client.send(
      "POST /orders/a%20b?page=2 HTTP/1.1\r\nhost: api.test\r\nuser-agent: me\r\n"
        + "content-length: 9\r\n\r\n{\"sku\":7}")
    let response = try client.response()

    #expect(response.headers["content-type"] == "application/json")
    #expect(response.text == #"["a b","2",7,"me","/case/db","POST"]"#)
  }

  @Test("A reply that cannot be made answers 500 and is reported")
  func broken() throws {
    let text = PlannedText(segments: [.run(run("request", "path", "nothing"))])
    let test = try TestServer([
      .entry("GET", "/n", replies: [.with(.text(text)), .with(.file(path: "/nowhere/x"))])
    ])
    let client = try test.client()

    let first = try client.get("/n")
    let second = try client.get("/n")

    #expect(first.status == 500)
    #expect(first.headers["x-scenario"] == "broken")
    #expect(second.text.contains("\"/nowhere/x\""))
    let messages = test.world.events.compactMap { event in
      if case .brokenReply(_, let message) = event { message } else { nil }
    }
    #expect(messages.count == 2)
    #expect(test.server.requests().map(\.status) == [500, 500])
  }

  @Test("A file is sent as it is, with the type of its ending")
  func file() throws {
    let file = try TemporaryFile("a,b\n", ending: ".csv")
    let test = try TestServer([
      .entry("GET", "/n", replies: [.with(.file(path: file.path))])
    ])

    let response = try test.client().get("/n")

    #expect(response.text == "a,b\n")
    #expect(response.headers["content-type"] == "text/csv; charset=utf-8")
  }

  @Test("Headers of the scenario stand, and what they leave out is added")
  func headers() throws {
    let own = [
      PlannedVariable(name: "Content-Type", value: PlannedText("text/x-own")),
      PlannedVariable(name: "Date", value: PlannedText("never")),
      PlannedVariable(name: "Retry-After", value: PlannedText("2")),
    ]
    let test = try TestServer([
      .entry("GET", "/n", replies: [.text("a", headers: own), .text("b")])
    ])
    let client = try test.client()

    let first = try client.get("/n").headers
    let second = try client.get("/n").headers

    #expect(first["content-type"] == "text/x-own")
    #expect(first["date"] == "never")
    #expect(first["retry-after"] == "2")
    #expect(second["content-type"] == "text/plain; charset=utf-8")
    #expect(second["date"] != nil)
  }

  @Test("A header value that would break the message is refused")
  func headerInjection() throws {
    let header = PlannedVariable(
      name: "x-echo", value: PlannedText(segments: [.run(run("request", "query", "q"))]))
    let test = try TestServer([
      .entry("GET", "/n", replies: [.text("x", headers: [header], times: 2)])
    ])
    let client = try test.client()

    #expect(try client.get("/n?q=fine").headers["x-echo"] == "fine")
    #expect(try client.get("/n?q=a%0D%0Ab:%20c").status == 500)
  }

  @Test("The scenario may end the connection with a header")
  func closing() throws {
    let header = PlannedVariable(name: "connection", value: PlannedText("close"))
    let test = try TestServer([.entry("GET", "/n", replies: [.text("x", headers: [header])])])
    let client = try test.client()

    #expect(try client.get("/n").text == "x")
    #expect(try client.receiveToEnd().isEmpty)
  }
}
