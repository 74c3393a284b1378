import Foundations
import GraphQL
import Testing

@Suite("GraphQL samples")
struct GraphQLSampleTests {
  private static let text = """
    directive @example(value: JSON) on FIELD_DEFINITION | SCALAR
    directive @examples(values: [JSON]) on FIELD_DEFINITION
    scalar JSON
    scalar Color @example(value: "red")
    interface Node { id: ID! }
    type User implements Node {
      id: ID! name: String! age: Int role: Role boss: User friends(first: Int): [User!]! tags: [String!]
      mail: String @example(value: "ada@example.com") size: Int @example(value: "large") color: Color
      marks: [Int!]! @examples(values: [[1, 2, 3], []])
    }
    type Robot implements Node { id: ID! model: String! }
    union Result = User | Robot
    enum Role { ADMIN GUEST }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
    type Users { edges: [Edge!]! pageInfo: PageInfo! }
    type Edge { node: User! }
    input NewUser { name: String! age: Int }
    type Created { user: User! }
    type Query {
      me: User user(id: ID!): User all(first: Int = 10, role: Role): Users! found: [Result!]!
    }
    type Mutation { create(input: NewUser!): Created! }
    type Subscription { tick: Int! }
    """

  /// The data of an operation; leaves are the names of their fields, but for numbers and truth values.
  private func sample(
    _ text: String, variables: String = "{}", seed: Int64 = 1,
    limit: Int = GraphQLLimits.values, isVaried: Bool = false
  ) throws -> String? {
    let (schema, problems) = GraphQLSchema.read(Self.text)
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
    return sample.data()?.jsonText()
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
      ("{ me { friends(first: 1) { tags } } }", #"{"me":{"friends":[{"tags":["tags","tags"]}]}}"#),
      ("{ me { friends(first: 0) { id } } }", #"{"me":{"friends":[]}}"#),
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
    "A field has the value of the argument that leads to its object",
    arguments: [
      (#"{ user(id: "u-7") { id name } }"#, #"{"user":{"id":"u-7","name":"name"}}"#),
      // It is about this object, and not about those below it.
      (#"{ user(id: 7) { id boss { id } } }"#, #"{"user":{"id":"7","boss":{"id":"id"}}}"#),
      (
        #"mutation { create(input: { name: "Ada", age: 36 }) { user { name age boss { name } } } }"#,
        #"{"create":{"user":{"name":"Ada","age":36,"boss":{"name":"name"}}}}"#
      ),
      (
        "{ all(first: 1, role: GUEST) { edges { node { role } } pageInfo { hasNextPage endCursor } } }",
        #"{"all":{"edges":[{"node":{"role":"GUEST"}}],"pageInfo":{"hasNextPage":false,"endCursor":"endCursor"}}}"#
      ),
    ])
  func arguments(text: String, expected: String) throws {
    #expect(try sample(text) == expected)
  }

  @Test("Variables are arguments as well")
  func variables() throws {
    let text = try sample(
      "query($id: ID!) { user(id: $id) { id } }", variables: #"{"id":"u-8"}"#)
    #expect(text == #"{"user":{"id":"u-8"}}"#)
  }

  @Test("Examples of fields and scalars come first, where they fit")
  func examples() throws {
    #expect(
      try sample("{ me { mail size color marks } }")
        == #"{"me":{"mail":"ada@example.com","size":7,"color":"red","marks":[1,2,3]}}"#)
  }

  @Test(
    "A value is the same wherever it is asked for in the same way, and another for another seed or argument"
  )
  func repeatable() throws {
    func varied(_ text: String, seed: Int64 = 1) throws -> String {
      let data = try #require(try sample(text, seed: seed, isVaried: true))
      let part = try #require(data.firstMatch(of: /"name":"([0-9a-f]+)"/))
      return String(part.1)
    }
    let first = try varied(#"{ user(id: 1) { name } }"#)
    #expect(try varied(#"query Other { me { id } it: user(id: "1") { tags name } }"#) == first)
    #expect(try varied(#"{ user(id: 2) { name } }"#) != first)
    #expect(try varied(#"{ user(id: 1) { name } }"#, seed: 2) != first)
    let names = try #require(try sample("{ me { friends { name } } }", isVaried: true))
      .matches(of: /"name":"([0-9a-f]+)"/).map { String($0.1) }
    #expect(Set(names).count == 2)
  }

  @Test("An interface or union is one of its objects, and not always the same one")
  func abstract() throws {
    let found = try (0..<20).map { seed in
      try sample("{ found { __typename ... on Robot { model } } }", seed: seed) ?? ""
    }
    #expect(found.contains { $0.contains(#"{"__typename":"Robot","model":"model"}"#) })
    #expect(found.contains { $0.contains(#"{"__typename":"User"}"#) })
  }

  @Test("A result with too many values is none")
  func limited() throws {
    let deep =
      "{ me { " + String(repeating: "friends { ", count: 30) + "id"
      + String(repeating: " }", count: 31) + " }"
    #expect(try sample(deep, limit: 10_000) == nil)
    #expect(try sample("{ me { id } }", limit: 10_000) != nil)
  }
}
