import ScenarioEvents
import ScenarioReport
import Testing

@Suite("CTRF says what the run was")
struct CTRFRecorderTests {
  /// The part of the format that is written: for each object its members, and which must be there.
  private static let shape = """
    {"type": "object", "required": ["reportFormat", "specVersion", "results"],
     "additionalProperties": false,
     "properties": {
       "reportFormat": {"const": "CTRF"}, "specVersion": {"type": "string"},
       "generatedBy": {"type": "string"},
       "results": {"type": "object", "required": ["tool", "summary", "tests"],
         "additionalProperties": false,
         "properties": {
           "tool": {"type": "object", "required": ["name"], "additionalProperties": false,
             "properties": {"name": {"type": "string"}, "version": {"type": "string"}}},
           "summary": {"type": "object", "additionalProperties": false,
             "required":
               ["tests", "passed", "failed", "skipped", "pending", "other", "start", "stop"],
             "properties": {
               "tests": {"type": "integer"}, "passed": {"type": "integer"},
               "failed": {"type": "integer"}, "skipped": {"type": "integer"},
               "pending": {"type": "integer"}, "other": {"type": "integer"},
               "flaky": {"type": "integer"}, "suites": {"type": "integer"},
               "start": {"type": "integer"}, "stop": {"type": "integer"}}},
           "tests": {"type": "array", "items": {"$ref": "#/$defs/test"}},
           "extra": {"type": "object"}}}},
     "$defs": {
       "status": {"enum": ["passed", "failed", "skipped", "pending", "other"]},
       "texts": {"type": "array", "items": {"type": "string"}},
       "attempt": {"type": "object", "required": ["attempt", "status"],
         "additionalProperties": false,
         "properties": {
           "attempt": {"type": "integer", "minimum": 1}, "status": {"$ref": "#/$defs/status"},
           "duration": {"type": "integer"}, "message": {"type": "string"},
           "trace": {"type": "string"}, "attachments": {"$ref": "#/$defs/attachments"}}},
       "attachments": {"type": "array", "items": {
         "type": "object", "required": ["name", "contentType", "path"],
         "additionalProperties": false,
         "properties": {"name": {"type": "string"}, "contentType": {"type": "string"},
           "path": {"type": "string"}}}},
       "test": {"type": "object", "required": ["name", "status", "duration"],
         "additionalProperties": false,
         "properties": {
           "name": {"type": "string"}, "status": {"$ref": "#/$defs/status"},
           "duration": {"type": "integer"}, "start": {"type": "integer"},
           "stop": {"type": "integer"}, "suite": {"$ref": "#/$defs/texts"},
           "message": {"type": "string"}, "trace": {"type": "string"},
           "line": {"type": "integer"}, "rawStatus": {"type": "string"},
           "tags": {"$ref": "#/$defs/texts"}, "type": {"type": "string"},
           "filePath": {"type": "string"}, "retries": {"type": "integer"},
           "retryAttempts": {"type": "array", "items": {"$ref": "#/$defs/attempt"}},
           "flaky": {"type": "boolean"}, "stdout": {"$ref": "#/$defs/texts"},
           "attachments": {"$ref": "#/$defs/attachments"},
           "extra": {"type": "object", "properties": {"warnings": {"$ref": "#/$defs/texts"},
             "captures": {"type": "object", "additionalProperties": {"type": "string"}}}},
           "stderr": {"$ref": "#/$defs/texts"}}}}}
    """

  private func document(_ run: SampleRun) throws -> String {
    let sink = CollectingSink()
    try run.play(to: CaseListRecorder(.ctrf, sink: sink))
    return sink.text
  }

  @Test("A run has the documented shape, and its figures")
  func sample() throws {
    var run = SampleRun(caseCount: 4)
    run.addCase("logs in", outcome: .failed, failures: [.wrongOutput], output: "a\nb\n")
    run.addCase("later", outcome: .skipped, index: 1)
    run.addFlakyCase("flaky", output: "", index: 2)
    run.addCase("holds", file: "b.yaml", index: 3)
    run.append(.failed(.notReady))
    run.end()

    let text = try document(run)
    let schema = try JSONSchemaCheck(Self.shape)
    let root = try JSONNode(text)
    let tests = root["results"]?["tests"]?.elements ?? []
    let summary = root["results"]?["summary"]

    #expect(try schema.problems(in: text) == [])
    #expect(
      tests.map { $0["status"]?.text } == ["failed", "skipped", "passed", "passed", "failed"])
    #expect(tests.first?["stdout"]?.elements?.compactMap(\.text) == ["a", "b"])
    #expect(tests.first?["line"]?.number == 3)
    #expect(tests[2]["flaky"] == .bool(true))
    #expect(tests[2]["retryAttempts"]?.elements?.count == 2)
    #expect(tests[2]["duration"]?.number == 62)
    #expect(summary?["tests"]?.number == 5)
    #expect(summary?["failed"]?.number == 2)
    #expect(summary?["flaky"]?.number == 1)
    #expect(summary?["suites"]?.number == 2)
    #expect(summary?["start"]?.number == 1_767_323_045_000)
  }

  @Test("What a case has captured and left belongs to it")
  func findings() throws {
    var run = SampleRun(caseCount: 2)
    run.addCase(
      "n", attachments: ["/x/a.log", "/x/b.JSON", "/x/.c", "/x/***"],
      captures: [("port", "1"), ("port", "8080")])
    run.addCase("nothing", index: 1)
    run.end()

    let text = try document(run)
    let tests = try JSONNode(text)["results"]?["tests"]?.elements ?? []
    let files = tests.first?["attachments"]?.elements ?? []

    #expect(try JSONSchemaCheck(Self.shape).problems(in: text) == [])
    #expect(tests.first?["extra"]?["captures"]?["port"]?.text == "8080")
    #expect(files.map { $0["path"]?.text } == ["/x/a.log", "/x/b.JSON", "/x/.c"])
    #expect(files.map { $0["name"]?.text } == ["a.log", "b.JSON", ".c"])
    #expect(
      files.map { $0["contentType"]?.text } == [
        "text/plain", "application/json", "application/octet-stream",
      ])
    #expect(tests.last?["attachments"] == nil && tests.last?["extra"] == nil)
  }

  @Test("Whatever a target prints, the report is JSON of that shape", arguments: 400..<430)
  func soup(seed: Int) throws {
    var soup = ByteSoup(seed: UInt64(seed))
    let text = try document(soup.run())

    #expect(try JSONSchemaCheck(Self.shape).problems(in: text) == [])
  }

  @Test("The shape is one that refuses")
  func twin() throws {
    let schema = try JSONSchemaCheck(Self.shape)

    #expect(try schema.problems(in: #"{"reportFormat":"CTRF","specVersion":"0.0.0"}"#) != [])
    var run = SampleRun()
    run.addCase("holds")
    run.end()
    let text = try document(run)
    #expect(try schema.problems(in: text.replacing("\"passed\",", with: "\"ok\",")) != [])
  }
}
