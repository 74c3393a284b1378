import FoundationEssentials
import Foundations
import MockEngine
import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import ScenarioSyntax
import Testing

@Suite("OpenAPI documents")
struct OpenAPIDocumentTests {
  private static let get = "{ get: { responses: { 200: { description: ok } } } }"

  @Test("A path, settings, and a list of both name documents")
  func forms() {
    let document = APISample.document(Self.get)
    let other = document.replacing("a.test", with: "b.test")
    for settings in ["api.yaml", "{ file: api.yaml }", "[api.yaml]"] {
      let (network, problems) = APISample.plan(document, settings: settings)
      #expect(problems == [])
      #expect(network?.openAPI?.map(\.path) == ["api.yaml"])
      #expect(network?.openAPI?.first?.operations.map(\.title) == ["GET /a"])
    }
    let (network, problems) = APISample.plan(
      document, settings: "[api.yaml, { file: b.yaml, check: requests, replies: none }]",
      more: ["b.yaml": other])
    #expect(problems == [])
    #expect(network?.openAPI?.map(\.checksReplies) == [true, false])
    #expect(network?.openAPI?.map(\.givesReplies) == [true, false])
    #expect(network?.openAPI?.map(\.checksRequests) == [true, true])
  }

  @Test("JSON is read like YAML")
  func json() {
    let text =
      #"{"openapi":"3.0.3","servers":[{"url":"https://a.test"}],"paths":{"/a":{"get":{"responses":{"200":{"description":"x"}}}}}}"#
    let (network, problems) = APISample.plan("", settings: "a.json", more: ["a.json": text])
    #expect(problems == [])
    #expect(network?.openAPI?.first?.operations.map(\.range.description) == ["a.json:1:72"])
  }

  @Test(
    "What is wrong with a document is an error at its place there",
    arguments: [
      ("swagger: '2.0'", "api.yaml:1:10: Swagger 2.0 is not supported"),
      ("openapi: 4.0.0\npaths: {}", "api.yaml:1:10: OpenAPI \"4.0.0\" is not supported"),
      ("info: {}", "api.yaml:1:1: the file is not an OpenAPI document: it has no \"openapi\""),
      ("openapi: 3.1.0\nservers: [{ url: 'https://a.test' }]", "the document has no \"paths\""),
      ("openapi: 3.1.0\npaths: {}", "api.yaml:1:1: the document names no servers"),
      (
        "openapi: 3.1.0\nservers: [{ url: '/v1' }]\npaths: {}",
        "api.yaml:2:18: the server \"/v1\" names no host"
      ),
      (
        "openapi: 3.1.0\nservers: [{ url: 'https://{x}.test' }]\npaths: {}",
        "api.yaml:2:18: the server \"https://{x}.test\" names no host"
      ),
      (
        APISample.document("{ gte: {} }"),
        "api.yaml:4:9: \"gte\" is not a method of a path; did you mean \"get\"?"
      ),
      (
        APISample.document("{ get: { responses: { ok: {} } } }"),
        "api.yaml:4:29: \"ok\" is not a status"
      ),
      (
        APISample.document("{ get: { parameters: [{ name: a, in: quer }] } }"),
        "api.yaml:4:44: \"quer\" is not a place of parameters; did you mean \"query\"?"
      ),
      (
        APISample.document("{ get: {} }", path: "a"),
        "api.yaml:4:3: the path \"a\" does not begin with a slash; write \"/a\""
      ),
      (
        APISample.document("{ get: {} }\n  /b/{x}: {}\n  /b/{y}: {}"),
        "api.yaml:6:3: the paths \"/b/{x}\" and \"/b/{y}\" match the same requests"
      ),
      (
        APISample.document(
          "{ get: { parameters: [{ $ref: '#/components/parameters/Limt' }] } }",
          more: "components: { parameters: { Limit: { name: limit, in: query } } }"),
        "there is nothing at \"#/components/parameters/Limt\"; did you mean \"Limit\"?"
      ),
      (
        APISample.document("{ get: { parameters: [{ $ref: 'https://b.test/x.yaml' }] } }"),
        "leads to the network, and nothing is fetched"
      ),
      (
        APISample.document(
          "{ get: { parameters: [{ $ref: '#/components/parameters/A' }] } }",
          more:
            "components: { parameters: { A: { $ref: '#/components/parameters/B' }, B: { $ref: '#/components/parameters/A' } } }"
        ), "leads back to itself"
      ),
      (
        APISample.document(
          "{ post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } } } }",
          more: "components: { schemas: { A: { allOf: [{ $ref: '#/components/schemas/A' }] } } }"),
        "api.yaml:5:29: the schema is a part of itself"
      ),
      (
        APISample.document(
          "{ post: { requestBody: { content: { application/json: { schema: { type: strin } } } } } }"
        ),
        "api.yaml:4:79: the schema is wrong: \"strin\" is not a type; did you mean \"string\"?"
      ),
      (
        APISample.document("{ get: { responses: { 200: { $ref: 'other.yaml#/ok' } } } }"),
        "the file \"other.yaml\" cannot be read"
      ),
      (
        APISample.document(
          "{ get: { responses: { 200: { content: { text/plain: { examples: { a: { externalValue: x } } } } } } } }"
        ), "an example that is in a file of its own is not read"
      ),
      (
        APISample.document(
          "{ get: { parameters: [{ name: id, in: path, required: true }] } }", path: "'/u/{userId}'"
        ),
        "the path \"/u/{userId}\" has no \"{id}\"; "
      ),
      (
        APISample.document("{ servers: [{ url: v2 }], get: {} }"),
        "the server \"v2\" names no host; write its whole URL, or a path that begins with a slash"
      ),
      (
        "openapi: 3.1.0\nservers: [{ url: 'https://{a}{b}.test', variables: { a: { enum: [\((0..<11).map(String.init).joined(separator: ", "))] }, b: { enum: [\((0..<11).map(String.init).joined(separator: ", "))] } } }]\npaths: {}",
        "the variables of the server make more than 100 URLs"
      ),
      ("openapi: 3.1.0\npaths: { a", "api.yaml:"),
      ("", "api.yaml:1:1: the document is empty; begin with \"openapi: 3.1.0\""),
      ("# to be written\n---\n", "api.yaml:1:1: the document is empty"),
      (
        APISample.document("{ get: { responses: { 200: { $ref: [x] } } } }"),
        "api.yaml:4:42: \"$ref\" is not a text"
      ),
      (
        APISample.document("{ get: { parameters: { limit: { in: query } } } }"),
        "api.yaml:4:28: \"parameters\" is a map, not a list; write [ … ]"
      ),
      (
        APISample.document("{ get: { responses: [ok] } }"),
        "api.yaml:4:27: \"responses\" is a list, not a map; write { … }"
      ),
      (
        APISample.document("{ get: { responses: { 200: ok } } }"),
        "api.yaml:4:34: \"200\" is text, not a map"
      ),
      (
        APISample.document(
          "{ get: { responses: { 200: { content: { application/json: [x] } } } } }"),
        "api.yaml:4:65: \"application/json\" is a list, not a map"
      ),
      (
        APISample.document("{ get: { responses: { 200: { headers: [etag] } } } }"),
        "\"headers\" is a list, not a map"
      ),
      (APISample.document("[get]"), "api.yaml:4:7: \"/a\" is a list, not a map"),
      (
        "openapi: 3.1.0\nservers: { url: 'https://a.test' }\npaths: {}",
        "api.yaml:2:10: \"servers\" is a map, not a list"
      ),
      (
        "openapi: 3.1.0\npaths: { /a: { servers: [{ url: 'https://a.test' }, { url: /v2 }], get: {} } }",
        "the server \"/v2\" names no host"
      ),
    ])
  func mistakes(document: String, message: String) {
    let (_, problems) = APISample.plan(document)
    #expect(problems.contains { $0.contains(message) }, "\(problems)")
    #expect(problems.count == 1, "\(problems)")
  }

  @Test("References lead to other files, and from there to others")
  func files() throws {
    let document = APISample.document("{ $ref: 'paths/a.yaml#/~1a' }")
    let (network, problems) = APISample.plan(
      document,
      more: [
        "paths/a.yaml":
          "/a: { get: { responses: { 200: { content: { application/json: { schema: { $ref: '../schemas.json#/Pet' } } } } } } }",
        "schemas.json":
          ##"{"Pet":{"type":"object","required":["next"],"properties":{"next":{"$ref":"#/Name"}}},"Name":{"const":"x"}}"##,
      ])
    #expect(problems == [])
    let operations = OpenAPIOperations(try #require(network?.openAPI))
    #expect(
      try APISample.reply(APISample.request("GET", "/a"), operations).text == #"{"next":"x"}"#)
  }

  @Test(
    "All values of a server's variables are places, and a path of a server lies at the document's")
  func variables() throws {
    let (network, problems) = APISample.plan(
      """
      openapi: 3.1.0
      servers: [{ url: 'https://{r}.test/v1', variables: { r: { default: eu, enum: [eu, us] } } }]
      paths: { /a: { servers: [{ url: /v2 }], get: {} } }
      """)
    #expect(problems == [])
    let api = try #require(network?.openAPI?.first)
    #expect(api.servers.map(\.host) == ["eu.test", "us.test"])
    #expect(api.operations[0].servers?.map(\.host) == ["eu.test", "us.test"])
    #expect(api.operations[0].servers?.map(\.path) == ["/v2", "/v2"])
  }

  @Test("Among many definitions a reference finds its own")
  func manyDefinitions() throws {
    let names = (0..<40).map { "S\($0)" }
    let paths = names.map { name in
      "  /\(name): { get: { responses: { 200: { content: { application/json: { schema: { $ref: '#/components/schemas/\(name)' } } } } } } }\n"
    }
    let operations = try APISample.operations(
      "openapi: 3.1.0\nservers: [{ url: 'https://a.test/v1' }]\npaths:\n\(paths.joined())"
        + "components: { schemas: { \(names.map { "\($0): { const: \($0) }" }.joined(separator: ", ")) } }"
    )
    for name in names {
      #expect(
        try APISample.reply(APISample.request("GET", "/\(name)"), operations).text == "\"\(name)\"")
    }
  }

  @Test("A document need not name servers where each path or operation has its own")
  func ownServers() throws {
    let own = "servers: [{ url: 'https://a.test' }]"
    for servers in ["", "servers: [{ url: /v1 }]\n"] {
      let (network, problems) = APISample.plan(
        "openapi: 3.1.0\n\(servers)paths: { /a: { \(own), get: {} }, /b: { get: { \(own) } } }")
      #expect(problems == [])
      #expect(network?.openAPI?.first?.allServers.map(\.host) == ["a.test", "a.test"])
    }
  }

  @Test(
    "Replies are compared before the run, also where they have no body, or one of another type",
    arguments: [
      ("{ json: [1] }", nil), ("{ status: 200 }", "body: expected application/json, got none"),
      ("{ status: 204 }", nil), ("{ status: 503 }", nil),
      ("{ text: x }", "header \"content-type\": expected application/json, got text/plain"),
      (
        "{ text: '[\"x\"]', headers: { content-type: application/json } }",
        "body: $[0]: expected integer"
      ), ("{ text: '[1]', headers: { content-type: application/json } }", nil),
      (
        "{ stream: [{ send: x }], headers: { content-type: text/csv } }",
        "header \"content-type\": expected application/json, got text/csv"
      ),
    ] as [(String, String?)])
  func writtenReplies(reply: String, message: String?) {
    let (_, problems) = APISample.plan(
      APISample.document(
        "{ get: { responses: { 200: { content: { application/json: { schema: { type: array, items: { type: integer } } } } }, 204: {} } } }"
      ), responses: "[{ request: GET https://a.test/v1/a, reply: \(reply) }]")
    if let message {
      #expect(problems.count == 1 && problems[0].contains(message), "\(problems)")
    } else {
      #expect(problems == [])
    }
  }

  @Test("Servers of the scenario replace those of the document, and variables have their defaults")
  func servers() {
    let relative = "openapi: 3.1.0\nservers: [{ url: /v1 }]\npaths: { /a: \(Self.get) }"
    let (network, problems) = APISample.plan(
      relative, settings: "{ file: api.yaml, servers: ['http://c.test:8080/x/'] }")
    #expect(problems == [])
    #expect(
      network?.openAPI?.first?.servers == [
        .init(scheme: "http", host: "c.test", port: 8080, path: "/x")
      ])
    let variable = relative.replacing(
      "{ url: /v1 }",
      with:
        "{ url: 'https://{place}.test/{v}', variables: { place: { default: eu }, v: { default: v2 } } }"
    )
    #expect(
      APISample.plan(variable).network?.openAPI?.first?.servers == [
        .init(scheme: "https", host: "eu.test", port: 443, path: "/v2")
      ])
    let wrong = APISample.plan(
      relative, settings: "{ file: api.yaml, servers: ['https://*.test'] }")
    #expect(
      wrong.problems.first?.contains("is not the URL of a server") == true, "\(wrong.problems)")
  }

  @Test("A document that is missing, and words that are none, are errors of the scenario")
  func settings() {
    let document = APISample.document(Self.get)
    let missing = APISample.plan(document, settings: "b.yaml")
    #expect(missing.problems.first?.hasPrefix("f.yaml:3:") == true, "\(missing.problems)")
    #expect(
      !APISample.plan(document, settings: "{ file: api.yaml, check: request }").problems.isEmpty)
    #expect(!APISample.plan(document, settings: "{ servers: [] }").problems.isEmpty)
  }

  @Test(
    "An entry of the scenario must be one of the document's",
    arguments: [
      ("GET https://a.test/v1/a", "{ json: [1] }", nil),
      (
        "GET https://a.test/v1/a", "{ json: [x] }",
        "f.yaml:4:51: the reply to GET /a is not as api.yaml says: body: $[0]: expected integer, got \"x\""
      ),
      ("GET https://a.test/v1/a", "{ status: 404 }", "status: expected 200, got 404"),
      ("GET https://a.test/v1/a", "{ status: 503 }", nil),
      ("GET https://a.test/v1/a", "{ json: [x], fault: { truncate: 1B } }", nil),
      ("GET https://a.test/v1/a", "{ json: [\"${{ request.count }}\"] }", nil),
      ("GET https://a.test/v1/b", "{ status: 200 }", "api.yaml has no path \"/b\""),
      (
        "PUT https://a.test/v1/a", "{ status: 200 }",
        "api.yaml has no PUT for the path \"/a\", but GET"
      ),
      ("GET https://b.test/v1/b", "{ status: 404 }", nil),
      ("GET https://a.test/v1/*", "{ status: 404 }", nil),
    ] as [(String, String, String?)])
  func entries(line: String, reply: String, message: String?) {
    let document = APISample.document(
      "{ get: { responses: { 200: { content: { application/json: { schema: { type: array, items: { type: integer } } } } } } } }"
    )
    let responses = "[{ \"\(line)\": \(reply) }]"
    let (_, problems) = APISample.plan(document, responses: responses)
    if let message {
      #expect(problems.count == 1 && problems[0].contains(message), "\(problems)")
    } else {
      #expect(problems == [])
    }
    let (_, unchecked) = APISample.plan(
      document, responses: responses, settings: "{ file: api.yaml, check: none }")
    #expect(unchecked == [])
  }

  @Test("An entry for a path with a template is not one for a path without")
  func templates() {
    let list = "content: { application/json: { schema: { type: array } } }"
    let document = APISample.document(
      "{ get: { responses: { 200: { \(list) } } } }\n  /a/x: { get: { responses: { 200: {} } } }",
      path: "/a/{id}")
    for (reply, count) in [("[1]", 0), ("{ b: 1 }", 1)] {
      let (_, problems) = APISample.plan(
        document, responses: "[{ \"GET https://a.test/v1/a/{name}\": { json: \(reply) } }]")
      #expect(problems.count == count, "\(problems)")
    }
    let (_, problems) = APISample.plan(
      document.replacing("{ 200: {} }", with: "{ 204: {} }"),
      responses: "[{ \"GET https://a.test/v1/a/{name}\": { json: [1] } }]")
    #expect(problems == [])
  }

  @Test("A scenario's own network keeps the documents of the file's top, unless it names others")
  func inheritance() throws {
    let text = """
      version: 2
      target: { command: [a] }
      network: { openapi: api.yaml }
      scenarios:
        - { name: same, network: { unused: ignore } }
        - { name: other, network: { openapi: b.yaml } }
      """
    let files = ["api.yaml": APISample.document(Self.get), "b.yaml": APISample.document(Self.get)]
    let (file, found) = ScenarioFile.parse(text: text, path: "f.yaml")
    #expect(found.map(\.message) == [])
    let options = PlannerOptions(
      fileExists: { files[$0] != nil }, readFile: { files[$0].map { Array($0.utf8) } })
    let (plan, problems) = Planner.plan(files: [try #require(file)], options: options)
    #expect(problems.map(\.message) == [])
    #expect(
      plan?.cases.map { $0.network?.openAPI?.map(\.path) ?? [] } == [["api.yaml"], ["b.yaml"]])
  }

  @Test("A saved plan has the document as it was read")
  func codable() throws {
    let operations = try APISample.operations(
      APISample.document(
        "{ get: { responses: { 200: { content: { application/json: { schema: { const: x } } } } } } }"
      ))
    let data = try JSONEncoder().encode(operations.documents)
    let read = try JSONDecoder().decode([PlannedOpenAPI].self, from: data)
    #expect(read == operations.documents)
    #expect(
      try APISample.reply(APISample.request("GET", "/a"), OpenAPIOperations(read)).text == "\"x\"")
  }
}
