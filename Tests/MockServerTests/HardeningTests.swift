import Foundations
import MockServer
import Testing

/// What a broken or hostile client meets: a status, a clear event, and a mock server that serves on.
struct HardeningTests {
  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  private static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]

  private func server() throws -> TestServer {
    try TestServer([.entry("GET", "/n", replies: [.text("x")], repeats: true)])
  }

  private func frame(
    _ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []
  ) -> [UInt8] {
    let length = payload.count
    return [
      UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), type, flags,
      UInt8(stream >> 24 & 0x7F), UInt8(stream >> 16 & 0xFF), UInt8(stream >> 8 & 0xFF),
      UInt8(stream & 0xFF),
    ] + payload
  }

  /// `GET http://api.test/n` by the static table of RFC 7541.
  private let fields: [UInt8] =
    [0x82, 0x86, 0x04, 2] + Array("/n".utf8) + [0x41, 8] + Array("api.test".utf8)

  private var malformedCount: (TestServer) -> Int {
    { test in
      test.world.events.count {
        if case .malformedRequest = $0 { return true }
        return false
      }
    }
  }

  @Test(
    "A request that breaks HTTP/1 gets its status, one event, and the end of the connection",
    arguments: [
      ("GET /\(String(repeating: "a", count: 70_000)) HTTP/1.1\r\nhost: api.test\r\n\r\n", 414),
      ("GET /n HTTP/1.1\r\nhost: a\r\nx: \(String(repeating: "a", count: 90_000))\r\n\r\n", 431),
      ("GET /n HTTP/1.1\r\nhost: a\r\n\(String(repeating: "x: y\r\n", count: 300))\r\n", 431),
      ("GET /n HTTP/1.1\r\n\r\n", 400), ("GET /n HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", 400),
      ("GET /n HTTP/1.1\r\nhost: a b\r\n\r\n", 400), ("GET /n HTTP/3.7\r\nhost: a\r\n\r\n", 400),
      ("GET /n HTTP/1.1\r\nhost: a\r\n folded: x\r\n\r\n", 400),
      ("GET /n HTTP/1.1\r\nhost : api.test\r\n\r\n", 400),
      ("POST /n HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n", 400),
      ("POST /n HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n", 400),
      (
        "POST /n HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n"
          + "0\r\n\r\n", 400
      ),
      ("POST /n HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", 400),
      ("POST /n HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n2\r\nabc\r\n", 400),
      (
        "POST /n HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n"
          + "FFFFFFFFFFFFFFFFF\r\n", 400
      ),
    ] as [(String, Int)])
  func brokenHTTP1(request: String, status: Int) throws {
    let test = try server()
    let client = try test.client()

    try client.send(request)
    let response = try client.response()
    client.closeOutput()

    #expect(response.status == status)
    #expect(try client.receiveToEnd().isEmpty)
    #expect(malformedCount(test) == 1)
    #expect(test.server.requests().isEmpty)
    #expect(try test.client().get("/n").text == "x")
  }

  @Test("Bytes that are no UTF-8 do no harm, in the head or in the body")
  func invalidText() throws {
    let test = try TestServer([.entry("POST", "/**", replies: [.text("x")], repeats: true)])
    let client = try test.client()

    try client.send(Array("POST /n HTTP/1.1\r\nhost: api.test\r\nx: ".utf8) + [0xFF, 0xC3])
    try client.send(Array("\r\ncontent-length: 3\r\n\r\n".utf8) + [0xC3, 0x28, 0xFF])

    #expect(try client.response().status == 200)
    #expect(test.server.requests().first?.body == [0xC3, 0x28, 0xFF])
  }

  @Test("A refused client that goes on sending still reads why")
  func interrupted() throws {
    let test = try server()
    let client = try test.client()
    let megabyte = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)

    try client.send("POST /n HTTP/1.1\r\nhost: a b\r\ncontent-length: 100000000\r\n\r\n")
    try client.send("GET / HTTP/9.9\r\n\r\n")
    for _ in 0..<20 { try client.send(megabyte) }
    client.closeOutput()
    let text = String(decoding: try client.receiveToEnd(), as: UTF8.self)

    #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 400"))
    #expect(malformedCount(test) == 1)
  }

  @Test("A head that comes byte by byte is one request, and others are served meanwhile")
  func slow() throws {
    let test = try server()
    let client = try test.client()

    for byte in "GET /n HTTP/1.1\r\nhost: api.test\r\n".utf8 {
      try client.send([byte])
    }
    #expect(try test.client().get("/n").text == "x")
    #expect(test.server.requests().count == 1)
    try client.send("\r\n")

    #expect(try client.response().text == "x")
    #expect(malformedCount(test) == 0)
  }

  @Test("A client that leaves in the middle of a request is reported")
  func unfinished() throws {
    let test = try server()
    let client = try test.client()

    try client.send("POST /n HTTP/1.1\r\nhost: api.test\r\ncontent-length: 9\r\n\r\nabc")
    client.close()

    #expect(test.world.wait { _ in malformedCount(test) == 1 })
    #expect(test.server.requests().isEmpty)
  }

  @Test("More requests at once than the line holds end the connection")
  func pipelineFlood() throws {
    let test = try TestServer([
      .entry("GET", "/n", replies: [.text("x", after: .seconds(1))], repeats: true)
    ])
    let client = try test.client()

    try client.send(
      String(repeating: "GET /n HTTP/1.1\r\nhost: api.test\r\n\r\n", count: 1024))
    _ = try? client.receiveToEnd()

    #expect(malformedCount(test) == 1)
  }

  @Test(
    "Frames against the rules end the connection or the stream, with one event",
    arguments: ["stray", "huge", "continuation", "window", "settings", "even", "hpack", "pseudo"])
  func brokenHTTP2(kind: String) throws {
    let test = try server()
    let client = try test.client()
    let bytes: [UInt8] =
      switch kind {
      case "stray": frame(0, stream: 5, [1])
      case "huge": [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1]
      case "continuation": frame(1, stream: 1, fields) + frame(6, [UInt8](repeating: 0, count: 8))
      case "window": frame(8, [0, 0, 0, 0])
      case "settings": frame(4, [0, 4, 0xFF, 0xFF, 0xFF, 0xFF])
      case "even": frame(1, flags: 5, stream: 2, fields)
      case "hpack": frame(1, flags: 5, stream: 1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
      default: frame(1, flags: 5, stream: 1, [0x82])
      }

    try client.send(Self.preface + Self.settings + bytes)
    if kind == "pseudo" {
      #expect(test.world.wait { !$0.events.isEmpty })
    } else {
      _ = try client.receiveToEnd()
    }

    #expect(malformedCount(test) == 1)
    #expect(test.server.requests().isEmpty)
    #expect(try test.client().get("/n").text == "x")
  }

  @Test(
    "A flood of frames ends the connection with one event",
    arguments: ["continuation", "ping", "settings", "reset", "empty"])
  func flood(kind: String) throws {
    let test = try server()
    let client = try test.client()
    var bytes: [UInt8] = []
    switch kind {
    case "continuation":
      bytes += frame(1, stream: 1, fields)
      for _ in 0..<5000 { bytes += frame(9, stream: 1, [0x00, 1, 0x61, 1, 0x62]) }
    case "ping":
      for _ in 0..<30_000 { bytes += frame(6, [0, 1, 2, 3, 4, 5, 6, 7]) }
    case "settings":
      for _ in 0..<30_000 { bytes += frame(4) }
    case "reset":
      for index in 0..<30_000 {
        let stream = UInt32(index * 2 + 1)
        bytes +=
          frame(1, flags: 4, stream: stream, fields) + frame(3, stream: stream, [0, 0, 0, 8])
      }
    default:
      bytes += frame(1, flags: 4, stream: 1, fields)
      for _ in 0..<5000 { bytes += frame(0, stream: 1) }
    }

    try client.send(Self.preface + Self.settings)
    // The server may hang up before all is sent.
    try? client.send(bytes)
    _ = try? client.receiveToEnd()

    #expect(test.world.wait { _ in malformedCount(test) == 1 })
    #expect(test.server.requests().isEmpty)
    #expect(try test.client().get("/n").text == "x")
  }

  @Test("What breaks HTTP/2 is reported in words, without the library's own places")
  func words() throws {
    let test = try server()
    let client = try test.client()

    // A header's name in capitals (RFC 9113, section 8.2.1).
    try client.send(
      Self.preface + Self.settings
        + frame(1, flags: 5, stream: 1, fields + [0, 1, 0x41, 1, 0x62]))

    #expect(test.world.wait { !$0.events.isEmpty })
    let messages = test.world.events.compactMap {
      if case .malformedRequest(_, let message) = $0 { message } else { nil }
    }
    #expect(messages.count == 1)
    #expect(messages.first?.contains("invalid HTTP2 header field name (fieldName: A)") == true)
    #expect(messages.first?.contains(".swift") == false)
  }

  @Test("Clients that flood from their first byte on and leave at once do no harm")
  func floodAndLeave() throws {
    let test = try server()
    var bytes = Self.preface + Self.settings + frame(1, flags: 4, stream: 1, fields)
    for _ in 0..<20_000 { bytes += frame(0, stream: 1) }

    for _ in 0..<40 {
      let client = try test.client()
      try? client.send(bytes)
      // What was sent to it is unread, so that the kernel resets the connection.
      client.close()
    }

    #expect(try test.client().get("/n").text == "x")
  }

  @Test("Random bytes never bring the mock server down", arguments: [UInt64(1), 2, 3, 4])
  func fuzz(seed: UInt64) throws {
    let test = try TestServer([.entry(nil, "/**", host: nil, replies: [.text("x")], repeats: true)])
    var random = SplitMix(state: seed)
    let upgrade =
      "GET /n HTTP/1.1\r\nhost: api.test\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"
    let seeds: [[UInt8]] = [
      Array("POST /n HTTP/1.1\r\nhost: api.test\r\ntransfer-encoding: chunked\r\n\r\n".utf8)
        + Array("3\r\nabc\r\n0\r\nx: y\r\n\r\n".utf8),
      Array("GET http://api.test/n?a=b HTTP/1.1\r\nhost: api.test\r\nrange: bytes=0-\r\n\r\n".utf8),
      Array("CONNECT api.test:80 HTTP/1.1\r\nhost: api.test:80\r\n\r\n".utf8), Array(upgrade.utf8),
      Self.preface + Self.settings + frame(1, flags: 5, stream: 1, fields)
        + frame(8, [0, 0, 1, 0]) + frame(6, [1, 2, 3, 4, 5, 6, 7, 8]),
      [0x16, 3, 1, 0, 50, 1, 0, 0, 46, 3, 3] + [UInt8](repeating: 7, count: 44),
    ]

    for round in 0..<120 {
      var bytes = seeds[round % seeds.count]
      bytes += seeds[Int(random.next() % UInt64(seeds.count))]
      for _ in 0..<(1 + random.next() % 8) {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 3 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        }
      }
      let client = try test.client()
      try? client.send(bytes)
      client.closeOutput()
      _ = try? client.receiveToEnd()
    }

    #expect(try test.client().get("/n").text == "x")
  }
}

/// Numbers that are the same in each run (Steele, Lea and Flood, 2014).
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
