import Foundations
@testable import ScenarioCompiler
@testable import ScenarioPlan
import Testing

@Suite("Operators and functions")
struct OperatorTests {
  private let builds = """
    clock: { at: 2026-03-01T09:00:00.25Z }
    build:
      o: { whole: 7, half: 1.5, yes: true, no: false, none: null, list: [3, 1, 2], text: Zoë, map: { k: v } }
    """

  @Test(
    "Expressions have typed values",
    arguments: [
      ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("7 / 2", "3.5"), ("-7 / 2", "-3.5"),
      ("7 % 4", "3"),
      ("7 / 2.0", "3.5"), ("build.o.half + 1", "2.5"), ("'a' + \"b\"", #""ab""#),
      ("[1] + ['a', [2]] + []", #"[1,"a",[2]]"#),
      ("1 == 1.0", "true"), ("1 != 2", "true"), ("null == 3", "false"),
      ("build.o.none == null", "true"),
      ("[1, 2] == [1, 2.0]", "true"), ("{'a': 1} == {'a': 2}", "false"),
      ("9007199254740993 == 9007199254740992", "false"), ("2 < 10", "true"),
      ("'2' < '10'", "false"),
      ("2 >= 2.0", "true"), ("1 in build.o.list", "true"), ("4 in build.o.list", "false"),
      ("'k' in build.o.map", "true"), ("'oë' in build.o.text", "true"), ("!build.o.yes", "false"),
      ("build.o.yes && build.o.no || true", "true"), ("build.o.none ?? 'x'", #""x""#),
      ("build.o.whole ?? 1 / 0", "7"), ("false && 1 / 0 == 1", "false"),
      ("true || 1 / 0 == 1", "true"),
      ("build.o.none?.a", "null"), ("build.o.none?.a ?? 2", "2"), ("build.o.none?[0]", "null"),
      ("build.o.list[1 + 1]", "2"), ("build.o.map['k']", #""v""#), ("[build.o.map][0].k", #""v""#),
      ("{'a': [1, build.o.whole]}", #"{"a":[1,7]}"#), ("-build.o.whole", "-7"), ("- -1", "1"),
      ("case(1 > 2, 1 / 0, build.o.yes, 'b', 'c')", #""b""#), ("case(false, 1, 2)", "2"),
      ("coalesce(null, build.o.none, 3, 1 / 0)", "3"), ("default(build.o.none, 4)", "4"),
      ("default(5, 1 / 0)", "5"),
      ("scenario.name", #""test""#), ("scenario.index", "0"), ("scenario.seed", "0"),
      ("scenario.id", #""test.yaml::test""#), ("clock.today", #""2026-03-01""#),
      ("clock.now", #""2026-03-01T09:00:00.25Z""#), ("clock.unix", "1772355600"),
    ])
  func values(expression: String, expected: String) throws {
    #expect(try Samples.data(quoted(expression), with: builds).jsonText() == expected)
  }

  @Test(
    "Functions are a closed list",
    arguments: [
      ("lower('ÄB')", #""äb""#), ("upper('ß')", #""SS""#), ("trim('  a ')", #""a""#),
      ("trim('   ')", #""""#), ("replace('aba', 'a', 'x')", #""xbx""#),
      ("split('a,b,', ',')", #"["a","b",""]"#), ("split('né', '')", #"["n","é"]"#),
      ("join([1, 'a', true], '-')", #""1-a-true""#), ("pad(7, 3, '0')", #""007""#),
      ("pad('a', -3)", #""a  ""#), ("len('né')", "2"), ("len([1])", "1"), ("len({'a': 1})", "1"),
      ("substr('hello', 1, 3)", #""ell""#), ("substr('hello', -2)", #""lo""#),
      ("substr('hello', 5)", #""""#), ("format('{1}{0}{{}}', 'a', 2)", #""2a{}""#),
      ("json({'a': [1.0, null]})", #""{\"a\":[1.0,null]}""#), ("parse_json('[1]')", "[1]"),
      ("base64('hi')", #""aGk=""#), ("hex('hi')", #""6869""#), ("hex(255)", #""ff""#),
      ("sha256('abc')", #""ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad""#),
      ("url_encode('a b/ü~')", #""a%20b%2F%C3%BC~""#),
      ("uuid5('dns', 'www.example.com')", #""2ed6657d-e927-568b-95e1-2665a8aea6a2""#),
      ("int('42')", "42"), ("int(-1.9)", "-1"), ("float(3)", "3.0"), ("float('1e3')", "1000.0"),
      ("string(1.0)", #""1.0""#), ("bool('true')", "true"), ("min(3, 1.5)", "1.5"),
      ("max([1, 9, 4])", "9"), ("abs(-3)", "3"), ("abs(-1.5)", "1.5"), ("round(2.5)", "3"),
      ("round(2.345, 2)", "2.35"), ("floor(-1.5)", "-2"), ("sum([1, 2, 0.5])", "3.5"),
      ("sum([])", "0"), ("keys({'b': 1, 'a': 2})", #"["b","a"]"#), ("values({'b': 1})", "[1]"),
      ("add_time('2026-03-01', '1d2h')", #""2026-03-02T02:00:00Z""#),
      ("add_time(clock.now, '-250ms')", #""2026-03-01T09:00:00Z""#),
      (
        "format_time(clock.now, '%d.%m.%Y %H:%M:%S.%L %a %b %j %%')",
        #""01.03.2026 09:00:00.250 Sun Mar 060 %""#
      ),
      ("format_time('1969-12-31T23:59:59Z', '%A %s')", #""Wednesday -1""#),
    ])
  func functions(expression: String, expected: String) throws {
    #expect(try Samples.data(quoted(expression), with: builds).jsonText() == expected)
  }

  @Test(
    "What has no value is an error at check",
    arguments: [
      ("1 / 0", "1 / 0 has no value"), ("1 % 0", "1 % 0 has no value"),
      ("9223372036854775807 + 1", "9223372036854775807 + 1 leaves the range of whole numbers"),
      ("-9223372036854775808 - 1", "-9223372036854775808 - 1 leaves the range of whole numbers"),
      ("-9223372036854775808 % -1", "-9223372036854775808 % -1 leaves the range of whole numbers"),
      ("div(-9223372036854775808, -1)", "div() leaves the range of whole numbers"),
      ("substr('hello', 9)", "substr() cannot begin at 9 in a text of 5 letters"),
      ("1e308 * 10", "1e+308 * 10.0 leaves the range of numbers"),
      ("'1' + 1", "\"+\" is not defined for text and a number"),
      ("'1' == 1", "\"==\" is not defined for text and a number"),
      ("build.o.text == 1", "\"==\" is not defined for text and a number"),
      ("1 && true", "\"&&\" is not defined for a number and a bool"),
      ("!build.o.whole", "\"!\" cannot take a number"), ("-'a'", "\"-\" cannot take text"),
      ("1.5 % 2", "\"%\" takes two whole numbers"),
      ("null + 1", "\"+\" is not defined for null and a number"),
      ("[1] + 2", "\"+\" is not defined for a list and a number"),
      ("[1] - [1]", "\"-\" is not defined for a list and a list"),
      ("build.o.none.a", "\"build.o.none\" is null, which has no key \"a\""),
      ("build.o.list[-1]", "-1 is not an index or key of \"build.o.list\""),
      ("build.o.list[3]", "\"build.o.list\" has no element 3"),
      ("1 in 2", "\"in\" is not defined for a number and a number"),
      ("case(1, 2, 3)", "case() cannot take a number"),
      ("case(true, 2)", "case() takes pairs of a condition and a value, and a default, not 2"),
      ("uper('a')", "unknown function \"uper\""), ("int('4x')", "int() cannot read \"4x\""),
      ("bool('yes')", "bool() cannot read \"yes\""),
      ("sum(['a'])", "sum() cannot take the list: its element 0 is text"),
      ("format('{2}', 1)", "format() has no value for \"{2}\""),
      ("parse_json('{')", "parse_json() cannot read the text"),
      ("env.HOM", "\"env\" has no \"HOM\""), ("scenario.nme", "\"scenario\" has no \"nme\""),
      ("clock.noon", "\"clock\" has no \"noon\""), ("self.a", "\"self\" is known only in objects"),
      ("index", "\"index\" is known only in lists"), ("n", "\"n\" is known only in objects"),
    ])
  func mistakes(expression: String, message: String) throws {
    let errors = try Samples.dataErrors(quoted(expression), with: builds)

    #expect(errors.count == 1, "\(errors.map(\.message))")
    #expect(errors.first?.message.hasPrefix(message) == true, "\(errors.map(\.message))")
    #expect(errors.first?.help?.isEmpty != true)
  }

  @Test("The place of an error is inside the expression, whatever the style")
  func places() throws {
    let errors = try Samples.errors(
      """
      target: { command: [a], env: { A: "é ${{ 1 + 'x' }}", B: '${{ upper(3) }}' } }
      build:
        plain: ${{ 1 / 0 }}
        block: |
          first
            then ${{ nothing }}
      """)

    let places = errors.map { "\($0.range?.line ?? 0):\($0.range?.column ?? 0)" }
    #expect(places == ["1:44", "1:63", "3:16", "6:16"], "\(errors.map(\.message))")
  }

  @Test("Mistakes of types are found in factories that nobody builds, in every branch")
  func branches() throws {
    let errors = try Samples.dataErrors(
      "1",
      with: """
        factories:
          a:
            fields:
              x: "${{ case(true, 1, 1 + 'a') }}"
              y: "number ${{ [1] }}"
              z: "${{ upper(len(x)) }}"
              f: "${{ self.yy }}"
        """)

    #expect(
      Set(errors.map(\.message)) == [
        "\"+\" is not defined for a number and text",
        "\"[1]\" is a list, which cannot be part of a text",
        "upper() cannot take a number", "\"self\" has no \"yy\"",
      ])
  }

  @Test("Replies compute with the request, and check what they can before")
  func requests() throws {
    func plan(_ text: String) throws -> (ExecutionPlan?, [String]) {
      let result = try Samples.plan(
        """
        target: { command: [a] }
        responses:
          - GET http://x.test/{id}: { json: { a: "${{ \(text) }}" } }
        """)
      return (result.plan, result.diagnostics.map(\.message))
    }

    let (planned, none) = try plan("int(request.path.id) * 2 + (request.json?.n ?? 1)")
    #expect(none == [])
    guard
      case .json(let data)? = planned?.cases.first?.network?.responses.first?.replies.first?.body
    else {
      Issue.record("no reply")
      return
    }
    let scope = RequestValues(request: #"{"path":{"id":"21"},"json":null}"#)
    #expect(try data.resolve(in: scope).jsonText() == #"{"a":43}"#)
    let other = RequestValues(request: #"{"path":{"id":"1"},"json":{"n":5}}"#)
    #expect(try data.resolve(in: other).jsonText() == #"{"a":7}"#)
    let whole = try #require(planned)
    #expect(try ExecutionPlan(jsonText: try whole.jsonText()) == whole)
    let wrong = RequestValues(request: #"{"path":{"id":"x"},"json":null}"#)
    let error = #expect(throws: RunScopeError.self) { try data.resolve(in: wrong) }
    #expect(error?.message == "int() cannot read \"x\"")

    #expect(try plan("request.path.id * 2").1 == ["\"*\" is not defined for text and a number"])
    #expect(try plan("request.count + 'a'").1 == ["\"+\" is not defined for a number and text"])
    #expect(try plan("request.pth.id + 1").1.first?.hasPrefix("\"request\" has no \"pth\"") == true)
  }

  @Test("Variables of the target can be named, and a circle of them is reported")
  func variables() throws {
    let planned = try Samples.onlyCase(
      "target: { command: [echo, '${{ env.B }}'], env: { A: x, B: '${{ env.A }}y' } }")
    #expect(planned.target.command[1].literal == "xy")

    let errors = try Samples.errors(
      "target: { command: [a], env: { A: '${{ env.B }}', B: '${{ env.A }}' } }")
    #expect(errors.contains { $0.message.contains("env.B → env.A → env.B") }, "\(errors)")
    let passed = try Samples.errors(
      "target: { command: [a, '${{ env.LANG }}'], env: { pass: [LANG] } }")
    #expect(passed.first?.message.contains("comes from outside") == true)
  }

  private func quoted(_ expression: String) -> String {
    Value.string("${{ \(expression) }}").jsonText()
  }
}

/// A request as JSON.
private struct RequestValues: RunScope {
  var request: String

  func value(of root: String) -> Value? {
    root == "request" ? try? JSONText.parse(request) : nil
  }
}
