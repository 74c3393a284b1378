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
      "{ id: 7, type: order }", "{ emtpy: true, id: 1 }", "{ typ: string, id: 1 }",
      "{ eahc: 1, id: 1 }", "{ is_type: string, id: 1 }", "{ not_contains: a, id: 1 }",
      "{ to_equal: a, id: 1 }", "{ \u{441}ontains: a, id: 1 }", "{ contain\u{455}: a, id: 1 }",
      "{ xontains: a, id: 1 }", "{ has: error, id: 1 }", "{ is: a, id: 1 }",
      "{ pattern: x, flags: i }", "{ nott: 1, id: 2 }",
    ]
    for map in wrong {
      let codes = found(place.replacing("MAP", with: map)).map(\.code)
      #expect(codes == [.conditionOrDocument], "\(place) with \(map)")
    }
    let right = [
      "{}", "{ contains: error }", "{ $raw: { contians: error } }",
      "{ exists: true }", "{ absent: true }", "{ length: 2 }", "{ type: array }",
      "{ starts_with: x }", "{ starts_with: x, ends_with: y }",
    ]
    for map in right {
      #expect(found(place.replacing("MAP", with: map)).isEmpty, "\(place) with \(map)")
    }
    for map in wrong {
      #expect(found(place.replacing("MAP", with: "{ equals: \(map) }")).isEmpty, "\(map)")
    }
    for map in ["{ a: 1, b: 2 }", "{ note: a, id: 7, annotation: b, inn: 1 }"] {
      let codes = found(place.replacing("MAP", with: map)).map(\.code)
      #expect(
        codes == (place.contains("not:") ? [.conditionOrDocument] : []), "\(place) with \(map)")
    }
    // One of the names is a condition's own, so that the other one is a mistake in a map of conditions.
    let mixed = found(place.replacing("MAP", with: "{ startsWith: x, ends_with: y }"))
    #expect(mixed.map(\.code) == [.unknownKey], "\(place)")
  }

  @Test(
    "What is proposed for data that looks like a condition is accepted where it is put",
    arguments: [0, 1])
  func proposal(count: Int) throws {
    func text(_ data: String) -> String {
      """
      expect: { requests: [{ request: { url: 'https://a.example/', json: { $.a: { contains: [\(data)] } } }, \
      count: \(count) }] }
      responses: [{ POST https://a.example/: {} }]
      """
    }
    let data = "{ type: created }"
    let proposal = "{ $raw: \(data) }"

    // Where a request must be there, what is taken for a document shows.
    #expect(found(text(data)).map(\.code) == (count == 0 ? [.conditionOrDocument] : []))
    #expect(try count > 0 || #require(found(text(data)).first?.help).hasSuffix("write \(proposal)"))
    #expect(found(text(proposal)).isEmpty, "\(found(text(proposal)))")
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
        "did you mean \"contains\"? for a document, write { equals: { contians: error } }"
      ),
      ("{ equal: 3 }", "did you mean \"equals\"? for a document, write { equals: { equal: 3 } }"),
      ("{ name: Ada }", "for a document, write { equals: { name: Ada } }"),
      (
        "{ count: 2 }",
        "did you mean \"length\"? for a document, write { equals: { count: 2 } }"
      ),
      (
        "{ present: true }",
        "did you mean \"exists\"? for a document, write { equals: { present: true } }"
      ),
      (
        "{ exist: true }",
        "did you mean \"exists\"? for a document, write { equals: { exist: true } }"
      ),
      (
        "{ not_empty: true }",
        """
        write { empty: false } if something is to be there; for a document, \
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

  /// Conditions that must not hold, a map in them to be filled in.
  private static let negatedPlaces: [String] = [
    "expect: { stdout: { json: { $.a: { not: MAP } } } }",
    "expect: { stdout: { json: { $.a: { not: { not: MAP } } } } }",
    "expect: { stdout: { json: { $.a: { not: { each: { any_of: [1, MAP] } } } } } }",
    "expect: { stdout: { json: { $.a: { not: [[MAP], 1] } } } }",
    "expect: { stdout: { not: { json: MAP } } }",
    "expect: { stdout: { not: { yaml: { a: MAP, b: 1 } } } }",
    "expect: { stdout: { lines: [{ not: { json: { $.a: MAP } } }] } }",
    "expect: { requests: [{ request: { url: 'https://a.test/', json: MAP }, count: 0 }] }",
    "expect: { requests: [{ request: { url: 'https://a.test/', json: { $.a: MAP } }, count: { at_most: 2 } }] }",
    "expect: { requests: [{ request: { url: 'https://a.test/', json: { a: MAP } }, count: { not: 1 } }] }",
    "expect: { requests: [{ request: { url: 'https://a.test/', json: MAP }, count: \"${{ matrix.n }}\" }] }",
    """
    expect: { requests: [{ request: { url: 'https://a.test/', parts: { p: { json: MAP } } }, count: { in: [1, 0] } }] }
    """,
  ]

  @Test(
    "Where a condition must not hold, a map is no document unless it is said to be one",
    arguments: negatedPlaces)
  func negated(place: String) {
    let maps = [
      "{ emtpy: true, typ: string }", "{ has: error, is: string }", "{ value: x, y: i }",
      "{ exists: true, id: 1 }", "{ type: string, id: 1 }", "{ min: 1, id: 1 }", "{ a: 1, b: 2 }",
    ]
    for map in maps {
      let codes = found(place.replacing("MAP", with: map)).map(\.code)
      #expect(codes == [.conditionOrDocument], "\(place) with \(map)")
    }
    guard !place.contains("{ a: MAP") else { return }
    for map in ["1", "[1, a]", "{}", "{ $raw: { emtpy: true, typ: string } }"] {
      #expect(found(place.replacing("MAP", with: map)).isEmpty, "\(place) with \(map)")
    }
    for map in maps {
      let isList = place.contains("[[MAP]")
      let found = found(
        place.replacing(
          isList ? "[[MAP], 1]" : "MAP", with: "{ equals: [{ a: \(map), b: 1 }] }"))
      #expect(found.isEmpty, "\(place) with \(map)")
    }
  }

  @Test("Where requests must have been made, a document is one as elsewhere")
  func requested() {
    for count in ["1", "{ at_least: 1 }", "{ between: [1, 3] }", "{ greater_than: 0 }"] {
      for map in ["{ $.a: { a: 1, b: 2 } }", "{ a: { type: A } }"] {
        let found = found(
          "expect: { requests: [{ request: { url: 'https://a.test/', json: \(map) }, count: \(count) }] }"
        )
        #expect(found.isEmpty, "\(found)")
      }
    }
  }

  @Test(
    "An operator's own place holds data, in which only what says nothing but conditions is refused",
    arguments: [
      ("{ contains: { id: 7 } }", false), ("{ contains: { type: click } }", false),
      ("{ contains: { user: { name: a, role: b } } }", false), ("{ in: [{ id: 1 }, 3] }", false),
      ("{ contains: { user: { type: A, id: 3 } } }", false),
      ("{ contains: { emtpy: true } }", true), ("{ contains: { a: { exists: true } } }", true),
      ("{ contains: { a: { typ: string } } }", true), ("{ in: [{ typ: string }] }", true),
      // A condition's name with a value such as the condition takes.
      ("{ contains: { exists: true } }", true), ("{ in: [{ absent: false }] }", true),
      ("{ contains: { length: 1 } }", true), ("{ contains: { count: 1 } }", true),
      ("{ contains: { length: { at_least: 1 } } }", true),
      ("{ contains: { type: string } }", true), ("{ in: [{ type: [array, 'null'] }] }", true),
      ("{ contains: { type: string, empty: true } }", true),
      ("{ contains: { count: x } }", false), ("{ contains: { exists: x } }", false),
      ("{ contains: { present: true } }", false), ("{ contains: { length: { of: 3 } } }", false),
      ("{ contains: { type: click, count: 1 } }", false),
      ("{ contains: { length: 1, unit: m } }", false),
      ("{ contains: { $raw: { exists: true } } }", false),
    ])
  func negatedOperand(condition: String, isRefused: Bool) {
    let found = found("expect: { stdout: { json: { $.a: { not: \(condition) } } } }")
    #expect(found.map(\.code) == (isRefused ? [.conditionOrDocument] : []), "\(found)")
  }

  /// Forms that a slip of the finger, a look at another tool or a habit gives a name.
  private static func slipForms(of name: String) -> Set<String> {
    let letters = Array(name)
    var slips: Set<String> = [
      name + "s", name.prefix(1).uppercased() + name.dropFirst(), name.replacing("_", with: ""),
      name.replacing("_", with: "-"),
      "is_" + name, "not_" + name,
    ]
    for place in letters.indices {
      let (front, rest) = (String(letters[..<place]), String(letters[(place + 1)...]))
      slips.insert(front + rest)
      slips.insert(front + String([letters[place], letters[place]]) + rest)
      slips.insert(front + "x" + rest)
      slips.insert(front + "x" + String(letters[place]) + rest)
      guard let next = rest.first else { continue }
      slips.insert(front + String([next, letters[place]]) + rest.dropFirst())
    }
    return slips.subtracting(Grammar.dataConditions.keys).subtracting([""])
  }

  @Test(
    "No slip in a condition's name makes a document of it that nothing equals",
    arguments: ConditionKey.allCases)
  func slips(condition: ConditionKey) {
    for slip in Self.slipForms(of: condition.rawValue).sorted() {
      let codes = found("expect: { stdout: { json: { $.a: { not: { '\(slip)': a, zzz: 1 } } } } }")
        .map(\.code)
      #expect(codes == [.conditionOrDocument], "\(slip)")
    }
  }

  @Test(
    "A key below a path that a slip makes of a name of four letters or more asks for the name",
    arguments: MatcherKind.data.keys.filter { $0.rawValue.count > 3 })
  func near(condition: ConditionKey) {
    for slip in Self.slipForms(of: condition.rawValue).sorted() {
      let found = found("expect: { stdout: { json: { $.a: { '\(slip)': a, zzz: 1 } } } }")
      #expect(found.map(\.code) == [.conditionOrDocument], "\(slip)")
    }
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
