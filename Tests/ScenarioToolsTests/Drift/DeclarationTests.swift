import Foundations
@testable import Patterns
import ScenarioSyntax
@testable import ScenarioTools
import Testing

@Suite("Descriptions that are long, cyclic or broken")
struct DeclarationTests {
  private func sample(
    _ json: String, at path: String = "/v1/x", status: Int = 200, kind: String? = nil
  ) throws -> DriftSample {
    let target = try RequestTarget(
      scheme: "https", authority: "api.test", target: "https://api.test\(path)")
    return DriftSample(
      name: "s", range: SourceRange(file: "s.yaml", line: 1, column: 1),
      request: DriftSample.Request(method: "GET", target: target, json: nil), operationKind: kind,
      shapes: [status: Shape(of: try JSONText.parse(json))], upstreams: [])
  }

  private func differences(
    _ sample: DriftSample, _ declared: any DeclaredShapes, least: ShapeDifference.Severity
  ) throws -> [String] {
    let (status, recorded) = try #require(sample.shapes.first)
    guard case .shape(let shape) = declared.declaration(of: sample, status: status) else {
      return ["undeclared"]
    }
    return ShapeComparison.differences(
      between: recorded, and: shape,
      from: .declaration(reportsAdditions: declared.reportsAdditions)
    ).filter { $0.severity >= least }.map { "\($0.severity) \($0.path)" }
  }

  private func openAPI(_ text: String) throws -> OpenAPIShapes {
    let (value, _) = DataDocument.parse(bytes: Array(text.utf8), path: "api.yaml")
    return try OpenAPIShapes(try #require(value))
  }

  private func openAPI(schema: String, _ others: String = "A: {}") throws -> OpenAPIShapes {
    try openAPI(
      """
      openapi: 3.0.3
      servers: [ { url: "https://api.test/v1" } ]
      paths:
        /x:
          get:
            responses:
              200: { content: { "application/json; charset=utf-8": { schema: \(schema) } } }
      components: { schemas: { \(others) } }
      """)
  }

  /// Notes on what is beside the point of an argument.
  private static let mayBeMissing = ["note $.a", "note $.b", "note $.t"]

  @Test(
    "What keywords say together is what a reply is held against",
    arguments: [
      // OpenAPI 3.0 writes a reference that may be null like this.
      ("{ nullable: true, allOf: [ { $ref: '#/components/schemas/A' } ] }", "null", []),
      ("{ allOf: [ { $ref: '#/components/schemas/A' } ] }", "null", ["error $"]),
      ("{ anyOf: [ { $ref: '#/components/schemas/A' }, { type: 'null' } ] }", "null", []),
      ("{ enum: [cat, dog] }", #""cow""#, ["error $"]),
      ("{ enum: [cat, dog] }", #""cat""#, []),
      ("{ enum: [1, null] }", #""1""#, ["note $", "error $"]),
      ("{ const: cat }", #""dog""#, ["error $"]),
      ("{ type: object, additionalProperties: { type: integer } }", #"{"a": "b"}"#, ["error $.a"]),
      ("{ type: object, additionalProperties: { type: integer } }", #"{"a": 1}"#, []),
      (
        "{ properties: { a: { type: integer } }, additionalProperties: true }",
        #"{"a": "x", "b": 1}"#, ["error $.a"]
      ),
      (
        "{ allOf: [ { properties: { a: {} } }, { additionalProperties: { type: string } } ] }",
        #"{"a": "x", "b": 1}"#, ["error $.b"]
      ),
      ("{ oneOf: [ { type: string }, { type: boolean } ] }", "1", ["error $"]),
      (
        "{ properties: { t: { type: string } }, oneOf: [ { properties: { a: {} } } ] }",
        #"{"t": 1, "a": 1}"#, ["error $.t"]
      ),
      (
        "{ required: [p, q], properties: { p: { writeOnly: true }, q: { type: string } } }",
        #"{"q": "x"}"#, []
      ),
      ("{ required: [p], properties: { p: {} } }", "{}", ["note $.p"]),
      ("{ type: object, additionalProperties: false }", #"{"p": 1}"#, ["warning $.p"]),
      ("{ type: object }", #"{"p": 1}"#, []),
      ("{ properties: { p: {} } }", #"{"p": 1}"#, ["note $.p"]),
      (
        "{ allOf: [ { properties: { p: {} } }, { required: [p] } ] }", #"{"p": 1, "o": 1}"#,
        ["warning $.o"]
      ),
    ])
  func keywords(schema: String, json: String, expected: [String]) throws {
    let api = try openAPI(schema: schema, "A: { type: object, properties: { n: {} } }")
    let found = try differences(try sample(json), api, least: .note)

    #expect(found.filter { !Self.mayBeMissing.contains($0) } == expected)
  }

  @Test("Schemas that hold themselves many times over are followed as far as the reply goes")
  func cycles() throws {
    let names = (0..<12).map { "m\($0)" }
    let members = names.map { "\($0): { $ref: '#/components/schemas/A' }" }.joined(separator: ", ")
    let api = try openAPI(
      schema: "{ $ref: '#/components/schemas/A' }",
      """
      A: { type: object, properties: { v: { type: string }, \(members) } },
      B: { allOf: [ { $ref: '#/components/schemas/B' }, { $ref: '#/components/schemas/B' } ] }
      """)
    let circle = try openAPI(
      schema: "{ $ref: '#/components/schemas/B' }",
      "B: { allOf: [ { $ref: '#/components/schemas/B' }, { $ref: '#/components/schemas/B' } ] }")

    let found = try differences(
      try sample(#"{"m1": {"m2": {"m3": {"m4": {"m5": {"v": 1}}}}}}"#), api, least: .warning)

    #expect(found == ["error $.m1.m2.m3.m4.m5.v"])
    #expect(try differences(try sample("1"), circle, least: .note) == [])
  }

  @Test("A schema of GraphQL that is one circle is followed as far as the reply goes")
  func circles() throws {
    let fields = (0..<10).map { "f\($0): [T!]!" }.joined(separator: " ")
    let schema = try SchemaShapes("type Query { t: T }\ntype T { v: Int \(fields) }")

    let found = try differences(
      try sample(
        #"{"data": {"t": {"f1": [{"f2": [{"f3": [{"v": "x"}]}]}]}}}"#, kind: "query"),
      schema, least: .warning)

    #expect(found == ["error $.data.t.f1[].f2[].f3[].v"])
  }

  @Test(
    "Servers of a path, and the defaults of their variables, say where it begins",
    arguments: [("/eu/v3/x", []), ("/v1/x", ["undeclared"])])
  func servers(path: String, expected: [String]) throws {
    let api = try openAPI(
      """
      openapi: 3.1.0
      servers: [ { url: /v1 } ]
      paths:
        /x:
          servers: [ { url: "{scheme}://api.test/{area}/v3/", variables: { area: { default: eu }, scheme: { default: https } } } ]
          get: { responses: { default: { $ref: "#/components/responses/All" } } }
      components: { responses: { All: { content: { application/problem+json: { schema: { type: integer } } } } } }
      """)

    #expect(try differences(try sample("1", at: path, status: 404), api, least: .note) == expected)
  }

  @Test(
    "Versions are read however they are written, and other descriptions told apart",
    arguments: [
      ("openapi: 3.1\npaths: {}", nil), ("openapi: 3\npaths: {}", nil),
      ("openapi: 31\npaths: {}", "is not supported"), ("swagger: '2.0'\npaths: {}", "Swagger"),
      ("openapi: 3.0.0\npaths: []", "is not a map"), ("openapi: 3.0.0", "has no \"paths\""),
    ])
  func versions(text: String, message: String?) throws {
    do {
      _ = try openAPI(text)
      #expect(message == nil)
    } catch let error as DeclarationError {
      #expect(message.map(error.message.contains) == true, "\(error.message)")
    }
  }

  @Test(
    "A reference that leads nowhere, or out of the file, is reported with its place",
    arguments: [
      ("#/components/schemas/B", "there is nothing at"),
      ("other.yaml#/B", "refers to another file"),
    ])
  func references(reference: String, message: String) throws {
    let path = ["components", "schemas", "A", "properties", "b", "$ref"]
    let text =
      "openapi: 3.0.0\npaths: {}\ncomponents:\n  schemas:\n    A:\n      example: { $ref: '#/no' }\n"
      + "      properties: { b: { $ref: '\(reference)' } }\n"
    do throws(DeclarationError) {
      let (value, _) = DataDocument.parse(bytes: Array(text.utf8), path: "api.yaml")
      _ = try OpenAPIShapes(value ?? .null)
      Issue.record("it was read")
    } catch {
      #expect(error.message.contains(message) && error.message.contains(reference))
      #expect(error.place == .member(path))
    }
    let range = DataDocument.range(of: path, bytes: Array(text.utf8), path: "api.yaml")
    #expect(range?.line == 7)
    #expect(range?.column == 32)
    #expect(DataDocument.range(of: ["paths", "x"], bytes: Array(text.utf8), path: "a.yaml") == nil)
  }
}
