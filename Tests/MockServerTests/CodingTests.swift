import Foundations
import MockServer
import Patterns
import ScenarioModel
import ScenarioPlan
import Testing

struct CodingTests {
  private static let curl = "/usr/bin/curl"
  private static var hasCurl: Bool { Command.exists(curl) }
  private static let text = String(repeating: "all work and no play ", count: 20_000)

  private func packed(_ encoding: BodyEncoding, _ text: String = text) -> PlannedReply {
    var reply = PlannedReply.text(text)
    reply.encoding = encoding
    return reply
  }

  private func get(
    _ test: TestServer, accepting: String? = nil, more: String = ""
  ) throws -> Client.Response {
    let client = try test.client()
    let field = accepting.map { "accept-encoding: \($0)\r\n" } ?? ""
    try client.send("GET /n HTTP/1.1\r\nhost: api.test\r\n\(field)\(more)\r\n")
    return try client.response()
  }

  @Test(
    "curl unpacks what the mock server packs", .enabled(if: hasCurl),
    arguments: [BodyEncoding.gzip, .deflate, .br, .zstd, .auto])
  func curl(encoding: BodyEncoding) throws {
    let test = try TestServer([.entry("GET", "/n", replies: [packed(encoding)])])

    let result = try Command(path: Self.curl).run([
      "--silent", "--show-error", "--compressed", "--max-time", "20", "-H", "host: api.test",
      "--write-out", " %{size_download} %header{content-encoding}",
      "http://127.0.0.1:\(test.port())/n",
    ])
    let words = result.output.dropFirst(Self.text.utf8.count).split(separator: " ")

    #expect(result.output.hasPrefix(Self.text))
    #expect(words.first.flatMap { Int($0) } ?? .max < 10_000)
    if encoding != .auto { #expect(words.last.map(String.init) == encoding.rawValue) }
  }

  @Test(
    "What the mock server packs it unpacks as well",
    arguments: [BodyEncoding.gzip, .deflate, .br, .zstd])
  func roundTrip(encoding: BodyEncoding) throws {
    let condition = PlannedMatcher(.equals(.value(.string(Self.text))), at: anywhere)
    let test = try TestServer([
      .entry("GET", "/n", replies: [packed(encoding)]),
      PlannedResponse(
        name: "the text",
        match: .http(
          PlannedRequest(
            methods: ["POST"],
            url: URLPattern(scheme: nil, host: "api.test", port: nil, path: "/n"),
            body: condition)), replies: [.text("ok")], repeats: true, range: anywhere),
    ])
    let body = try get(test).body
    let client = try test.client()

    func post(_ body: [UInt8]) throws -> Int {
      try client.send(
        "POST /n HTTP/1.1\r\nhost: api.test\r\ncontent-encoding: \(encoding.rawValue)\r\n"
          + "content-length: \(body.count)\r\n\r\n")
      try client.send(body)
      return try client.response().status
    }

    #expect(try post(body) == 200)
    #expect(test.server.requests().last?.bodyLength == Self.text.utf8.count)
    #expect(try post(Array(body.dropLast(5))) == 400)
    #expect(
      test.world.events.contains {
        if case .malformedRequest = $0 { return true }
        return false
      })
  }

  @Test(
    "With auto the client chooses",
    arguments: [
      (nil, nil), ("identity", nil), ("gzip", "gzip"), ("gzip;q=0.5, br", "br"),
      ("gzip;q=0", nil), ("*", "gzip"), ("gzip;q=0, *;q=0.1", "deflate"),
      ("compress, zstd", "zstd"), ("br, gzip", "br"), ("x-gzip", "gzip"),
    ] as [(String?, String?)])
  func choice(accepted: String?, chosen: String?) throws {
    let test = try TestServer([.entry("GET", "/n", replies: [packed(.auto)])])

    let response = try get(test, accepting: accepted)

    #expect(response.headers["content-encoding"] == chosen)
    #expect(response.headers["vary"] == "accept-encoding")
    #expect((response.text == Self.text) == (chosen == nil))
  }

  @Test("Without a word of the author nothing is packed")
  func identity() throws {
    let test = try TestServer([.entry("GET", "/n", replies: [.text(Self.text)])])

    let response = try get(test, accepting: "gzip, br")

    #expect(response.text == Self.text)
    #expect(response.headers["vary"] == nil)
  }

  @Test("A range is a range of the plain bytes")
  func range() throws {
    let test = try TestServer([.entry("GET", "/n", replies: [packed(.gzip, "0123456789")])])

    let response = try get(test, more: "range: bytes=2-4\r\n")

    #expect(response.status == 206)
    #expect(response.text == "234")
  }

  @Test("Each piece of a packed stream can be unpacked when it comes", .enabled(if: hasCurl))
  func stream() throws {
    var reply = PlannedReply.with(
      .stream([
        PlannedStreamStep(.send(.text(PlannedText("one ")))),
        PlannedStreamStep(delay: .seconds(1), .send(.text(PlannedText("two")))),
      ]))
    reply.encoding = .gzip
    let test = try TestServer([.entry("GET", "/n", replies: [reply])])
    let script = """
      import http.client, sys, zlib
      way = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=20)
      way.request("GET", "/n", headers={"host": "api.test"})
      answer = way.getresponse()
      unpack = zlib.decompressobj(31)
      text = unpack.decompress(answer.read1())
      print(text.decode(), flush=True)
      """

    let file = try TemporaryFile(script, ending: ".py")
    let result = try Command(path: "/usr/bin/env").run(["python3", file.path, "\(test.port())"])

    #expect(result.output == "one \n")
  }

  @Test("A body that is small on the way and huge unpacked is kept up to the bound")
  func bomb() throws {
    let test = try TestServer([.entry("POST", "/n", replies: [.text("ok")])])
    let script = """
      import gzip, http.client, sys
      bomb = gzip.compress(bytes(300_000_000), 9)
      way = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=20)
      way.request("POST", "/n", bomb, {"host": "api.test", "content-encoding": "gzip"})
      print(way.getresponse().status, flush=True)
      """

    let file = try TemporaryFile(script, ending: ".py")
    let result = try Command(path: "/usr/bin/env").run(["python3", file.path, "\(test.port())"])

    #expect(result.output == "200\n")
    #expect(test.server.requests().map(\.bodyLength) == [64 * 1024 * 1024 + 1])
  }
}
