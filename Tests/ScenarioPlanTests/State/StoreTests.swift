import Foundations
@testable import MockEngine
import OrderedCollections
@testable import Patterns
import ScenarioPlan
import Testing

@Suite("Stores")
struct StoreTests {
  private let scope = CaseScope(directory: "/case")

  private struct Reply: Equatable {
    var status: Int
    var body: String?
    var headers: [String: String] = [:]
  }

  private func queue(_ entry: String, _ more: String = "") throws -> StubQueue {
    let planned = try Samples.onlyCase(
      "target: { command: [./program] }\n\(more)\nresponses:\n  - \(entry)\n")
    return StubQueue(responses: try #require(planned.network).responses)
  }

  private func ask(
    _ queue: inout StubQueue, _ line: String, _ body: String = ""
  ) throws -> Reply? {
    let words = line.split(separator: " ").map(String.init)
    let request = IncomingRequest(
      method: words[0],
      target: try RequestTarget(scheme: "http", authority: "a.test", target: words[1]),
      headers: [], body: Array(body.utf8))
    guard case .reply(let claimed) = queue.claim(request, scope: scope) else { return nil }
    var reply = Reply(status: claimed.reply.status)
    if case .json(let data) = claimed.reply.body {
      reply.body = try data.resolve(in: scope).jsonText()
    }
    for header in claimed.reply.headers {
      reply.headers[header.name] = try header.value.resolve(in: scope)
    }
    return reply
  }

  private func field(_ name: String, of item: Value) -> Value? {
    if case .map(let fields) = item { fields[name] } else { nil }
  }

  private static let two =
    "{ store: todos, at: http://a.test/todos, items: [{ id: 1, title: milk }, { id: 2, title: tea, done: true }] }"

  @Test("Items are created, read, replaced, patched and deleted")
  func life() throws {
    var queue = try queue("{ store: todos, at: http://a.test/todos }")

    #expect(try ask(&queue, "GET /todos")?.body == "[]")
    let created = try ask(&queue, "POST /todos", #"{"title":"milk","tags":{"a":1,"b":2}}"#)
    #expect(
      created
        == Reply(
          status: 201, body: #"{"id":1,"title":"milk","tags":{"a":1,"b":2}}"#,
          headers: ["Location": "http://a.test/todos/1"]))
    #expect(
      try ask(&queue, "POST /todos/", #"{"title":"tea"}"#)?.body == #"{"id":2,"title":"tea"}"#)
    #expect(try ask(&queue, "GET /todos/2")?.body == #"{"id":2,"title":"tea"}"#)
    // RFC 7396: maps are merged, null takes out; the identifier stays.
    #expect(
      try ask(&queue, "PATCH /todos/1", #"{"id":9,"title":null,"tags":{"a":null,"c":3}}"#)
        == Reply(status: 200, body: #"{"id":1,"tags":{"b":2,"c":3}}"#))
    #expect(
      try ask(&queue, "PUT /todos/2", #"{"title":"coffee"}"#)
        == Reply(status: 200, body: #"{"id":2,"title":"coffee"}"#))
    #expect(try ask(&queue, "DELETE /todos/1") == Reply(status: 204))
    #expect(try ask(&queue, "GET /todos/1")?.status == 404)
    #expect(try ask(&queue, "GET /todos")?.body == #"[{"id":2,"title":"coffee"}]"#)
    // What was an identifier once is not given again.
    #expect(try ask(&queue, "DELETE /todos/2")?.status == 204)
    #expect(try ask(&queue, "POST /todos", "{}")?.body == #"{"id":3}"#)
    #expect(queue.state["todos"] == .list([.map(["id": .integer(3)])]))
    #expect(queue.unused().isEmpty)
  }

  @Test(
    "What cannot be done changes nothing, and is told with its status",
    arguments: [
      ("GET /todos/3", "", 404, nil), ("PUT /todos/3", "{}", 404, nil),
      ("PATCH /todos/3", "{}", 404, nil), ("DELETE /todos/3", "", 404, nil),
      ("PUT /todos", "{}", 405, "GET, HEAD, OPTIONS, POST"),
      ("DELETE /todos", "", 405, "GET, HEAD, OPTIONS, POST"),
      ("POST /todos/1", "{}", 405, "DELETE, GET, HEAD, OPTIONS, PATCH, PUT"),
      ("OPTIONS /todos", "", 204, "GET, HEAD, OPTIONS, POST"), ("POST /todos", "", 400, nil),
      ("POST /todos", "{", 400, nil), ("POST /todos", "[]", 400, nil),
      ("PATCH /todos/1", "7", 400, nil), ("PUT /todos/1", "title=a", 400, nil),
      ("POST /todos", #"{"id":1}"#, 409, nil), ("POST /todos", #"{"id":"2"}"#, 409, nil),
      ("POST /todos", #"{"id":[1]}"#, 400, nil), ("GET /todos?_page=0", "", 400, nil),
      ("GET /todos?_limit=many", "", 400, nil), ("GET /todos?_sorted=title", "", 400, nil),
      ("GET /todos?_sort=title&_order=up", "", 400, nil),
    ] as [(String, String, Int, String?)])
  func mistakes(line: String, body: String, status: Int, allow: String?) throws {
    var queue = try queue(Self.two)
    let before = queue.state["todos"]

    let reply = try #require(try ask(&queue, line, body))

    #expect(reply.status == status)
    #expect(reply.headers["Allow"] == allow)
    #expect(reply.body?.hasPrefix("{\"error\":") ?? (status == 204), "\(reply.body ?? "")")
    #expect(queue.state["todos"] == before)
  }

  @Test(
    "It answers for its collection and the items below it, and for nothing else",
    arguments: [
      ("GET /todos", true), ("GET /todos/", true), ("GET /todos/1", true),
      ("GET /todos/1/notes", false), ("GET /todosx", false), ("GET /", false),
      ("GET /lists/todos", false),
    ])
  func addresses(line: String, answers: Bool) throws {
    var queue = try queue(Self.two)

    #expect((try ask(&queue, line) != nil) == answers)
  }

  private static let notes = """
    { store: notes, at: http://a.test/notes, items: [
        { id: a, stars: 10, by: { name: Ada }, tags: [x, y], text: One },
        { id: b, stars: 9, by: { name: Bob }, tags: [y], text: two },
        { id: c, stars: 9.5, by: { name: Ada }, draft: true, text: three },
        { id: d, by: { name: Cy }, text: four } ] }
    """

  @Test(
    "Lists are filtered, searched, sorted and cut as json-server does",
    arguments: [
      ("", "abcd", 4), ("?id=b", "b", 1), ("?id=a&id=d", "ad", 2), ("?by.name=Ada", "ac", 2),
      ("?by.name=Ada&draft=true", "c", 1), ("?stars=9", "b", 1), ("?stars=nine", "", 0),
      ("?tags=y", "ab", 2), ("?none=1", "", 0), ("?stars_gte=9.5", "ac", 2),
      ("?stars_lte=9.5", "bc", 2), ("?stars_gte=9&stars_lte=9", "b", 1), ("?id_ne=a", "bcd", 3),
      ("?text_like=ee", "c", 1), ("?q=ADA", "ac", 2), ("?q=cy", "d", 1),
      ("?_sort=stars", "bcad", 4), ("?_sort=-stars", "acbd", 4),
      ("?_sort=stars&_order=desc", "acbd", 4), ("?_sort=by.name,text", "acbd", 4),
      ("?_sort=by.name,-text", "cabd", 4), ("?_sort=by.name,text&_order=desc,asc", "dbac", 4),
      ("?_sort=draft", "cabd", 4), ("?_limit=2", "ab", 4), ("?_start=1&_end=3", "bc", 4),
      ("?_start=1&_limit=2", "bc", 4), ("?_start=9", "", 4), ("?_page=1&_limit=3", "abc", 4),
      ("?_page=2&_limit=3", "d", 4), ("?_page=2&_per_page=3", "d", 4), ("?_page=3&_limit=3", "", 4),
      ("?_page=1", "abcd", 4), ("?_page=9223372036854775807&_limit=9223372036854775807", "", 4),
      ("?by.name=Ada&_sort=text&_page=1&_limit=1", "a", 2),
    ])
  func lists(query: String, identifiers: String, total: Int) throws {
    var queue = try queue(Self.notes)
    let reply = try #require(try ask(&queue, "GET /notes" + query))
    let list = try JSONText.parse(try #require(reply.body))
    guard case .list(let items) = list else { return #expect(Bool(false), "no list") }

    #expect(items.map { field("id", of: $0)?.textForm ?? "?" }.joined() == identifiers)
    #expect(reply.headers["X-Total-Count"] == String(total))
  }

  @Test("Pages name each other, with what else the query says")
  func links() throws {
    var queue = try queue(Self.notes)
    func link(_ query: String) throws -> String? {
      try ask(&queue, "GET /notes" + query)?.headers["Link"]
    }
    func page(_ number: Int, _ relation: String) -> String {
      "<http://a.test/notes?q=a&_page=\(number)&_limit=1>; rel=\"\(relation)\""
    }

    #expect(
      try link("?q=a&_page=1&_limit=1")
        == [page(1, "first"), page(2, "next"), page(2, "last")]
        .joined(separator: ", "))
    #expect(
      try link("?q=a&_page=2&_limit=1")
        == [page(1, "first"), page(1, "prev"), page(2, "last")]
        .joined(separator: ", "))
    #expect(try link("?_limit=1") == nil)
  }

  @Test("Identifiers go on as those of the items are: numbers, texts, or UUIDs from the seed")
  func identifiers() throws {
    func made(_ items: String, _ more: String = "") throws -> [String] {
      var queue = try queue(
        "{ store: todos, at: http://a.test/todos, id: key, items: \(items) }", more)
      return try (0..<2).map { _ in
        let body = try JSONText.parse(try ask(&queue, "POST /todos", "{}")?.body ?? "null")
        return field("key", of: body)?.jsonText() ?? ""
      }
    }
    let uuid = "[{ key: 6ba7b810-9dad-11d1-80b4-00c04fd430c8 }]"
    let seeded = try made(uuid, "seed: 7")

    #expect(try made("[]") == ["1", "2"])
    #expect(try made("[{ key: 41, title: a }, { title: b }]") == ["43", "44"])
    #expect(try made("[{ key: ada }]") == ["\"1\"", "\"2\""])
    #expect(seeded.allSatisfy { $0.count == 38 && $0.dropFirst(15).first == "4" }, "\(seeded)")
    #expect(Set(seeded).count == 2)
    #expect(try made(uuid, "seed: 7") == seeded)
    #expect(try made(uuid, "seed: 8") != seeded)
  }

  @Test("Factories make the items, and a reply sees them")
  func factories() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [./program] }
      factories:
        todo: { fields: { id: { $seq: 1 }, title: "todo ${{ id }}" } }
      responses:
        - { store: todos, at: http://a.test/todos, items: { $build: todo, count: 2 } }
        - GET http://a.test/count: { json: { n: "${{ length(state.todos) }}" } }
        - { request: GET http://a.test/empty, when: { todos: { length: 0 } }, reply: {}, then: repeat }
      """)
    var queue = StubQueue(responses: try #require(planned.network).responses)

    #expect(
      try ask(&queue, "GET /todos")?.body
        == #"[{"id":1,"title":"todo 1"},{"id":2,"title":"todo 2"}]"#)
    #expect(try ask(&queue, "GET /empty") == nil)
    _ = try ask(&queue, "DELETE /todos/1")
    _ = try ask(&queue, "DELETE /todos/2")
    #expect(try ask(&queue, "GET /empty")?.status == 200)
    #expect(try ask(&queue, "POST /todos", "{}")?.body == #"{"id":3}"#)
  }

  @Test(
    "A merge patch does what RFC 7396 shows",
    arguments: [
      (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
      (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
      (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
      (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
      (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
      (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
      (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
      (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
      (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#), (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
      (#"{"a":"foo"}"#, "null", "null"), (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
      (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
      ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
      ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
  func mergePatch(original: String, patch: String, result: String) throws {
    let merged = try JSONText.parse(original).merging(patch: try JSONText.parse(patch))

    #expect(merged.jsonText() == result)
  }
}
