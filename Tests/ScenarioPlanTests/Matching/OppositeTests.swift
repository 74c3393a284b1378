import Foundations
@testable import ScenarioPlan
import Testing

/// `not`, and what neither a condition nor its opposite says anything of.
@Suite("Opposites of conditions")
struct OppositeTests {
  private func matcher(_ text: String, captured: String? = nil) throws -> PlannedMatcher {
    let steps =
      captured == nil ? "" : "steps: [{ run: }, { capture: { id: { stdout: \"(x*)\" } } }]\n"
    let planned = try Samples.onlyCase(
      "target: { command: [x] }\n\(steps)expect: { stdout: \(text) }")
    guard case .standardOutput(let matcher)? = planned.expect.first?.subject else {
      throw NoCondition()
    }
    return matcher
  }

  private struct NoCondition: Error {}

  /// What is found in an output, the same in one that is read piece by piece.
  private func mismatch(
    _ text: String, _ output: String, captured: String? = nil, isExpectation: Bool = true
  ) throws -> Mismatch? {
    var scope = CaseScope(directory: "/case")
    scope.isExpectation = isExpectation
    if let captured { scope.captures.keep(.string(captured), as: "id") }
    let matcher = try matcher(text, captured: captured)
    let found = matcher.check(.text(output), scope: scope)
    let long = try matcher.check(long: TextInMemory(output), scope: scope)
    #expect((found == nil) == (long == nil), "\(text) of \(output)")
    #expect(found?.help == long?.help)
    return found
  }

  @Test(
    "What must not be there is shown with its lines",
    arguments: [
      ("{ not: { contains: bad } }", ["line 2: a bad one", "line 4: bad"]),
      ("{ not: { matches: 'b[a]d$' } }", ["line 4: bad"]), ("{ not: { contains: good } }", nil),
    ] as [(String, [String]?)])
  func places(condition: String, lines: [String]?) throws {
    let found = try matcher(condition).check(
      .text("fine\na bad one\nfine\nbad\n"), scope: CaseScope(directory: "/case"))
    #expect(found?.diff == lines)
  }

  @Test("Of a single line only the line is shown, and of many the first")
  func fewPlaces() throws {
    let matcher = try matcher("{ not: { contains: bad } }")
    let scope = CaseScope(directory: "/case")
    #expect(matcher.check(.text("bad\n"), scope: scope)?.diff == [])
    let many = String(repeating: "bad\n", count: 9)
    #expect(matcher.check(.text(many), scope: scope)?.diff.count == 3)
  }

  /// Checks that a condition on `$.a` holds of one value, and not of another one.
  private func expect(_ condition: String, holdsOf good: String, notOf bad: String) throws {
    let text = "{ json: { \(condition.hasPrefix("\"") ? condition : "$.a: \(condition)") } }"
    let found = try mismatch(text, "{ \"a\": \(good) }")
    #expect(found == nil, "\(condition) of \(good): \(String(describing: found))")
    #expect(try mismatch(text, "{ \"a\": \(bad) }") != nil, "\(condition) of \(bad)")
  }

  @Test(
    "What differs from a value in kind alone does not meet its opposite",
    arguments: [
      // The condition, what meets it, and what it must not take.
      ("{ not: '5' }", "6", "5"), ("{ not: '5' }", "\"6\"", "5"), ("{ not: '5' }", "null", "5"),
      ("{ not: '5' }", "\"05\"", "5.0"), ("{ not: '05' }", "5", "\"05\""),
      ("{ not: '1.50' }", "1.25", "1.5"), ("{ not: 5 }", "6", "\"5\""),
      ("{ not: 5 }", "[5]", "\"5\""),
      ("{ not: 5 }", "\"x\"", "\"5\""), ("{ not: error }", "3", "\"error\""),
      ("{ not: 'true' }", "false", "true"), ("{ not: true }", "\"True\"", "\"true\""),
      ("{ not: null }", "5", "null"), ("{ not: null }", "\"null\"", "null"),
      ("{ not: 'null' }", "null", "\"null\""), ("{ not: [1] }", "5", "[1]"),
      ("{ not: ['5', x] }", "[6, \"x\"]", "[5, \"x\"]"),
      ("{ not: { equals: { b: '5' } } }", "{ \"b\": 6 }", "{ \"b\": 5 }"),
      ("{ not: { equals: { b: '5' } } }", "{ \"b\": 5, \"c\": 1 }", "{ \"b\": 5 }"),
      ("{ not: { in: ['5', '6'] } }", "7", "6"), ("{ not: { in: [a, '6'] } }", "\"b\"", "6"),
      ("{ not: { any_of: ['5', '6'] } }", "7", "6"),
      ("{ not: { any_of: [{ equals: '5' }, { at_least: 9 }] } }", "8", "5"),
      ("{ not: { all_of: ['5', { type: string }] } }", "5", "\"5\""),
      ("{ not: { not: '5' } }", "\"5\"", "5"),
      ("{ any_of: [{ absent: true }, { not: '5' }] }", "6", "5"),
      ("{ any_of: [{ type: number }, { not: '5' }] }", "5", "\"5\""),
      ("{ all_of: [{ exists: true }, { not: '5' }] }", "6", "5"),
      ("{ each: { not: '5' } }", "[6, \"x\"]", "[6, 5]"),
      ("{ any: { not: '5' } }", "[6, 5]", "[5, 5]"),
      ("{ not: { each: '5' } }", "[5, 6]", "[5, 5]"), ("{ not: { any: '5' } }", "[6, 7]", "[6, 5]"),
      ("{ not: { contains: '5' } }", "[6, \"50\"]", "[6, 5]"),
      ("{ not: { contains: { b: '5' } } }", "{ \"b\": 6 }", "{ \"b\": 5, \"c\": 1 }"),
      ("\"$.a[*]\": { not: '5' }", "[6, 7]", "[6, 5]"),
      ("\"$.a[*]\": { not: x }", "[6, 7]", "[6, \"x\"]"),
      ("\"$.a[*].id\": { not: '5' }", "[{ \"id\": 6 }]", "[{ \"id\": 6 }, { \"id\": 5 }]"),
      ("\"$.a[*]\": { any_of: [{ not: '5' }, { length: 1 }] }", "[5]", "[5, 6]"),
    ])
  func alike(condition: String, good: String, bad: String) throws {
    try expect(condition, holdsOf: good, notOf: bad)
  }

  @Test("Of many values one that is not as all should be decides")
  func many() throws {
    let fives = [String](repeating: "5", count: 3 * Mismatch.limit)

    try expect(
      "{ not: { each: '5' } }", holdsOf: "[\((fives + ["6"]).joined(separator: ","))]",
      notOf: "[\(fives.joined(separator: ","))]")
  }

  @Test(
    "The opposite of a condition on texts holds of texts, and of null, not of what has none",
    arguments: [
      ("{ not: { contains: x } }", "\"a\"", "5"), ("{ not: { contains: x } }", "null", "true"),
      ("{ not: { contains: x } }", "[]", "{ \"x\": 1 }"),
      ("{ not: { contains: x } }", "[1, \"ax\"]", "1.5"),
      ("{ not: { contains: { x: 1 } } }", "{ \"x\": 2 }", "5"),
      ("{ not: { contains: { x: 1 } } }", "[{ \"x\": 2 }]", "\"x\""),
      ("{ not: { starts_with: x } }", "\"a\"", "[\"x\"]"),
      ("{ not: { starts_with: x } }", "5", "{}"),
      ("{ not: { ends_with: x } }", "null", "{ \"x\": \"x\" }"),
      ("{ not: { matches: x } }", "\"a\"", "[\"a\"]"), ("{ not: { matches: '^-' } }", "5", "-5"),
      ("{ not: { any_of: [{ contains: x }, { starts_with: y }] } }", "\"a\"", "{}"),
      ("{ not: { all_of: [{ contains: x }, { type: string }] } }", "5", "\"x\""),
      ("{ any_of: [{ type: array }, { not: { starts_with: x } }] }", "[\"x\"]", "{}"),
      ("{ not: { not: { starts_with: x } } }", "\"x\"", "[]"),
      ("{ each: { not: { contains: x } } }", "[\"a\", null]", "[\"a\", 5]"),
      ("{ not: { any: { matches: x } } }", "[\"a\", {}]", "[{}, {}]"),
      ("{ not: { any: { matches: x } } }", "[]", "[\"x\"]"),
      ("{ not: { each: { matches: x } } }", "[{}, \"a\"]", "[{}, {}]"),
      ("\"$.a[*]\": { not: { contains: x } }", "[\"a\", 5]", "[\"ax\"]"),
      ("\"$.a[*]\": { not: { contains: x } }", "[5, 6]", "[\"x\"]"),
      ("\"$.a[*]\": { not: { starts_with: x } }", "[\"a\", {}]", "[{}, {}]"),
    ])
  func texts(condition: String, good: String, bad: String) throws {
    try expect(condition, holdsOf: good, notOf: bad)
  }

  @Test(
    "An opposite that does not hold says what it is, and how to write what is meant",
    arguments: [
      (
        "{ not: '5' }", "5", "expected not \"5\"",
        "what is there is a number, and \"5\" is text: write 5"
      ),
      (
        "{ not: 5 }", "\"5\"", "expected not 5",
        "what is there is text, and 5 is a number: write \"5\""
      ),
      ("{ not: 5 }", "5", "expected not 5", nil),
      (
        "{ not: { contains: x } }", "5", "expected something that does not contain \"x\"",
        "\"not\" says nothing of a number here: to let one pass, write any_of: [{ type: number }, { not: … }]"
      ),
      (
        "{ not: { starts_with: x } }", "[]", "expected text that does not begin with \"x\"",
        "\"not\" says nothing of a list here: to let one pass, write any_of: [{ type: array }, { not: … }]"
      ),
      ("{ not: { contains: x } }", "\"x\"", "expected something that does not contain \"x\"", nil),
      ("{ not: { ends_with: x } }", "\"x\"", "expected text that does not end with \"x\"", nil),
      ("{ not: { matches: x } }", "\"x\"", "expected no match of /x/", nil),
      ("{ not: { in: [x, y] } }", "\"x\"", "expected none of \"x\", \"y\"", nil),
      ("{ not: { empty: true } }", "[]", "expected something", nil),
      (
        "{ not: { any_of: ['5', '6'] } }", "6", "expected none of: equals \"5\", or equals \"6\"",
        "what is there is a number, and \"6\" is text: write 6"
      ),
    ])
  func words(condition: String, value: String, message: String, help: String?) throws {
    let found = try mismatch("{ json: { $.a: \(condition) } }", "{ \"a\": \(value) }")

    #expect(found?.message == "$.a: \(message)")
    #expect(found?.help == help)
  }

  @Test(
    "What is to be empty is there, where a path leads to one place",
    arguments: [
      // Path and condition, a document that meets them, and one that does not.
      ("$.a: { empty: true }", #"{"a":[]}"#, #"{"b":[]}"#),
      ("$.a: { empty: true }", #"{"a":null}"#, #"{"a":[1]}"#),
      ("$.a: { empty: false }", #"{"a":[1]}"#, #"{"b":[1]}"#),
      ("$.a: { not: { empty: true } }", #"{"a":5}"#, #"{"b":[1]}"#),
      ("$.a: { not: { empty: false } }", #"{"a":[]}"#, #"{"b":[1]}"#),
      ("$.a: { any_of: [{ absent: true }, { empty: true }] }", #"{"b":1}"#, #"{"a":[1]}"#),
      ("$.a: { any_of: [{ equals: 5 }, { empty: true }] }", #"{"a":5}"#, #"{"b":1}"#),
      ("$.a: { absent: true }", #"{"b":1}"#, #"{"a":[]}"#),
      ("$.a: { not: { exists: true } }", #"{"b":1}"#, #"{"a":[]}"#),
      ("\"$.a[-1]\": { empty: true }", #"{"a":[""]}"#, #"{"a":[]}"#),
      ("\"$.a[*]\": { empty: true }", #"{"a":[]}"#, #"{"b":[]}"#),
      ("\"$.a[*].id\": { empty: true }", #"{"a":[{"b":1}]}"#, #"{"b":[]}"#),
      ("\"$.a[?@.b > 5]\": { empty: true }", #"{"a":[{"b":1}]}"#, #"{"a":[{"b":6}]}"#),
      ("\"$..error\": { empty: true }", #"{"a":[{"b":1}]}"#, #"{"a":[{"error":"x"}]}"#),
    ])
  func emptiness(path: String, good: String, bad: String) throws {
    #expect(try mismatch("{ json: { \(path) } }", good) == nil)
    #expect(try mismatch("{ json: { \(path) } }", bad) != nil)
    // Beneath `not`, what is not there is neither.
    #expect(try mismatch("{ not: { json: { \(path) } } }", good) != nil)
  }

  @Test(
    "The opposite of conditions at paths does not hold for a misspelt path",
    arguments: [
      // What is negated, a document of which that holds, and one of which nothing can be said.
      ("{ json: { $.a: 5 } }", #"{"a":6}"#, #"{"b":5}"#),
      ("{ json: { $.a: { contains: x } } }", #"{"a":null}"#, #"{"b":"x"}"#),
      ("{ json: { $.a: { empty: true } } }", #"{"a":[1]}"#, #"{"b":1}"#),
      ("{ json: { $.a.b: 5 } }", #"{"a":{"b":6}}"#, #"{"a":{"c":6}}"#),
      ("{ json: { $.a: 5, $.b: 5 } }", #"{"a":6}"#, #"{"a":5}"#),
      ("{ json: { \"$.a[*].id\": 5 } }", #"{"a":[{"id":6}]}"#, #"{"a":[{"b":6}]}"#),
      (
        "{ json: { \"$.a[?@.b == 1].id\": 5 } }", #"{"a":[{"b":1,"id":6}]}"#,
        #"{"a":[{"c":1,"id":6}]}"#
      ),
      ("{ json: { \"$..id\": 5 } }", #"{"a":[{"id":6}]}"#, #"{"a":[{"b":6}]}"#),
      ("{ yaml: { $.a: 5 } }", "a: 6\n", "b: 5\n"),
      ("{ any_of: [{ json: { $.a: 5 } }, { json: { $.b: 5 } }] }", #"{"a":6}"#, #"{"c":5}"#),
      ("{ json: { $.a: { exists: true } } }", #"{"b":1}"#, #"{"a":1}"#),
    ])
  func missing(negated: String, good: String, bad: String) throws {
    #expect(try mismatch("{ not: \(negated) }", good) == nil)
    #expect(try mismatch("{ not: \(negated) }", bad) != nil)
    #expect(try mismatch("{ not: \(negated) }", good, isExpectation: false) == nil)
  }

  @Test("A path that is missing says how its opposite is written, and a request needs none")
  func missingHelp() throws {
    let condition = "{ not: { json: { $.a: 5 } } }"
    let found = try mismatch(condition, #"{"b":5}"#)

    #expect(found?.actual.hasPrefix("nothing: ") == true)
    #expect(
      found?.help
        == "\"not\" does not hold of what is missing: if it may be, write any_of: [{ absent: true }, { not: … }] at its path"
    )
    #expect(try mismatch("{ json: { $.a: 5 } }", #"{"b":5}"#)?.help == nil)
    #expect(try mismatch(condition, #"{"b":5}"#, isExpectation: false) == nil)
  }

  @Test("What is missing in a request is empty, as a header is")
  func requests() throws {
    #expect(try mismatch("{ json: { $.a: { empty: true } } }", "{}", isExpectation: false) == nil)
    #expect(
      try mismatch("{ json: { $.a: { empty: true } } }", "{\"a\":1}", isExpectation: false) != nil)
  }

  @Test(
    "Of a text without a YAML document nothing holds but what expects null",
    arguments: ["", "# nothing\n", "---\n"])
  func noDocument(text: String) throws {
    for condition in [
      "$.n: { not: 3 }", "$.n: { absent: true }", "$: { empty: true }",
      "$: { not: { type: object } }",
    ] {
      #expect(
        try mismatch("{ yaml: { \(condition) } }", text)?.message
          == "expected YAML, and there is no document")
      #expect(try mismatch("{ not: { yaml: { \(condition) } } }", text) != nil)
    }
    #expect(
      try mismatch("{ any_of: [{ not: { contains: x } }, { yaml: { $.n: 1 } }] }", text) == nil)
    #expect(try mismatch("{ yaml: { equals: null } }", text) == nil)
    #expect(try mismatch("{ yaml: { $: null } }", text) == nil)
    #expect(try mismatch("{ json: { $.n: { absent: true } } }", text) != nil)
  }

  @Test("A document of YAML is judged as data are, null among them")
  func documents() throws {
    #expect(try mismatch("{ yaml: { $.n: { not: 3 } } }", "n: 4\n") == nil)
    #expect(try mismatch("{ yaml: { $.n: { absent: true } } }", "{}\n") == nil)
    #expect(try mismatch("{ yaml: { $: { empty: true } } }", "null\n") == nil)
    #expect(try mismatch("{ yaml: { $: { empty: true } } }", "a: 1\n") != nil)
  }

  @Test(
    "An expression that gives an empty text is not found in every text",
    arguments: ["contains", "starts_with", "ends_with", "matches"])
  func emptyExpression(key: String) throws {
    let condition = "{ \(key): \"${{ capture.id }}\" }"
    let empty = try mismatch(condition, "x\n", captured: "")

    #expect(empty?.message == "the expression \"${{ capture.id }}\" gives an empty text")
    #expect(empty?.help != nil)
    let opposite = try mismatch("{ not: \(condition) }", "x\n", captured: "")
    #expect(opposite?.message == empty?.message)
    #expect(opposite?.help == empty?.help)
    #expect(try mismatch("{ any_of: [\(condition), { contains: x }] }", "x\n", captured: "") == nil)
    #expect(try mismatch("{ any_of: [{ contains: y }, \(condition)] }", "x\n", captured: "") != nil)
    #expect(try mismatch("{ json: { $.a: \(condition) } }", #"{"a":"x"}"#, captured: "") != nil)
    // It tells no requests apart either.
    #expect(try mismatch(condition, "x\n", captured: "", isExpectation: false) != nil)
    #expect(
      try mismatch("{ not: \(condition) }", "x\n", captured: "", isExpectation: false) != nil)
    #expect(try mismatch(condition, "x\n", captured: "x") == nil)
    #expect(try mismatch(condition, "y\n", captured: "x") != nil)
    #expect(try mismatch("{ json: { $.a: \(condition) } }", #"{"a":"x"}"#, captured: "x") == nil)
    #expect(try mismatch("{ not: \(condition) }", "y\n", captured: "x") == nil)
    #expect(try mismatch("{ \(key): \"x${{ capture.id }}\" }", "x", captured: "") == nil)
  }

  @Test("Bytes that are not UTF-8 are no JSON, and not the sign that is shown for them")
  func repaired() throws {
    func mismatch(_ text: String, _ output: String, isRepaired: Bool) throws -> Mismatch? {
      var scope = CaseScope(directory: "/case")
      (scope.isExpectation, scope.isRepaired) = (true, isRepaired)
      let matcher = try matcher(text)
      let found = matcher.check(.text(output), scope: scope)
      let long = try matcher.check(long: TextInMemory(output), scope: scope)
      #expect(found?.message == long?.message, "\(text)")
      return found
    }
    for (text, output) in [
      ("{ json: { $.a: { exists: true } } }", "{\"a\":\"\u{fffd}\"}"),
      ("{ yaml: { $.a: { exists: true } } }", "a: \u{fffd}"), ("\"a\\uFFFDb\"", "a\u{fffd}b"),
      ("{ contains: \"\\uFFFD\" }", "a\u{fffd}b"),
      ("{ starts_with: \"\\uFFFD\" }", "\u{fffd}b"), ("{ ends_with: \"\\uFFFD\" }", "a\u{fffd}"),
      ("{ in: [b, \"\\uFFFD\"] }", "\u{fffd}"), ("{ lines: [\"\\uFFFD\"] }", "\u{fffd}\n"),
    ] {
      #expect(try mismatch(text, output, isRepaired: false) == nil, "\(text)")
      #expect(try mismatch(text, output, isRepaired: true) != nil, "\(text)")
      #expect(try mismatch("{ not: \(text) }", output, isRepaired: true) != nil, "\(text)")
    }
    #expect(try mismatch("{ contains: a }", "a\u{fffd}b", isRepaired: true) == nil)
  }

  @Test("A list has an empty text as its element, or has not")
  func emptyElement() throws {
    let condition = "{ json: { $.a: { contains: \"${{ capture.id }}\" } } }"

    #expect(try mismatch(condition, #"{"a":["x",""]}"#, captured: "") == nil)
    #expect(try mismatch(condition, #"{"a":["x"]}"#, captured: "") != nil)
  }

  @Test("What is no regular expression is not found, and not missed either")
  func noExpression() throws {
    #expect(try mismatch("{ not: { matches: \"(${{ capture.id }}\" } }", "x", captured: "y") != nil)
    #expect(
      try mismatch("{ not: { matches: \"(${{ capture.id }})\" } }", "x", captured: "y") == nil)
  }
}
