import ScenarioPlan
import Testing

@Suite("GraphQL documents")
struct GraphQLDocumentTests {
  @Test(
    "Operations are found",
    arguments: [
      ("{ user { name } }", ["query -"]), ("query GetUser { user }", ["query GetUser"]),
      ("mutation($a:Int){x}", ["mutation -"]), ("subscription S { x }", ["subscription S"]),
      ("query A { x } query B { y } fragment F on T { z }", ["query A", "query B"]),
      ("fragment F on T @d(a: {b: 1}) { z } query A { ...F }", ["query A"]),
      ("# query Not { }\nquery Yes { a(s: \"} query Not {\") }", ["query Yes"]),
      ("query Yes { a(s: \"\"\"} \\\"\"\" \" query Not { \"\"\") }", ["query Yes"]),
      ("query Q($f: In = {a: [{b: 1}], c: -1.5e3}) @live { a ... on T { b } }", ["query Q"]),
      ("\u{FEFF}query,,Q,{a}", ["query Q"]), ("query query { query }", ["query query"]),
      ("query Q { a(s: \"\\\\\") b }", ["query Q"]), ("query Q { a(s: \"\") b }", ["query Q"]),
    ])
  func operations(text: String, expected: [String]) throws {
    let document = try GraphQLDocument(parsing: text)

    #expect(document.operations.map { "\($0.kind) \($0.name ?? "-")" } == expected)
  }

  @Test(
    "Text that is no executable document is refused",
    arguments: [
      "", "query", "query A", "query A { a", "query A { a ) }", "type T { a: Int }", "} {",
      "query A { a(s: \"open) }", "query A { a(s: \"\"\"open) }", "fragment F on T { a }", "hello",
      "query A { ? }", "fragment { a }", "query A { a .. b }",
    ])
  func malformed(text: String) {
    #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: text) }
  }

  @Test("The place of a mistake is told")
  func place() {
    let error = #expect(throws: GraphQLSyntaxError.self) {
      try GraphQLDocument(parsing: "query A {\n  a ? }")
    }

    #expect(error?.line == 2)
    #expect(error?.column == 5)
  }

  @Test("Deep nesting is read without recursion")
  func deep() throws {
    let depth = 100_000
    let text =
      "query Q " + String(repeating: "{a", count: depth) + String(repeating: "}", count: depth)

    #expect(try GraphQLDocument(parsing: text).operations.count == 1)
  }

  @Test("The named operation runs, or the only one")
  func selection() throws {
    let two = try GraphQLDocument(parsing: "query A { x } mutation B { y }")
    let one = try GraphQLDocument(parsing: "query A { x }")

    #expect(two.operation(named: "B")?.kind == "mutation")
    #expect(two.operation(named: nil) == nil)
    #expect(two.operation(named: "C") == nil)
    #expect(one.operation(named: nil)?.name == "A")
  }
}
