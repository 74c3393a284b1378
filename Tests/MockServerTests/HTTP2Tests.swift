import Foundations
import MockEngine
import MockServer
import ScenarioPlan
import Testing

struct HTTP2Tests {
  private static let curl = "/usr/bin/curl"
  private static let nghttp = "/usr/bin/nghttp"
  private static var hasCurl: Bool { Command.exists(curl) }
  private static var hasNghttp: Bool { Command.exists(nghttp) }

  private func curl(_ test: TestServer, _ arguments: [String]) throws -> Command.Result {
    let bundle = try TemporaryFile(test.authority.certificatePEM)
    return try Command(path: Self.curl).run(
      [
        "--silent", "--show-error", "--noproxy", "*", "--max-time", "20", "--cacert", bundle.path,
        "--connect-to", "api.test:80:127.0.0.1:\(test.port())", "--connect-to",
        "api.test:443:127.0.0.1:\(test.port(port: 443))",
      ] + arguments)
  }

  @Test(
    "curl speaks HTTP/2 by ALPN and by prior knowledge", .enabled(if: hasCurl),
    arguments: [
      (["--http2", "https://api.test/n"], "2"),
      (["--http2-prior-knowledge", "http://api.test/n"], "2"),
      (["--http1.1", "https://api.test/n"], "1.1"), (["--http1.0", "http://api.test/n"], "1.0"),
    ])
  func versions(arguments: [String], version: String) throws {
    let test = try TestServer([.entry("GET", "/n", replies: [.text("x", status: 201)])])

    let result = try curl(test, ["--write-out", " %{http_version} %{http_code}"] + arguments)

    #expect(result.output.hasPrefix("x "))
    #expect(result.output.hasSuffix(" 201"))
    let request = try #require(test.server.requests().first)
    #expect(request.protocolVersion == version)
    #expect(request.stream == (version == "2" ? 1 : nil))
    #expect(request.headers.contains { $0.name.lowercased() == "host" && $0.value == "api.test" })
  }

  @Test("Ten megabytes go both ways", .enabled(if: hasCurl))
  func large() throws {
    let body = try TemporaryFile(String(repeating: "b", count: 10_000_000))
    let reply = try TemporaryFile(String(repeating: "r", count: 10_000_000))
    let test = try TestServer([.entry("POST", "/n", replies: [.with(.file(path: reply.path))])])

    let result = try curl(
      test,
      ["--http2", "--data-binary", "@\(body.path)", "https://api.test/n", "--output", "-"])

    #expect(result.output.utf8.count == 10_000_000)
    #expect(test.server.requests().map(\.bodyLength) == [10_000_000])
  }

  @Test("HEAD has a length and no body", .enabled(if: hasCurl))
  func head() throws {
    let test = try TestServer([.entry("HEAD", "/n", replies: [.text("four")])])

    let result = try curl(test, ["--http2", "--head", "https://api.test/n"])

    #expect(result.output.contains("content-length: 4"))
    #expect(!result.output.contains("four"))
  }

  @Test("Many streams are answered at once", .enabled(if: hasNghttp))
  func many() throws {
    let test = try TestServer([.entry("GET", "/n", replies: [.text("x", times: 500)])])

    let result = try Command(path: Self.nghttp).run(
      ["--null-out", "--stat", "--multiply=500", "http://127.0.0.1:\(test.port())/n"]
        + ["-H", ":authority: api.test"])

    #expect(result.exitCode == 0)
    #expect(test.server.requests().count == 500)
    #expect(Set(test.server.requests().map(\.stream)).count == 500)
  }

  @Test(
    "A reply that is held back holds no other stream back",
    .enabled(if: RealClients.hasPython))
  func delays() throws {
    let test = try TestServer([
      .entry("GET", "/slow", replies: [.text("slow", after: .seconds(3))]),
      .entry("GET", "/fast", replies: [.text("fast")]),
    ])
    let script = """
      import asyncio, httpx, sys
      async def main():
          async with httpx.AsyncClient(http1=False, http2=True, timeout=20) as client:
              base = "http://127.0.0.1:" + sys.argv[1]
              host = {"host": "api.test"}
              slow = asyncio.create_task(client.get(base + "/slow", headers=host))
              await asyncio.sleep(0)
              fast = await client.get(base + "/fast", headers=host)
              print(fast.http_version, fast.text, slow.done(), flush=True)
              slow.cancel()
      asyncio.run(main())
      """

    let result = try RealClients.run(script, ["\(test.port())"])

    #expect(result.output == "HTTP/2 fast False\n")
    #expect(test.world.wait { $0.events.count == 3 })
    guard case .clientClosed(let request, _) = test.world.events.last else {
      Issue.record("no event")
      return
    }
    #expect(request.url == "http://api.test/slow")
  }

  @Test("A client that breaks the rules gets an error, and is reported", arguments: [true, false])
  func broken(isMalformed: Bool) throws {
    let test = try TestServer([])
    let client = try test.client()
    let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
    // DATA on the stream that is the connection's own (RFC 9113, section 6.1).
    let broken: [UInt8] = [0, 0, 1, 0, 0, 0, 0, 0, 0, 7]

    try client.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settings)
    if isMalformed {
      try client.send(broken)
      let bytes = try client.receiveToEnd()
      // GOAWAY: a frame of type 7.
      #expect(frameTypes(bytes).contains(7))
    } else {
      client.closeOutput()
      #expect(!frameTypes(try client.receiveToEnd()).contains(7))
    }

    #expect(test.world.events.count == (isMalformed ? 1 : 0))
  }

  @Test("The end of the run is announced")
  func farewell() throws {
    let test = try TestServer([])
    let client = try test.client()
    try client.send(
      Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0])
    // The server's SETTINGS, and its word that it has seen the client's.
    while frameTypes(try client.peek()).count < 2 {}

    test.server.shutdown()

    #expect(frameTypes(try client.receiveToEnd()).contains(7))
    #expect(test.world.events.isEmpty)
  }

  @Test("A client that resets a stream is reported, and its other streams go on")
  func resetStream() throws {
    let test = try TestServer([
      .entry("GET", "/slow", replies: [.text("slow", after: .seconds(30))]),
      .entry("GET", "/fast", replies: [.text("fast", times: 2)]),
    ])
    let client = try test.client()

    try client.send(beginning + get("/slow", stream: 1))
    #expect(test.world.wait { $0.timerCount == 1 })
    test.world.advance(by: .seconds(10))
    try client.send(reset(stream: 1) + get("/fast", stream: 3))

    #expect(try receiveBody(ofStream: 3, from: client) == Array("fast".utf8))
    #expect(test.world.events.count == 3)
    guard case .clientClosed(let request, let waited) = test.world.events.dropFirst().first else {
      Issue.record("no event: \(test.world.events)")
      return
    }
    #expect(request.number == 1)
    #expect(waited == .seconds(10))
    // What was held back is sent on no stream when its time has come.
    test.world.advance(by: .seconds(20))
    try client.send(get("/fast", stream: 5))
    #expect(try receiveBody(ofStream: 5, from: client) == Array("fast".utf8))
  }

  @Test("A stream that is reset while its reply is on its way ends there, and others go on")
  func resetReply() throws {
    let test = try TestServer([
      .entry("GET", "/big", replies: [.text(String(repeating: "x", count: 5_000_000))]),
      .entry("GET", "/fast", replies: [.text("fast")]),
    ])
    let client = try test.client()

    try client.send(beginning + get("/big", stream: 1))
    // All that the stream's window lets through (section 6.9.2).
    #expect(try receiveBody(ofStream: 1, from: client, length: 65_535).count == 65_535)
    try client.send(reset(stream: 1) + get("/fast", stream: 3))

    #expect(try receiveBody(ofStream: 3, from: client) == Array("fast".utf8))
    #expect(test.world.events.count == 2)
  }

  @Test("A stream that is reset behind its request harms no other stream, whatever answers it")
  func resetAtOnce() throws {
    let test = try TestServer([.entry("GET", "/fast", replies: [.text("fast", times: 100)])])
    let client = try test.client()
    var cancelled: [UInt8] = []
    for stream in stride(from: UInt8(1), through: 39, by: 2) {
      cancelled += get("/fast", stream: stream)
      cancelled += reset(stream: stream)
    }

    try client.send(beginning + cancelled + get("/fast", stream: 41))

    #expect(try receiveBody(ofStream: 41, from: client) == Array("fast".utf8))
    #expect(
      test.world.events.allSatisfy { event in
        if case .malformedRequest = event { false } else { true }
      }, "\(test.world.events)")
    #expect(!test.world.events.isEmpty)
  }

  @Test(
    "A client that sends more on a stream that has ended is reported, and its connection closed")
  func sendsBehindEnd() throws {
    let test = try TestServer([.entry("GET", "/fast", replies: [.text("fast")])])
    let client = try test.client()

    try client.send(beginning + get("/fast", stream: 1))
    #expect(try receiveBody(ofStream: 1, from: client) == Array("fast".utf8))
    try client.send(frame(type: 0, stream: 1, [1]))

    #expect(frameTypes(try client.receiveToEnd()).contains(7))
    #expect(
      test.world.wait { world in
        world.events.contains { if case .malformedRequest = $0 { true } else { false } }
      }, "\(test.world.events)")
  }

  /// The connection's preface, an empty SETTINGS, and a window of the connection that nothing here fills
  /// (RFC 9113, sections 3.4, 6.5 and 6.9).
  private var beginning: [UInt8] {
    Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]
      + frame(type: 8, stream: 0, [0, 0x10, 0, 0])
  }

  /// A request: literal fields that are not indexed, with names of the static table (RFC 7541, section 6.2.2).
  private func get(_ path: String, stream: UInt8) -> [UInt8] {
    let host = "api.test"
    let fields: [UInt8] =
      [0x82, 0x86, 0x04, UInt8(path.utf8.count)] + Array(path.utf8) + [
        0x01, UInt8(host.utf8.count),
      ]
      + Array(host.utf8)
    // END_STREAM and END_HEADERS.
    return frame(type: 1, flags: 5, stream: stream, fields)
  }

  /// RST_STREAM with CANCEL (RFC 9113, section 6.4).
  private func reset(stream: UInt8) -> [UInt8] { frame(type: 3, stream: stream, [0, 0, 0, 8]) }

  private func frame(type: UInt8, flags: UInt8 = 0, stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0, UInt8(payload.count >> 8), UInt8(payload.count & 255), type, flags, 0, 0, 0, stream]
      + payload
  }

  /// Reads frames up to the end of a stream, or until its body has a length in bytes; the bytes of its DATA.
  private func receiveBody(
    ofStream stream: UInt8, from client: Client, length: Int = .max
  ) throws -> [UInt8] {
    var body: [UInt8] = []
    while body.count < length {
      let head = try client.receive(count: 9)
      let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      let payload = count == 0 ? [] : try client.receive(count: count)
      guard head[8] == stream else { continue }
      if head[3] == 0 { body += payload }
      if head[3] <= 1, head[4] & 1 != 0 { break }
    }
    return body
  }

  /// The types of the frames in a piece of a connection (section 4.1).
  private func frameTypes(_ bytes: [UInt8]) -> [UInt8] {
    var types: [UInt8] = []
    var rest = bytes[...]
    while rest.count >= 9 {
      let frame = Array(rest.prefix(9))
      let length = Int(frame[0]) << 16 | Int(frame[1]) << 8 | Int(frame[2])
      types.append(frame[3])
      rest = rest.dropFirst(9 + length)
    }
    return types
  }
}
