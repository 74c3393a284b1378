import ScenarioModel
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
      ("${{ a + 1 }}", "16: unexpected \"+\" in an expression"),
      ("${{ a ? b }}", "16: unexpected \"?\" in an expression"),
      ("${{ a.0 }}", "16: unexpected \"0\" in an expression"),
      ("${{ a[b] }}", "16: unexpected \"b\" in an expression"),
      ("${{ a[-1] }}", "16: unexpected \"-\" in an expression"),
      ("${{ a[99999999999999999999] }}", "16: the place \"99999999999999999999\" is too large"),
      ("${{ f(a b) }}", "18: unexpected \"b\" in an expression"),
      ("${{ f(a,) }}", "18: unexpected \")\" in an expression"),
      ("${{ 1x }}", "14: \"1x\" is not a number"),
      ("${{ 01 }}", "14: \"01\" is not a number"),
      ("${{ \"a\" }}", "14: unexpected \"\"\" in an expression"),
      ("${{ f(a).b }}", "18: unexpected \".\" in an expression"),
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
      ("a.b-1", "a['b-1']"), ("a-b", nil), ("a.b - 1", nil), ("a[0]-1", nil), ("a[0].b-c", nil),
      ("a['b']-c", nil), ("f(a.b-c)", nil),
    ] as [(String, String?)])
  func helpsWithDashes(text: String, written: String?) {
    let error = #expect(throws: Diagnostic.self) { try Template(text: "${{ \(text) }}", at: range) }
    #expect(error?.message == "unexpected \"-\" in an expression")
    if let written {
      #expect(error?.help == "write a key with a \"-\" in it in brackets: \(written)")
    } else {
      #expect(error?.help?.contains("in brackets") == false)
    }
  }

  @Test("Calls inside calls are limited")
  func limitsDepth() throws {
    func nested(_ depth: Int) -> String {
      "${{ " + String(repeating: "f(", count: depth) + "1" + String(repeating: ")", count: depth)
        + " }}"
    }
    _ = try Template(text: nested(32), at: range)

    let error = #expect(throws: Diagnostic.self) { try Template(text: nested(33), at: range) }
    #expect(error?.message == "calls nest deeper than 32")
  }
}
