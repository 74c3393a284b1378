import Dispatch
import MockServer
import ScenarioPlan
import Synchronization
import Testing

struct QueueTests {
  @Test("Replies come in the order of the queue, each as often as it says")
  func order() throws {
    let replies: [PlannedReply] = [.text("one", times: 2), .text("two"), .text("three")]
    let test = try TestServer([.entry("GET", "/n", replies: replies)])
    let client = try test.client()

    let texts = try (0..<4).map { _ in try client.get("/n").text }

    #expect(texts == ["one", "one", "two", "three"])
    #expect(test.world.events.count == 4)
    #expect(test.server.unused().isEmpty)
  }

  @Test("An empty queue answers 501 and is reported")
  func emptyQueue() throws {
    let test = try TestServer([.entry("GET", "/n", replies: [.text("only")])])
    let client = try test.client()

    #expect(try client.get("/n").status == 200)
    let second = try client.get("/n")

    #expect(second.status == 501)
    #expect(second.headers["x-scenario"] == "unmatched")
    let requests = test.server.requests()
    #expect(requests.map(\.status) == [200, 501])
    #expect(requests.map(\.entry) == ["GET /n", nil])
    guard case .unmatched(let request, let nearMisses) = test.world.events.last else {
      Issue.record("no unmatched event: \(test.world.events)")
      return
    }
    #expect(request.number == 2)
    #expect(!nearMisses.isEmpty)
  }

  @Test("An entry in short form answers any number of requests")
  func repeats() throws {
    let test = try TestServer([.entry("GET", "/n", replies: [.text("again")], repeats: true)])
    let client = try test.client()

    for _ in 0..<5 { #expect(try client.get("/n").text == "again") }
  }

  @Test("An unmatched request shows the nearest miss")
  func nearMiss() throws {
    let test = try TestServer([.entry("POST", "/orders", replies: [.text("x")])])

    let response = try test.client().get("/orders")

    #expect(response.status == 501)
    #expect(response.text.contains("GET http://api.test/orders"))
    #expect(response.text.contains("POST"))
    #expect(test.server.unused().count == 1)
  }

  @Test("Twenty connections at once claim twenty replies, each exactly once")
  func parallelClaims() throws {
    let replies = (0..<20).map { PlannedReply.text("reply \($0)") }
    let test = try TestServer([.entry("GET", "/n", replies: replies)])
    let port = try test.port()
    let texts = Mutex<[String]>([])

    DispatchQueue.concurrentPerform(iterations: 20) { _ in
      let text = try? Client(port: port).get("/n").text
      texts.withLock { $0.append(text ?? "nothing") }
    }

    #expect(texts.withLock { Set($0) } == Set((0..<20).map { "reply \($0)" }))
    #expect(test.server.requests().map(\.number) == Array(1...20))
    #expect(test.server.unused().isEmpty)
  }

  @Test("A record names scheme, host and port as the client meant them")
  func urls() throws {
    let test = try TestServer([.entry("GET", "/n", host: nil, replies: [.text("x")], repeats: true)]
    )

    _ = try test.client().get("/n?a=1")
    _ = try Client(port: test.port(port: 8080)).get("/n", host: "api.test:8080")
    _ = try Client(port: test.port(port: 8080)).get("/n", host: "api.test")
    _ = try test.client().get("/n", host: "other.test")
    _ = try test.client().get("http://third.test/n")

    #expect(
      test.server.requests().map(\.url) == [
        "http://api.test/n?a=1", "http://api.test:8080/n", "http://api.test:8080/n",
        "http://other.test/n", "http://third.test/n",
      ])
  }

  @Test("The same destination gets the same port, another one another port")
  func ports() throws {
    let test = try TestServer([])

    let first = try test.port(host: "a.test")
    let again = try test.port(host: "A.test.")
    let other = try test.port(host: "b.test")

    #expect(first == again)
    #expect(first != other)
  }
}
