@testable import Foundations
import OrderedCollections
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

@Suite("Files of other tools")
struct ImportTests {
  private func parse(_ text: String, path: String = "x.json") -> ImportedResponses.Result {
    ImportedResponses.parse(bytes: Array(text.utf8), path: path)
  }

  private func messages(_ text: String, path: String = "x.json") -> [String] {
    parse(text, path: path).diagnostics.map { "\($0.range?.description ?? "-"): \($0.message)" }
  }

  private func json(_ entry: ResponseEntry?) -> Value? {
    guard case .json(let node)? = entry?.replies.first?.body else { return nil }
    return node.plainValue
  }

  // MARK: - Decoy

  @Test("Each of Decoy's mocks answers once, in the order of the file, whatever the method")
  func decoyQueue() throws {
    let entries = parse(
      """
      [ {"type": "url", "identifier": "https://a.test/x?b=1&a=2",
         "mock": {"json": {"n": 1}, "statusCode": 201, "headerFields": {"X-A": "1", "Content-Length": "9"}}},
        {"type": "url", "identifier": "https://a.test/x?b=1&a=2", "mock": {"json": [1, "${{ no }}"]}} ]
      """
    ).entries

    try #require(entries.count == 2)
    #expect(entries.allSatisfy { !$0.repeats && $0.replies.count == 1 })
    #expect(json(entries[0]) == .map(["n": .integer(1)]))
    #expect(json(entries[1]) == .list([.integer(1), .string("${{ no }}")]))
    #expect(entries[0].replies[0].status == .code(201))
    #expect(entries[0].replies[0].headers.map(\.key.value) == ["x-a"])
    guard case .http(let pattern) = entries[0].match else { throw Problem.unexpected }
    #expect(pattern.methods == nil)
    #expect(entries[0].range.line == 1)
    #expect(entries[1].range.line == 3)
  }

  @Test("Decoy's signatures become operations with exact variables")
  func decoySignature() throws {
    let entries = parse(
      """
      [ {"type": "signature", "identifier": "-", "signature": {"operationName": "Save",
          "query": "mutation Save($n: Int) { save(n: $n) }", "endpoint": "https://a.test/graphql",
          "variables": {"n": 2}}, "mock": {"json": {"data": {"save": null},
          "errors": null, "extensions": {"cost": 3}}}} ]
      """
    ).entries

    guard case .graphQL(let pattern)? = entries.first?.match else { throw Problem.unexpected }
    #expect(pattern.kind == .mutation)
    #expect(pattern.operation?.value == "Save")
    #expect(pattern.variables?.exact == true)
    guard case .graphQL(_?, let errors, let extensions)? = entries.first?.replies.first?.body else {
      throw Problem.unexpected
    }
    #expect(errors == nil)
    #expect(extensions != nil)
  }

  @Test("What Decoy would pass over in silence is an error with its place")
  func decoyMistakes() {
    #expect(
      messages(
        #"[ {"type": "url", "identifier": "https://a.test/", "mock": {"responseCode": 5}} ]"#)
        == ["x.json:1:61: unknown key \"responseCode\" in \"mock\""])
    #expect(
      messages("[ {\"identifier\": \"https://a.test/\",\n \"mock\": {\"error\": \"gone\"}} ]")
        == ["x.json:2:20: \"error\" is not supported: Decoy itself ignores it"])
    #expect(messages("[ {\"identifier\": \"https://a.test/\"} ]").count == 1)
    #expect(messages("[ {\"a\": 1, \"a\": 2} ]") == ["x.json:1:12: duplicate key \"a\""])
    #expect(messages("[ {\"a\": tru} ]").first?.hasPrefix("x.json:1:9: ") == true)
    #expect(messages("{\"a\": 1}").first?.contains("the file is not Decoy JSON") == true)
  }

  @Test(
    "A mistake in JSON is found behind any line's end",
    arguments: ["\n", "\r", "\r\n"])
  func lineEnds(end: String) {
    #expect(
      messages("{\(end)\"a\": 1,\(end)\(end) \"a\": 2\(end)}")
        == ["x.json:4:2: duplicate key \"a\""])
  }

  // MARK: - HAR

  private func archive(_ request: String, _ response: String) -> String {
    """
    {"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": [
    {"startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "_priority": "High", "cache": {}, "timings": {},
     "request": \(request), "response": \(response)} ]}}
    """
  }

  @Test("An archive's entry answers its method, URL and body")
  func archiveEntry() throws {
    let result = parse(
      archive(
        #"{"method": "POST", "url": "https://a.test/x#y", "postData": {"mimeType": "application/json", "text": "{\"a\": 1}"}}"#,
        #"{"status": 202, "headers": [{"name": "Date", "value": "x"}, {"name": "X", "value": "1"}], "content": {"mimeType": "application/json", "text": "eyJiIjogMn0=", "encoding": "base64"}}"#
      ), path: "t.har")

    #expect(result.diagnostics.isEmpty)
    let entry = try #require(result.entries.first)
    guard case .http(let pattern) = entry.match else { throw Problem.unexpected }
    #expect(pattern.methods?.value == ["POST"])
    #expect(pattern.json != nil)
    #expect(json(entry) == .map(["b": .integer(2)]))
    #expect(entry.replies[0].status == .code(202))
    #expect(entry.replies[0].headers.map(\.key.value) == ["x", "content-type"])
  }

  @Test("A key that HAR does not have, and one that is no Base64, are reported with their places")
  func archiveMistakes() {
    let request = #"{"method": "GET", "url": "https://a.test/"}"#
    #expect(
      messages(archive(request, #"{"status": 200, "stat": 1}"#)).first?
        .contains("unknown key \"stat\"") == true)
    #expect(
      messages(
        archive(request, #"{"status": 200, "content": {"text": "%", "encoding": "base64"}}"#)
      )
      .first?.contains("the text is not Base64") == true)
  }

  @Test("Bodies beside an archive, and messages of a WebSocket, are read")
  func archiveExtras() throws {
    let request = #"{"method": "GET", "url": "https://a.test/x"}"#
    let attached = parse(
      archive(
        request,
        #"{"status": 200, "content": {"size": 3, "mimeType": "text/plain", "_file": "ab12.txt"}}"#),
      path: "t.har")
    let socket = parse(
      archive(request, #"{"status": 101}"#).replacing(
        "\"request\":",
        with: #""_webSocketMessages": [{"type": "send", "opcode": 1, "data": "hi"}, "#
          + #"{"type": "receive", "opcode": 2, "data": "AAE="}], "request":"#
      ), path: "t.har")

    #expect(attached.diagnostics.isEmpty && socket.diagnostics.isEmpty)
    guard case .file(let file)? = attached.entries.first?.replies.first?.body,
      case .fixed(let path) = file.path,
      case .webSocket(let steps)? = socket.entries.first?.replies.first?.body
    else { throw Problem.unexpected }
    #expect(path.value == "ab12.txt")
    #expect(steps.count == 2)
  }

  // MARK: - WireMock

  @Test("Mappings stand in WireMock's order: priority first, then the latest")
  func mappingOrder() {
    let entries = parse(
      """
      {"mappings": [
        {"name": "first", "request": {"method": "GET", "url": "/a"}, "response": {"status": 200}},
        {"name": "second", "request": {"urlPath": "/a"}, "response": {"body": "x"}},
        {"name": "urgent", "priority": 1, "request": {"method": "ANY", "urlPathTemplate": "/{id}"},
         "response": {"jsonBody": {"a": [1]}, "fixedDelayMilliseconds": 20}} ]}
      """
    ).entries

    #expect(entries.map(\.name) == ["urgent", "second", "first"])
    #expect(entries.count { $0.repeats } == 3)
    #expect(entries.first?.replies.first?.delay == .length(.milliseconds(20)))
    #expect(json(entries.first) == .map(["a": .list([.integer(1)])]))
  }

  @Test("Distributions of delays are this language's, in milliseconds")
  func mappingDelays() {
    func mapping(_ delay: String) -> String {
      """
      { "request": { "url": "/a" }, "response": { "status": 200, \(delay) } }
      """
    }
    let delays = [
      #""delayDistribution": {"type": "uniform", "lower": 100, "upper": 250}"#,
      #""delayDistribution": {"type": "lognormal", "median": 80.5, "sigma": 0.4}"#,
      #""delayDistribution": {"type": "lognormal", "median": 80, "sigma": 1, "maxValue": 900}"#,
      #""delayDistribution": {"type": "fixed", "milliseconds": 30}"#,
    ].map { parse(mapping($0)).entries.first?.replies.first?.delay }

    #expect(
      delays == [
        .drawn(.uniform(from: .milliseconds(100), to: .milliseconds(250))),
        .drawn(.lognormal(median: .microseconds(80_500), sigma: 0.4, limit: nil)),
        .drawn(.lognormal(median: .milliseconds(80), sigma: 1, limit: .milliseconds(900))),
        .length(.milliseconds(30)),
      ])
    for wrong in [
      #""delayDistribution": {"type": "gamma"}"#,
      #""delayDistribution": {"type": "uniform", "lower": 1}"#,
      #""fixedDelayMilliseconds": 1, "delayDistribution": {"type": "fixed", "milliseconds": 30}"#,
      #""delayDistribution": {"type": "fixed", "milliseconds": -3}"#,
    ] {
      #expect(messages(mapping(wrong)).count == 1, "\(messages(mapping(wrong)))")
    }
  }

  @Test("Conditions on headers and bodies are translated")
  func mappingConditions() throws {
    let result = parse(
      """
      {"request": {"method": "POST", "url": "/a", "basicAuth": {"username": "u", "password": "p"},
        "headers": {"Accept": {"contains": "json"}},
        "bodyPatterns": [{"equalToJson": "{\\"a\\": 1}", "ignoreExtraElements": true}]},
       "response": {"base64Body": "aGk="}}
      """)

    #expect(result.diagnostics.isEmpty)
    guard case .http(let pattern)? = result.entries.first?.match else { throw Problem.unexpected }
    guard case .contains? = pattern.json?.condition else { throw Problem.unexpected }
    #expect(pattern.headers.count == 2)
  }

  @Test("Expressions for URLs, forms, paths into JSON and bytes are translated")
  func mappingExpressions() throws {
    let result = parse(
      """
      {"mappings": [
        {"request": {"urlPattern": "/a/[0-9]+\\\\?x=.*", "formParameters": {"n": {"equalTo": "1"}},
          "headers": {"X-Debug": {"absent": true}}}, "response": {}},
        {"request": {"urlPathPattern": "/b/[a-z]+", "bodyPatterns": [
          {"matchesJsonPath": {"expression": "$.user.name", "equalTo": "Ada"}}]}, "response": {}},
        {"request": {"url": "/c", "bodyPatterns": [{"binaryEqualTo": "AAEC"}]}, "response": {}} ]}
      """)

    #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map(\.message))")
    let patterns = try result.entries.map { entry in
      guard case .http(let pattern) = entry.match else { throw Problem.unexpected }
      return pattern
    }
    #expect(patterns.count == 3)
    #expect(patterns[0].more.bytes != nil)
    #expect(patterns[1].more.path != nil && patterns[1].body != nil && patterns[1].url == nil)
    guard case .matcher? = patterns[2].url else { throw Problem.unexpected }
    #expect(patterns[2].more.form.count == 1 && patterns[2].headers.count == 1)
  }

  @Test("Conditions on XML are translated, and options that change their meaning are refused")
  func mappingXML() throws {
    func result(_ pattern: String) -> (entries: [ResponseEntry], messages: [String]) {
      let result = parse(
        #"{"request": {"url": "/a", "bodyPatterns": [\#(pattern)]}, "response": {}}"#)
      return (result.entries, result.diagnostics.map(\.message))
    }
    func condition(_ pattern: String) throws -> XMLCondition {
      let (entries, messages) = result(pattern)
      #expect(messages == [])
      guard case .http(let request)? = entries.first?.match,
        case .xml(let condition)? = request.body?.condition
      else { throw Problem.unexpected }
      return condition
    }

    guard case .document = try condition(#"{"equalToXml": "<a/>"}"#),
      case .paths(let paths, _) = try condition(#"{"matchesXPath": "//a"}"#),
      paths[0].name.value == "boolean(//a)",
      case .paths(let comparisons, _) = try condition(#"{"matchesXPath": "//price > 10"}"#),
      comparisons[0].name.value == "boolean(//price > 10)",
      case .equals = comparisons[0].matcher.condition,
      case .paths(let bools, _) = try condition(#"{"matchesXPath": "count(//a) = 2"}"#),
      bools[0].name.value == "boolean(count(//a) = 2)",
      case .paths(let values, let namespaces) = try condition(
        #"{"matchesXPath": {"expression": "//s:a", "contains": "x"}, "xPathNamespaces": {"s": "urn:s"}}"#
      ),
      case .contains = values[0].matcher.condition, namespaces.map(\.prefix.value) == ["s"]
    else { throw Problem.unexpected }
    #expect(
      result(#"{"equalToXml": "<a/>", "enablePlaceholders": true}"#).messages
        == ["\"enablePlaceholders\" of WireMock is not supported"])
    #expect(
      result(#"{"matchesXPath": {"contains": "x"}}"#).messages
        == ["\"matchesXPath\" has no \"expression\""])
  }

  @Test("Scenarios of WireMock's are state, which begins as \"Started\"")
  func scenarios() throws {
    let result = parse(
      #"""
      {"mappings": [
        {"scenarioName": "s", "requiredScenarioState": "Started", "newScenarioState": "next",
         "request": {"url": "/a"}, "response": {}},
        {"scenarioName": "s", "requiredScenarioState": "next", "request": {"url": "/a"}, "response": {}},
        {"scenarioName": "s", "request": {"url": "/b"}, "response": {}}]}
      """#)

    #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map(\.message))")
    // WireMock tries what stands last first.
    #expect(result.entries.map { $0.conditions.map(\.name.value) } == [[], ["s"], ["s"]])
    #expect(result.entries.map { $0.changes.map(\.key.value) } == [[], [], ["s"]])
    guard case .anyOf(let choices)? = result.entries.last?.conditions.first?.matcher.condition
    else {
      throw Problem.unexpected
    }
    #expect(choices.count == 2)
    guard case .exists(false) = choices[1].condition else { throw Problem.unexpected }
  }

  @Test(
    "What WireMock does and this language says otherwise is refused with the way",
    arguments: [
      (
        #"{"newScenarioState": "s", "request": {}, "response": {}}"#,
        "the mapping has a state, but no \"scenarioName\""
      ),
      (
        #"{"request": {"bodyPatterns": [{"matchesJsonPath": "$.a"}]}, "response": {}}"#,
        "\"matchesJsonPath\" of WireMock"
      ),
      (#"{"request": {}, "response": {"transformers": ["x"]}}"#, "\"transformers\" of WireMock"),
      (#"{"request": {}, "response": {"fault": "NOPE"}}"#, "unknown fault \"NOPE\""),
      (#"{"request": {"header": {}}, "response": {}}"#, "unknown key \"header\""),
    ])
  func mappingRefusals(text: String, message: String) {
    let found = parse(text).diagnostics

    #expect(found.contains { $0.message.contains(message) }, "\(found.map(\.message))")
    #expect(found.allSatisfy { $0.range != nil && $0.help != nil })
  }

  // MARK: - JSON

  @Test("JSON keeps surrogate pairs, long keys and places behind letters of several bytes")
  func jsonNodes() throws {
    let key = String(repeating: "k", count: 2_000)
    let source = SourceText(
      path: "a.json", bytes: Array("{\"é\": \"\\ud83d\\ude00\", \"\(key)\":\n  [1.0]}".utf8))

    let node = try JSONNodeReader.read(source)

    #expect(node["é"]?.scalarText == "😀")
    #expect(node["é"]?.range.column == 7)
    #expect(node[key]?.elements?.first?.range.line == 2)
    #expect(node[key]?.elements?.first?.jsonValue == .number(1))
  }

  private enum Problem: Error {
    case unexpected
  }
}

extension DataNode {
  /// The value of a node without expressions.
  fileprivate var plainValue: Value? {
    switch content {
    case .literal(let value): return value
    case .template: return nil
    case .list(let nodes):
      let values = nodes.compactMap(\.plainValue)
      return values.count == nodes.count ? .list(values) : nil
    case .map(let fields):
      return .map(
        .init(
          fields.compactMap { field in field.value.plainValue.map { (field.key.value, $0) } },
          uniquingKeysWith: { first, _ in first }))
    default: return nil
    }
  }
}
