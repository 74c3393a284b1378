import Foundations
import GraphQL
import OrderedCollections
import Testing

/// Large schemas as Relay's clients know them: nodes, connections, edges, pages.
@Suite("GraphQL with large schemas")
struct GraphQLRelayTests {
  private static let typeCount = 200

  /// Some 3,000 lines.
  private static let text: String = {
    var text = """
      "A node" interface Node { id: ID! }
      type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
      scalar Date
      enum Order { ASC DESC }
      input Filter { text: String = "*" order: Order = ASC inner: Filter }

      """
    var root = "type Query {\n  node(id: ID!): Node\n"
    for index in 0..<typeCount {
      text += """
        "Type \(index)"
        type T\(index) implements Node {
          id: ID!
          name: String!
          at: Date
          next(first: Int = 10, after: String, filter: Filter): T\((index + 1) % typeCount)Connection!
          owner: Owner
        }
        type T\(index)Edge {
          node: T\(index)
          cursor: String!
        }
        type T\(index)Connection {
          edges: [T\(index)Edge]
          pageInfo: PageInfo!
          totalCount: Int!
        }

        """
      root += "  t\(index)(first: Int, filter: Filter): T\(index)Connection!\n"
    }
    let members = (0..<typeCount).map { "T\($0)" }.joined(separator: " | ")
    return text + "union Owner = \(members)\n" + root + "}\n"
  }()

  /// Fragments in fragments, and the name of the type everywhere.
  private static func document(levels: Int) -> String {
    var text = "query Q($first: Int = 2) { t0(first: $first) { ...C0 __typename } }\n"
    for level in 0..<levels {
      text += """
        fragment C\(level) on T\(level)Connection {
          __typename pageInfo { ...P } edges { __typename cursor node { ...N\(level) } } totalCount
        }
        fragment N\(level) on T\(level) {
          __typename ...I label: name owner { __typename ... on Node { id } ... on T5 { name } }
          \(level + 1 < levels ? "next(first: $first) { ...C\(level + 1) }" : "at")
        }

        """
    }
    return text + "fragment P on PageInfo { hasNextPage endCursor }\nfragment I on Node { id }\n"
  }

  private static func connection(_ level: Int, of levels: Int, width: Int) -> Value {
    var node: OrderedDictionary<String, Value> = [
      "id": .integer(Int64(level)), "name": .string("n"), "at": .string("2026-01-01"),
      "owner": .map(["__typename": .string("T5"), "id": .string("o"), "name": .string("x")]),
    ]
    if level + 1 < levels { node["next"] = connection(level + 1, of: levels, width: width) }
    let edge = Value.map(["cursor": .string("c"), "node": .map(node)])
    return .map([
      "edges": .list(.init(repeating: edge, count: width)), "totalCount": .integer(9),
      "pageInfo": .map(["hasNextPage": .bool(false), "endCursor": .null]),
    ])
  }

  @Test("Fragments in fragments are validated and projected on a schema of three thousand lines")
  func projection() throws {
    let levels = 12
    let schema = try Schemas.schema(Self.text)
    let document = try GraphQLDocument(parsing: Self.document(levels: levels))
    let operation = try #require(document.operations.first)
    #expect(Self.text.split(separator: "\n").count > 3000)
    #expect(document.errors(in: schema).map(\.line) == [])

    let (data, problems) = GraphQLProjection(
      schema: schema, document: document, operation: operation, variables: ["first": .integer(2)]
    ).project(.map(["t0": Self.connection(0, of: levels, width: 2)]))

    #expect(problems == [])
    let text = data.jsonText()
    #expect(text.hasPrefix(#"{"t0":{"__typename":"T0Connection","pageInfo":{"hasNextPage":false,"#))
    #expect(text.components(of: #""label":"n""#) == 8190)
    #expect(text.components(of: #""owner":{"__typename":"T5","id":"o","name":"x"}"#) == 8190)
  }

  @Test("A mistake deep in the fragments is reported with its place, once")
  func mistake() throws {
    let schema = try Schemas.schema(Self.text)
    let text = Self.document(levels: 8).replacing("hasNextPage endCursor", with: "hasNextPag")

    let errors = try GraphQLDocument(parsing: text).errors(in: schema)

    #expect(errors.count == 1)
    #expect(
      errors.first?.message
        == "Cannot query field \"hasNextPag\" on type \"PageInfo\". Did you mean \"hasNextPage\"?")
  }

  @Test("Two hundred types of one union may each be asked for on their own")
  func unions() throws {
    let schema = try Schemas.schema(Self.text)
    let all = (0..<Self.typeCount).map { "... on T\($0) { id name owner { ...O } }" }
    let text = """
      { t0 { edges { node { owner { ...A } } } } } fragment A on Owner { \(all.joined(separator: " ")) }
      fragment O on Owner { \((0..<Self.typeCount).map { "... on T\($0) { x: name }" }.joined()) }
      """

    let fine = try GraphQLDocument(parsing: text).errors(in: schema)
    let clash = try GraphQLDocument(
      parsing: text.replacing(
        "... on T7 { x: name }", with: "... on T7 { x: owner { __typename } }")
    ).errors(in: schema)

    #expect(fine.map(\.line) == [])
    #expect(clash.first?.message.contains("\"x\" conflict") == true, "\(clash.map(\.line))")
  }
}

extension String {
  /// How often a text stands in it.
  fileprivate func components(of part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
