import Foundations
import GraphQL
import Testing

@Suite("GraphQL projection")
struct GraphQLProjectionTests {
  private func project(
    _ text: String, _ data: String, variables: [String: Value] = [:], schema: String = Schemas.text
  ) throws -> (text: String, problems: [String]) {
    let schema = try Schemas.schema(schema)
    let document = try GraphQLDocument(parsing: text)
    #expect(document.errors(in: schema).map(\.line) == [])
    let projection = GraphQLProjection(
      schema: schema, document: document, operation: document.operations[0], variables: variables)
    let (value, problems) = projection.project(try JSONText.parse(data))
    return (value.jsonText(), problems.map { "\($0.place): \($0.message)" })
  }

  private static let user = """
    {"me":{"id":7,"name":"Ada","email":null,"age":36,"role":"ADMIN","score":1,
    "friends":[{"id":"8","name":"Bob","role":"GUEST"}],"secret":true}}
    """

  @Test(
    "A reply is cut and ordered by the selection set",
    arguments: [
      ("{ me { name id } }", #"{"me":{"name":"Ada","id":"7"}}"#),
      ("{ a: me { b: name __typename } }", #"{"a":{"b":"Ada","__typename":"User"}}"#),
      (
        "{ me { ...F email } } fragment F on User { age name }",
        #"{"me":{"age":36,"name":"Ada","email":null}}"#
      ),
      (
        "{ me { ... on Node { id } friends { name } friends { id } } }",
        #"{"me":{"id":"7","friends":[{"name":"Bob","id":"8"}]}}"#
      ),
      ("{ me { name @skip(if: true) id @include(if: true) } }", #"{"me":{"id":"7"}}"#),
      (
        "query($y: Boolean!) { me { name @include(if: $y) ... @skip(if: $y) { score } } }",
        #"{"me":{"score":1}}"#
      ),
      (
        "{ t: __typename me { name: role role: name } }",
        #"{"t":"Query","me":{"name":"ADMIN","role":"Ada"}}"#
      ),
    ])
  func cuts(text: String, expected: String) throws {
    let (value, problems) = try project(text, Self.user, variables: ["y": .bool(false)])

    #expect(problems == [])
    #expect(value == expected)
  }

  @Test("A key that is an alias wins over the field's name")
  func aliases() throws {
    let (value, problems) = try project(
      "{ a: user(id: 1) { name } b: user(id: 2) { name } c: user(id: 3) { name } }",
      #"{"a":{"name":"A"},"b":{"name":"B"},"user":{"name":"other"}}"#)

    #expect(problems == [])
    #expect(value == #"{"a":{"name":"A"},"b":{"name":"B"},"c":{"name":"other"}}"#)
  }

  @Test("Interfaces and unions are what __typename says, or what the fields leave open")
  func abstract() throws {
    let text = """
      { node(id: 1) { __typename ... on User { name } ... on Post { title } }
        search(filter: {text: ""}) { ... on User { name } ... on Post { title } } }
      """
    let (value, problems) = try project(
      text,
      #"{"node":{"__typename":"Post","id":1,"title":"T"},"search":[{"name":"N"},{"title":"U"}]}"#)

    #expect(problems == [])
    #expect(
      value == #"{"node":{"__typename":"Post","title":"T"},"search":[{"name":"N"},{"title":"U"}]}"#)
  }

  @Test(
    "What is missing or wrong is reported with its place, and nothing is invented",
    arguments: [
      ("{ me { name } }", #"{"me":{}}"#, "me.name: \"name\" of User is asked for and not there"),
      ("{ me { email } }", #"{"me":{}}"#, "me.email: \"email\" of User is asked for and not there"),
      ("{ me { name } }", #"{"me":{"name":null}}"#, "me.name: null cannot be a String!"),
      ("{ me { age } }", #"{"me":{"age":"x"}}"#, "me.age: expected Int, got the text \"x\""),
      (
        "{ me { age } }", #"{"me":{"age":3000000000}}"#,
        "me.age: 3000000000 is no Int, which is a whole number of 32 bits"
      ),
      ("{ me { name } }", #"{"me":{"name":5}}"#, "me.name: expected String, got the number 5"),
      (
        "{ me { role } }", #"{"me":{"role":"ADMN"}}"#,
        "me.role: \"ADMN\" is no value of the enum Role"
      ),
      ("{ me { name } }", #"{"me":[]}"#, "me: expected a User, got a list"),
      (
        "{ me { friends { id } } }", #"{"me":{"friends":{}}}"#,
        "me.friends: expected a list [User!], got a map"
      ),
      (
        "{ me { friends { id } } }", #"{"me":{"friends":[{"id":1},null]}}"#,
        "me.friends[1]: null cannot be a User!"
      ),
      ("{ node(id: 1) { id } }", #"{"node":{"id":1}}"#, "node: it is not said which Node this is"),
      (
        "{ node(id: 1) { id } }", #"{"node":{"id":1,"__typename":"Usr"}}"#,
        "node.__typename: \"Usr\" is no type of Node"
      ),
    ])
  func problems(text: String, data: String, expected: String) throws {
    let problems = try project(text, data).problems

    #expect(problems == [expected])
  }

  @Test("The schema is told by introspection")
  func introspection() throws {
    let text = """
      { __schema { queryType { name } mutationType { name } directives { name isRepeatable } }
        user: __type(name: "User") { kind name interfaces { name }
          fields { name args { name defaultValue } type { kind name ofType { kind name } } } }
        role: __type(name: "Role") { kind enumValues { name isDeprecated } fields { name } }
        node: __type(name: "Node") { possibleTypes { name } } none: __type(name: "None") { name } }
      """
    let (value, problems) = try project(text, "{}")

    #expect(problems == [])
    #expect(value.contains(#""queryType":{"name":"Query"},"mutationType":{"name":"Mutation"}"#))
    #expect(value.contains(#"{"name":"include","isRepeatable":false}"#))
    #expect(
      value.contains(
        """
        {"name":"friends","args":[{"name":"first","defaultValue":"10"}],"type":{"kind":"NON_NULL",\
        "name":null,"ofType":{"kind":"LIST","name":null}}}
        """))
    #expect(value.contains(#""enumValues":[{"name":"ADMIN","isDeprecated":false}"#))
    #expect(
      value.contains(#""node":{"possibleTypes":[{"name":"User"},{"name":"Post"}]},"none":null"#))
  }
}
