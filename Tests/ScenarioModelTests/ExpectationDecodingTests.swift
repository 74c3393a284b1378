import Foundations
import ScenarioModel
import ScenarioSyntax
import Testing

@Suite struct ExpectationDecodingTests {
  private func subjects(_ expect: String) throws -> [ExpectationBlock.Subject] {
    try #require(parse("version: 2\nexpect: \(expect)").file).defaults.subjects
  }

  private func standardOutput(_ matcher: String) throws -> Matcher.Condition? {
    guard case .standardOutput(let matcher)? = try subjects("{ stdout: \(matcher) }").first else {
      return nil
    }
    return matcher.condition
  }

  @Test("Conditions come in file order, each with the place of its key")
  func readsInOrder() throws {
    let file = try #require(
      parse(
        """
        version: 2
        expect:
          stderr: { empty: true }
          exit: { in: [0, 1] }
          signal: SIGSEGV
          files: { "*.tmp": { absent: true }, a: { exists: true }, b: text, c: { mode: 0644 } }
          requests: [ { request: POST /orders, count: 1, intervals: [0s, 1s] }, { request: GET /x } ]
          chaos: { journal dies: { fired: { greater_than: 0 } } }
        """
      ).file)
    let entries = try #require(file.defaults.expect).entries

    #expect(
      entries.map { describe($0.subject) } == [
        "stderr", "exit", "signal SEGV", "absent *.tmp", "exists a", "content b",
        "properties c",
        "request POST /orders true 2", "request GET /x false 0", "chaos journal dies",
      ])
    #expect(entries.map(\.range.line) == [3, 4, 5, 6, 6, 6, 6, 7, 7, 8])
  }

  @Test("A bare value means equal: text as written, numbers as numbers")
  func readsBareValues() throws {
    guard case .equals(let text)? = try standardOutput("0123"),
      case .exit(let exit)? = try subjects("{ exit: 3 }").first,
      case .equals(let number) = exit.condition
    else {
      Issue.record("not equals")
      return
    }
    #expect(text.content == .literal(.string("0123")))
    #expect(number.content == .literal(.integer(3)))
  }

  @Test("Several conditions in one map must all hold")
  func joinsConditions() throws {
    guard case .allOf(let matchers)? = try standardOutput("{ contains: a, matches: b }") else {
      Issue.record("not all of")
      return
    }
    #expect(matchers.count == 2)
    #expect(matchers[0].range.column == 31)
    guard case .contains? = try standardOutput("{ contains: a }") else {
      Issue.record("one condition needs no list")
      return
    }
    guard case .allOf(let parts)? = try standardOutput("{ contains: [a, b] }") else {
      Issue.record("a list of parts asks for each of them")
      return
    }
    #expect(parts.count == 2)
  }

  @Test("JSON is a document, a subset or paths")
  func readsJSON() throws {
    guard case .json(.document)? = try standardOutput("{ json: { a: 1 } }"),
      case .json(.document)? = try standardOutput("{ json: { equals: { contains: 1 } } }"),
      case .json(.subset)? = try standardOutput("{ json: { contains: { a: 1 } } }"),
      case .json(.paths(let fields))? = try standardOutput(
        "{ json: { $.a: 3, \"$.b[0]\": { greater_than: 2 }, $.c: { equals: { lines: [1] } } } }")
    else {
      Issue.record("wrong kind")
      return
    }
    #expect(fields.map(\.name.value) == ["$.a", "$.b[0]", "$.c"])
    guard case .equals = fields[0].matcher.condition,
      case .greaterThan = fields[1].matcher.condition,
      case .equals(let data) = fields[2].matcher.condition, case .map = data.content
    else {
      Issue.record("wrong conditions")
      return
    }
  }

  @Test("Every matcher is read")
  func readsMatchers() throws {
    _ = try subjects(
      """
      { stdout: { equals: a, not: { contains: b }, contains: c, matches: d, empty: false,
        lines: [a, { contains: b }], json: [1], in: [a, 1], less_than: 3s, greater_than: 2,
        between: [1, 2.5], all_of: [a], any_of: [a, { empty: true }] } }
      """)
  }

  @Test(
    "What an expectation cannot say is an error",
    arguments: [
      ("{ exit: \"0\" }", "\"exit\" must be a whole number, not the text \"0\""),
      ("{ exit: [0, 1] }", "\"exit\" must be a number or a map, not a list"),
      ("{ exit: { contains: 1 } }", "unknown key \"contains\" in \"exit\""),
      ("{ stdout: }", "\"stdout\" must be a text or a map, not nothing"),
      ("{ stdout: [a] }", "\"stdout\" must be a text or a map, not a list"),
      ("{ stdout: {} }", "\"stdout\" has no condition"),
      ("{ stdout: { contain: a } }", "unknown key \"contain\" in \"stdout\""),
      ("{ stdout: { empty: 1 } }", "\"empty\" must be true or false, not the number 1"),
      ("{ stdout: { between: [1] } }", "\"between\" needs two bounds, not 1"),
      (
        "{ stdout: { less_than: soon } }",
        "\"less_than\" must be a number or a duration, not the text \"soon\""
      ),
      ("{ stdout: { in: [] } }", "\"in\" is empty"),
      ("{ stdout: { json: { $.a: 1, b: 2 } } }", "\"b\" cannot be combined with a path"),
      (
        "{ stdout: { json: { $.a: { contains: 1, weight: 2 } } } }",
        "unknown key \"weight\" in \"$.a\""
      ),
      ("{ files: { a: { absent: false } } }", "\"absent\" can only be true"),
      (
        "{ files: { a: { absent: true, contains: b } } }",
        "\"contains\" cannot be combined with \"absent\""
      ),
      (
        "{ files: { a: { kind: folder, contains: b } } }",
        "\"contains\" needs the content of a file, but a folder has none"
      ),
      ("{ files: { a: { mode: rw } } }", "\"rw\" is not a file mode"),
      ("{ files: { a: { sha256: abc } } }", "\"abc\" is not a SHA-256"),
      ("{ files: { a: { kind: file, symlink: b } } }", "a file has no link target"),
      ("{ files: { a: { abesnt: true } } }", "unknown key \"abesnt\" in an entry of \"files\""),
      (
        "{ requests: [ { count: 1 } ] }",
        "missing required key \"request\" in an entry of \"requests\""
      ),
      ("{ requests: [ { request: GET /, intervals: [1] } ] }", "the duration \"1\" has no unit"),
      ("{ chaos: { a: 1 } }", "the chaos entry \"a\" must be a map, not the number 1"),
      ("{ chaos: { a: {} } }", "missing required key \"fired\" in the chaos entry \"a\""),
      ("{ processes: { gone: 0 } }", "unknown key \"gone\" in \"processes\""),
      ("{ processes: {} }", "missing required key \"left\" in \"processes\""),
      ("{ threads: { left: 0 } }", "unknown key \"threads\" in \"expect\""),
    ])
  func refuses(expect: String, message: String) {
    let result = ScenarioFile.parse(text: "version: 2\nexpect: \(expect)\n", path: "f")
    #expect(result.diagnostics.map(\.message) == [message])
  }

  @Test(
    "What is written as a reply is told the form of a request",
    arguments: [
      (
        "{ POST http://a.test/x: { file: x } }",
        "write \"{ request: { method: POST, url: http://a.test/x, body: { file: x } } }\""
      ),
      (
        "{ POST http://a.test/x: { text: hi, count: 2 } }",
        "write \"{ request: { method: POST, url: http://a.test/x, body: hi }, count: 2 }\""
      ),
      (
        "{ PUT /x: { json: { a: 1 } } }",
        "write \"{ request: { method: PUT, url: /x, json: { a: 1 } } }\""
      ),
      ("{ GET /x: { status: 200 } }", "write \"{ request: GET /x }\""),
      ("{ GET /x: hi }", "write \"{ request: GET /x }\""),
      ("{ GET /x: 2 }", "write \"{ request: GET /x, count: 2 }\""),
      ("{ GET /x: { count: 2 } }", "write \"{ request: GET /x, count: 2 }\""),
      (
        "{ request: POST /x, body: { file: x } }",
        "\"body\" belongs to \"request\"; write \"request: { method: POST, url: /x, body: { file: x } }\""
      ),
    ])
  func requestForms(entry: String, help: String) {
    let result = ScenarioFile.parse(
      text: "version: 2\nexpect: { requests: [\(entry)] }\n", path: "f")
    #expect(result.diagnostics.map(\.help) == [help])
  }

  @Test(
    "An expectation without any condition is told to be none",
    arguments: [
      ("{}", "\"expect\""), ("{ requests: [] }", "\"requests\""), ("{ files: {} }", "\"files\""),
      ("{ chaos: {} }", "\"chaos\""),
      ("{ targets: {} }", "\"targets\""),
    ])
  func nothing(expect: String, subject: String) {
    let result = ScenarioFile.parse(text: "version: 2\nexpect: \(expect)\n", path: "f")
    #expect(result.diagnostics.map(\.code) == [.cannotFail])
    #expect(result.diagnostics.map(\.message) == ["\(subject) has no condition: it cannot fail"])
  }

  @Test(
    "No waits, and no lines, are conditions",
    arguments: ["{ timers: [] }", "{ stdout: { lines: [] } }"])
  func emptyLists(expect: String) {
    let result = ScenarioFile.parse(text: "version: 2\nexpect: \(expect)\n", path: "f")
    #expect(result.diagnostics.isEmpty)
  }

  private func name(of selector: RequestSelector) -> String {
    switch selector {
    case .line(let text), .pattern(_, let text): text.value
    }
  }

  private func describe(_ subject: ExpectationBlock.Subject) -> String {
    switch subject {
    case .exit: "exit"
    case .signal(let name): "signal \(name.value)"
    case .standardOutput: "stdout"
    case .standardError: "stderr"
    case .screen: "screen"
    case .watchdog(let bound): "watchdog \(bound.value)"
    case .file(let pattern, .properties): "properties \(pattern.value)"
    case .file(let pattern, .absent): "absent \(pattern.value)"
    case .file(let pattern, .exists): "exists \(pattern.value)"
    case .file(let pattern, .content): "content \(pattern.value)"
    case .file(let pattern, .tree): "tree \(pattern.value)"
    case .request(let condition):
      "request \(name(of: condition.request)) \(condition.count != nil) "
        + "\(condition.intervals?.value.count ?? 0)"
    case .requestOrder(let lines): "order \(lines.map(name))"
    case .repeated(let check, let entries):
      "\(check.quantity.rawValue) \(check.length) \(check.interval) "
        + "\(entries.map { describe($0.subject) })"
    case .state(let name, _): "state \(name.value)"
    case .chaos(let entry, _, _): "chaos \(entry.value)"
    case .timers(let timers):
      "timers \(timers.process?.value ?? "-") \(timers.calls.map(\.value)) "
        + "\(timers.shortest?.value ?? .zero) \(timers.waits?.count ?? -1) \(timers.count != nil)"
    case .elapsed: "elapsed"
    case .clock(.at(let instant)): "clock \(instant)"
    case .clock(.between(let first, let last)): "clock \(first) \(last)"
    case .processes(let kind, _): "processes \(kind.rawValue)"
    case .tolerated(let entries): "tolerated \(entries.map { describe($0.subject) })"
    }
  }
}
