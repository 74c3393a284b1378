import Foundations
import GraphQL
import Testing

@Suite("GraphQL validation")
struct GraphQLValidationTests {
  @Test(
    "Valid documents have no errors",
    arguments: [
      "{ me { id name __typename } __typename __schema { types { name } } __type(name: \"A\") { kind } }",
      "query Q($id: ID!) { user(id: $id) { ...F friends { ...F } } } fragment F on User { name }",
      "{ node(id: 1) { id ... on User { name } ... on Post { title } } }",
      "query($f: Filter!) { search(filter: $f) { __typename ... on Node { id } } }",
      "query($t: String!, $r: Role!) { search(filter: {text: $t, roles: [ADMIN, $r]}) { __typename } }",
      "{ count(min: 1) } ", "query($m: Int) { count(min: 2, step: $m) }",
      "query($m: Int = 3) { count(min: $m) }", "{ ids(ids: 5) }",
      "query($i: [ID!]) { ids(ids: $i) }",
      "query($y: Boolean!) { me @include(if: $y) { name @skip(if: $y) } }",
      "{ node(id: 1) { ... on User { a: name } ... on Post { a: title } } }",
      "{ me { name name a: friends(first: 1) { id } a: friends(first: 1) { name } } }",
      "subscription S { tick }", "query A { me { id } } query B { me { id } }",
    ])
  func valid(text: String) throws {
    let document = try GraphQLDocument(parsing: text)

    #expect(document.errors(in: try Schemas.schema()).map(\.line) == [])
  }

  @Test(
    "Invalid documents have the errors that servers give",
    arguments: [
      (
        "{ me { nme } }", "1:8: Cannot query field \"nme\" on type \"User\". Did you mean \"name\"?"
      ),
      (
        "{ search(filter: {text: \"\"}) { name } }",
        "1:32: Cannot query field \"name\" on type \"Result\". Did you mean to use an inline fragment on \"User\"?"
      ),
      (
        "{ user(id: 1) }",
        "1:3: Field \"user\" of type \"User\" must have a selection of subfields. Did you mean \"user { ... }\"?"
      ),
      (
        "{ me { name { x } } }",
        "1:13: Field \"name\" must not have a selection since type \"String!\" has no subfields."
      ),
      (
        "{ user { id } }",
        "1:3: Field \"user\" argument \"id\" of type \"ID!\" is required, but it was not provided."
      ),
      (
        "{ user(id: 1, idd: 2) { id } }",
        "1:15: Unknown argument \"idd\" on field \"Query.user\". Did you mean \"id\"?"
      ),
      ("{ user(id: 1, id: 2) { id } }", "1:8: There can be only one argument named \"id\"."),
      ("{ count(min: \"x\") }", "1:14: Int cannot represent non-integer value: \"x\""),
      (
        "{ count(min: 3000000000) }",
        "1:14: Int cannot represent non 32-bit signed integer value: 3000000000"
      ),
      ("{ count(min: null) }", "1:14: Expected value of type \"Int!\", found null."),
      (
        "{ search(filter: {text: \"\", roles: [ADMN]}) { __typename } }",
        "1:37: Value \"ADMN\" does not exist in \"Role\" enum. Did you mean the enum value \"ADMIN\"?"
      ),
      (
        "{ search(filter: {text: \"\", roles: \"ADMIN\"}) { __typename } }",
        "1:36: Enum \"Role\" cannot represent non-enum value: \"ADMIN\"."
      ),
      (
        "{ search(filter: {limit: 1}) { __typename } }",
        "1:18: Field \"Filter.text\" of required type \"String!\" was not provided."
      ),
      (
        "{ search(filter: {text: \"\", limt: 1}) { __typename } }",
        "1:29: Field \"limt\" is not defined by type \"Filter\". Did you mean \"limit\"?"
      ),
      (
        "query($i: Int) { count(min: $i) }",
        "1:7: Variable \"$i\" of type \"Int\" used in position expecting type \"Int!\"."
      ),
      (
        "query($i: String!) { count(min: $i) }",
        "1:7: Variable \"$i\" of type \"String!\" used in position expecting type \"Int!\"."
      ),
      ("query Q { count(min: $i) }", "1:22: Variable \"$i\" is not defined by operation \"Q\"."),
      ("query Q($i: Int) { me { id } }", "1:9: Variable \"$i\" is never used in operation \"Q\"."),
      (
        "query($i: Int, $i: Int) { ids(ids: $i) }",
        "1:8: There can be only one variable named \"$i\"."
      ),
      ("query($i: User) { me { id } }", "1:11: Variable \"$i\" cannot be non-input type \"User\"."),
      ("query($i: Usr) { me { id } }", "1:11: Unknown type \"Usr\". Did you mean \"User\"?"),
      ("{ me { ...G } }", "1:11: Unknown fragment \"G\"."),
      ("{ me { id } } fragment F on User { id }", "1:15: Fragment \"F\" is never used."),
      (
        "{ me { ...F } } fragment F on User { ...F }",
        "1:38: Cannot spread fragment \"F\" within itself."
      ),
      (
        "{ me { ...F } } fragment F on User { friends { ...G } } fragment G on User { ...F }",
        "1:48: Cannot spread fragment \"F\" within itself via \"G\"."
      ),
      (
        "{ me { ...F } } fragment F on Post { id }",
        "1:8: Fragment \"F\" cannot be spread here as objects of type \"User\" can never be of type \"Post\"."
      ),
      (
        "{ me { ... on Post { id } } }",
        "1:8: Fragment cannot be spread here as objects of type \"User\" can never be of type \"Post\"."
      ),
      (
        "{ me { ... on Role { id } } }",
        "1:15: Fragment cannot condition on non composite type \"Role\"."
      ),
      ("{ me { ... on Usr { id } } }", "1:15: Unknown type \"Usr\". Did you mean \"User\"?"),
      (
        "{ me { ...F } } fragment F on User { id } fragment F on User { id }",
        "1:26: There can be only one fragment named \"F\"."
      ),
      (
        "{ me { id } } query A { me { id } }",
        "1:1: This anonymous operation must be the only defined operation."
      ),
      (
        "query A { me { id } } query A { me { id } }",
        "1:7: There can be only one operation named \"A\"."
      ),
      ("{ me { id @nope } }", "1:11: Unknown directive \"@nope\"."),
      ("query @skip(if: true) { me { id } }", "1:7: Directive \"@skip\" may not be used on QUERY."),
      (
        "{ me { id @skip(if: true) @skip(if: true) } }",
        "1:11: The directive \"@skip\" can only be used once at this location."
      ),
      (
        "{ me { id @skip } }",
        "1:11: Directive \"@skip\" argument \"if\" of type \"Boolean!\" is required, but it was not provided."
      ),
      (
        "{ me { a: id a: name } }",
        "1:8: Fields \"a\" conflict because \"id\" and \"name\" are different fields. Use different aliases on the fields to fetch both if this was intentional."
      ),
      (
        "{ a: user(id: 1) { id } a: user(id: 2) { id } }",
        "1:3: Fields \"a\" conflict because they have differing arguments. Use different aliases on the fields to fetch both if this was intentional."
      ),
      (
        "{ node(id: 1) { ... on User { a: name } ... on Post { a: author { id } } } }",
        "1:31: Fields \"a\" conflict because they return conflicting types \"String!\" and \"User\". Use different aliases on the fields to fetch both if this was intentional."
      ),
      (
        "subscription S { tick user(id: 1) { id } }",
        "1:23: Subscription \"S\" must select only one top level field."
      ),
      (
        "subscription { __typename }",
        "1:16: Anonymous Subscription must not select an introspection top level field."
      ),
    ])
  func invalid(text: String, expected: String) throws {
    let document = try GraphQLDocument(parsing: text)

    let lines = document.errors(in: try Schemas.schema()).map(\.line)
    #expect(lines.contains(expected), "\(lines)")
  }

  @Test("A document whose fragments multiply without bound is judged in bounded time")
  func explosion() throws {
    var text = "{ me { ...F0 } }"
    for level in 0..<30 {
      let next = "...F\(level + 1)"
      text += " fragment F\(level) on User { a: friends { \(next) } b: friends { \(next) } }"
    }
    text += " fragment F30 on User { id }"

    let errors = try GraphQLDocument(parsing: text).errors(in: try Schemas.schema())

    #expect(errors.isEmpty)
  }

  @Test(
    "Variables are compared with their types",
    arguments: [
      (
        "query($i: Int!) { x }", "{}", "Variable \"$i\" of required type \"Int!\" was not provided."
      ),
      (
        "query($i: Int!) { x }", #"{"i":null}"#,
        "Variable \"$i\" of non-null type \"Int!\" must not be null."
      ),
      (
        "query($i: Int) { x }", #"{"i":"a"}"#,
        "Variable \"$i\" got invalid value \"a\"; Int cannot represent non-integer value: \"a\""
      ),
      (
        "query($f: Filter) { x }", #"{"f":{"text":"a","roles":["ADMN"]}}"#,
        "Variable \"$f\" got invalid value \"ADMN\" at \"f.roles[0]\"; Value \"ADMN\" does not exist in \"Role\" enum. Did you mean the enum value \"ADMIN\"?"
      ),
      (
        "query($f: Filter) { x }", #"{"f":{"txt":"a"}}"#,
        "Variable \"$f\" got invalid value {\"txt\":\"a\"}; Field \"txt\" is not defined by type \"Filter\". Did you mean \"text\"?"
      ),
    ])
  func variables(text: String, variables: String, expected: String) throws {
    let operation = try GraphQLDocument(parsing: text).operations[0]

    let errors = operation.coerce(try JSONText.parse(variables), in: try Schemas.schema()).errors

    #expect(errors.first?.message == expected)
  }

  @Test("Variables that fit are taken, with defaults for those that are missing")
  func defaults() throws {
    let text = "query($i: Int = 5, $f: Filter, $n: [ID!]) { x }"
    let operation = try GraphQLDocument(parsing: text).operations[0]

    let (values, errors) = operation.coerce(
      try JSONText.parse(#"{"f":{"text":"a","inner":{"text":"b"}},"n":7}"#),
      in: try Schemas.schema())

    #expect(errors.isEmpty)
    #expect(values["i"] == .integer(5))
    #expect(values["n"] == .integer(7))
  }
}
