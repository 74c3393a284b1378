import Foundations
import ScenarioModel
import ScenarioSyntax
import Testing

@Suite struct NetworkDecodingTests {
  private func responses(_ list: String) throws -> [ResponseEntry] {
    try #require(parse("version: 2\nresponses:\n" + list).file).defaults.responses
  }

  @Test("The short form answers any number of requests")
  func readsShortForm() throws {
    let entry = try responses(
      "  - GET https://a.example/x: { status: 201, headers: { a: 1 }, text: hi, after: 250ms }")[0]

    #expect(entry.name == "GET https://a.example/x")
    #expect(entry.repeats)
    #expect(entry.replies.count == 1)
    #expect(entry.replies[0].status == .code(201))
    #expect(entry.replies[0].delay == .length(.milliseconds(250)))
    #expect(entry.replies[0].headers.map(\.value.content) == [.literal(.string("1"))])
    guard case .http(let request) = entry.match else {
      Issue.record("not HTTP")
      return
    }
    #expect(
      request.methods
        == Located(["GET"], at: SourceRange(file: "trial.yaml", line: 3, column: 5, length: 3)))
    guard case .pattern(let url)? = request.url else {
      Issue.record("no URL")
      return
    }
    #expect(url.range == SourceRange(file: "trial.yaml", line: 3, column: 9, length: 19))
  }

  @Test("Statuses and delays may be expressions, and delays distributions")
  func readsComputedHeads() throws {
    let entries = try responses(
      """
        - GET https://a.example/1: { status: "${{ request.path.code }}", after: "${{ request.query.wait }}" }
        - GET https://a.example/2: { after: { uniform: { from: 100ms, to: 2s } } }
        - GET https://a.example/3: { after: { normal: { mean: 1s, deviation: 50ms, at_most: 3s } } }
        - GET https://a.example/4: { after: { lognormal: { median: 100ms, sigma: 1 } } }
      """)

    guard case .computed = entries[0].replies[0].status,
      case .computed = entries[0].replies[0].delay
    else {
      Issue.record("no expressions")
      return
    }
    #expect(
      entries.dropFirst().map { $0.replies[0].delay } == [
        .drawn(.uniform(from: .milliseconds(100), to: .seconds(2))),
        .drawn(
          .normal(mean: .seconds(1), deviation: .milliseconds(50), limit: .seconds(3))),
        .drawn(.lognormal(median: .milliseconds(100), sigma: 1, limit: nil)),
      ])
  }

  @Test(
    "A delay by chance that there cannot be is a mistake with its place",
    arguments: [
      (
        "{ uniform: { from: 3s, to: 2s } }", "\"from\" is 3s, which is longer than \"to\": 2s",
        "write from: 2s and to: 3s", 57
      ),
      ("{ unifrom: { from: 1s, to: 2s } }", "unknown key \"unifrom\"", "\"uniform\"", 40),
      ("{ uniform: { from: 1s } }", "missing required key \"to\"", "to: 2s", 49),
      ("{ normal: { mean: 1s, deviation: -1s } }", "must not be negative", "write 1s", 71),
      ("{ lognormal: { median: 1s, sigma: 11 } }", "from 0 to 10, not 11", "write 0.1", 72),
      ("{ lognormal: { median: 1s, sigma: lots } }", "must be a number", "such as", 72),
      ("{ uniform: { from: 1s, to: \"${{ request.body }}\" } }", "uses request", "vars", 65),
      ("{}", "has no distribution", "uniform", 38),
      (
        "{ normal: { mean: 1s, deviation: 0s }, uniform: { from: 1s, to: 2s } }",
        "\"uniform\" cannot be combined with \"normal\"", "keep one", 77
      ),
      ("[1s, 2s]", "must be a duration", "250ms", 38),
    ])
  func refusesDelays(delay: String, message: String, help: String, column: Int) {
    let diagnostics = ScenarioFile.parse(
      text: "version: 2\nresponses:\n  - GET https://a.example/: { after: \(delay) }\n",
      path: "a.yaml"
    ).diagnostics

    #expect(diagnostics.count == 1, "\(diagnostics)")
    #expect(diagnostics.first?.message.contains(message) == true, "\(diagnostics)")
    #expect(diagnostics.first?.help?.contains(help) == true, "\(diagnostics)")
    #expect(diagnostics.first?.range?.column == column)
  }

  @Test("The long form has a pattern and a queue")
  func readsLongForm() throws {
    let entry = try responses(
      """
        - name: orders
          request:
            method: POST
            url: https://a.example/orders/{id}
            headers: { authorization: { matches: '^Bearer ' } }
            json: { contains: { sku: A1 } }
            body: { contains: A1 }
          reply:
            - { status: 503, times: 2 }
            - { json: { id: "${{ request.path.id }}" } }
            - file: reply.bin
      """)[0]

    #expect(entry.name == "orders")
    #expect(!entry.repeats)
    #expect(entry.replies.map(\.times) == [2, 1, 1])
    guard case .http(let request) = entry.match, case .contains? = request.json?.condition,
      case .contains? = request.body?.condition,
      case .some(let header)? = request.headers.first?.condition,
      case .matches = header.condition,
      case .empty = entry.replies[0].body, case .json = entry.replies[1].body,
      case .file(let file) = entry.replies[2].body, case .fixed(let path) = file.path
    else {
      Issue.record("wrong shape")
      return
    }
    #expect(path.value == "reply.bin")
  }

  @Test(
    "What stands in another place of the language is helped to it",
    arguments: [
      ("GET https://a.example/: { times: 2 }", "replies with times form a queue: "),
      ("GET https://a.example/: { fault: refuse }", "to break all connections to a host"),
      ("GET https://a.example/: { fault: dns }", "to break all connections to a host"),
      ("GET https://a.example/: { fault: { tls: expired } }", "to break all connections to a host"),
      ("{ host: a.example, fault: reset }", "to break replies, write an entry for a request: "),
      (
        "{ host: a.example, fault: { bandwidth: 1B/s } }",
        "to break replies, write an entry for a request: "
      ),
      ("GET https://a.example/: { fault: rest }", "did you mean \"reset\"?"),
      ("GET https://a.example/: { tims: 2 }", "allowed keys: "),
    ])
  func helpsToOtherPlaces(entry: String, help: String) {
    let diagnostics = ScenarioFile.parse(
      text: "version: 2\nresponses:\n  - \(entry)\n", path: "a.yaml"
    ).diagnostics

    #expect(diagnostics.count == 1)
    #expect(diagnostics.first?.help?.contains(help) == true, "\(diagnostics)")
  }

  @Test("A schema that stands in the file may refer to its own parts")
  func readsSchemaReferences() throws {
    let schema = "{ $schema: s, $ref: '#/$defs/a', $defs: { a: { enum: [{ $build: x }] } } }"
    let entry = try responses(
      "  - { request: { url: http://a.example/, json: { schema: \(schema) } }, reply: {} }")[0]

    guard case .http(let request) = entry.match,
      case .schema(.inline(let node))? = request.json?.condition,
      case .map(let fields) = node.content
    else {
      Issue.record("no schema")
      return
    }
    #expect(fields.map(\.key.value) == ["$schema", "$ref", "$defs"])
  }

  @Test("A request without a method is any method's")
  func readsAnyMethod() throws {
    let entry = try responses("  - { request: { url: http://a.example/ }, reply: {} }")[0]

    guard case .http(let request) = entry.match else {
      Issue.record("no request of HTTP")
      return
    }
    #expect(request.methods == nil)
    #expect(entry.name == "http://a.example/")
  }

  @Test("GraphQL entries have an operation, variables and replies")
  func readsGraphQL() throws {
    let entries = try responses(
      """
        - query: GetUser
          variables: { id: 42 }
          reply: [ data: { user: null }, { data: null, errors: [ { message: boom } ] } ]
        - { mutation: SetUser, variables: { exact: { id: 42 } }, reply: { status: 500 } }
      """)

    #expect(entries.map(\.name) == ["query GetUser", "mutation SetUser"])
    let patterns = entries.compactMap { entry -> GraphQLPattern? in
      if case .graphQL(let pattern) = entry.match { pattern } else { nil }
    }
    #expect(patterns.map(\.kind) == [.query, .mutation])
    #expect(patterns.map(\.variables?.exact) == [false, true])
    guard case .graphQL(let data, let errors, _) = entries[0].replies[1].body else {
      Issue.record("no GraphQL body")
      return
    }
    #expect(data?.content == .literal(.null))
    #expect(errors != nil)
  }

  @Test(
    "What an entry cannot say is an error",
    arguments: [
      ("GET https://a.example/: { json: 1, times: 2 }", "unknown key \"times\" in a reply"),
      (
        "GET https://a.example/: { json: 1, text: a }",
        "\"text\" cannot be combined with \"json\" in a reply"
      ),
      ("GET https://a.example/:", "a reply must be a map, not nothing"),
      ("get https://a.example/: {}", "\"get\" is not a request method"),
      ("GET wss://a.test/x: {}", "\"wss://a.test/x\" is not a URL of an HTTP request"),
      ("GET /orders: {}", "\"/orders\" is not a URL"),
      ("GET https:///x: {}", "\"https:///x\" is not a URL"),
      ("https://a.example/: {}", "the request \"https://a.example/\" has no method"),
      (
        "{ GET https://a.example/: {}, name: a }",
        "the short form \"GET https://a.example/\" cannot be combined with other keys"
      ),
      (
        "request: GET https://a.example/",
        "missing required key \"reply\" in an entry of \"responses\""
      ),
      ("reply: {}", "missing required key \"request\" in an entry of \"responses\""),
      ("{ request: GET https://a.example/, reply: [] }", "\"reply\" is empty"),
      (
        "{ request: GET https://a.example/, replies: [ {} ], reply: {} }",
        "\"replies\" cannot be combined with \"reply\", its current name, in an entry of \"responses\""
      ),
      (
        "{ request: GET https://a.example/, reply: { fault: reset, json: 1 } }",
        "\"json\" cannot be combined with \"fault: reset\", which does not send it"
      ),
      (
        "{ request: GET https://a.example/, reply: {}, then: end }",
        "unknown value \"end\" for \"then\""
      ),
      (
        "{ request: GET https://a.example/, reply: { status: 42 } }",
        "\"status\" must be from 200 to 599, not 42"
      ),
      (
        "{ request: GET https://a.example/, reply: { times: 0 } }",
        "\"times\" must be at least 1, not 0"
      ),
      (
        "{ request: GET https://a.example/, reply: { after: -1s } }",
        "\"after\" must not be negative"
      ),
      (
        "{ request: { url: https://a.example/, headers: { a b: 1 } }, reply: {} }",
        "\"a b\" is not a header name"
      ),
      (
        "{ query: A, mutation: B, reply: { data: null } }",
        "\"mutation\" cannot be combined with \"query\" in a GraphQL entry of \"responses\""
      ),
      (
        "{ query: \"query A { b }\", reply: { data: null } }",
        "\"query A { b }\" is not the name of an operation"
      ),
      ("{ query: A, reply: { json: 1 } }", "unknown key \"json\" in a GraphQL reply"),
      (
        "{ query: A, variables: [1], reply: { data: null } }",
        "\"variables\" must be a map, not a list"
      ),
      ("{ subscription: 1a, reply: { data: null } }", "\"1a\" is not the name of an operation"),
      (
        "{ subscription: A, reply: { stream: [{ after: 1s }], data: 1 } }",
        "\"data\" cannot be combined with \"stream\" in a GraphQL reply"
      ),
      (
        "{ subscription: A, reply: { stream: [{ complete: true }, { next: {} }] } }",
        "nothing can follow the end of a stream"
      ),
      (
        "{ subscription: A, reply: { stream: [{}] } }", "an entry of \"stream\" is empty"
      ),
      (
        "{ subscription: A, reply: { stream: [{ nxt: {} }] } }",
        "unknown key \"nxt\" in an entry of \"stream\""
      ),
      (
        "{ subscription: A, reply: { stream: [{ next: { dta: 1 } }] } }",
        "unknown key \"dta\" in \"next\""
      ),
    ])
  func refuses(entry: String, message: String) {
    let text = "version: 2\nresponses:\n  - \(entry)\n"
    let found = ScenarioFile.parse(text: text, path: "f").diagnostics.map(\.message)
    #expect(found.contains(message))
  }

  @Test("Modes of the network are known words")
  func readsNetwork() {
    let network = parse("version: 2\nnetwork: { mode: live, unused: warn }").file?.defaults.network
    #expect(network?.mode?.value == .live)
    #expect(network?.unused?.value == .warn)
    #expect(
      brief("version: 2\nnetwork: { mode: spi }") == ["2:18: unknown value \"spi\" for \"mode\""])
  }

  @Test("The variables about trust are none, or some of those that are known")
  func trustVariables() throws {
    func variables(_ text: String) throws -> [TrustVariable]? {
      let file = parse("version: 2\nnetwork: { trust: { variables: \(text) } }\n").file
      return try #require(file).defaults.network?.trustVariables
    }
    #expect(try variables("none") == [])
    #expect(try variables("[SSL_CERT_FILE, PIP_CERT]") == [.openSSL, .pip])
    #expect(
      try #require(parse("version: 2\nnetwork: {}\n").file).defaults.network?.trustVariables == nil)
  }

  @Test(
    "Any other variable is refused",
    arguments: [
      ("[SSL_CERTFILE]", "did you mean \"SSL_CERT_FILE\"?"), ("[HOME]", "allowed values: "),
      ("[]", "is empty"), ("SSL_CERT_FILE", "write none, or the names"), ("{}", "write none"),
    ])
  func wrongTrustVariables(text: String, message: String) {
    let words = messages("version: 2\nnetwork: { trust: { variables: \(text) } }\n")
    #expect(words.contains(message), "\(words)")
  }

  @Test("The files about trust are paths of the scenario or of the file's top")
  func trustFiles() throws {
    func network(_ trust: String) throws -> NetworkSettings {
      let file = try #require(parse("version: 2\nnetwork: { trust: { \(trust) } }\n").file)
      return try #require(file.defaults.network)
    }
    let top = try network("files: [a.pem, $HOME/b.pem, /c.pem]")
    #expect(top.trustFiles?.map(\.value) == ["a.pem", "$HOME/b.pem", "/c.pem"])
    #expect(top.trustVariables == nil)
    let own = try network("files: [d.pem]")
    #expect(own.over(top).trustFiles?.map(\.value) == ["d.pem"])
    let variables = try network("variables: none").over(top)
    #expect(variables.trustFiles?.count == 3)
    #expect(variables.trustVariables == [])
  }

  @Test(
    "What names no file is refused",
    arguments: [
      ("files: ['']", "is not the path of a file"),
      ("files: [certs/]", "is not the path of a file"),
      ("files: ['~/ca.pem']", "write $HOME for"),
      ("files: [$PWD/ca.pem]", "only $HOME/ and $TMPDIR/"),
      ("file: ca.pem", "did you mean \"files\"?"),
      ("", "\"trust\" says nothing"), ("files: ca.pem", "must be a list"),
    ])
  func wrongTrustFiles(text: String, message: String) {
    let words = messages("version: 2\nnetwork: { trust: { \(text) } }\n")
    #expect(words.contains(message), "\(words)")
  }
}
