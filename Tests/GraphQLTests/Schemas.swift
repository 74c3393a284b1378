import GraphQL
import Testing

/// A schema for tests.
enum Schemas {
  static let text = """
    interface Node { id: ID! }
    type User implements Node {
      id: ID! name: String! email: String age: Int role: Role! friends(first: Int = 10): [User!]!
      posts(tag: String!): [Post] score: Float
    }
    type Post implements Node { id: ID! title: String! author: User data: JSON }
    union Result = User | Post
    enum Role { ADMIN GUEST }
    scalar JSON
    input Filter { text: String! limit: Int = 5 roles: [Role!] inner: Filter }
    type Query {
      me: User user(id: ID!): User node(id: ID!): Node search(filter: Filter!): [Result!]!
      count(min: Int!, step: Int! = 1): Int! ids(ids: [ID!]): Int
    }
    type Mutation { rename(id: ID!, name: String!): User }
    type Subscription { tick(every: Int): Int! user(id: ID!): User }
    """

  static func schema(_ text: String = text) throws -> GraphQLSchema {
    let (schema, problems) = GraphQLSchema.read(text)
    return try #require(schema, "\(problems)")
  }
}
