import Testing

/// `network: { openapi: … }` with real clients.
@Suite("OpenAPI")
struct OpenAPITests {
  private static let document = """
    openapi: 3.0.3
    info: { title: Pets, version: '1' }
    servers: [{ url: https://pets.test/v1 }]
    paths:
      /pets:
        get:
          parameters: [{ name: limit, in: query, schema: { type: integer } }]
          responses:
            '200': { description: pets, content: { application/json: { example: [{ name: Rex }], schema: { $ref: 'schemas.yaml#/Pets' } } } }
        post:
          requestBody: { required: true, content: { application/json: { schema: { $ref: 'schemas.yaml#/Pet' } } } }
          responses: { '201': { description: made, content: { application/json: { schema: { $ref: 'schemas.yaml#/Pet' } } } } }
      /pets/{id}:
        delete: { parameters: [{ name: id, in: path, required: true, schema: { type: integer } }], responses: { '204': { description: gone } } }
    """
  private static let schemas = """
    Pet: { type: object, required: [name], properties: { name: { type: string, minLength: 1 }, age: { type: integer, minimum: 0, maximum: 30 } } }
    Pets: { type: array, items: { $ref: '#/Pet' } }
    """

  /// Runs curl in a scenario beside the document.
  private func run(
    _ arguments: String, more: String = "", settings: String = "api/pets.yaml",
    command: [String] = ["run"]
  ) throws -> BuiltRunner.Outcome {
    let project = try ProjectFolder()
    try project.write(Self.document, to: "api/pets.yaml")
    try project.write(Self.schemas, to: "api/schemas.yaml")
    try project.write(
      """
      version: 2
      target: { command: [curl, --silent, --show-error, --http1.1, --write-out, ' %{http_code}', \(arguments)] }
      network: { openapi: \(settings) }
      \(more)

      """, to: "scenario.yaml")
    return try project.scenario(command + ["scenario.yaml"])
  }

  private func passes(_ outcome: BuiltRunner.Outcome) {
    outcome.expectExit(0)
  }

  private func fails(_ outcome: BuiltRunner.Outcome, _ texts: String..., exitCode: Int32 = 1) {
    #expect(Int(outcome.exitCode) == Int(exitCode), "\(outcome.text)")
    for text in texts { #expect(outcome.text.contains(text), "\(outcome.text)") }
  }

  @Test("The example answers, then a value that the schema allows, and a status without a body")
  func replies() throws {
    passes(
      try run(
        "'https://pets.test/v1/pets?limit=3'", more: #"expect: { stdout: '[{"name":"Rex"}] 200' }"#)
    )
    passes(
      try run(
        #"--json, '{"name":"Tom"}', https://pets.test/v1/pets"#,
        more: #"expect: { stdout: { matches: '^\{"age":[0-9]+,"name":".+"\} 201$' } }"#))
    passes(
      try run(
        "-X, DELETE, https://pets.test/v1/pets/7", more: "expect: { stdout: ' 204' }"))
    passes(
      try run("--head, https://pets.test/v1/pets", more: "expect: { stdout: { contains: ' 200' } }")
    )
  }

  @Test("A request that the document does not allow fails the scenario, and is answered")
  func requests() throws {
    fails(
      try run(
        "'https://pets.test/v1/pets?limit=x'", more: #"expect: { stdout: { contains: Rex } }"#),
      #"query parameter "limit": expected integer, got "x""#, "api/pets.yaml:7:")
    fails(
      try run(#"--json, '{"name":""}', https://pets.test/v1/pets"#),
      "body: $.name: expected at least 1 letter, not 0")
    fails(
      try run("--data, name=Tom, https://pets.test/v1/pets"),
      #"header "content-type": expected application/json, got application/x-www-form-urlencoded"#)
    fails(
      try run("-X, POST, https://pets.test/v1/pets"), "body is missing, but required")
    fails(
      try run("-X, DELETE, https://pets.test/v1/pets/x"), #"path parameter "id": expected integer"#)
  }

  @Test("The reply of a handler is compared, of a command and of a target alike")
  func handlers() throws {
    let app = """
      import http.server, sys
      class App(http.server.BaseHTTPRequestHandler):
          def do_GET(self):
              body = sys.argv[1].encode()
              self.send_response(200)
              self.send_header('Content-Type', 'application/json')
              self.send_header('Content-Length', str(len(body)))
              self.end_headers()
              self.wfile.write(body)
          def log_message(self, *arguments): pass
      if len(sys.argv) > 2: http.server.HTTPServer(('127.0.0.1', 8000), App).serve_forever()
      for line in sys.stdin: print('{"json": ' + sys.argv[1] + '}', flush=True)

      """
    func run(_ reply: String, _ handler: String) throws -> BuiltRunner.Outcome {
      let project = try ProjectFolder()
      try project.write(Self.document, to: "api/pets.yaml")
      try project.write(Self.schemas, to: "api/schemas.yaml")
      try project.write(app, to: "app.py")
      try project.write(
        """
        version: 2
        target: { command: [curl, --silent, https://pets.test/v1/pets] }
        targets:
          app: { command: [python3, app.py, '\(reply)', serve], files: { app.py: { file: app.py } }, ready: { port: 8000 } }
        network: { openapi: api/pets.yaml }
        responses: [ { GET https://pets.test/v1/pets: { handler: \(handler) } } ]
        steps: [ { start: app }, { run: }, { stop: app } ]

        """, to: "scenario.yaml")
      return try project.scenario(["run", "scenario.yaml"])
    }
    for handler in ["app", "{ exec: [python3, app.py, 'REPLY'] }"] {
      for (reply, isRight) in [(#"[{"name":"Rex"}]"#, true), (#"[{"name":""}]"#, false)] {
        let outcome = try run(reply, handler.replacing("REPLY", with: reply))
        guard !isRight else {
          passes(outcome)
          continue
        }
        fails(
          outcome, "the reply to GET https://pets.test/v1/pets is not as api/pets.yaml says",
          "body: $[0].name: expected at least 1 letter, not 0")
      }
    }
  }

  @Test("A request is compared whatever answers it, and answered all the same")
  func allAnswers() throws {
    let wrong = "'https://pets.test/v1/pets?limit=x'"
    let message = #"query parameter "limit": expected integer, got "x""#
    let answered = try run(wrong, more: #"expect: { stdout: '[{"name":"Rex"}] 200' }"#)
    fails(answered, message)
    #expect(!answered.text.contains("stdout: expected"), "\(answered.text)")
    for unmatched in ["{ status: 404 }", "fail"] {
      fails(
        try run(
          wrong, settings: "{ file: api/pets.yaml, replies: none }, unmatched: \(unmatched)"),
        message)
    }
    let right = "'https://pets.test/v1/pets?limit=1'"
    passes(
      try run(
        right, settings: "{ file: api/pets.yaml, replies: none }, unmatched: { status: 404 }"))
    fails(
      try run(
        "https://pets.test/v1/pet",
        settings: "{ file: api/pets.yaml, replies: none }, unmatched: { status: 404 }"),
      #"api/pets.yaml has no path "/pet""#)
  }

  @Test("What is not checked passes")
  func unchecked() throws {
    passes(
      try run(
        "'https://pets.test/v1/pets?limit=x'", settings: "{ file: api/pets.yaml, check: replies }"))
  }

  @Test("A request for no operation fails with those that are near, also where an entry answers it")
  func unknown() throws {
    fails(
      try run("https://pets.test/v1/pet"), #"api/pets.yaml has no path "/pet""#, "GET /pets (")
    fails(
      try run(
        "https://pets.test/v1/pet",
        more: "responses: [{ request: { url: 'https://pets.test/**' }, reply: { text: x } }]"),
      #"api/pets.yaml has no path "/pet""#)
    fails(
      try run("https://pets.test/v1/pets", settings: "{ file: api/pets.yaml, replies: none }"),
      "no response for GET https://pets.test/v1/pets")
    passes(
      try run(
        "https://other.test/v1/pet",
        more: "responses: [{ GET https://other.test/v1/pet: { text: x } }]"))
  }

  @Test(
    "Own entries answer first, and the document once their queue is empty; unmatched comes last")
  func order() throws {
    let entry =
      "responses: [{ request: GET https://pets.test/v1/pets, reply: { status: 503, text: down } }]"
    let twice = "https://pets.test/v1/pets, https://pets.test/v1/pets"
    passes(
      try run(
        twice,
        more: entry + "\n" + #"expect: { stdout: { contains: 'down 503[{"name":"Rex"}] 200' } }"#))
    fails(
      try run(twice, more: entry.replacing("text: down }", with: "text: down }, then: fail")),
      "no response for GET https://pets.test/v1/pets")
    passes(
      try run(
        "https://pets.test/v1/pets", more: "expect: { stdout: { contains: Rex } }",
        settings: "api/pets.yaml, unmatched: refuse"))
  }

  @Test("A reply that the document does not allow is found before the run, or when it is sent")
  func checkedReplies() throws {
    fails(
      try run(
        "https://pets.test/v1/pets",
        more: "responses: [{ GET https://pets.test/v1/pets: { json: [{ name: Rex, age: 31 }] } }]",
        command: ["check"]),
      "scenario.yaml:4:", "body: $[0].age: expected at most 30, got 31", exitCode: 2)
    fails(
      try run(
        "https://pets.test/v1/pets",
        more:
          "responses: [{ GET https://pets.test/v1/pets: { json: [{ name: Rex, age: '${{ request.count + 30 }}' }] } }]"
      ), "the reply to GET https://pets.test/v1/pets", "body: $[0].age: expected at most 30, got 31"
    )
    passes(
      try run(
        "https://pets.test/v1/pets",
        more:
          "responses: [{ GET https://pets.test/v1/pets: { json: [{ name: Rex, age: '${{ request.count + 29 }}' }] } }]"
      ))
  }

  @Test("A stream is compared when it is sent, and what answered is named")
  func laterReplies() throws {
    fails(
      try run(
        "https://pets.test/v1/pets",
        more:
          "responses: [{ GET https://pets.test/v1/pets: { stream: [{ send: x }], headers: { content-type: \"${{ case(request.count == 1, 'text/csv', 'application/json') }}\" } } }]"
      ), "expected application/json, got text/csv")
    fails(
      try run(
        "-X, DELETE, https://pets.test/v1/pets/9",
        more: "responses: [{ store: pets, at: https://pets.test/v1/pets, items: [] }]"),
      "status: expected 204, got 404, from \"", "help: describe the status or body in the document")
  }

  @Test("A call of gRPC that cannot be decoded is compared as well")
  func undecodableCall() throws {
    let project = try ProjectFolder()
    try project.write(
      """
      openapi: 3.1.0
      servers: [{ url: https://rpc.test }]
      paths: { /pets.Pets/Get: { post: { parameters: [{ name: x-tenant, in: header, required: true }] } } }
      """, to: "api.yaml")
    try project.write(
      """
      syntax = "proto3";
      package pets;
      message Pet { string name = 1; }
      service Pets { rpc Get(Pet) returns (Pet); }
      """, to: "pets.proto")
    try project.write(
      #"""
      version: 2
      target: { command: "printf '\\000\\000\\000\\000\\002\\377\\377' | curl --silent --output reply --header 'content-type: application/grpc' --data-binary @- https://rpc.test/pets.Pets/Get" }
      network: { openapi: api.yaml, grpc: { protos: [pets.proto] } }

      """#, to: "scenario.yaml")
    fails(
      try project.scenario(["run", "scenario.yaml"]), "the request cannot be decoded",
      #"header "x-tenant" is missing, but required"#)
  }

  @Test("A folder's documents are no scenario files")
  func folders() throws {
    let project = try ProjectFolder()
    try project.write(Self.document, to: "api/pets.yaml")
    try project.write(Self.schemas, to: "api/schemas.yaml")
    try project.write(
      Self.document.replacing("openapi: 3.0.3", with: "\"openapi\": '3.0.3'").replacing(
        "schemas.yaml#/Pets", with: "parts/all%20pets.yaml#/Pets"), to: "api/quoted.yml")
    try project.write(
      "Pets: { type: array, items: { $ref: 'one%20pet.yaml#/Pet' } }\n",
      to: "api/parts/all pets.yaml")
    try project.write("Pet: { type: object }\n", to: "api/parts/one pet.yaml")
    try project.write(
      #"""
      {
        "info": { "title": "{ \"openapi\": 1", "version": "1" },
        "openapi": "3.1.0",
        "paths": { "/a": { "$ref": "json\/item.yaml" } }
      }

      """#, to: "api/pets.json")
    try project.write("get: { responses: {} }\n", to: "api/json/item.yaml")
    let padding = String(repeating: "# a remark\n", count: 1_000)
    try project.write("paths: {}\n\(padding)swagger: '2.0'\n", to: "api/sorted.yaml")
    try project.write("{ # a remark\n  openapi: 3.1.0, paths: {} }\n", to: "api/flow.yaml")
    try project.write(
      "version: 2\ntarget: { command: ['true'] }\n", to: "scenario.yaml")
    // Whose keys are not at the top is a scenario.
    try project.write(
      """
      version: 2
      name: with a variable
      vars: {
      openapi: 3.1 }
      target: { command: ['true'] }

      """, to: "variable.yaml")
    try project.write(
      "{ version: 2, name: in braces, target: { command: ['true'], env: { openapi: '3.1' } } }\n",
      to: "braces.yaml")
    try project.scenario(["check", "."]).expectExit(0)
    let outcome = try project.scenario(["run", "."])
    outcome.expectExit(0)
    for name in ["scenario.yaml", "with a variable", "in braces", "3 passed, 0 failed"] {
      #expect(outcome.text.contains(name), "\(outcome.text)")
    }
    try project.write(
      "version: 2\ntarget: { command: ['true'] }\nopenapi: api/pets.yaml\n", to: "wrong.yaml")
    for command in ["check", "run"] {
      fails(
        try project.scenario([command, "."]), "wrong.yaml:3:1", "unknown key \"openapi\"",
        exitCode: 2)
    }
  }

  @Test("A document that is given as a scenario is one mistake")
  func document() throws {
    let project = try ProjectFolder()
    try project.write(Self.document, to: "api/pets.yaml")
    try project.write("{\"swagger\": \"2.0\", \"paths\": {}}\n", to: "api/old.yaml")
    for file in ["api/pets.yaml", "api/old.yaml"] {
      let outcome = try project.scenario(["check", file])
      fails(
        outcome, "\(file):1:", "the file is an OpenAPI document, not a scenario",
        "help: name it in a scenario: network: { openapi: \(file) }", "1 error; nothing was run",
        exitCode: 2)
    }
  }
}
