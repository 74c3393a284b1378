import Foundations
import GraphQL
import Testing

@Suite("GraphQL schemas")
struct GraphQLSchemaTests {
  @Test("A schema with everything in it is read")
  func everything() throws {
    let (schema, problems) = GraphQLSchema.read(
      """
      "The API." schema @link(url: "x") { query: Root mutation: Change subscription: Stream }
      directive @link(url: String!) repeatable on SCHEMA | OBJECT
      \"""A thing with an id.\""" interface Node { id: ID! }
      interface Named implements Node { id: ID! name(short: Boolean = false): String }
      type User implements Node & Named @link(url: "y") @link(url: "z") {
        id: ID! name(short: Boolean = false, extra: Int): String! friends(first: Int = 10): [User!]
        old: Date @deprecated(reason: "gone")
      }
      extend type User { role: Role! }
      type Bot implements Node { id: ID! }
      union Actor = | User | Bot
      enum Role { ADMIN "Nobody." GUEST @deprecated }
      input Filter { text: String = "a" roles: [Role!] = [ADMIN] inner: Filter }
      scalar Date @specifiedBy(url: "https://example.com")
      type Root { user(id: ID!, filter: Filter = {text: "b"}): User node(id: ID!): Node actor: Actor }
      type Change { rename(id: ID!, name: String!): User }
      type Stream { tick: Int! }
      """)

    #expect(problems.map(\.message) == [])
    let found = try #require(schema)
    #expect(found.root(.query)?.name.text == "Root")
    #expect(found.root(.subscription)?.name.text == "Stream")
    #expect(found.types["User"]?.field("role")?.type.text == "Role!")
    #expect(found.types["Node"].map { found.possibleTypes(of: $0) } == ["User", "Bot"])
    #expect(found.description == "The API.")
  }

  @Test(
    "A mistake in a schema is reported with its place",
    arguments: [
      ("type Query { a: Intt }", "1:17: there is no type \"Intt\""),
      ("type Query { a: Int a: Int }", "1:21: the field \"a\" stands twice in \"Query\""),
      ("type Query { a: Int } type Query { b: Int }", "1:28: the type \"Query\" is defined twice"),
      ("type Query { a(b: Int, b: Int): Int }", "1:24: the argument \"b\" stands twice"),
      ("type Query { a: In } input In { b: Int }", "1:17: \"In\" is an input and cannot be"),
      ("type Query { a(b: Query): Int }", "1:19: \"Query\" is an object and cannot be given"),
      ("type Query", "1:6: object \"Query\" is empty"),
      ("type Q { a: Int }", "1:1: the schema has no"),
      (
        "interface I { a: Int! } type Query implements I { b: Int }",
        "1:47: \"Query\" lacks the field"
      ),
      (
        "interface I { a: Int! } type Query implements I { a: Int }",
        "1:54: \"Query.a\" is Int, but"
      ),
      (
        "interface I { a(b: Int): Int } type Query implements I { a: Int }",
        "1:58: \"Query.a\" lacks"
      ),
      (
        "interface I { a: Int } type Query implements I { a(b: Int!): Int }",
        "1:52: the argument \"b\" of \"Query.a\" is required"
      ),
      (
        "interface A { a: Int } interface B implements A { a: Int } type Query implements B { a: Int }",
        "1:82: \"Query\" implements \"B\" but not \"A\""
      ),
      ("type A { a: Int } type Query implements A { a: Int }", "1:41: \"A\" is an object, not an"),
      ("union U = String type Query { a: U }", "1:11: \"String\" is a scalar: a union is made"),
      ("union U = Query | Query type Query { a: U }", "1:19: the member \"Query\" stands twice"),
      ("enum E { A A } type Query { a: E }", "1:12: the value \"A\" stands twice"),
      ("enum E { true } type Query { a: E }", "1:10: expected a value of the enum, found"),
      ("input I { a: I! } type Query { a(b: I): Int }", "1:11: the input \"I\" must hold itself"),
      ("type Query { a(b: Int = \"x\"): Int }", "1:25: the default of \"b\" does not fit Int"),
      ("type Query { a: Int @nope }", "1:21: there is no directive \"@nope\""),
      ("type Query @skip(if: true) { a: Int }", "1:12: the directive \"@skip\" may not stand on"),
      (
        "type Query { a: Int @deprecated(why: \"\") }", "1:33: the directive \"@deprecated\" has no"
      ),
      ("scalar S @specifiedBy type Query { a: S }", "1:10: the directive \"@specifiedBy\" lacks"),
      ("type Query { __a: Int }", "1:14: \"__a\" begins with \"__\""),
      ("extend type Quary { a: Int } type Query { a: Int }", "1:13: there is no type \"Quary\""),
      (
        "extend enum Query { A } type Query { a: Int }", "1:13: \"Query\" is an object, not an enum"
      ),
      ("schema { query: A mutation: M } type A { a: Int }", "1:29: there is no type \"M\""),
      ("schema { query: A } enum A { A }", "1:17: the query type \"A\" is an enum"),
      ("directive @d on FIELDS type Query { a: Int }", "1:17: \"FIELDS\" is no place"),
      ("type Query { a: Int", "1:20: expected a field, found the end of the document"),
      ("query { a }", "1:1: expected a definition"), ("", "1:1: expected a definition"),
      (
        "type Int { a: Int } type Query { a: Int }", "1:6: the type \"Int\" belongs to the language"
      ),
    ])
  func mistakes(text: String, expected: String) {
    let (schema, problems) = GraphQLSchema.read(text)

    let lines = problems.map { "\($0.location.line):\($0.location.column): \($0.message)" }
    #expect(schema == nil)
    #expect(lines.contains { $0.hasPrefix(expected) }, "\(lines)")
  }

  @Test("A misspelled type gets a suggestion")
  func suggestion() {
    let problems = GraphQLSchema.read("type Query { a: Usr } type User { a: Strng }").problems

    #expect(problems.map(\.help) == ["did you mean \"User\"?", "did you mean \"String\"?"])
  }
}
