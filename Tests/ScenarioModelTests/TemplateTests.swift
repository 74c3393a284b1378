import Foundations
import ScenarioModel
import ScenarioSyntax
import Testing

@Suite struct TemplateTests {
  private let range = SourceRange(file: "f", line: 3, column: 10)

  private func name(_ text: String, at column: Int) -> Located<String> {
    Located(
      text, at: SourceRange(file: "f", line: 3, column: column, length: text.unicodeScalars.count))
  }

  @Test("Text is cut into literals and expressions with places")
  func cuts() throws {
    let template = try Template(text: "é ${{ a.b[0]['x-y'].c }}!", at: range)

    #expect(
      template.segments == [
        .literal("é "),
        .expression(
          .path(
            root: name("a", at: 16),
            steps: [.key("b"), .index(0), .key("x-y"), .key("c")])),
        .literal("!"),
      ])
  }

  @Test(
    "Values written out keep their types",
    arguments: [
      ("3", .integer(3)), ("-1.5", .number(-1.5)), ("1e3", .number(1000)), ("true", .bool(true)),
      ("false", .bool(false)), ("null", .null), ("'it''s }} here'", .string("it's }} here")),
      ("''", .string("")),
    ] as [(String, Value)])
  func readsLiterals(text: String, value: Value) throws {
    #expect(
      try Template(text: "${{ \(text) }}", at: range).segments == [.expression(.literal(value))])
    #expect(
      try Template(text: "${{\(text)}}", at: range).segments == [.expression(.literal(value))])
  }

  @Test("Calls hold expressions")
  func readsCalls() throws {
    #expect(
      try Template(text: "${{ f(a, g(), 'b') }}", at: range).segments == [
        .expression(
          .call(
            function: name("f", at: 14),
            arguments: [
              .path(root: name("a", at: 16), steps: []),
              .call(function: name("g", at: 19), arguments: []), .literal(.string("b")),
            ]))
      ])
  }

  @Test("An escaped opening is text")
  func readsEscapes() throws {
    #expect(try Template(text: "a $${{ b }} $c", at: range).segments == [.literal("a ${{ b }} $c")])
    #expect(try Template(text: "", at: range).segments == [.literal("")])
  }

  @Test(
    "What is no expression is an error at its place",
    arguments: [
      ("x ${{ a", "12: the expression has no closing \"}}\""),
      ("${{ a }", "10: the expression has no closing \"}}\""),
      ("${{ 'a }}", "14: the text in the expression has no closing quote"),
      ("${{ }}", "10: the expression is empty"),
      ("${{ a + }}", "18: the expression is incomplete"),
      ("${{ a = 1 }}", "16: unexpected \"=\" in an expression"),
      ("${{ a < b < c }}", "20: \"<\" cannot follow \"<\""),
      ("${{ a == b != c }}", "21: \"!=\" cannot follow \"==\""),
      ("${{ (a }}", "17: the expression is incomplete"),
      ("${{ {'a': 1, 'a': 2} }}", "23: duplicate key \"a\" in the map"),
      ("${{ \"a\\q\" }}", "14: \"a\\q\" is not a valid text: unknown escape in a string"),
      ("${{ 9223372036854775809 }}", "14: the number 9223372036854775809 is out of range"),
      ("${{ a ? b }}", "16: unexpected \"?\" in an expression"),
      ("${{ a.0 }}", "16: unexpected \"0\" in an expression"),
      ("${{ a[99999999999999999999] }}", "16: the number 99999999999999999999 is out of range"),
      ("${{ f(a b) }}", "18: unexpected \"b\" in an expression"),
      ("${{ f(a,) }}", "18: unexpected \")\" in an expression"),
      ("${{ 1x }}", "14: \"1x\" is not a number"),
      ("${{ 01 }}", "14: \"01\" is not a number"),
    ])
  func refuses(text: String, message: String) {
    let error = #expect(throws: Diagnostic.self) { try Template(text: text, at: range) }
    #expect(error.map { "\($0.range?.column ?? 0): \($0.message)" } == message)
  }

  @Test(
    "A key with a dash in it has its help, and what is no such key the usual one",
    arguments: [
      ("request.headers.x-request-id", "request.headers['x-request-id']"),
      ("request.headers.Idempotency-Key", "request.headers['Idempotency-Key']"),
      ("a.b-1", "a['b-1']"), ("a-b", nil), ("a.b - 1", nil), ("a[0]-1", nil),
      ("a[0].b-c", "a[0]['b-c']"),
      ("a['b']-c", nil), ("f(a.b-c)", "a['b-c']"),
    ] as [(String, String?)])
  func helpsWithDashes(text: String, written: String?) throws {
    guard let written else {
      _ = try Template(text: "${{ \(text) }}", at: range)
      return
    }
    let error = #expect(throws: Diagnostic.self) { try Template(text: "${{ \(text) }}", at: range) }
    #expect(error?.message == "unexpected \"-\" in an expression")
    #expect(
      error?.help?.hasPrefix("write a key with a \"-\" in it in brackets: \(written)") == true)
  }

  @Test(
    "Words for operators have those that are written",
    arguments: [
      ("a and b", "write && for \"and\""), ("a or b", "write || for \"or\""),
      ("not a", "write ! for \"not\""),
    ])
  func helpsWithWords(text: String, help: String) {
    let error = #expect(throws: Diagnostic.self) { try Template(text: "${{ \(text) }}", at: range) }
    #expect(error?.help == help)
  }

  @Test(
    "A filter of other tools has the call that does the same",
    arguments: [
      ("x | upper", "write \"${{ upper(x) }}\": "),
      ("user.names[0]|upper", "write \"${{ upper(user.names[0]) }}\": "),
      ("x | trim | upper", "write \"${{ upper(trim(x)) }}\": "),
      ("x | default('a|b') | upper", "write \"${{ upper(default(x, 'a|b')) }}\": "),
      ("f(x) | replace: 'a', 'b'", "write \"${{ replace(f(x), 'a', 'b') }}\": "),
      ("x | upcase | size", "write \"${{ len(upper(x)) }}\": "),
      ("(x) | round(y + 1)", "write \"${{ round((x), y + 1) }}\": "),
    ])
  func helpsWithFilters(text: String, help: String) throws {
    let error = #expect(throws: Diagnostic.self) { try Template(text: "${{ \(text) }}", at: range) }
    let rule = "expressions have functions and no filters"
    #expect(error?.message == "unexpected \"|\" in an expression")
    #expect(error?.help == help + rule)
    let proposed = try #require(help.dropLast(3).split(separator: "\"", maxSplits: 1).last)
    #expect(throws: Never.self) { try Template(text: String(proposed), at: range) }
  }

  @Test("Filters inside the arguments of others are read once")
  func nestedFilters() {
    let text = String(repeating: "x | f(", count: 30) + "x" + String(repeating: ")", count: 30)
    for _ in 0..<200 {
      #expect(throws: Diagnostic.self) { try Template(text: "${{ \(text) }}", at: range) }
    }
  }

  @Test(
    "A filter without such a call has what can be said of it",
    arguments: [
      (
        "x | title",
        ", and none of them is \"title\"; for \"or\" write ||; the page \"Expressions\" lists them"
      ),
      (
        "x | trim | uper",
        ", and none of them is \"uper\"; for \"or\" write ||; did you mean upper(…)?"
      ),
      (
        "x | truncate(9)",
        ", and none of them is \"truncate\"; the page \"Expressions\" lists them"
      ),
      ("x | join", ": write join(…), with the value as the first argument"),
      ("x | map(attribute='a')", ": write map(…), with the value as the first argument"),
      (
        "a + b | trim | upper", ": write trim(…) and upper(…), with the value as the first argument"
      ),
      ("!a | trim", ": write trim(…), with the value as the first argument"),
    ])
  func helpsWithOtherFilters(text: String, help: String) {
    let error = #expect(throws: Diagnostic.self) { try Template(text: "${{ \(text) }}", at: range) }
    #expect(error?.help == "expressions have functions and no filters" + help)
    #expect(error?.fix == nil)
  }

  @Test(
    "Within a part, or with nothing behind it, the sign has its help",
    arguments: ["f(x | y)", "x | 'a'", "x |"])
  func helpsWithBars(text: String) {
    let error = #expect(throws: Diagnostic.self) { try Template(text: "${{ \(text) }}", at: range) }
    #expect(error?.message == "unexpected \"|\" in an expression")
    #expect(
      error?.help
        == "write || for \"or\", and a function in place of a filter, such as upper(x)")
  }

  @Test("Fields may have the names of such words", arguments: ["and", "or", "not", "not.and"])
  func readsWords(text: String) throws {
    #expect(throws: Never.self) { try Template(text: "${{ \(text) }}", at: range) }
  }

  @Test(
    "A mistake in an expression has its place behind escapes",
    arguments: [
      (#"'it''s ${{ 1 2 }}'"#, 19), (#""\u00e9\n${{ 1 2 }}""#, 21), (#""\x41\"${{ 1 2 }}""#, 19),
      (#""\ud83d\ude00 ${{ 1 2 }}""#, 26), (#""\U0001F600 é😀${{ 1 2 }}""#, 26),
      (#""${{ 1 2 }}""#, 13),
    ])
  func columns(scalar: String, column: Int) {
    let result = ScenarioFile.parse(text: "version: 2\nbuild:\n  a: \(scalar)\n", path: "f")
    #expect(result.diagnostics.map(\.range?.line) == [3])
    #expect(result.diagnostics.map(\.range?.column) == [column])
  }

  @Test(
    "Operators bind as authors know them",
    arguments: [
      ("a + b * c", "a + b * c"), ("(a + b) * c", "(a + b) * c"), ("a - b - c", "a - b - c"),
      ("a - (b - c)", "a - (b - c)"), ("!a && b || c", "!a && b || c"),
      ("a || b && c", "a || b && c"), ("(a || b) && c", "(a || b) && c"),
      ("a + 1 < b == c", "a + 1 < b == c"), ("a ?? b || c", "a ?? b || c"),
      ("'x' in a && 1 in b", "\"x\" in a && 1 in b"), ("-a.b", "-a.b"), ("- 3", "-3"),
      ("-9223372036854775808", "-9223372036854775808"), ("a?.b['c']", "a?.b[\"c\"]"),
      ("f(a)[i + 1].c", "f(a)[i + 1].c"), ("a[-1]", "a[-1]"), ("a?[0]", "a?[0]"),
      ("[a, [1], {}]", "[a, [1], {}]"), ("{'k': {j: 1}}", "{\"k\": {\"j\": 1}}"),
      ("\"a\\n\"", "\"a\\n\""), ("a.b[0]", "a.b[0]"), ("a .b", "a.b"),
    ])
  func readsOperators(text: String, written: String) throws {
    let template = try Template(text: "${{ \(text) }}", at: range)
    guard case .expression(let expression) = template.segments[0] else {
      Issue.record("no expression")
      return
    }
    #expect(expression.text == written)
    let again = try Template(text: "${{ \(written) }}", at: range)
    guard case .expression(let second) = again.segments[0] else {
      Issue.record("no expression when read again")
      return
    }
    #expect(second.text == written)
  }

  @Test("One more than the greatest whole number is one with a minus only")
  func wholeNumbers() throws {
    for text in ["9223372036854775808", "a - b * 9223372036854775808", "9223372036854775809"] {
      let error = #expect(throws: Diagnostic.self) {
        try Template(text: "${{ \(text) }}", at: range)
      }
      #expect(error?.message.hasSuffix("is out of range") == true)
    }
    _ = try Template(text: "${{ - 9223372036854775808 }}", at: range)
    _ = try Template(text: "${{ 9223372036854775807 }}", at: range)
  }

  @Test("An operator is known by its own place")
  func placesOperators() throws {
    let template = try Template(text: "${{ one +  two }}", at: range)
    guard case .expression(.binary(let sign, _, _)) = template.segments[0] else {
      Issue.record("no sum")
      return
    }
    #expect(sign == Located(.plus, at: SourceRange(file: "f", line: 3, column: 18)))
  }

  @Test("An expression of very many parts is refused")
  func limitsParts() throws {
    _ = try Template(text: "${{ 1" + String(repeating: " + 1", count: 200) + " }}", at: range)

    let text = "${{ 1" + String(repeating: " + 1", count: 201) + " }}"
    let error = #expect(throws: Diagnostic.self) { try Template(text: text, at: range) }
    #expect(error?.message == "the expression has more than 200 parts")
  }

  @Test(
    "Nesting of any kind is limited",
    arguments: ["(", "[", "!", "-", "{'a': ", "f("])
  func limitsNesting(opening: String) {
    let text = "${{ " + String(repeating: opening, count: 100_000) + "1 }}"
    let error = #expect(throws: Diagnostic.self) { try Template(text: text, at: range) }
    #expect(error?.message == "the expression nests deeper than 32")
  }

  @Test("Calls inside calls are limited")
  func limitsDepth() throws {
    func nested(_ depth: Int) -> String {
      "${{ " + String(repeating: "f(", count: depth) + "1" + String(repeating: ")", count: depth)
        + " }}"
    }
    _ = try Template(text: nested(32), at: range)

    let error = #expect(throws: Diagnostic.self) { try Template(text: nested(33), at: range) }
    #expect(error?.message == "the expression nests deeper than 32")
  }

  @Test(
    "A step is written so that it is read as the same step",
    arguments: [
      "plain", "a.b", "it's", "back\\slash", "two \" quotes", "'", "'\u{301}", "line\nbreak",
      "\u{7f}",
      "\u{202e}turned", "\u{1f600}", "",
    ])
  func stepTexts(key: String) throws {
    let text = PathStep.key(key).text
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{7f}" || $0 == "\u{202e}" })

    let template = try Template(text: "${{ a\(text) }}", at: range)
    guard case .expression(.path(_, let steps))? = template.segments.first else {
      Issue.record("no path")
      return
    }
    #expect(steps == [.key(key)])
  }
}
