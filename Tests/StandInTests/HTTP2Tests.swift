import Foundations
import MockEngine
import ScenarioPlan
import StandIn
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

  @Test("A client that breaks the rules is told, and reported", arguments: [true, false])
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
