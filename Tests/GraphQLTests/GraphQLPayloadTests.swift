import Foundations
import GraphQL
import OrderedCollections
import Testing

@Suite("GraphQL requests")
struct GraphQLPayloadTests {
  private func post(_ json: String, type: String = "application/json") -> GraphQLPayload? {
    GraphQLPayload(
      method: "POST", contentType: type, query: [], body: Array(json.utf8),
      json: try? JSONText.parse(json))
  }

  @Test("A JSON body is a request, an array of them a batch")
  func json() throws {
    let single = try #require(
      post(#"{"query":"query A { x } query B { y }","operationName":"B","variables":{"i":1}}"#))
    let batch = try #require(post(#"[{"query":"{ x }"},{"query":"mutation M { y }"}]"#))

    #expect(single.requests.map(\.operation?.name?.text) == ["B"])
    #expect(single.requests[0].variables == .map(["i": .integer(1)]))
    #expect(batch.requests.map(\.operation?.kind) == [.query, .mutation])
    guard case .batch = batch else {
      Issue.record("no batch")
      return
    }
  }

  @Test(
    "What carries no GraphQL is left alone",
    arguments: [
      #"{"name":"x"}"#, "[]", "[1]", #"{"query":{"match":1}}"#, "null", "{", #"{"id":"7"}"#,
    ])
  func others(json: String) {
    #expect(post(json) == nil)
  }

  @Test("Of several operations one must be named, and be there")
  func ambiguity() throws {
    let document = "query A { x } query B { y }"
    let none = GraphQLRequest(query: document)
    let wrong = GraphQLRequest(query: document, operationName: "C")
    let empty = GraphQLRequest(query: "query A { x }", operationName: "")
    let broken = GraphQLRequest(query: "query A { x")

    #expect(
      none.error?.message == "Must provide operation name if query contains multiple operations.")
    #expect(wrong.error?.message == "Unknown operation named \"C\".")
    #expect(empty.name == "A")
    #expect(
      broken.error?.line == "1:12: Syntax Error: Expected a field, found the end of the document.")
  }

  @Test("A document may come as it is, or in the URL")
  func otherForms() throws {
    let plain = try #require(
      GraphQLPayload(
        method: "POST", contentType: "application/graphql; charset=utf-8",
        query: [("variables", #"{"a":1}"#)], body: Array("query Q { x }".utf8), json: nil))
    let url = try #require(
      GraphQLPayload(
        method: "GET", contentType: nil,
        query: [
          ("query", "query A { x } query B { y }"), ("operationName", "B"),
          ("variables", "{\"a\":2}"),
          ("extensions", "{\"x\":1}"),
        ], body: [], json: nil))
    let search = GraphQLPayload(
      method: "GET", contentType: nil, query: [("query", "shoes")], body: [], json: nil)

    #expect(plain.requests[0].name == "Q")
    #expect(plain.requests[0].variables == .map(["a": .integer(1)]))
    #expect(url.requests[0].name == "B")
    #expect(url.requests[0].extensions == .map(["x": .integer(1)]))
    #expect(search == nil)
  }

  private func form(_ operations: String, _ map: String, files: [String] = ["0"]) -> GraphQLPayload?
  {
    var text = ""
    func add(_ disposition: String, _ body: String) {
      text += "--B=1\r\nContent-Disposition: form-data; \(disposition)\r\n\r\n\(body)\r\n"
    }
    add("name=\"operations\"", operations)
    add("name=\"map\"", map)
    for file in files {
      text +=
        "--B=1\r\ncontent-disposition: form-data; name=\"\(file)\"; filename=\"a;\\\"b.txt\"\r\n"
        + "Content-Type: text/plain\r\n\r\nline\r\n\r\n--B\r\n"
    }
    return GraphQLPayload(
      method: "POST", contentType: "multipart/form-data; boundary=\"B=1\"", query: [],
      body: Array((text + "--B=1--\r\n").utf8), json: nil)
  }

  @Test("Uploads stand where the map puts them, also in a batch")
  func uploads() throws {
    let single = try #require(
      form(
        #"{"query":"mutation M($f: [Upload]) { up(f: $f) }","variables":{"f":[null,null]}}"#,
        #"{"0":["variables.f.1"]}"#))
    let batch = try #require(
      form(
        #"[{"query":"mutation A { a }"},{"query":"mutation B { b }","variables":{"f":null}}]"#,
        #"{"0":["1.variables.f"]}"#))

    let file = #"{"filename":"a;\"b.txt","content_type":"text/plain","length":11}"#
    #expect(single.requests[0].variables.jsonText() == #"{"f":[null,\#(file)]}"#)
    #expect(batch.requests.map(\.name) == ["A", "B"])
    #expect(batch.requests[1].variables.jsonText() == #"{"f":\#(file)}"#)
  }

  @Test(
    "A broken upload is reported",
    arguments: [
      ("{", "{}", ["0"], "Invalid JSON in the \"operations\" multipart field."),
      (#"{"query":"{ x }"}"#, "[", ["0"], "Invalid JSON in the \"map\" multipart field."),
      (
        #"{"query":"{ x }"}"#, #"{"1":["variables.f"]}"#, ["0"],
        "File missing in the request: \"1\"."
      ),
      (
        #"{"query":"{ x }"}"#, #"{"0":["query.f"]}"#, ["0"],
        "Invalid object path for the \"map\" multipart field: \"query.f\"."
      ),
      (#"{"x":1}"#, #"{}"#, [], "The \"operations\" multipart field holds no operation."),
    ])
  func brokenUploads(operations: String, map: String, files: [String], expected: String) {
    #expect(form(operations, map, files: files) == .malformed(GraphQLError(expected)))
  }

  @Test("Persisted documents are asked for, learned, and found again")
  func persisted() throws {
    let hash = "3bdae2a5b8d6a4ae8bd7a1a8a4ee7e1c0e2b7a2c"
    var store = GraphQLPersistedDocuments(mode: .automatic)
    let query = "{__typename}"
    // The example of Apollo's documentation.
    let real = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"
    func request(_ query: String?, _ hash: String) -> GraphQLRequest {
      GraphQLRequest(
        query: query,
        extensions: .map([
          "persistedQuery": .map(["version": .integer(1), "sha256Hash": .string(hash)])
        ]))
    }

    var first = request(nil, real)
    let firstError = store.resolve(&first)
    var second = request(query, real)
    let secondError = store.resolve(&second)
    var third = request(nil, real.uppercased())
    let thirdError = store.resolve(&third)
    var wrong = request(query, hash)
    let wrongError = store.resolve(&wrong)

    #expect(firstError?.message == "PersistedQueryNotFound")
    #expect(secondError == nil)
    #expect(thirdError == nil)
    #expect(third.query == query)
    #expect(wrongError?.message == "provided sha does not match query")
  }

  @Test("Persisted documents may be refused, or be those of a manifest")
  func manifest() throws {
    var refusing = GraphQLPersistedDocuments(mode: .reject)
    let plain = try #require(
      GraphQLPersistedDocuments.manifest(try JSONText.parse(#"{"a1":"query A { x }"}"#)))
    let apollo = try #require(
      GraphQLPersistedDocuments.manifest(
        try JSONText.parse(
          #"{"format":"apollo-persisted-query-manifest","operations":[{"id":"b2","body":"query B { x }"}]}"#
        )))
    var store = GraphQLPersistedDocuments(
      mode: .manifest, manifest: plain.merging(apollo) { first, _ in first })
    func hashed(_ hash: String) throws -> GraphQLRequest {
      try #require(
        post(#"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}}"#)
      ).requests[0]
    }

    var refused = try hashed("a1")
    var first = try hashed("a1")
    var second = try #require(post(#"{"documentId":"b2"}"#)).requests[0]
    var third = try #require(post(#"{"id":"c3","variables":{}}"#)).requests[0]

    #expect(refusing.resolve(&refused)?.message == "PersistedQueryNotSupported")
    #expect(store.resolve(&first) == nil)
    #expect(store.resolve(&second) == nil)
    #expect([first.name, second.name] == ["A", "B"])
    #expect(store.resolve(&third)?.message == "PersistedQueryNotFound")
    #expect(GraphQLPersistedDocuments.manifest(.map(["a": .integer(1)])) == nil)
  }

  @Test(
    "A client is answered in the way that it prefers",
    arguments: [
      (nil, false, GraphQLAcceptance.json), ("*/*", false, .json), ("text/html", false, nil),
      ("application/graphql-response+json, application/json;q=0.9", false, .graphQLResponse),
      ("application/json, application/graphql-response+json;q=0.9", false, .json),
      ("application/json;q=0, */*;q=0.1", false, .json), ("*/*", true, nil), (nil, true, nil),
      ("text/event-stream", true, .eventStream), ("text/event-stream", false, nil),
      ("multipart/mixed;subscriptionSpec=\"1.0\", application/json", true, .subscriptionParts),
      ("multipart/mixed;deferSpec=20220824, application/json", true, .deferParts),
      ("multipart/mixed;deferSpec=20220824, application/json", false, .json),
    ])
  func acceptance(accept: String?, streams: Bool, expected: GraphQLAcceptance?) {
    #expect(GraphQLAcceptance.preferred(by: accept, streams: streams) == expected)
  }
}
