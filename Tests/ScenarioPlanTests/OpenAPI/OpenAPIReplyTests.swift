import Foundations
import MockEngine
import OrderedCollections
import Patterns
import Testing

@Suite("Replies by OpenAPI")
struct OpenAPIReplyTests {
  private func responses(_ text: String) -> String {
    APISample.document("{ get: { responses: \(text) } }")
  }

  private func schema(_ text: String, version: String = "3.1.0", more: String = "") -> String {
    APISample.document(
      "{ get: { responses: { 200: { content: { application/json: { schema: \(text) } } } } } }",
      version: version, more: more)
  }

  private func reply(
    _ document: String, accept: String? = nil, _ target: String = "/a", seed: Int64? = nil
  ) throws -> OpenAPIReply {
    let request = try APISample.request(
      "GET", target, headers: accept.map { [("accept", $0)] } ?? [])
    return try APISample.reply(request, try APISample.operations(document, seed: seed))
  }

  @Test(
    "The lowest status of success answers, then the default",
    arguments: [
      ("{ 404: {}, 204: {}, 201: {} }", 201), ("{ 2XX: {}, 204: {} }", 204), ("{ 2XX: {} }", 200),
      ("{ 404: {}, default: {} }", 200), ("{ 404: {}, 302: {} }", 302), ("{}", 200),
    ])
  func status(text: String, status: Int) throws {
    #expect(try reply(responses(text)).status == status)
  }

  @Test(
    "Examples go before values that the schema allows",
    arguments: [
      ("{ example: { a: 1 }, examples: { x: { value: 2 } }, schema: { const: 3 } }", #"{"a":1}"#),
      ("{ examples: { x: { value: 2 }, y: { value: 3 } } }", "2"),
      ("{ examples: { x: { $ref: '#/components/examples/E' } } }", "5"),
      ("{ schema: { type: integer, example: 4 } }", "4"),
      ("{ schema: { type: integer, examples: [6, 7] } }", "6"),
      ("{ schema: { type: integer, default: 8 } }", "8"),
      ("{ schema: { const: 9 } }", "9"), ("{ schema: { enum: [x] } }", "\"x\""),
      // An example that the schema refuses is a mistake of the document.
      ("{ schema: { type: object, properties: { n: { enum: [1], example: 2 } } } }", #"{"n":1}"#),
      (
        "{ schema: { type: object, properties: { n: { type: string, example: Rex }, m: { default: 1 } } } }",
        #"{"m":1,"n":"Rex"}"#
      ),
      ("{ schema: { allOf: [{ $ref: '#/components/schemas/S' }] } }", #"{"s":1}"#),
      (
        "{ schema: { allOf: [{ $ref: '#/components/schemas/S' }, { properties: { t: { const: 2 } }, required: [t] }] } }",
        #"{"s":1,"t":2}"#
      ),
    ])
  func examples(content: String, body: String) throws {
    let document = APISample.document(
      "{ get: { responses: { 200: { content: { application/json: \(content) } } } } }",
      more:
        "components: { examples: { E: { value: 5 } }, schemas: { S: { type: object, required: [s], properties: { s: { const: 1 } }, example: { s: 1 } } } }"
    )
    #expect(try reply(document).text == body)
  }

  @Test("The media type is the one that the client accepts, JSON first")
  func accept() throws {
    let document = responses(
      "{ 200: { content: { text/plain: { example: hi }, application/xml: { example: <a/> }, application/problem+json: { example: 1 } } } }"
    )
    for (accept, type) in [
      (nil, "application/problem+json"), ("*/*", "application/problem+json"),
      ("text/*", "text/plain; charset=utf-8"), ("application/xml", "application/xml"),
      ("text/plain;q=0.5, application/xml;q=0.9", "application/xml"),
      ("image/png", "application/problem+json"),
    ] {
      let reply = try reply(document, accept: accept)
      #expect(reply.headers.map(\.value) == [type], "\(accept ?? "")")
    }
    #expect(try reply(document, accept: "text/plain").text == "hi")
    #expect(try reply(document, accept: "application/xml").text == "<a/>")
  }

  @Test("A status without a body has none, and what cannot be made is said")
  func bodies() throws {
    let none = try reply(responses("{ 204: { content: { application/json: { example: 1 } } } }"))
    #expect(none.body.isEmpty && none.headers.isEmpty)
    let xml = responses("{ 200: { content: { application/xml: { schema: { type: object } } } } }")
    #expect {
      try reply(xml)
    } throws: { error in
      (error as? PatternError)?.message == "api.yaml has no example of application/xml for GET /a"
    }
    let text = responses(
      "{ 200: { content: { text/csv: { schema: { type: string, const: x } } } } }")
    #expect(try reply(text).text == "x")
  }

  @Test(
    "A member that no value is found for is left out if the schema allows that, and the others stay",
    arguments: [
      (
        "{ type: object, properties: { a: { const: 1 }, b: { type: string, enum: [x], minLength: 5 } } }",
        #"{"a":1}"#
      ),
      (
        "{ type: object, required: [c], properties: { a: { const: 1 }, c: { type: object, properties: { d: { const: 2 }, b: { not: {} } } } } }",
        #"{"a":1,"c":{"d":2}}"#
      ),
      (
        "{ type: object, properties: { a: { const: 1 }, c: { type: object, required: [b], properties: { b: { not: {} } } } } }",
        #"{"a":1}"#
      ),
    ])
  func leftOut(text: String, body: String) throws {
    #expect(try reply(schema(text)).text == body)
  }

  @Test(
    "Schemas with several demands have values",
    arguments: [
      "{ type: string, pattern: '^[0-9]+$', minLength: 16, maxLength: 19 }",
      "{ type: string, pattern: '[a-z]', minLength: 3 }", "{ type: string, maxLength: 0 }",
      "{ type: string, pattern: '^[a-z]+-[a-z]+$', maxLength: 4 }",
      "{ type: object, minProperties: 2, additionalProperties: { type: integer } }",
      "{ type: object, required: [a], additionalProperties: { type: integer } }",
      "{ type: object, required: [x-a], patternProperties: { '^x-': { type: integer } }, additionalProperties: { type: boolean } }",
      "{ type: object, minProperties: 1, patternProperties: { '^x-[0-9]$': { type: integer } }, additionalProperties: false }",
      "{ type: string, format: email, maxLength: 10 }",
      "{ type: string, format: uri, maxLength: 20 }",
      "{ type: string, format: email, minLength: 60 }",
      "{ type: string, format: hostname, maxLength: 6 }",
    ])
  func demands(text: String) throws {
    let document = schema(text)
    let operations = try APISample.operations(document)
    let call = try APISample.call(APISample.request("GET", "/a"), operations)
    for number in 0..<5 {
      let made = try reply(document, "/a?n=\(number)")
      #expect(
        OpenAPIReview(of: call).violations(
          ofStatus: 200, type: "application/json", made.body) == [], "\(made.text)")
    }
  }

  @Test("An example of a schema has no members for writing")
  func writeOnlyExamples() throws {
    let text =
      "{ type: object, example: { user: a, password: s }, properties: { user: { type: string }, password: { type: string, writeOnly: true } } }"
    #expect(try reply(schema(text)).text == #"{"user":"a"}"#)
    #expect(
      try reply(schema(text.replacing("writeOnly", with: "readOnly"))).text
        == #"{"user":"a","password":"s"}"#)
  }

  @Test("An example in a file of its own is passed over if there is another")
  func externalExamples() throws {
    let document = responses(
      "{ 200: { content: { text/plain: { examples: { a: { externalValue: x }, b: { value: hi } } } } } }"
    )
    #expect(try reply(document).text == "hi")
  }

  @Test("A schema that allows nothing is said with its operation, and what to do")
  func impossible() throws {
    let document = schema("{ type: string, enum: [a], minLength: 5 }")
    #expect {
      try reply(document)
    } throws: { error in
      let error = error as? PatternError
      return error?.message.contains("at least 5 letters, not 1, for GET /a (api.yaml:4:9)") == true
        && error?.help == "add an example to the document, or an entry to \"responses\""
    }
  }

  @Test("Headers that are required or have an example are sent")
  func headers() throws {
    let document = responses(
      "{ 200: { headers: { X-A: { example: 1 }, X-B: { required: true, schema: { const: b } }, X-C: { schema: {} } } } }"
    )
    let headers = try reply(document).headers
    #expect(headers.map(\.name) == ["X-A", "X-B"])
    #expect(headers.map(\.value) == ["1", "b"])
  }

  private static let rich = """
    { type: object, required: [id, tags, kind], properties: {
      id: { type: string, format: uuid }, at: { type: string, format: date-time },
      code: { type: string, pattern: '^[A-Z]{3}-[0-9]{2}$' },
      age: { type: integer, minimum: 3, maximum: 5, exclusiveMinimum: 3 },
      tags: { type: array, minItems: 2, uniqueItems: true, items: { type: string } },
      kind: { enum: [cat, dog] }, secret: { type: string, writeOnly: true } } }
    """

  @Test(
    "A value meets its schema, has all members but those for writing, and is the same for the same request"
  )
  func samples() throws {
    let document = schema(Self.rich.replacing("\n", with: " "))
    let operations = try APISample.operations(document)
    let made = try reply(document)
    let value = try JSONText.parse(made.text)
    let call = try APISample.call(APISample.request("GET", "/a"), operations)
    #expect(
      OpenAPIReview(of: call).violations(
        ofStatus: 200, type: "application/json", made.body) == [])
    guard case .map(let members) = value else {
      Issue.record("no map")
      return
    }
    #expect(members.keys.sorted() == ["age", "at", "code", "id", "kind", "tags"])
    #expect(try reply(document) == made)
    #expect(try reply(document, "/a?x=1") != made)
    #expect(try reply(document, seed: 7) != made)
  }

  @Test("A choice by a discriminator has the word that belongs to it")
  func discriminator() throws {
    let document = schema(
      "{ oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind, mapping: { meow: '#/components/schemas/Cat' } } }",
      more:
        "components: { schemas: { Cat: { type: object, required: [kind], properties: { kind: { type: string }, lives: { const: 9 } } }, Dog: { type: object, required: [kind], properties: { kind: { type: string }, tricks: { const: 1 } } } } }"
    )
    let all = try Set((0..<30).map { try reply(document, "/a?n=\($0)").text })
    #expect(all == [#"{"kind":"meow","lives":9}"#, #"{"kind":"Dog","tricks":1}"#])
  }

  @Test("Schemas that hold themselves come to an end")
  func recursion() throws {
    let document = schema(
      "{ $ref: '#/components/schemas/Node' }",
      more:
        "components: { schemas: { Node: { type: object, required: [children], properties: { name: { type: string }, next: { $ref: '#/components/schemas/Node' }, children: { type: array, items: { $ref: '#/components/schemas/Node' } } } } } }"
    )
    let made = try reply(document)
    #expect(made.body.count > 10 && made.body.count < 1_000_000, "\(made.body.count)")
  }

  @Test("OpenAPI 3.0 has nullable, exclusive bounds that are true, and nothing beside references")
  func old() throws {
    let document = schema(
      "{ type: object, required: [a, b, c], properties: { a: { type: string, nullable: true, enum: [x] }, b: { type: integer, minimum: 4, maximum: 6, exclusiveMinimum: true, exclusiveMaximum: true }, c: { $ref: '#/components/schemas/C', nullable: true, type: string } } }",
      version: "3.0.3", more: "components: { schemas: { C: { type: integer, enum: [3] } } }")
    let operations = try APISample.operations(document)
    let call = try APISample.call(APISample.request("GET", "/a"), operations)
    func isAllowed(_ body: String) -> Bool {
      OpenAPIReview(of: call).violations(
        ofStatus: 200, type: "application/json", Array(body.utf8)) == []
    }
    #expect(
      try [#"{"a":"x","b":5,"c":3}"#, #"{"a":null,"b":5,"c":3}"#].contains(reply(document).text))
    #expect(isAllowed(#"{"a":null,"b":5,"c":null}"#))
    #expect(!isAllowed(#"{"a":null,"b":4,"c":null}"#))
    #expect(!isAllowed(#"{"a":"y","b":5,"c":null}"#))
    #expect(!isAllowed(#"{"a":"x","b":5,"c":"x"}"#))
  }
}
