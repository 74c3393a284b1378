import Foundations
@testable import MockEngine
@testable import Patterns
@testable import ScenarioPlan
import Testing

/// A replay answers what was recorded, and nothing else but other secrets.
@Suite("What a recording asks of requests")
struct RecordedConditionTests {
  struct Sent {
    var method = "POST"
    var target = "/x"
    var type = "application/json"
    var body: [UInt8] = []
  }

  func target(_ text: String) throws -> RequestTarget {
    try RequestTarget(scheme: "http", authority: "a.test", target: text)
  }

  func recording(of sent: Sent, secrets: [String] = []) throws -> Recording {
    try recording(of: [sent], secrets: secrets)
  }

  func recording(of sent: [Sent], secrets: [String] = []) throws -> Recording {
    let redactor = SecretRedactor(values: secrets)
    var recording = Recording(
      of: try sent.map(exchange), title: "t", folder: "t", redaction: Redaction(values: redactor))
    recording.redact(redactor)
    return recording
  }

  private func exchange(_ sent: Sent) throws -> RecordedExchange {
    let reply = RecordedReply(
      status: 200, headers: [.init(name: "content-type", value: "application/json")],
      body: Array(#"{"data":{"a":1}}"#.utf8))
    return RecordedExchange(
      method: sent.method, target: try target(sent.target),
      headers: sent.type.isEmpty ? [] : [.init(name: "content-type", value: sent.type)],
      body: sent.body, outcome: .reply(reply))
  }

  func isAnswered(_ sent: Sent, by recording: Recording) throws -> Bool {
    let responses = recording.text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("#") && !$0.hasPrefix("version:") }.joined(separator: "\n")
    let planned = try Samples.onlyCase(
      "target: { command: [./program] }\n" + responses,
      files: recording.bodies.map { ("t/" + $0.name, $0.bytes) })
    var queue = StubQueue(responses: try #require(planned.network).responses)
    let request = IncomingRequest(
      method: sent.method, target: try target(sent.target),
      headers: sent.type.isEmpty ? [] : [.init(name: "content-type", value: sent.type)],
      body: sent.body)
    if case .reply = queue.claim(request, scope: CaseScope(directory: "/case")) { return true }
    return false
  }

  private func isAnswered(_ body: String, _ other: String, type: String) throws -> Bool {
    try isAnswered(
      Sent(type: type, body: Array(other.utf8)),
      by: try recording(of: Sent(type: type, body: Array(body.utf8))))
  }

  @Test(
    "Beside its secrets, a body of JSON is exact",
    arguments: [
      (#"{"user":"ada","password":"1"}"#, #"{"password":"2","user":"ada"}"#, true),
      (#"{"user":"ada","password":"1"}"#, #"{"user":"ada","password":[2]}"#, true),
      (#"{"user":"ada","password":"1"}"#, #"{"user":"bob","password":"1"}"#, false),
      (#"{"user":"ada","password":"1"}"#, #"{"user":"ada","password":"1","admin":true}"#, false),
      (#"{"user":"ada","password":"1"}"#, #"{"user":"ada"}"#, false),
      (
        #"{"a":{"token":"1","n":[1,2]},"b":null}"#, #"{"a":{"token":"2","n":[1,2]},"b":null}"#, true
      ),
      (
        #"{"a":{"token":"1","n":[1,2]},"b":null}"#, #"{"a":{"token":"1","n":[1,2,3]},"b":null}"#,
        false
      ),
      (
        #"{"a":{"token":"1","n":[1,2]},"b":null}"#,
        #"{"a":{"token":"1","n":[1,2],"x":1},"b":null}"#, false
      ),
      (#"{"a":{"token":"1"},"b":null}"#, #"{"a":{"token":"1"},"b":0}"#, false),
      (#"[{"pin":1,"otp":"1"}]"#, #"[{"pin":1,"otp":"2"}]"#, true),
      (#"[{"pin":1,"otp":"1"}]"#, #"[{"pin":1,"otp":"1"},{"pin":2}]"#, false),
      (#"[{"pin":1,"otp":"1"}]"#, #"[{"pin":2,"otp":"1"}]"#, false),
      (#"{"next":"/cb?token=1&a=1"}"#, #"{"next":"/cb?token=2&a=1"}"#, true),
      (#"{"next":"/cb?token=1&a=1"}"#, #"{"next":"/cb?token=1&a=2"}"#, false),
      (#"{"a b":{"x-y":1},"secret":1}"#, #"{"a b":{"x-y":1},"secret":2}"#, true),
      (#"{"a b":{"x-y":1},"secret":1}"#, #"{"a b":{"x-y":2},"secret":1}"#, false),
    ])
  func json(recorded: String, sent: String, isAnswered answer: Bool) throws {
    #expect(try isAnswered(recorded, recorded, type: "application/json"))
    #expect(try isAnswered(recorded, sent, type: "application/json") == answer)
    let text = try recording(of: Sent(body: Array(recorded.utf8))).text
    #expect(!text.contains("token=1"), "\(text)")
  }

  @Test(
    "Of a multipart body the boundary alone is free",
    arguments: [
      ("--B\r\n", "--C\r\n", true), ("hello", "hallo", false), ("a.bin", "b.bin", false),
      ("image/png", "image/gif", false), ("\u{1}\u{2}", "\u{1}\u{3}", false),
      (#"{"n":1}"#, #"{"n":2}"#, false), ("s3cret", "other", true),
      ("--B--", "--B\r\nContent-Disposition: form-data; name=\"more\"\r\n\r\nx\r\n--B--", false),
    ])
  func multipart(part: String, other: String, isAnswered answer: Bool) throws {
    let body = [
      "--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nhello\r\n",
      "--B\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\ns3cret\r\n",
      "--B\r\nContent-Disposition: form-data; name=\"meta\"\r\nContent-Type: application/json\r\n\r\n{\"n\":1}\r\n",
      "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\nContent-Type: image/png\r\n\r\n",
      "\u{1}\u{2}\r\n--B--\r\n",
    ].joined()
    let type = "multipart/form-data; boundary=B"
    let recorded = try recording(of: Sent(type: type, body: Array(body.utf8)))
    var sent = body.replacing(part, with: other)
    var sentType = type
    if part == "--B\r\n" {
      sent = body.replacing("--B", with: "--C")
      sentType = "multipart/form-data; boundary=C"
    }

    #expect(recorded.text.contains("parts:"), "\(recorded.text)")
    #expect(!recorded.text.contains("s3cret"))
    #expect(recorded.uncheckedRequests.isEmpty)
    #expect(try isAnswered(Sent(type: type, body: Array(body.utf8)), by: recorded))
    #expect(try isAnswered(Sent(type: sentType, body: Array(sent.utf8)), by: recorded) == answer)
  }

  @Test("Bytes, and a body where there was none, are compared")
  func bytes() throws {
    let type = "application/octet-stream"
    let recorded = try recording(of: Sent(type: type, body: [0, 1, 0xFF]))
    let empty = try recording(of: Sent(type: "", body: []))

    #expect(try isAnswered(Sent(type: type, body: [0, 1, 0xFF]), by: recorded))
    #expect(try !isAnswered(Sent(type: type, body: [0, 1, 0xFE]), by: recorded))
    #expect(try !isAnswered(Sent(type: type, body: []), by: recorded))
    #expect(try isAnswered(Sent(type: "", body: []), by: empty))
    #expect(try !isAnswered(Sent(type: "", body: [1]), by: empty))
  }

  @Test("Long bytes stand in a file, and what is too long is told of in the recording")
  func long() throws {
    let type = "application/octet-stream"
    let long = [UInt8](repeating: 0xFF, count: Recording.largestInlineBytes + 1)
    let text = String(repeating: "x", count: Recording.largestCondition + 1)
    let inFile = try recording(of: Sent(type: type, body: long))
    let textInFile = try recording(of: Sent(type: "text/plain", body: Array(text.utf8)))
    let tooLong = try recording(
      of: Sent(type: type, body: [UInt8](repeating: 0xFF, count: Recording.largestRequest + 1)))

    #expect(inFile.text.contains("file: t/1.bin") && inFile.bodies.map(\.bytes) == [long])
    #expect(textInFile.bodies.map(\.bytes) == [Array(text.utf8)])
    #expect(inFile.uncheckedRequests.isEmpty && textInFile.uncheckedRequests.isEmpty)
    #expect(tooLong.uncheckedRequests == ["POST http://a.test/x, as it has 1048577 bytes"])
    #expect(
      tooLong.text.contains(
        "# not compared: the body of POST http://a.test/x, as it has 1048577 bytes\nversion: 2\n"))
    #expect(try isAnswered(Sent(type: type, body: [2]), by: tooLong))
    #expect(try !isAnswered(Sent(type: type, body: []), by: tooLong))
  }

  @Test("Parts that cannot be told apart are told of in the recording")
  func equalParts() throws {
    let part = "--B\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\nx\r\n"
    let recorded = try recording(
      of: Sent(
        type: "multipart/form-data; boundary=B", body: Array((part + part + "--B--\r\n").utf8)))

    #expect(
      recorded.uncheckedRequests
        == ["POST http://a.test/x, as several of its parts have the same name"])
  }

  @Test(
    "The query has nothing but what was recorded, in any order",
    arguments: [
      ("/x", "/x?a=1", false), ("/x?a=1&b=2", "/x?b=2&a=1", true), ("/x?a=1", "/x?a=1&a=1", false),
      ("/x?a=1", "/x?a=2", false), ("/x?a=1&b=2", "/x?a=1", false), ("/a%2Fb", "/a/b", false),
      ("/x?a=%2B", "/x?a=+", false), ("/x?a=%20", "/x?a=+", true),
      ("/x?api_key=1&v=2", "/x?v=2&api_key=3", true), ("/x?api_key=1&v=2", "/x?v=2", false),
      ("/x?api_key=1", "/x?api_key=1&v=2", false),
    ])
  func query(recorded: String, sent: String, isAnswered answer: Bool) throws {
    let recording = try recording(of: Sent(method: "GET", target: recorded, type: ""))

    #expect(try isAnswered(Sent(method: "GET", target: recorded, type: ""), by: recording))
    #expect(
      try isAnswered(Sent(method: "GET", target: sent, type: ""), by: recording) == answer,
      "\(recording.text)")
  }

  @Test(
    "Variables of GraphQL are exact beside their secrets",
    arguments: [
      (#"{"id":1}"#, #"{"id":1,"deep":true}"#, false), (#"{}"#, #"{"deep":true}"#, false),
      (#"{"id":{"token":"1","n":1}}"#, #"{"id":{"token":"2","n":1}}"#, true),
      (#"{"id":{"token":"1","n":1}}"#, #"{"id":{"token":"1","n":2}}"#, false),
      (#"{"id":{"token":"1","n":1}}"#, #"{"id":{"token":"1","n":1,"m":1}}"#, false),
      (#"{"id":{"token":"1","n":1}}"#, #"{"id":{"n":1}}"#, false),
      (#"{"password":"1"}"#, #"{"password":"2"}"#, true),
      (#"{"password":"1"}"#, #"{"password":"1","pass":"2"}"#, false),
      (#"{"id":[{"token":"1","n":1}]}"#, #"{"id":[{"token":"2","n":1}]}"#, true),
      (#"{"id":[{"token":"1","n":1}]}"#, #"{"id":[{"token":"1","n":2}]}"#, false),
    ])
  func variables(recorded: String, sent: String, isAnswered answer: Bool) throws {
    func body(_ variables: String) -> [UInt8] {
      let names = ["id", "deep", "password", "pass"].map { "$\($0): X" }.joined(separator: ", ")
      return Array(#"{"query":"query Q(\#(names)) { a }","variables":\#(variables)}"#.utf8)
    }
    let recording = try recording(of: Sent(body: body(recorded)))

    #expect(try isAnswered(Sent(body: body(recorded)), by: recording), "\(recording.text)")
    #expect(
      try isAnswered(Sent(body: body(sent)), by: recording) == answer, "\(recording.text)")
    #expect(recording.text.contains("query") && !recording.text.contains("token: \"1\""))
  }

  // MARK: - Values that are secret whatever their names are

  @Test(
    "A value that is secret may be another one, and nothing beside it",
    arguments: [
      ("text/plain", "a SECRET b", "a other b", "a other c"),
      ("application/json", #"{"a":"SECRET","b":1}"#, #"{"a":"x","b":1}"#, #"{"a":"x","b":2}"#),
      ("application/json", #"{"a":["x SECRET"]}"#, #"{"a":["x y"]}"#, #"{"a":["z y"]}"#),
      ("application/json", #"{"a":12345678,"b":1}"#, #"{"a":1,"b":1}"#, #"{"a":1,"b":2}"#),
      ("application/x-www-form-urlencoded", "a=SECRET&b=1", "a=x&b=1", "a=x&b=2"),
    ])
  func secretValues(type: String, recorded: String, same: String, other: String) throws {
    let value = "hunter2hunter2"
    let body = Array(recorded.replacing("SECRET", with: value).utf8)
    let recording = try recording(
      of: Sent(type: type, body: body), secrets: [value, "12345678"])

    #expect(!recording.text.contains(value) && !recording.text.contains("12345678"))
    #expect(recording.uncheckedRequests.isEmpty)
    #expect(try isAnswered(Sent(type: type, body: body), by: recording), "\(recording.text)")
    #expect(try isAnswered(Sent(type: type, body: Array(same.utf8)), by: recording))
    #expect(try !isAnswered(Sent(type: type, body: Array(other.utf8)), by: recording))
  }

  @Test(
    "Bytes and keys with a secret are not compared, and are in no file",
    arguments: [
      ("application/octet-stream", "\0hunter2hunter2\u{1}", 0),
      ("application/octet-stream", "\0hunter2hunter2\u{1}", 5_000),
      ("application/json", #"{"hunter2hunter2":1}"#, 0),
      ("application/octet-stream", "\0geheimnis-über-alles\u{1}", 1),
    ])
  func secretBytes(type: String, text: String, padding: Int) throws {
    let body = Array(text.utf8) + [UInt8](repeating: 0xFF, count: padding)
    let recording = try recording(
      of: Sent(type: type, body: body), secrets: ["hunter2hunter2", "geheimnis-über-alles"])

    #expect(recording.uncheckedRequests.count == 1)
    #expect(recording.bodies.isEmpty)
    #expect(!recording.text.contains("hunter2"))
    #expect(try isAnswered(Sent(type: type, body: body), by: recording), "\(recording.text)")
  }

  @Test("A part with a secret value may hold another one")
  func secretPart() throws {
    let type = "multipart/form-data; boundary=B"
    func sent(_ value: String) -> Sent {
      let text =
        "--B\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\na \(value) b\r\n--B--\r\n"
      return Sent(type: type, body: Array(text.utf8))
    }
    let recording = try recording(of: sent("hunter2hunter2"), secrets: ["hunter2hunter2"])

    #expect(!recording.text.contains("hunter2"))
    #expect(try isAnswered(sent("hunter2hunter2"), by: recording), "\(recording.text)")
    #expect(try isAnswered(sent("other"), by: recording))
  }

  // MARK: - The form of conditions

  @Test(
    "What is no plain text in an expression or a path is written so that it is read",
    arguments: [
      (#"{"log":"*\#u{FE0F}\#u{20E3} ?token=abc"}"#, #"{"log":"*\#u{FE0F}\#u{20E3} ?token=x"}"#),
      (#"{"log":"+\#u{301} ?token=abc"}"#, #"{"log":"+\#u{301} ?token=x"}"#),
      (#"{"b\\s":1,"secret":1}"#, #"{"b\\s":1,"secret":2}"#),
    ])
  func escapes(recorded: String, sent: String) throws {
    #expect(try isAnswered(recorded, recorded, type: "application/json"))
    #expect(try isAnswered(recorded, sent, type: "application/json"))
  }

  @Test("A long string with a secret is not compared")
  func longSecret() throws {
    let body = #"{"log":"\#(String(repeating: "x", count: 60_000))?token=abc"}"#
    let recording = try recording(of: Sent(body: Array(body.utf8)))

    #expect(
      recording.uncheckedRequests == ["POST http://a.test/x, as it contains a secret and is long"])
    #expect(try isAnswered(Sent(body: Array(body.utf8)), by: recording))
  }

  @Test(
    "A recorded final newline is compared",
    arguments: [
      ("a\n", "a"), ("a\r\n", "a\n"), ("a", "a\n"), ("a", "a\r\n"), ("a\nb", "a\nb\n"),
      ("a\r", "a\r\n"), ("a\n", "a\n\n"),
    ])
  func finalNewline(recorded: String, sent: String) throws {
    #expect(try isAnswered(recorded, recorded, type: "text/plain"))
    #expect(try !isAnswered(recorded, sent, type: "text/plain"))
  }

  @Test("An entry that takes any body leaves others to the entries that compare")
  func order() throws {
    let small = Sent(body: Array("1".utf8))
    let large = Sent(
      type: "application/octet-stream",
      body: [UInt8](repeating: 0xFF, count: Recording.largestRequest + 1))
    let text = try recording(of: [large, small]).text

    let compared = try #require(text.firstRange(of: "equals: 1"))
    let uncompared = try #require(text.firstRange(of: "empty: false"))
    #expect(compared.lowerBound < uncompared.lowerBound, "\(text)")
  }

  @Test("Variables that an operation does not declare make it a request of HTTP")
  func undeclared() throws {
    let body = Array(#"{"query":"{ a }","variables":{"x":1}}"#.utf8)
    let recording = try recording(of: Sent(body: body))

    #expect(recording.text.contains("method: POST"), "\(recording.text)")
    #expect(try isAnswered(Sent(body: body), by: recording))
  }
}
