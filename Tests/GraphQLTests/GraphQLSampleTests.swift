import Foundations
import GraphQL
import Testing

@Suite("GraphQL samples")
struct GraphQLSampleTests {
  private static let text = """
    directive @example(value: JSON) on FIELD_DEFINITION | SCALAR
    directive @examples(values: [JSON]) on FIELD_DEFINITION
    scalar JSON
    scalar Date
    scalar Color @example(value: "red")
    scalar Point @example(value: [1, 2])
    interface Node { id: ID! }
    type User implements Node {
      id: ID! name: String! age: Int role: Role boss: User friends(first: Int): [User!]! tags: [String!]
      mail: String @example(value: "ada@example.com") size: Int @example(value: "large") color: Color
      marks: [Int!]! @examples(values: [[1, 2, 3]]) mood: String! @examples(values: ["good", 42, "bad"])
      born: Date nextToken: String
      place: Point places: [Point!]! hasMore: Boolean @example(value: true) nextCursor: String @example(value: "c")
      hasNextPage: [Boolean!]!
    }
    type Robot implements Node { id: ID! model: String! }
    interface Orphan { id: ID! }
    union Result = User | Robot
    enum Role { ADMIN GUEST }
    enum Order { ASC DESC }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
    type Users { edges: [Edge!]! pageInfo: PageInfo! hasMore: Boolean }
    type Edge { node: User! }
    input NewUser { name: String! age: Int role: Role = GUEST }
    input Creation { user: NewUser! note: String }
    input Sorting { name: Order born: Order }
    input Range { from: Date to: Date }
    input Filter { born: Range name: String }
    input Page { first: Int }
    type Created { user: User! errors: [Problem!]! }
    type Problem { message: String! }
    type Liked { post: Post! user: User! }
    type Post { id: ID! author: User }
    type Query {
      me: User user(id: ID!, name: String = null, role: Role): User node(id: ID!): Node found: [Result!]!
      all(first: Int = 10, role: Role): Users! users(limit: Int, first: Int, page: Page, id: ID, sort: Sorting, where: Filter): [User!]!
      many(ids: [ID!]!): [User!]! orphan: Orphan! deep: [[[[User]]]]
    }
    type Mutation { create(input: NewUser!): Created! make(input: Creation!): Created! like(id: ID!): Liked! }
    type Subscription { tick: Int! }
    """

  /// The data of an operation; leaves are the names of their fields, but for numbers and truth values.
  private func sample(
    _ text: String, of schemaText: String = Self.text, variables: String = "{}", seed: Int64 = 1,
    limit: Int = GraphQLLimits.values, isVaried: Bool = false
  ) throws -> String {
    let (schema, problems) = GraphQLSchema.read(schemaText)
    let known = try #require(schema, "\(problems)")
    let document = try GraphQLDocument(parsing: text)
    #expect(document.errors(in: known).map(\.line) == [])
    let operation = document.operations[0]
    var sample = GraphQLSample(
      schema: known, document: document, operation: operation,
      variables: operation.coerce(try JSONText.parse(variables), in: known).values, seed: seed,
      limit: limit
    ) { type, field, number in
      if isVaried { return .string(String(number, radix: 16)) }
      return switch type.name.text {
      case "Int": .integer(7)
      case "Boolean": .bool(true)
      default: .string(field.name.text)
      }
    }
    return try sample.data().jsonText()
  }

  @Test(
    "A result has what the operation asks for, in its order",
    arguments: [
      ("{ me { n: name age __typename } }", #"{"me":{"n":"name","age":7,"__typename":"User"}}"#),
      ("{ me { boss { boss { name } } } }", #"{"me":{"boss":{"boss":{"name":"name"}}}}"#),
      (
        "{ me { tags friends { name } } }",
        #"{"me":{"tags":["tags","tags"],"friends":[{"name":"name"},{"name":"name"}]}}"#
      ),
      ("{ me { name @skip(if: true) ... on Node { id } } }", #"{"me":{"id":"id"}}"#),
      (
        #"{ __type(name: "Role") { name } me { role } }"#,
        #"{"__type":{"name":"Role"},"me":{"role":"role"}}"#
      ),
    ])
  func shape(text: String, expected: String) throws {
    #expect(try sample(text) == expected)
  }

  @Test(
    "Lists are as long as the least argument says, and have two elements at most",
    arguments: [
      ("{ me { friends(first: 1) { age } } }", 1), ("{ me { friends(first: 0) { age } } }", 0),
      ("{ users(first: 0, limit: 5) { age } }", 0), ("{ users(limit: 1, first: 5) { age } }", 1),
      ("{ users(page: { first: 1 }) { age } }", 1), ("{ users(first: -3) { age } }", 0),
      ("{ users(first: 2147483647) { age } }", 2),
      ("{ all(first: 1) { edges { node { age } } } }", 1),
      ("query($n: Int = 1) { users(first: $n) { age } }", 1),
    ])
  func counts(text: String, count: Int) throws {
    #expect(try sample(text).ranges(of: "\"age\":7").count == count)
  }

  @Test(
    "A field has the value of the argument that leads to its object",
    arguments: [
      (#"{ user(id: "u-7") { id name } }"#, #"{"user":{"id":"u-7","name":"name"}}"#),
      // It is about this object, and not about those below it.
      (#"{ user(id: 7) { id boss { id } } }"#, #"{"user":{"id":"7","boss":{"id":"id"}}}"#),
      (
        #"mutation { create(input: { name: "Ada", age: 36 }) { user { name age role boss { name } } errors { message } } }"#,
        #"{"create":{"user":{"name":"Ada","age":36,"role":"GUEST","boss":{"name":"name"}},"errors":[{"message":"message"},{"message":"message"}]}}"#
      ),
      (
        #"mutation { make(input: { user: { name: "Ada", role: ADMIN } }) { user { name role } } }"#,
        #"{"make":{"user":{"name":"Ada","role":"ADMIN"}}}"#
      ),
      (
        "{ all(first: 1, role: GUEST) { edges { node { role } } pageInfo { hasNextPage endCursor } hasMore } }",
        #"{"all":{"edges":[{"node":{"role":"GUEST"}}],"pageInfo":{"hasNextPage":false,"endCursor":"endCursor"},"hasMore":false}}"#
      ),
      ("{ many(ids: [3, 4, 5]) { id } }", #"{"many":[{"id":"3"},{"id":"4"},{"id":"5"}]}"#),
      ("{ many(ids: []) { id } }", #"{"many":[{"id":"id"},{"id":"id"}]}"#),
    ])
  func arguments(text: String, expected: String) throws {
    #expect(try sample(text) == expected)
  }

  @Test(
    "An argument is no value where it means something else, or is null",
    arguments: [
      ("{ user(id: 1, role: null) { name role } }", #"{"user":{"name":"name","role":"role"}}"#),
      (
        "{ users(first: 1, sort: { name: DESC, born: ASC }) { name born } }",
        #"{"users":[{"name":"name","born":"born"}]}"#
      ),
      (
        #"{ users(first: 1, where: { born: { from: "2020-01-01" } }) { born } }"#,
        #"{"users":[{"born":"born"}]}"#
      ),
      // One object or the other is meant.
      (
        "mutation { like(id: 7) { post { id } user { id } } }",
        #"{"like":{"post":{"id":"id"},"user":{"id":"id"}}}"#
      ),
      ("mutation { like(id: 7) { post { id } } }", #"{"like":{"post":{"id":"7"}}}"#),
      ("{ users(id: 7) { id } }", #"{"users":[{"id":"id"},{"id":"id"}]}"#),
      ("{ me { nextToken } }", #"{"me":{"nextToken":null}}"#),
    ])
  func otherArguments(text: String, expected: String) throws {
    #expect(try sample(text) == expected)
  }

  @Test("Variables are arguments as well")
  func variables() throws {
    let text = "query($id: ID!, $name: String) { user(id: $id, name: $name) { id name } }"
    #expect(
      try sample(text, variables: #"{"id":"u-8"}"#) == #"{"user":{"id":"u-8","name":"name"}}"#)
    #expect(
      try sample(text, variables: #"{"id":8,"name":null}"#)
        == #"{"user":{"id":"8","name":"name"}}"#)
  }

  @Test("Examples of fields and scalars come first, where they fit")
  func examples() throws {
    #expect(
      try sample("{ me { mail size color marks } }")
        == #"{"me":{"mail":"ada@example.com","size":7,"color":"red","marks":[1,2,3]}}"#)
    #expect(
      try sample("{ me { place places hasMore nextCursor nextToken hasNextPage } }")
        == #"{"me":{"place":[1,2],"places":[[1,2],[1,2]],"hasMore":true,"nextCursor":"c","nextToken":null,"hasNextPage":[true,true]}}"#
    )
    let moods = try (0..<20).map { try sample("{ me { mood } }", seed: $0) }
    #expect(Set(moods) == [#"{"me":{"mood":"good"}}"#, #"{"me":{"mood":"bad"}}"#])
  }

  @Test(
    "A value is the same wherever it is asked for in the same way, and another for another seed or argument"
  )
  func repeatable() throws {
    func varied(_ text: String, seed: Int64 = 1) throws -> String {
      let data = try sample(text, seed: seed, isVaried: true)
      let part = try #require(data.firstMatch(of: /"name":"([0-9a-f]+)"/), "\(data)")
      return String(part.1)
    }
    let first = try varied(#"{ user(id: 1) { name } }"#)
    #expect(try varied(#"query Other { me { id } it: user(id: "1") { tags name } }"#) == first)
    #expect(try varied(#"{ user(id: 2) { name } }"#) != first)
    #expect(try varied(#"{ user(id: 1) { name } }"#, seed: 2) != first)
    let names = try sample("{ me { friends { name } } }", isVaried: true)
      .matches(of: /"name":"([0-9a-f]+)"/).map { String($0.1) }
    #expect(Set(names).count == 2)
  }

  @Test(
    "An interface or union is one of its objects, and one that the query names if it names some")
  func abstract() throws {
    let found = try (0..<20).map { seed in
      try sample(
        "{ found { __typename ... on Robot { model } ... on User { name } } }", seed: seed)
    }
    #expect(found.contains { $0.contains(#"{"__typename":"Robot","model":"model"}"#) })
    #expect(found.contains { $0.contains(#"{"__typename":"User","name":"name"}"#) })
    for seed in 0..<20 {
      #expect(
        try sample("{ node(id: 1) { id ... on Robot { model } } }", seed: Int64(seed))
          == #"{"node":{"id":"1","model":"model"}}"#)
    }
  }

  /// `{ me { friends { … id } } }`, so many deep.
  private static func friends(_ field: String, depth: Int) -> String {
    let opening = String(repeating: "\(field) { ", count: depth)
    let closing = String(repeating: " }", count: depth)
    return "{ me { \(opening)id\(closing) } }"
  }

  @Test(
    "What cannot be made is an error",
    arguments: [
      ("{ orphan { id } }", "no object type is a Orphan, which is an interface"),
      (friends("friends", depth: 30), "more than 10000 values"),
    ])
  func obstacles(text: String, message: String) throws {
    let error = #expect(throws: GraphQLSample.Obstacle.self) {
      _ = try sample(text, limit: 10_000)
    }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test(
    "A fragment that any object meets names none",
    arguments: [
      "{ node(id: 1) { id id ... on Robot { model } } }",
      "{ node(id: 1) { id skipped: id @skip(if: true) ... on Robot { model } } }",
      "{ node(id: 1) { id ...F ... on Robot { model } } } fragment F on Node { id }",
      "{ node(id: 1) { id ... on Node { ... on Robot { model } } } }",
    ])
  func narrowed(text: String) throws {
    for seed: Int64 in 0..<20 {
      let data = try sample(text, seed: seed)
      #expect(data == #"{"node":{"id":"1","model":"model"}}"#)
    }
  }

  @Test("What an interface may be costs nothing of what a result may have")
  func wide() throws {
    let types = (0..<2_000).map { "type T\($0) implements N { id: ID! friends: [N!]! }" }
    let schema =
      "interface N { id: ID! friends: [N!]! }\ntype Query { n: N }\n"
      + types.joined(separator: "\n")
    let query =
      "{ n " + String(repeating: "{ friends ", count: 10) + "{ id }"
      + String(repeating: "}", count: 11)

    #expect(try sample(query, of: schema, limit: 20_000).ranges(of: "\"id\":").count == 1024)
  }

  @Test("What is deep and small can be made")
  func deep() throws {
    let data = try sample(Self.friends("friends(first: 1)", depth: 180), limit: 10_000)
    #expect(data.ranges(of: "friends").count == 180)
  }

  @Test("Lists within lists do not nest without end")
  func nested() throws {
    let list = String(repeating: "[", count: 60) + "A" + String(repeating: "]", count: 60)
    let (schema, problems) = GraphQLSchema.read(
      "type Query { a: \(list) } type A { a: \(list) id: ID }")
    let known = try #require(schema, "\(problems)")
    let document = try GraphQLDocument(
      parsing: String(repeating: "{ a ", count: 150) + "{ id }"
        + String(repeating: " }", count: 150))
    var sample = GraphQLSample(
      schema: known, document: document, operation: document.operations[0], variables: [:], seed: 1
    ) { _, _, _ in .string("x") }
    let error = #expect(throws: GraphQLSample.Obstacle.self) { _ = try sample.data() }
    #expect(error?.message.contains("nest deeper than 500") == true, "\(error?.message ?? "")")
  }
}
