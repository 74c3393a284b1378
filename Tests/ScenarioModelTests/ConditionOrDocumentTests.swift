@testable import Foundations
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

@Suite("Conditions and documents")
struct ConditionOrDocumentTests {
  private static let head = "version: 2\ntarget: { command: [date] }\n"

  private func found(_ text: String) -> [Diagnostic] {
    ScenarioFile.parse(text: Self.head + text + "\n", path: "f").diagnostics
  }

  /// A place of the language in which a condition on data may stand, a map in it to be filled in.
  private static let places: [String] = [
    "expect: { stdout: { json: { $.a: MAP } } }",
    "expect: { stdout: { yaml: { '$[0].a': MAP } } }",
    "expect: { stdout: { json: { $.a: { not: MAP } } } }",
    "expect: { stdout: { json: { $.a: { all_of: [MAP] } } } }",
    "expect: { stdout: { not: { json: { $.a: { any_of: [1, MAP] } } } } }",
    "expect: { stdout: { lines: [{ json: { $.a: MAP } }] } }",
    "expect: { files: { a.json: { json: { $.a: MAP } } } }",
    "expect: { tolerated: { stdout: { json: { $.a: MAP } } } }",
    "responses: [{ request: { url: 'https://a.example/', json: { $.a: MAP } }, reply: { status: 200 } }]",
    """
    responses: [{ request: { url: 'https://a.example/', parts: { p: { json: { $.a: MAP } } } }, \
    reply: { status: 200 } }]
    """,
    "responses: [{ query: Q, variables: { id: { not: MAP } }, reply: { data: {} } }]",
  ]

  @Test(
    "A condition that does not exist is no document, wherever a condition may stand",
    arguments: places)
  func unknownCondition(place: String) {
    let wrong = [
      "{ contians: error }", "{ contain: error }", "{ equal: 3 }", "{ exist: true }",
      "{ present: true }", "{ missing: true }", "{ len: 2 }", "{ count: 2 }", "{ type_of: array }",
      "{ begins_with: x }", "{ startsWith: x, endsWith: y }", "{ gte: 3 }", "{ name: Ada }",
      "{ lines: [a], total: 3 }", "{ greaterThan: 3 }", "{ contian: x, b: 1 }",
      "{ min: 3, max: 4 }", "{ length: 2, count: 1 }", "{ length: 2, x: 1 }",
      "{ id: 7, type: order }",
    ]
    for map in wrong {
      let codes = found(place.replacing("MAP", with: map)).map(\.code)
      #expect(codes == [.conditionOrDocument], "\(place) with \(map)")
    }
    let right = [
      "{}", "{ a: 1, b: 2 }", "{ contains: error }", "{ $raw: { contians: error } }",
      "{ exists: true }", "{ absent: true }", "{ length: 2 }", "{ type: array }",
      "{ starts_with: x }", "{ starts_with: x, ends_with: y }",
    ]
    for map in right {
      #expect(found(place.replacing("MAP", with: map)).isEmpty, "\(place) with \(map)")
    }
    for map in wrong {
      #expect(found(place.replacing("MAP", with: "{ equals: \(map) }")).isEmpty, "\(map)")
    }
    // One of the names is a condition's own, so that the other one is a mistake in a map of conditions.
    let mixed = found(place.replacing("MAP", with: "{ startsWith: x, ends_with: y }"))
    #expect(mixed.map(\.code) == [.unknownKey], "\(place)")
  }

  @Test("A list of what looks like conditions is no document, nor is a document that holds one")
  func inner() {
    let wrong = [
      "{ $.a: [{ contains: error }] }", "{ $.a: [1, { contians: error }] }",
      "{ $.a: { name: { matches: x }, age: 3 } }", "{ $.a: { in: [{ contains: a }] } }",
      "{ $.a: { contains: { name: { matches: x } } } }", "{ name: { matches: x }, age: 3 }",
      "[{ contains: error }]", "{ contains: { a: { matches: x } } }", "{ contain: { a: 1 } }",
      "{ count: 2 }", "{ contains: { a: 1 }, b: 2 }", "{ .items: 3 }", "{ /items/0: 3 }",
      "{ 'items[0].id': 3 }",
    ]
    for condition in wrong {
      let codes = found("expect: { stdout: { json: \(condition) } }").map(\.code)
      #expect(codes == [.conditionOrDocument], "\(condition)")
    }
    let right = [
      "{ $.a: [{ type: a }, { type: b, lines: [] }] }", "{ $.a: { contains: { type: x } } }",
      "{ name: { first: Ada } }", "{ status: ok }", "{ message: { count: 2 } }",
      "{ equals: { a: { matches: x } } }", "{ contains: { $raw: { a: { matches: x } } } }",
      "{ equals: { .items: 3 } }", "{ id: 1, lines: [], type: order }",
      "{ scheme: https, links: [], name: a, container: b, batches: 3 }",
    ]
    for condition in right {
      #expect(found("expect: { stdout: { json: \(condition) } }").isEmpty, "\(condition)")
    }
  }

  @Test(
    "The help names the condition that was meant, and how to say a document",
    arguments: [
      (
        "{ contians: error }",
        "did you mean \"contains\"? for a document write { equals: { contians: error } }"
      ),
      ("{ equal: 3 }", "did you mean \"equals\"? for a document write { equals: { equal: 3 } }"),
      ("{ name: Ada }", "for a document write { equals: { name: Ada } }"),
      (
        "{ count: 2 }",
        "did you mean \"length\"? for a document write { equals: { count: 2 } }"
      ),
      (
        "{ present: true }",
        "did you mean \"exists\"? for a document write { equals: { present: true } }"
      ),
      (
        "{ not_empty: true }",
        """
        write { empty: false } if something is to be there; for a document \
        write { equals: { not_empty: true } }
        """
      ),
    ])
  func help(map: String, help: String) {
    let diagnostic = found("expect: { stdout: { json: { $.a: \(map) } } }").first
    #expect(diagnostic?.help == help)
    #expect(diagnostic?.range?.line == 3)
  }

  @Test("Among variables a map of conditions is one at any depth, and a mixed one nothing")
  func variables() {
    func said(_ variables: String) -> [DiagnosticCode] {
      found("responses: [{ query: Q, variables: \(variables), reply: { data: {} } }]").map(\.code)
    }
    #expect(said("{ a: { b: { contains: x } } }").isEmpty)
    #expect(said("{ page: { count: 10, type: a }, filter: { name: x } }").isEmpty)
    #expect(said("{ contains: x }").isEmpty)
    #expect(said("{ a: { equals: { contains: x, lang: en } } }").isEmpty)
    #expect(said("{ a: { b: { contians: x } } }") == [.conditionOrDocument])
    #expect(said("{ a: { contains: x, lang: en } }") == [.conditionOrDocument])
    #expect(said("{ a: [{ contains: x }] }") == [.conditionOrDocument])
    #expect(said("{ exact: { a: { exist: true } } }") == [.conditionOrDocument])
  }

  @Test("Beside a condition, and on text, the word of another tool gets its own help")
  func beside() {
    let data = found("expect: { stdout: { json: { $.a: { contains: x, not_empty: true } } } }")
    let text = found("expect: { stdout: { does_not_contain: x } }")
    let headers = found(
      "responses: [{ request: { url: 'https://a.example/', headers: { A: { contain: x } } }, reply: { status: 200 } }]"
    )

    #expect(data.map(\.code) == [.unknownKey])
    #expect(data.first?.help?.hasPrefix("write { empty: false } if something") == true)
    #expect(
      text.first?.help?.hasPrefix("write { not: { contains: x } } for what is not there") == true)
    #expect(headers.first?.help?.hasPrefix("did you mean \"contains\"?") == true)
    let both = found(
      """
      responses: [{ request: { url: 'https://a.example/', query: { a: { exists: true, contains: x } } }, \
      reply: { status: 200 } }]
      """)
    #expect(both.map(\.code) == [.contradictory])
  }

  @Test("What a program has recorded is taken as it is")
  func recordings() {
    let text = """
      version: 2
      responses:
        - request: { method: POST, url: "https://a.example/", json: { contains: { a: { matches: x } } } }
          reply: [{ text: "Hello {{ name }}" }]
      """
    let result = ImportedResponses.parse(bytes: Array(text.utf8), path: "a.yaml")
    #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
  }

  @Test(
    "Within a document a key that is a condition's name is refused, whatever stands beside it",
    arguments: [
      "expect: { stdout: { json: { $.a: { not: { b: { matches: x, flags: i }, c: 1 } } } } }",
      "expect: { stdout: { json: { $.a: { not: { contains: { b: { contians: x, id: 1 } } } } } } }",
      "expect: { stdout: { json: { $.a: { not: [{ contains: error, x: 1 }] } } } }",
      "expect: { stdout: { not: { json: { msg: { contains: error, x: 1 }, foo: 1 } } } }",
    ])
  func nested(text: String) {
    #expect(found(text).map(\.code) == [.conditionOrDocument], "\(found(text))")
  }

  @Test(
    "Within a document keys that documents have as often are keys",
    arguments: [
      "expect: { stdout: { json: { $.a: { b: { type: A, count: 2 }, c: 1 } } } }",
      "expect: { stdout: { json: { order: { lines: [1], total: 3 }, c: 1 } } }",
      "expect: { stdout: { json: { $.a: { equals: { b: { matches: x, id: 1 } } } } } }",
    ])
  func nestedDocument(text: String) {
    #expect(found(text).isEmpty, "\(found(text))")
  }
}
