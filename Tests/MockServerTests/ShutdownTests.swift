import Foundations
import Glibc
import MockServer
import Testing

struct ShutdownTests {
  @Test("After shutdown nothing listens and the thread is gone")
  func nothingLeft() throws {
    let test = try TestServer([.entry("GET", "/n", replies: [.text("x")])])
    let port = try test.port()
    let client = try Client(port: port)
    #expect(try client.get("/n").status == 200)
    let thread = try #require(test.server.threadIdentifiers.first)
    #expect(access("/proc/self/task/\(thread)", F_OK) == 0)
    let listeners = try [port, test.server.nameServerStreamPort].map {
      try #require(try listener(on: $0))
    }

    test.server.shutdown()
    test.server.shutdown()

    #expect(access("/proc/self/task/\(thread)", F_OK) != 0)
    #expect(try client.receiveToEnd().isEmpty)
    // Somebody else may have got the ports meanwhile.
    #expect(try listener(on: port) != listeners[0])
    #expect(try listener(on: test.server.nameServerStreamPort) != listeners[1])
    #expect(throws: MockServerError.self) { try test.port(host: "late.test") }
    #expect(test.server.requests().count == 1)
  }

  /// The inode of the socket that listens on a port of IPv4, if there is one (proc(5): /proc/net/tcp).
  private func listener(on port: UInt16) throws -> String? {
    for line in try TextFile.read("/proc/net/tcp").split(separator: "\n").dropFirst() {
      let words = line.split(separator: " ")
      guard words.count > 9, words[3] == "0A", let colon = words[1].firstIndex(of: ":") else {
        continue
      }
      if UInt16(words[1][colon...].dropFirst(), radix: 16) == port { return String(words[9]) }
    }
    return nil
  }

  @Test("A delay that ends after shutdown harms nobody")
  func lateTimer() throws {
    let test = try TestServer([
      .entry("GET", "/n", replies: [.text("late", after: .seconds(1))])
    ])
    let client = try test.client()
    try client.send("GET /n HTTP/1.1\r\nhost: api.test\r\n\r\n")
    #expect(test.world.wait { $0.timerCount == 1 })

    test.server.shutdown()
    test.world.advance(by: .seconds(2))

    #expect(test.world.events.count == 1)
  }

  @Test("The serving thread sleeps once a request is answered")
  func sleeps() throws {
    let test = try TestServer([.entry("GET", "/n", replies: [.text("x")])])
    let thread = try #require(test.server.threadIdentifiers.first)

    #expect(try test.client().get("/n").status == 200)

    // The reply's bytes may be here a moment before the thread is back in epoll_wait(2).
    var state = ""
    for _ in 0..<10_000_000 where state != "S" {
      let text = try TextFile.read("/proc/self/task/\(thread)/stat")
      state = text.split(separator: ")").last.map { String($0.prefix(2).suffix(1)) } ?? ""
      sched_yield()
    }
    #expect(state == "S")
  }
}
