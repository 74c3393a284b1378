import Foundations
@testable import Patterns
import ScenarioSyntax
@testable import ScenarioTools
import Testing

@Suite("Shapes of data")
struct ShapeTests {
  private func shape(_ texts: String...) throws -> Shape {
    try texts.map { Shape(of: try JSONText.parse($0)) }.reduce(.unknown) { $0.merged(with: $1) }
  }

  private func differences(
    _ recorded: Shape, _ actual: Shape, from source: ShapeComparison.Source = .replies
  ) -> [String] {
    ShapeComparison.differences(between: recorded, and: actual, from: source).map {
      "\($0.severity) \($0.path) \($0.message)"
    }
  }

  @Test("Other values of the same shape are no difference")
  func noise() throws {
    let recorded = try shape(
      #"{"id": "a1", "at": "2026-01-01", "n": 1, "tags": ["x"], "none": null}"#)
    let actual = try shape(#"{"none": null, "tags": [], "n": 99, "at": "2031", "id": "zz"}"#)

    #expect(differences(recorded, actual) == [])
  }

  @Test(
    "A change is a note, a warning or an error",
    arguments: [
      (#"{"a": 1}"#, #"{"a": 1, "b": 2}"#, "note $.b is new"),
      (#"{"a": 1, "b": 2}"#, #"{"a": 1}"#, "warning $.b is missing"),
      (#"{"a": 1}"#, #"{"a": "1"}"#, "error $.a was integer, but is now text"),
      (#"{"a": 1}"#, #"{"a": 1.5}"#, "warning $.a was an integer, but is now any number"),
      (
        #"{"a": {"b": [1]}}"#, #"{"a": {"b": [true]}}"#,
        "error $.a.b[] was integer, but is now bool"
      ),
      (#"{"a": 1}"#, #"{"a": null}"#, "warning $.a was integer, but is now null"),
      (#"{"a": null}"#, #"{"a": 1}"#, "note $.a was null, but is now integer"),
      (#"[1]"#, #"{"a": 1}"#, "error $ was list, but is now map"),
      (#"{"x y": 1}"#, #"{}"#, #"warning $["x y"] is missing"#),
    ])
  func severities(recorded: String, actual: String, difference: String) throws {
    #expect(differences(try shape(recorded), try shape(actual)) == [difference])
  }

  @Test("Elements are one shape; a key that some lack is optional, null and a type are one")
  func elements() throws {
    let recorded = try shape(#"[{"a": 1, "b": null}, {"a": 2, "b": "x", "c": true}]"#)

    #expect(differences(recorded, try shape(#"[{"a": 1, "b": "y"}]"#)) == [])
    #expect(differences(recorded, try shape(#"[{"b": null}]"#)) == ["warning $[].a is missing"])
    #expect(
      differences(recorded, try shape(#"[{"a": 1, "b": "x"}, {"b": "x"}]"#))
        == ["warning $[].a was always present, but may be missing"])
  }

  @Test("An integer and a number with a fraction are a number, which a whole one is as well")
  func numbers() throws {
    let both = try shape("[1, 2.5]")

    #expect(differences(both, try shape("[3]")) == [])
    #expect(differences(both, try shape("[3.5]")) == [])
    #expect(differences(try shape("[1]"), both).count == 1)
  }

  @Test("Words that come back are an enumeration; many values, or ones that do not, are none")
  func enumerations() throws {
    let words = try shape(#"["ON", "OFF", "ON", "OFF", "ON"]"#)
    let names = try shape(#"["Ada", "Bob"]"#)

    #expect(
      differences(words, try shape(#"["DIM"]"#)) == [
        #"note $[] "DIM" is new, in addition to "OFF", "ON""#
      ])
    #expect(differences(names, try shape(#"["Eve"]"#)) == [])
  }

  @Test("A redacted value is text, and no word of an enumeration")
  func redacted() throws {
    let recorded = try shape(#"["REDACTED", "REDACTED", "REDACTED", "REDACTED"]"#)

    #expect(differences(recorded, try shape(#"["secret"]"#)) == [])
    #expect(differences(recorded, try shape("[1]")).count == 1)
  }
}

@Suite("Descriptions of interfaces")
struct DeclaredShapeTests {
  private func sample(
    _ json: String, at url: String = "https://api.test/v1/users/7", kind: String? = nil
  ) throws -> DriftSample {
    let parts = URLParts(url)
    let target = try RequestTarget(
      scheme: "https", authority: parts.authority ?? "", target: url)
    return DriftSample(
      name: "s", range: SourceRange(file: "s.yaml", line: 1, column: 1),
      request: DriftSample.Request(method: "GET", target: target, json: nil), operationKind: kind,
      shapes: [200: Shape(of: try JSONText.parse(json))], upstreams: [])
  }

  private func differences(
    _ sample: DriftSample, _ declared: any DeclaredShapes
  ) throws -> [String] {
    guard case .shape(let shape) = declared.declaration(of: sample, status: 200) else {
      return ["undeclared"]
    }
    return ShapeComparison.differences(
      between: try #require(sample.shapes[200]), and: shape,
      from: .declaration(reportsAdditions: declared.reportsAdditions)
    ).filter { $0.severity > .note }.map { "\($0.severity) \($0.path)" }
  }

  private func openAPI() throws -> OpenAPIShapes {
    let text = """
      openapi: 3.1.0
      servers: [ { url: "https://api.test/v1/" } ]
      paths:
        /users/{id}:
          get:
            responses:
              2XX: { content: { application/json: { schema: { $ref: "#/components/schemas/User" } } } }
        /users/me:
          get:
            responses:
              default: { content: { application/json: { schema: { type: boolean } } } }
      components:
        schemas:
          Base: { type: object, required: [id], properties: { id: { type: integer } } }
          User:
            allOf:
              - $ref: "#/components/schemas/Base"
              - type: object
                properties:
                  name: { type: [string, "null"] }
                  role: { type: string, enum: [USER, STAFF] }
                  score: { type: number }
                  friends: { type: array, items: { $ref: "#/components/schemas/User" } }
                  extra: {}
      """
    let (value, _) = DataDocument.parse(bytes: Array(text.utf8), path: "api.yaml")
    return try OpenAPIShapes(try #require(value))
  }

  @Test(
    "A recorded reply is held against the schema of its path",
    arguments: [
      (#"{"id": 1, "name": null, "role": "USER", "score": 1, "extra": {"a": 1}}"#, []),
      (#"{"id": "1"}"#, ["error $.id"]),
      (#"{"id": 1, "role": "ADMIN"}"#, ["error $.role"]),
      (#"{"id": 1, "score": 1.5, "gone": 2}"#, ["warning $.gone"]),
      (
        #"{"id": 1, "friends": [{"id": 2, "friends": [{"id": "x"}]}]}"#,
        ["error $.friends[].friends[].id"]
      ),
      (#"{"id": null}"#, ["error $.id"]),
    ])
  func openAPI(json: String, expected: [String]) throws {
    #expect(try differences(try sample(json), try openAPI()) == expected)
  }

  @Test("The most literal path counts; a path that is not described is reported")
  func paths() throws {
    let api = try openAPI()

    #expect(try differences(try sample("true", at: "https://api.test/v1/users/me"), api) == [])
    guard
      case .missing(let reason) = api.declaration(
        of: try sample("1", at: "https://api.test/x"), status: 200)
    else {
      Issue.record("it is described")
      return
    }
    #expect(reason.contains("/x"))
  }

  @Test(
    "What is no description of version 3 is refused", arguments: ["{}", #"{"openapi": "2.0"}"#])
  func refusals(json: String) throws {
    let value = try JSONText.parse(json)
    #expect(throws: DeclarationError.self) { try OpenAPIShapes(value) }
  }

  private static let schema = #"""
    """ A schema: type Nothing { } """
    schema @link(url: "x") { query: Root }
    scalar Date @specifiedBy(url: "https://x")
    enum Role { "an admin" ADMIN USER @deprecated(reason: "}") }
    interface Node { id: ID! }
    interface Other { id: ID! }
    directive @key(fields: String!) on OBJECT
    union Any = User | Post
    input Filter { role: Role = USER, names: [String!] = ["a"] }
    directive @link(url: String!) repeatable on SCHEMA | OBJECT
    type Root { user(id: ID!, filter: Filter = { role: USER }): User, any: [Any!]!, n: Int! }
    type User implements Node & Other @key(fields: "id") {
      id: ID! name: String role: Role! born: Date score: Float
    }
    type Post { title: String! id: ID! }
    extend type Post { likes: Int }
    """#

  @Test(
    "A GraphQL result is held against the schema's types",
    arguments: [
      (
        #"{"data": {"user": {"id": "1", "name": null, "role": "USER", "born": 7, "score": 1}}}"#, []
      ),
      (#"{"data": null, "errors": [{"message": "x"}]}"#, []),
      (#"{"data": {"user": {"id": 1}}}"#, ["error $.data.user.id"]),
      (#"{"data": {"user": {"role": "NOBODY"}}}"#, ["error $.data.user.role"]),
      (#"{"data": {"user": {"nick": "x"}}}"#, ["warning $.data.user.nick"]),
      (
        #"{"data": {"any": [{"__typename": "Post", "title": "t", "likes": 1}, {"role": "USER"}]}}"#,
        []
      ),
      (#"{"data": {"any": [{"likes": "1"}]}}"#, ["error $.data.any[].likes"]),
      (#"{"data": {"n": null}}"#, ["error $.data.n"]),
    ])
  func graphQL(json: String, expected: [String]) throws {
    let schema = try SchemaShapes(Self.schema)

    #expect(try differences(try sample(json, kind: "query"), schema) == expected)
  }

  @Test(
    "A schema that is none is refused with its line",
    arguments: [
      ("tpye Query { a: Int }", "line 1"), ("type Query {\n a Int }", "line 2"),
      ("", "expected a definition"),
    ])
  func brokenSchemas(text: String, message: String) {
    do throws(DeclarationError) {
      _ = try SchemaShapes(text)
      Issue.record("it was read")
    } catch {
      var place = ""
      if case .position(let line, _) = error.place { place = "line \(line)" }
      #expect("\(error.message) \(place)".contains(message), "\(error.message) \(place)")
    }
  }
}
