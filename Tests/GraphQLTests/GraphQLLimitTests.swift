import Foundations
import GraphQL
import OrderedCollections
import Testing

/// What hostile clients send: an answer comes in bounded time, memory and stack.
@Suite("GraphQL limits")
struct GraphQLLimitTests {
  private static func errors(_ text: String) throws -> [String] {
    try GraphQLDocument(parsing: text).errors(in: try Schemas.schema()).map(\.message)
  }

  @Test("A chain of forty thousand fragments is refused and not followed")
  func chain() throws {
    let count = 40_000
    var text = "{ me { ...F0 } }"
    for index in 0..<count { text += " fragment F\(index) on User { ...F\(index + 1) }" }
    text += " fragment F\(count) on User { id }"

    let found = try Self.errors(text)

    #expect(
      found == [
        "The operation is nested more than 200 levels deep, its fragments included."
      ])
  }

  @Test("A chain that is as long as selections may nest is followed")
  func shortChain() throws {
    func chain(_ count: Int) -> String {
      let links = (0..<count).map { "fragment F\($0) on User { ...F\($0 + 1) }" }
      return "{ me { ...F0 } } " + links.joined(separator: " ")
        + " fragment F\(count) on User { id }"
    }

    #expect(try Self.errors(chain(100)) == [])
    #expect(try Self.errors(chain(197)) == [])
    #expect(try Self.errors(chain(198)).count == 1)
  }

  @Test("Of two fragments with one name the deep one hides behind no other")
  func hiddenChain() throws {
    var text = "{ me { ...F0 } }"
    for index in 0..<20_000 { text += " fragment F\(index) on User { ...F\(index + 1) }" }
    for index in 0..<20_000 { text += " fragment F\(index) on User { id }" }

    #expect(try !Self.errors(text).isEmpty)
  }

  @Test("A cycle of fragments is refused, however long")
  func cycle() throws {
    var text = "{ me { ...F0 } }"
    for index in 0..<20_000 {
      text += " fragment F\(index) on User { ...F\((index + 1) % 20_000) }"
    }

    #expect(try Self.errors(text).contains { $0.hasPrefix("Cannot spread fragment \"F0\"") })
  }

  @Test("Ten thousand operations that share a thousand fragments are too complex")
  func sharedFragments() throws {
    var text = ""
    for index in 0..<10_000 { text += "query Q\(index) { me { ...F0 } } " }
    for index in 0..<100 {
      text += "fragment F\(index) on User { " + (1...10).map { "...G\(index)x\($0) " }.joined()
      text += index < 99 ? "...F\(index + 1) } " : "id } "
      for other in 1...10 { text += "fragment G\(index)x\(other) on User { id } " }
    }

    #expect(
      try Self.errors(text)
        == ["The document is too complex: its operations share too many fragments."])
  }

  @Test("A hundred thousand mistakes cost no more than those that are reported")
  func mistakes() throws {
    let text = "{ me { " + String(repeating: "nme ", count: 100_000) + "} }"

    #expect(try Self.errors(text).count == GraphQLLimits.errors)
  }

  @Test("Long texts are read in time that grows with them")
  func longTexts() throws {
    let blank = "{ a(b: \"\"\"" + String(repeating: "\n", count: 2_000_000) + "x\"\"\") }"
    let name = "{ " + String(repeating: "a", count: 4_000_000) + " }"
    let comment = "#" + String(repeating: "a", count: 4_000_000) + "\n{ a }"
    let number = "{ a(b: " + String(repeating: "1", count: 1_000_000) + ") }"
    let escapes = "{ a(b: \"" + String(repeating: "\\u00e9", count: 500_000) + "\") }"

    #expect(try GraphQLDocument(parsing: blank).operations.count == 1)
    #expect(try GraphQLDocument(parsing: comment).operations.count == 1)
    #expect(try GraphQLDocument(parsing: number).operations.count == 1)
    #expect(try GraphQLDocument(parsing: escapes).operations.count == 1)
    #expect(try Self.errors(name).count == 1)
  }

  @Test("Documents that are too long, and have too many tokens, are refused")
  func sizes() {
    let long = "{ a(b: \"" + String(repeating: "x", count: 10 * 1024 * 1024) + "\") }"
    let many = "{ " + String(repeating: "a ", count: 500_000) + "}"

    let length = #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: long) }
    let tokens = #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: many) }
    #expect(length?.message.contains("longer than") == true)
    #expect(tokens?.message.contains("more than 400000 tokens") == true)
    #expect(GraphQLSchema.read(long).problems.first?.message.contains("longer than") == true)
  }

  @Test(
    "Texts that are nested without end are refused by the reader of schemas",
    arguments: ["type T { a: ", "input I { a: Int = ", "directive @d(a: Int = "])
  func deepSchemas(opening: String) {
    let nested = opening.hasSuffix("= ") ? "{a: " : "["
    let (schema, problems) = GraphQLSchema.read(
      opening + String(repeating: nested, count: 100_000))

    #expect(schema == nil)
    #expect(problems.first?.message.contains("nested more than 200 levels deep") == true)
  }

  // MARK: - Results

  private func project(
    _ text: String, _ data: Value, limit: Int = GraphQLLimits.values
  ) throws -> (data: Value, problems: [GraphQLProjection.Problem]) {
    let document = try GraphQLDocument(parsing: text)
    let schema = try Schemas.schema()
    #expect(document.errors(in: schema).map(\.line) == [])
    let operation = try #require(document.operations.first)
    return GraphQLProjection(
      schema: schema, document: document, operation: operation, variables: [:], limit: limit
    ).project(data)
  }

  @Test("Aliases that multiply a result end in an error and not in memory")
  func aliases() throws {
    var fragments = ""
    for level in 0..<60 {
      fragments += " fragment F\(level) on User { a: friends { ...F\(level + 1) }"
      fragments += " b: friends { ...F\(level + 1) } }"
    }
    let text = "{ me { ...F0 } }" + fragments + " fragment F60 on User { id }"
    var user = Value.map(["id": .string("1"), "friends": .list([])])
    for _ in 0..<70 { user = .map(["id": .string("1"), "friends": .list([user])]) }

    let (data, problems) = try project(text, .map(["me": user]), limit: 50_000)

    #expect(data == .null)
    #expect(problems.map(\.message) == ["the result would have more than 50000 values"])
  }

  @Test("A result that is as large as it may be is given, and cut at the same places")
  func largeList() throws {
    let friend = Value.map(["id": .string("1"), "name": .string("A"), "age": .integer(7)])
    let data = Value.map([
      "me": .map(["friends": .list(.init(repeating: friend, count: 20_000))])
    ])

    let (result, problems) = try project(
      "{ me { friends { name ...F } } } fragment F on User { id }", data)

    #expect(problems.isEmpty)
    guard case .map(let root) = result, case .map(let me)? = root["me"],
      case .list(let friends)? = me["friends"]
    else {
      Issue.record("no list")
      return
    }
    #expect(friends.count == 20_000)
    #expect(friends.last == .map(["name": .string("A"), "id": .string("1")]))
  }

  @Test("A hundred aliases of the whole schema are more than is reported")
  func introspection() throws {
    let one = "__schema { types { fields { type { fields { type { fields { name } } } } } } }"
    let text = "{ " + (0..<200).map { "a\($0): \(one)" }.joined(separator: " ") + " }"

    #expect(try project("{ \(one) }", .map([:])).problems.isEmpty)
    #expect(try project(text, .map([:]), limit: 20_000).problems.count == 1)
  }

  @Test("Files of an upload have a bounded number of places")
  func uploads() throws {
    let paths = (0..<1001).map { "\"variables.f.\($0)\"" }.joined(separator: ",")
    let nulls = [String](repeating: "null", count: 1001).joined(separator: ",")
    let body = """
      --x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n\
      {"query": "{ a }", "variables": {"f": [\(nulls)]}}\r\n--x\r\n\
      content-disposition: form-data; name="map"\r\n\r\n{"0": [\(paths)]}\r\n--x\r\n\
      content-disposition: form-data; name="0"; filename="a"\r\n\r\nabc\r\n--x--\r\n
      """

    let payload = GraphQLPayload(
      method: "POST", contentType: "multipart/form-data; boundary=x", query: [],
      body: Array(body.utf8), json: nil)

    guard case .malformed(let error)? = payload else {
      Issue.record("\(String(describing: payload))")
      return
    }
    #expect(error.message == "The files of an upload have at most 1000 places.")
  }
}
