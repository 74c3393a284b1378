import Foundations
import MockEngine
import Testing

@Suite("Requests and replies against OpenAPI")
struct OpenAPIReviewTests {
  private func problems(
    _ operation: String, _ method: String, _ target: String, headers: [(String, String)] = [],
    body: String = "", path: String = "/a", version: String = "3.1.0"
  ) throws -> [String] {
    let document = APISample.document(
      "{ \(method.lowercased()): \(operation) }", path: path, version: version)
    let operations = try APISample.operations(document)
    let request = try APISample.request(method, target, headers: headers, body: body)
    let call = try APISample.call(request, operations)
    return OpenAPIReview(of: call).violations(of: request).map(\.message)
  }

  private static let integers = "{ type: array, items: { type: integer } }"
  private static let point =
    "{ type: object, required: [x], properties: { x: { type: integer }, y: { type: integer } } }"

  @Test(
    "A query has what its parameters want, in their styles",
    arguments: [
      ("name: n, schema: { type: integer }", "n=5", "n=x", #"expected integer, got "x""#),
      ("name: n, schema: { type: integer }", "", "n=1.5", "expected integer, got 1.5"),
      ("name: n, schema: { type: integer }", "n=-3&other=x", "n=", #"expected integer, got """#),
      (
        "name: n, schema: { type: integer, maximum: 9 }", "n=9", "n=10",
        "expected at most 9, got 10"
      ),
      ("name: n, schema: { type: integer }", "n=5", "n=5&n=6", "expected one value, got 2 values"),
      ("name: n, schema: { type: boolean }", "n=true", "n=yes", #"expected boolean, got "yes""#),
      ("name: n, schema: { type: number }", "n=1e3", "n=0x1", #"expected number, got "0x1""#),
      ("name: n, schema: { enum: [a, b] }", "n=a", "n=c", #"expected one of "a", "b", got "c""#),
      (
        "name: n, schema: { type: [integer, 'null'] }", "n=null", "n=x",
        #"expected integer or null, got "x""#
      ),
      ("name: n, required: true", "n=", "m=1", "is missing, but required"),
      (
        "name: u, schema: { anyOf: [{ type: string, enum: [all] }, \(integers)] }", "u=all",
        "u=none",
        "got "
      ),
      (
        "name: u, schema: { anyOf: [{ type: string, enum: [all] }, \(integers)] }", "u=1&u=2",
        "u=1&u=x",
        "got "
      ),
      (
        "name: v, schema: { oneOf: [{ type: integer, maximum: 9 }, { type: string, pattern: '^1' }] }",
        "v=17", "v=27", "got 27"
      ),
      (
        "name: p, style: deepObject, schema: { properties: { a: \(integers), b: \(point) } }",
        "p[a][]=1&p[a][]=2&p[b][x]=3", "p[b][x]=z", #"expected integer at $.b.x, got "z""#
      ),
      ("name: n, allowEmptyValue: true, schema: { type: integer }", "n=", "n=x", #"got "x""#),
      ("name: n, schema: \(integers)", "n=1&n=2", "n=1&n=x", #"expected integer at $[1], got "x""#),
      (
        "name: n, explode: false, schema: \(integers)", "n=1,2", "n=1,x",
        #"expected integer at $[1], got "x""#
      ),
      (
        "name: n, style: pipeDelimited, schema: \(integers)", "n=1|2", "n=1,2",
        #"expected integer at $[0], got "1,2""#
      ),
      ("name: n, style: spaceDelimited, schema: \(integers)", "n=1%202", "n=1|2", #"got "1|2""#),
      (
        "name: p, style: deepObject, schema: \(point)", "p[x]=1&p[y]=2", "p[y]=2",
        #"expected the key "x""#
      ),
      (
        "name: p, style: deepObject, schema: \(point)", "p[x]=1", "p[x]=a",
        #"expected integer at $.x, got "a""#
      ),
      ("name: p, schema: \(point)", "x=1&y=2", "y=2", #"expected the key "x""#),
      (
        "name: p, explode: false, schema: \(point)", "p=x,1,y,2", "p=x,1,y",
        #"expected names and values, got "x,1,y""#
      ),
      (
        "name: j, content: { application/json: { schema: \(point) } }", "j=%7B%22x%22:1%7D",
        "j=%7B", "expected JSON"
      ),
    ])
  func query(parameter: String, good: String, bad: String, message: String) throws {
    let operation = "{ parameters: [{ in: query, \(parameter) }] }"
    #expect(try problems(operation, "GET", "/a?" + good) == [])
    let found = try problems(operation, "GET", "/a?" + bad)
    #expect(found.count == 1 && found[0].contains(message), "\(found)")
    #expect(found.first?.hasPrefix("query parameter \"") == true)
  }

  @Test("Paths, headers and cookies have what their parameters want")
  func places() throws {
    let operation = """
      { parameters: [{ in: path, name: id, schema: { type: integer } }, \
      { in: header, name: X-Tags, schema: \(Self.integers) }, { in: header, name: Accept, required: true }, \
      { in: cookie, name: s, required: true, schema: { minLength: 3 } }] }
      """
    #expect(
      try problems(
        operation, "GET", "/a/5", headers: [("x-tags", "1, 2"), ("cookie", "a=1; s=abc")],
        path: "/a/{id}") == [])
    #expect(
      try problems(
        operation, "GET", "/a/x", headers: [("x-tags", "1, y"), ("cookie", "s=ab")],
        path: "/a/{id}") == [
          "path parameter \"id\": expected integer, got \"x\"",
          "header \"X-Tags\": expected integer at $[1], got \"y\"",
          "cookie \"s\": expected at least 3 letters, not 2, got \"ab\"",
        ])
    #expect(
      try problems(operation, "GET", "/a/1", path: "/a/{id}") == [
        "cookie \"s\" is missing, but required"
      ])
  }

  @Test("Parameters of a path hold for its operations, which may replace them")
  func shared() throws {
    let document = APISample.document(
      "{ parameters: [{ in: query, name: n, required: true }, { in: query, name: m, required: true }], get: { parameters: [{ in: query, name: n }] } }"
    )
    let request = try APISample.request("GET", "/a")
    let call = try APISample.call(request, try APISample.operations(document))
    #expect(
      OpenAPIReview(of: call).violations(of: request).map(\.message) == [
        "query parameter \"m\" is missing, but required"
      ])
  }

  private static let body = """
    { requestBody: { required: true, content: { application/json: { schema: { type: object, required: [name, id], \
    properties: { id: { type: integer, readOnly: true }, name: { type: string }, tags: { type: array, items: { type: string } } } } }, \
    application/x-www-form-urlencoded: { schema: { type: object, required: [n], properties: { n: { type: integer }, l: \(integers) } } }, \
    multipart/form-data: { schema: { type: object, required: [file] } }, text/plain: {} } } }
    """

  @Test(
    "A body is of a type that is described, and meets its schema",
    arguments: [
      ("application/json; charset=utf-8", #"{"name":"x","tags":["a"]}"#, []),
      ("application/json", #"{"name":"x","id":1}"#, []),
      (
        "application/json", #"{"name":"x","tags":[1]}"#,
        ["body: $.tags[0]: expected string, got 1"]
      ),
      ("application/json", "{}", [#"body: $: expected the key "name", got {}"#]),
      ("application/x-www-form-urlencoded", "n=1&l=1&l=2", []),
      (
        "application/x-www-form-urlencoded", "n=1&l=x",
        [#"body: $.l[0]: expected integer, got "x""#]
      ),
      ("text/plain", "anything", []),
      ("", "", ["body is missing, but required"]),
      (
        "application/xml", "<a/>",
        [
          "header \"content-type\": expected application/json or application/x-www-form-urlencoded or multipart/form-data or text/plain, got application/xml"
        ]
      ),
      (
        "multipart/form-data; boundary=b",
        "--b\r\ncontent-disposition: form-data; name=\"file\"\r\n\r\nx\r\n--b--\r\n", []
      ),
      (
        "multipart/form-data; boundary=b",
        "--b\r\ncontent-disposition: form-data; name=\"other\"\r\n\r\nx\r\n--b--\r\n",
        ["body: the part \"file\" is missing, but required"]
      ),
    ] as [(String, String, [String])])
  func bodies(type: String, text: String, messages: [String]) throws {
    let headers = type.isEmpty ? [] : [("content-type", type)]
    #expect(try problems(Self.body, "POST", "/a", headers: headers, body: text) == messages)
  }

  @Test(
    "A form's fields are written as its encoding says, and maps as JSON otherwise",
    arguments: [
      ("a[x]=1&l=1,2&j=%7B%22x%22:1%7D&tags[]=t", nil),
      ("a[x]=z", #"body: $.a.x: expected integer"#),
      ("l=1,z", "body: $.l[1]: expected integer"),
      ("j=%7B%7D", #"body: $.j: expected the key "x""#),
      ("j=x", "body: $.j: expected object"), ("j[x]=1", nil),
      ("j[x]=z", "body: $.j.x: expected integer"),
      ("pic=anything", nil),
    ] as [(String, String?)])
  func forms(text: String, message: String?) throws {
    let operation = """
      { requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object, properties: { \
      a: \(Self.point), l: \(Self.integers), j: \(Self.point), pic: \(Self.point), \
      tags: { type: array, items: { type: string } } } }, encoding: { a: { style: deepObject, explode: true }, \
      l: { explode: false }, pic: { contentType: image/png } } } } } }
      """
    let found = try problems(
      operation, "POST", "/a", headers: [("content-type", "application/x-www-form-urlencoded")],
      body: text)
    if let message {
      #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
    } else {
      #expect(found == [])
    }
  }

  @Test("Lists of a path are cut before they are decoded")
  func pathLists() throws {
    let operation =
      "{ parameters: [{ in: path, name: id, schema: { type: array, maxItems: 1, items: { type: string } } }] }"
    #expect(try problems(operation, "GET", "/a/x%2Cy", path: "/a/{id}") == [])
    #expect(try problems(operation, "GET", "/a/x,y", path: "/a/{id}").count == 1)
  }

  @Test(
    "What is for reading only need not be sent, wherever the schema says so",
    arguments: [
      ("{ required: [id, n], properties: { id: { $ref: '#/components/schemas/Id', readOnly: true } } }"),
      ("{ allOf: [{ $ref: '#/components/schemas/Base' }], required: [id, n] }"),
      ("{ allOf: [{ $ref: '#/components/schemas/Base' }, { required: [id, n] }] }"),
      ("{ $ref: '#/components/schemas/Base', required: [id, n] }"),
    ])
  func readOnly(schema: String) throws {
    let document = APISample.document(
      "{ post: { requestBody: { content: { application/json: { schema: \(schema) } } } } }",
      more:
        "components: { schemas: { Id: { type: integer }, Base: { properties: { id: { type: integer, readOnly: true }, n: { type: integer } } } } }"
    )
    let operations = try APISample.operations(document)
    func found(_ body: String) throws -> [String] {
      let request = try APISample.request(
        "POST", "/a", headers: [("content-type", "application/json")], body: body)
      return OpenAPIReview(of: try APISample.call(request, operations)).violations(of: request).map(
        \.message)
    }
    #expect(try found(#"{"n":1}"#) == [])
    #expect(try found("{}") == [#"body: $: expected the key "n", got {}"#])
  }

  @Test("What cannot be compared is said, and does not pass")
  func undecided() throws {
    let schemas = (0..<40).map {
      "A\($0): { anyOf: [{ $ref: '#/components/schemas/A\($0 + 1)' }, { $ref: '#/components/schemas/A\($0 + 1)' }] }"
    }.joined(separator: ", ")
    let document = APISample.document(
      "{ post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/A0' } } } } } }",
      more: "components: { schemas: { \(schemas), A40: { type: integer } } }")
    let operations = try APISample.operations(document)
    for (body, count) in [("1", 0), ("\"x\"", 1)] {
      let request = try APISample.request(
        "POST", "/a", headers: [("content-type", "application/json")], body: body)
      let found = OpenAPIReview(of: try APISample.call(request, operations)).violations(of: request)
      #expect(found.count == count && found.allSatisfy { $0.message.contains("is not judged") })
    }
  }

  @Test("A body that is no JSON is said to be none")
  func brokenJSON() throws {
    let found = try problems(
      Self.body, "POST", "/a", headers: [("content-type", "application/json")], body: "{")
    #expect(found.count == 1 && found[0].hasPrefix("body: expected JSON, got "), "\(found)")
  }

  @Test("Of several schemas, the one that is meant says what is wrong")
  func choices() throws {
    let operation = """
      { requestBody: { content: { application/json: { schema: { oneOf: [ \
      { type: object, required: [kind, lives], properties: { kind: { const: cat }, lives: { type: integer } } }, \
      { type: object, required: [kind], properties: { kind: { const: dog } } }, { type: 'null' } ] } } } } }
      """
    func found(_ body: String) throws -> [String] {
      try problems(
        operation, "POST", "/a", headers: [("content-type", "application/json")], body: body)
    }
    #expect(try found(#"{"kind":"cat","lives":9}"#) == [])
    #expect(try found("null") == [])
    #expect(
      try found(#"{"kind":"cat","lives":"x"}"#) == [
        #"body: $.lives: expected integer, got "x""#
      ])
    #expect(try found(#"{"kind":"cat"}"#).first?.contains("the key \"lives\"") == true)
  }

  @Test(
    "A reply has a status and a body that are described, or is a failure of the server",
    arguments: [
      (200, "application/json", "[1]", nil),
      (200, "application/json", "[\"x\"]", "body: $[0]: expected integer"),
      (200, "application/json", "[", "body: expected JSON"),
      (200, nil, "", "body: expected application/json, got none"), (301, nil, "", nil),
      (200, "text/html", "x", "header \"content-type\": expected application/json, got text/html"),
      (404, nil, "", "status: expected 200, 3XX, got 404"), (302, nil, "", nil),
      (500, nil, "", nil),
    ] as [(Int, String?, String, String?)])
  func replies(status: Int, type: String?, body: String, message: String?) throws {
    let operations = try APISample.operations(
      APISample.document(
        "{ get: { responses: { 200: { content: { application/json: { schema: \(Self.integers) } } }, 3XX: {} } } }"
      ))
    let call = try APISample.call(APISample.request("GET", "/a"), operations)
    let found = OpenAPIReview(of: call).violations(
      ofStatus: status, type: type, Array(body.utf8)
    ).map(\.message)
    if let message {
      #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
    } else {
      #expect(found == [])
    }
  }
}
