import Foundations
@testable import MockEngine
import OrderedCollections
@testable import Patterns
@testable import ScenarioPlan
import Testing

extension RecordedConditionTests {
  // MARK: - URLs

  /// Too long for a regular expression.
  static let long = String(repeating: "x", count: 5_000)

  @Test(
    "A secret value in a URL may be another one, and nothing beside it",
    arguments: [
      ("/x/SECRET/y", "/x/other/y", "/x/other/z"), ("/x/SECRET", "/x/other", "/x/other/y"),
      ("/bot-SECRET-1/y", "/bot-other-1/y", "/bot-other-2/y"), ("/SECRET", "/other", "/other?a=1"),
      ("/x?q=SECRET&b=1", "/x?b=1&q=other", "/x?q=other&b=2"), ("/x?q=SECRET", "/x?q=other", "/x"),
      ("/x?q=a-SECRET-b", "/x?q=a-other-b", "/x?q=a-other-c"),
      ("/x?q=SECRET&q=1", "/x?q=1&q=other", "/x?q=2&q=other"),
      ("/x?q=SECRET&q=SECRET", "/x?q=a&q=b", "/x?q=a"),
      ("/x?token=1&token=2", "/x?token=3&token=4", "/x?token=3"),
      ("/a*b-SECRET", "/a*b-other", "/a-b-other"),
      ("/x?q=a-SECRET-\(long)", "/x?q=a-other-\(long)", "/x?q=a-other-b\(long)"),
      ("/x?q=a-SECRET-\(long)", "/x?q=a-other-\(long)", "/x?q=b-other-\(long)"),
    ])
  func secretURLs(recorded: String, same: String, other: String) throws {
    let value = "hunter2hunter2"
    func sent(_ target: String) -> Sent {
      Sent(method: "GET", target: target.replacing("SECRET", with: value), type: "")
    }
    let recording = try recording(of: sent(recorded), secrets: [value])

    #expect(!recording.text.contains("hunter2"), "\(recording.text)")
    #expect(!recording.text.contains("REDACTED"), "\(recording.text)")
    #expect(try isAnswered(sent(recorded), by: recording), "\(recording.text)")
    #expect(try isAnswered(sent(same), by: recording), "\(recording.text)")
    #expect(try !isAnswered(sent(other), by: recording), "\(recording.text)")
  }

  @Test("An entry whose URL has a gap leaves others to the entries that compare all")
  func gapOrder() throws {
    let value = "hunter2hunter2"
    let text = try recording(
      of: [
        Sent(method: "GET", target: "/x/\(value)", type: ""),
        Sent(method: "GET", target: "/x/abc", type: ""),
        Sent(method: "GET", target: "/x?q=\(value)", type: ""),
        Sent(method: "GET", target: "/x?q=abc", type: ""),
      ], secrets: [value]
    ).text
    func place(_ part: String) throws -> String.Index {
      try #require(text.firstRange(of: part), "\(text)").lowerBound
    }

    #expect(try place("/x/abc") < place("/x/*"))
    #expect(try place("/x?q=abc") < place("matches:"))
  }

  @Test(
    "Of two entries that take a request, the narrower one is first",
    arguments: [
      ("/x?q=SECRET", "/x?q=a-SECRET", "matches: \"^a"), ("/x?SECRET=1", "/x", "exact: true"),
    ])
  func narrowerFirst(wide: String, narrow: String, mark: String) throws {
    let value = "hunter2hunter2"
    let sent = [wide, narrow].map {
      Sent(method: "GET", target: $0.replacing("SECRET", with: value), type: "")
    }
    let text = try recording(of: sent, secrets: [value]).text
    let entries = text.split(separator: "- request:").dropFirst()

    #expect(entries.count == 2, "\(text)")
    #expect(entries.first?.contains(mark) == true, "\(text)")
    #expect(entries.last?.contains(mark) == false, "\(text)")
  }

  @Test("OPTIONS of the whole server is a request as any other")
  func wholeServer() throws {
    func sent(_ target: String) -> Sent { Sent(method: "OPTIONS", target: target, type: "") }
    let recording = try recording(of: sent("*"))

    #expect(try isAnswered(sent("*"), by: recording), "\(recording.text)")
    #expect(try !isAnswered(sent("/"), by: recording), "\(recording.text)")
  }

  @Test(
    "A star and braces in a path are what was sent, and no pattern",
    arguments: [("/a*b", "/a-b"), ("/a*", "/ab"), ("/{a}", "/b"), ("/*/c", "/b/c")])
  func literalPaths(recorded: String, other: String) throws {
    let recording = try recording(of: Sent(method: "GET", target: recorded, type: ""))

    #expect(try isAnswered(Sent(method: "GET", target: recorded, type: ""), by: recording))
    #expect(try !isAnswered(Sent(method: "GET", target: other, type: ""), by: recording))
  }

  @Test("A GraphQL operation beside other items of the query is a request with all of them")
  func operationWithQuery() throws {
    let body = Array(#"{"query":"query Q { a }"}"#.utf8)
    let recording = try recording(of: Sent(target: "/graphql?tenant=a", body: body))
    let plain = try self.recording(of: Sent(target: "/graphql", body: body))

    #expect(try isAnswered(Sent(target: "/graphql?tenant=a", body: body), by: recording))
    #expect(try !isAnswered(Sent(target: "/graphql?tenant=b", body: body), by: recording))
    #expect(plain.text.contains("query: Q"), "\(plain.text)")
    #expect(try isAnswered(Sent(target: "/graphql", body: body), by: plain))
    #expect(try !isAnswered(Sent(target: "/graphql/", body: body), by: plain))
  }

  // MARK: - Long bodies

  @Test("A long body of JSON is in a file, and is compared by value")
  func longJSON() throws {
    let list = Array(repeating: #""0123456789""#, count: 7_000).joined(separator: ",")
    let body = #"{"list":[\#(list)],"n":1}"#
    let recording = try recording(of: Sent(body: Array(body.utf8)))
    #expect(body.utf8.count > Recording.largestCondition)
    #expect(recording.text.contains("$file") && recording.text.contains("t/1.json"))
    #expect(recording.uncheckedRequests.isEmpty)
    #expect(
      try JSONText.parse(utf8: recording.bodies[0].bytes) == JSONText.parse(utf8: Array(body.utf8)))
    #expect(try isAnswered(Sent(body: Array(body.utf8)), by: recording))
    #expect(
      try isAnswered(Sent(body: Array(#"{ "n": 1, "list": [\#(list)] }"#.utf8)), by: recording))
    #expect(try !isAnswered(Sent(body: Array(#"{"n":2,"list":[\#(list)]}"#.utf8)), by: recording))
  }

  // MARK: - Conversations

  @Test(
    "A client's message is exact to its final newline", arguments: ["a", "a\n", "a\r\n", "\n", ""])
  func messages(text: String) throws {
    guard
      case .map(let step) = RecordedSocket.Turn.clientText(text).step(Redaction()),
      case .map(let condition)? = step["expect"]
    else {
      Issue.record("no condition")
      return
    }
    var yaml = YAMLText()
    yaml.write(.map(["body": .map(condition)]), indentation: 6)
    let planned = try Samples.onlyCase(
      "target: { command: [./program] }\nresponses:\n  - request:\n      url: http://a.test/\n"
        + yaml.text + "    reply: { status: 204 }")
    guard case .http(let wanted)? = planned.network?.responses.first?.match else {
      Issue.record("no request")
      return
    }
    let matcher = try #require(wanted.body)

    for other in ["a", "a\n", "a\r\n", "a\n\n", "\n", "\r\n", ""] {
      let isMatch = matcher.check(.text(other), scope: CaseScope(directory: "/case")) == nil
      #expect(
        isMatch == (other.utf8.elementsEqual(text.utf8)), "\(other.debugDescription): \(yaml.text)")
    }
  }

  @Test(
    "A reply whose bytes hold a secret is left out, and told of; one that is text is recorded without it",
    arguments: ["hunter2hunter2", "geheimnis-über-alles"])
  func binaryReplies(secret: String) throws {
    func recording(_ body: [UInt8]) throws -> Recording {
      let reply = RecordedReply(status: 200, headers: [], body: body)
      let exchange = RecordedExchange(
        method: "GET", target: try target("/b"), headers: [], body: [], outcome: .reply(reply))
      let redactor = SecretRedactor(values: [secret])
      var recording = Recording(
        of: [exchange], title: "t", folder: "t", redaction: Redaction(values: redactor))
      recording.redact(redactor)
      return recording
    }
    let bytes = try recording([0xFF, 0] + Array(secret.utf8) + [0xFE])
    let text = try recording(Array("a \(secret) b".utf8))
    let plain = try recording([0xFF, 0, 0xFE])

    #expect(bytes.secretExchanges == ["GET http://a.test/b"])
    #expect(bytes.bodies.isEmpty && bytes.text.contains("responses: []"), "\(bytes.text)")
    #expect(text.secretExchanges.isEmpty)
    #expect(text.text.contains("a REDACTED b"), "\(text.text)")
    #expect(plain.secretExchanges.isEmpty)
  }

  @Test("A conversation with a secret in a binary message is left out, and told of")
  func binaryMessages() throws {
    func recording(_ turns: [RecordedSocket.Turn]) throws -> Recording {
      let exchange = RecordedExchange(
        method: "GET", target: try target("/chat"), headers: [], body: [],
        outcome: .socket(RecordedSocket(headers: [], turns: turns)))
      let redactor = SecretRedactor(values: ["hunter2hunter2"])
      var recording = Recording(
        of: [exchange], title: "t", folder: "t", redaction: Redaction(values: redactor))
      recording.redact(redactor)
      return recording
    }
    let secret = [0xFF] + Array("hunter2hunter2".utf8)
    let plain = [0xFF] + Array("another".utf8)

    for turn in [RecordedSocket.Turn.clientBytes(secret), .hostBytes(secret)] {
      let recorded = try recording([.clientText("a"), turn])
      #expect(recorded.secretExchanges == ["GET http://a.test/chat"])
      #expect(recorded.text.contains("responses: []"), "\(recorded.text)")
    }
    let recorded = try recording([.clientBytes(plain), .hostBytes(plain)])
    #expect(recorded.secretExchanges.isEmpty)
    #expect(recorded.text.contains(Base64.encoded(plain)), "\(recorded.text)")
  }
}
