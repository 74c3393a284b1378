import ScenarioEvents
import ScenarioModel
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
           "trace": {"type": "string"}}},
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
           "extra": {"type": "object", "properties": {"warnings": {"$ref": "#/$defs/texts"}}},
           "stderr": {"$ref": "#/$defs/texts"}}}}}
    """

  private func document(_ run: SampleRun) throws -> String {
    let sink = CollectingSink()
    try run.play(to: CTRFRecorder(sink: sink))
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
