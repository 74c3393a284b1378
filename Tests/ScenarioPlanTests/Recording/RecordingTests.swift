import Foundations
@testable import MockEngine
@testable import Patterns
import ScenarioModel
@testable import ScenarioPlan
import ScenarioSyntax
import Testing

@Suite("Recordings")
struct RecordingTests {
  private func exchange(
    _ url: String, method: String = "GET", body: String = "",
    headers: [(String, String)] = [], _ outcome: RecordedExchange.Outcome
  ) throws -> RecordedExchange {
    let parts = URLParts(url)
    let target = try RequestTarget(
      scheme: parts.scheme ?? "http", authority: parts.authority ?? "", target: url)
    return RecordedExchange(
      method: method, target: target,
      headers: headers.map { .init(name: $0.0, value: $0.1) }, body: Array(body.utf8),
      outcome: outcome)
  }

  private func reply(
    _ text: String, status: Int = 200, type: String = "application/json",
    _ more: [(String, String)] = []
  ) -> RecordedExchange.Outcome {
    .reply(
      RecordedReply(
        status: status,
        headers: ([("Content-Type", type)] + more).map { .init(name: $0.0, value: $0.1) },
        body: Array(text.utf8)))
  }

  private func record(_ exchanges: [RecordedExchange]) -> Recording {
    Recording(of: exchanges, title: "t (t.yaml)", folder: "t", redaction: Redaction())
  }

  /// What the language makes of a recording.
  private func replay(_ recording: Recording) throws -> [ResponseEntry] {
    let result = ImportedResponses.parse(bytes: Array(recording.text.utf8), path: "r.yaml")
    #expect(result.diagnostics.isEmpty, "\(result.diagnostics) in \(recording.text)")
    return result.entries
  }

  @Test("The same traffic gives the same bytes, in whatever order hosts were asked")
  func stable() throws {
    let one = try exchange("http://b.test/x", reply("{}"))
    let two = try exchange("http://a.test/y?q=1", reply("[1]"))

    #expect(record([one, two]).text == record([two, one]).text)
    #expect(record([one, two]).text != record([one]).text)
  }

  @Test("Secrets are in no header, text or file, however the body is written")
  func secretsInTexts() throws {
    let long = String(repeating: "x", count: Recording.largestInlineBody)
    let recording = record([
      try exchange(
        "http://a.test/1", reply("", [("Location", "https://a.test/cb?code=1&access_token=s3cret")])
      ),
      try exchange("http://a.test/2", reply(#"{"p":1.10,"token":"s3cret"}"#)),
      try exchange("http://a.test/3", reply("<a><token>s3cret</token></a>", type: "text/xml")),
      try exchange(
        "http://a.test/4",
        reply("access_token=s3cret&a=1", type: "application/x-www-form-urlencoded")),
      try exchange("http://a.test/5", reply("<token>s3cret</token>\(long)", type: "text/xml")),
      try exchange("http://a.test/6", reply(#"{"next":"https://a.test/?token=s3cret"}"#)),
    ])

    #expect(!recording.text.contains("s3cret"), "\(recording.text)")
    #expect(recording.text.contains("access_token=REDACTED&a=1"))
    #expect(recording.bodies.count == 1)
    for body in recording.bodies {
      #expect(!String(decoding: body.bytes, as: UTF8.self).contains("s3cret"))
    }
    _ = try replay(recording)
  }

  @Test("A request whose text holds a secret is asked for without it")
  func secretInRequestText() throws {
    let body = "<in>\n<user>ada</user><password>s3cret</password></in>"
    let recording = record([
      try exchange(
        "http://a.test/in", method: "POST", body: body, headers: [("Content-Type", "text/xml")],
        reply("{}"))
    ])
    let entry = try #require(try replay(recording).first)
    guard case .http(let pattern) = entry.match, let matcher = pattern.body,
      case .matches(let expression) = matcher.condition
    else {
      Issue.record("no expression: \(recording.text)")
      return
    }

    #expect(!recording.text.contains("s3cret"))
    let planned = RegularExpression(expression.value)
    try planned.validateForRequests()
    #expect(planned.isFound(in: body.replacing("s3cret", with: "o\nther")))
    #expect(!planned.isFound(in: body.replacing("ada", with: "bob")))
  }

  @Test("Headers that name one exchange only are left out")
  func passingHeaders() throws {
    let one = try exchange("http://a.test/", reply("1", [("X-Request-Id", "1"), ("ETag", "e")]))
    let two = try exchange("http://a.test/", reply("1", [("X-Request-Id", "2"), ("ETag", "e")]))

    #expect(record([one]).text == record([two]).text)
    #expect(record([one]).text.contains("etag: e"))
    #expect(record([one, two]).text.contains("times: 2"))
  }

  @Test("Equal requests share a queue in their order; equal replies in a row are one")
  func queues() throws {
    let exchanges = [
      try exchange("http://a.test/", reply("1")), try exchange("http://a.test/", reply("2")),
      // A second later: dates are no part of a recording.
      try exchange("http://a.test/", reply("2", [("Date", "Sun, 01 Mar 2026 09:00:01 GMT")])),
      try exchange("http://a.test/", reply("1")),
    ]

    let entries = try replay(record(exchanges))

    #expect(entries.count == 1)
    #expect(entries.first?.replies.map(\.times) == [1, 2, 1])
  }

  @Test("Secrets are nowhere in the file, and a replay does not ask for them")
  func secrets() throws {
    let recording = record([
      try exchange(
        "http://a.test/login?api_key=hidden1&v=2", method: "POST",
        body: #"{"user": "ada", "password": "hidden2", "deep": [{"accessToken": "hidden3"}]}"#,
        headers: [("Authorization", "Bearer hidden4"), ("Content-Type", "application/json")],
        reply(
          #"{"refresh_token": "hidden5", "id": 7, "pin": 1}"#,
          [("Set-Cookie", "sid=hidden6; Path=/"), ("X-Api-Key", "hidden7")])),
      try exchange(
        "http://a.test/form", method: "POST", body: "user=ada&password=hidden8",
        headers: [("Content-Type", "application/x-www-form-urlencoded")], reply("{}")),
    ])

    #expect(!recording.text.contains("hidden"), "\(recording.text)")
    #expect(recording.text.contains("sid=REDACTED; Path=/"))
    #expect(recording.text.contains("refresh_token: REDACTED"))
    #expect(recording.text.contains("\"$.user\": ada"))
    #expect(recording.text.contains("id: 7"))
    let entries = try replay(recording)
    #expect(entries.count == 2)
  }

  @Test("Names that the author adds are secret, too")
  func moreSecrets() throws {
    let one = try exchange("http://a.test/", reply(#"{"iban": "DE1", "name": "n"}"#))

    let recording = Recording(
      of: [one], title: "t", folder: "t", redaction: Redaction(adding: ["IBAN"]))

    #expect(recording.text.contains("iban: REDACTED"))
    #expect(recording.text.contains("name: \"n\""))
  }

  @Test(
    "Any body comes back as it was",
    arguments: [
      "plain", "two\nlines\n", "no end\nhere", "tab\tand \"quotes\" and ${{ no.expression }}",
      "ends twice\n\n", " begins with a space\nx", "# no comment", "key: value", "- item", "null",
      "12",
      "\r\n", "| block\n  indented\nout\n", "é😀\nü", "'", "a: b # c", "---\nx", "%",
    ])
  func bodies(text: String) throws {
    let entries = try replay(
      record([try exchange("http://a.test/", reply(text, type: "text/plain"))]))

    guard case .text(let node)? = entries.first?.replies.first?.body,
      case .literal(.string(let found)) = node.content
    else {
      Issue.record("no text")
      return
    }
    #expect(found == text)
  }

  @Test("Bytes, and what is large, stand in files beside")
  func files() throws {
    let large = "[" + (1...20_000).map(String.init).joined(separator: ",") + "]"
    let bytes = RecordedReply(status: 200, headers: [], body: [0, 1, 0xFF])
    let recording = record([
      try exchange("http://a.test/a", .reply(bytes)), try exchange("http://a.test/b", reply(large)),
    ])

    #expect(recording.bodies.map(\.name) == ["1.bin", "2.json"])
    #expect(recording.bodies.first?.bytes == [0, 1, 0xFF])
    #expect(recording.text.contains("file: t/1.bin"))
    #expect(recording.text.utf8.count < 1_000)
  }

  @Test("A cut reply is told of and left out; a recording of nothing is empty")
  func cut() throws {
    var cut = RecordedReply(status: 200, headers: [], body: [1])
    cut.isCut = true

    let recording = record([try exchange("http://a.test/a?token=x", .reply(cut))])

    #expect(recording.cutReplies == ["GET http://a.test/a?token=REDACTED"])
    let entries = try replay(recording)
    #expect(entries.isEmpty)
    #expect(Recording.title(of: recording.text) == "t (t.yaml)")
  }

  @Test("A GraphQL operation gives its entry the name, and its document is recorded")
  func graphQL() throws {
    let body =
      #"{"query": "query GetUser($id: ID!) { user(id: $id) { name } }", "variables": {"id": 4}}"#
    let recording = record([
      try exchange(
        "https://a.test/graphql", method: "POST", body: body,
        headers: [("content-type", "application/json")],
        reply(#"{"data": {"user": {"name": "Ada"}}}"#))
    ])

    let entries = try replay(recording)

    #expect(entries.map(\.name) == ["query GetUser"])
    #expect(
      recording.text.contains(
        "document: \"query GetUser($id: ID!) { user(id: $id) { name } }\"\n    variables:\n      exact:\n        id: 4\n"
      ))
  }

  @Test("More of a query is asked before less, so that a replay tells them apart")
  func order() throws {
    let entries = try replay(
      record([
        try exchange("http://a.test/", reply("0")), try exchange("http://a.test/?a=1", reply("1")),
        try exchange("http://a.test/?a=1&b=2", reply("2")),
      ]))

    #expect(
      entries.map(\.name) == [
        "GET http://a.test/?a=1&b=2", "GET http://a.test/?a=1", "GET http://a.test/",
      ])
  }

  @Test("A host that never answered is one entry; one that answered at times has its queue")
  func deadHosts() throws {
    let recording = record([
      try exchange("http://dead.test/a", .fault(.refuse)),
      try exchange("http://dead.test/b", .fault(.refuse)),
      try exchange("http://ill.test/", .fault(.refuse)),
      try exchange("http://ill.test/", reply("1")),
    ])

    #expect(recording.text.contains("- host: dead.test:80\n    fault: refuse\n"))
    #expect(recording.text.contains("- fault: reset\n"))
    #expect(!recording.text.contains("dead.test/a"))
  }
}

@Suite("Modes of hosts")
struct HostModeTests {
  @Test(
    "A pattern's stars stand for any letters",
    arguments: [
      ("api.test", "api.test", true), ("api.test", "x.api.test", false),
      ("*.test", "a.b.test", true),
      ("*.test", "test", false), ("a*c*e", "abcde", true), ("a*c*e", "ace", true),
      ("a*a", "a", false), ("*", "anything", true), ("*b*", "abc", true), ("*b*", "ac", false),
    ])
  func patterns(pattern: String, host: String, isMatch: Bool) {
    #expect(PlannedHostMode(pattern: pattern, mode: .live).matches(host) == isMatch)
  }

  @Test("The first pattern that fits rules; others follow the mode of the whole")
  func first() {
    var network = PlannedNetwork(mode: .offline, unused: .fail, responses: [])
    network.hosts = [
      PlannedHostMode(pattern: "a.test", mode: .live),
      PlannedHostMode(pattern: "*.test", mode: .record),
    ]

    #expect(network.mode(ofHost: "a.test") == .live)
    #expect(network.mode(ofHost: "b.test") == .record)
    #expect(network.mode(ofHost: "c.example") == .offline)
    #expect(network.records)
  }
}
