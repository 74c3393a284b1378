import Testing

/// Conditions that a mistake would meet, each beside its like that is right: the mistakes fail, and the others hold.
@Suite("Verdicts of opposites and of what is not there")
struct OppositeVerdictTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ text: String) throws -> BuiltRunner.Outcome {
    try BuiltRunner.run(["run", folder.write("version: 2\n" + text, to: "f.yaml")])
  }

  /// A scenario for each output, with what is expected of it.
  private func run(_ cases: [(output: String, expect: String)]) throws -> BuiltRunner.Outcome {
    try run(
      "scenarios:\n"
        + cases.enumerated().map { number, each in
          """
            - name: case \(number)
              target: { command: [printf, "%s", '\(each.output)'] }
              expect: { stdout: \(each.expect) }

          """
        }.joined())
  }

  private static let document =
    #"{"n": 5, "t": true, "l": [5, 6], "m": {"x": 1}, "z": null, "e": [], "ids": [{"id": 5}, {"id": 6}]}"#

  private static let right = [
    "$.n: { not: 6 }", "$.n: { not: error }", "$.n: { not: null }", "$.z: { not: { contains: x } }",
    "$.n: { not: { starts_with: \"6\" } }", "$.l: { not: { contains: x } }",
    "\"$.l[*]\": { not: error }", "$.n: { any_of: [{ type: number }, { not: { contains: x } }] }",
    "$.l: { any: { not: \"5\" } }", "$.e: { empty: true }", "\"$.e[*]\": { empty: true }",
    "\"$..error\": { empty: true }", "\"$.ids[*].error\": { empty: true }",
    "$.q: { any_of: [{ absent: true }, { empty: true }] }", "$.q: { not: { exists: true } }",
  ]
  private static let wrong = [
    ("$.n: { not: \"5\" }", "$.n: expected not \"5\""),
    ("$.t: { not: \"true\" }", "$.t: expected not \"true\""),
    ("$.m: { not: { contains: x } }", "$.m: expected something that does not contain \"x\""),
    ("$.l: { not: { starts_with: x } }", "$.l: expected text that does not begin with \"x\""),
    ("$.n: { not: { in: [\"5\"] } }", "$.n: expected none of \"5\""),
    ("\"$.l[*]\": { not: \"5\" }", "$.l[*]: expected not \"5\""),
    ("$.l: { each: { not: \"5\" } }", "$.l: [0]: expected not \"5\""),
    ("$.n: { any_of: [{ absent: true }, { not: \"5\" }] }", "$.n: expected any of: "),
    ("$.q: { empty: true }", "$.q: expected something that is empty"),
    ("\"$.q[*]\": { empty: true }", "$.q[*]: expected something that is empty"),
  ]

  @Test(
    "A map that a capture brings to a negated condition is an error, and as a document it is compared",
    arguments: [
      ("${{ capture.part }}", 1), ("{ equals: \"${{ capture.part }}\" }", 0),
      ("${{ capture.parts }}", 1), ("${{ capture.text }}", 0),
    ])
  func captured(operand: String, exitCode: Int32) throws {
    let quoted = operand.hasPrefix("$") ? "\"\(operand)\"" : operand
    let outcome = try run(
      """
      target: { command: [echo, '{"s":"an error here","part":{"contains":"error"},"parts":[{"contains":"x"}],"text":"a"}'] }
      steps:
        - run:
        - capture:
            part: { stdout: { json: $.part } }
            parts: { stdout: { json: $.parts } }
            text: { stdout: { json: $.text } }
        - expect: { stdout: { json: { $.s: { not: \(quoted) } } } }

      """)

    outcome.expectExit(exitCode)
    if exitCode != 0 {
      for part in ["f.yaml:9:", "this is a map (\"contains\") that is either a document or"] {
        #expect(outcome.text.contains(part), "\(outcome.text)")
      }
    }
  }

  @Test("Output that is not UTF-8 is no JSON, and not what is shown for it")
  func otherEncodings() throws {
    func run(_ bytes: String, _ expect: String) throws -> BuiltRunner.Outcome {
      try self.run(
        "target: { command: [printf, '\(bytes)'] }\nexpect: { stdout: \(expect) }\n")
    }
    for (right, wrong, expect) in [
      (#"{"a":"\303\251"}"#, #"{"a":"\351"}"#, "{ json: { $.a: { exists: true } } }"),
      (#"a\357\277\275b"#, #"a\376b"#, #""a\uFFFDb""#),
    ] {
      let good = try run(right, expect)
      good.expectExit(0)
      let bad = try run(wrong, expect)
      bad.expectExit(1)
      #expect(bad.output.contains("UTF-8"), "\(bad.text)")
    }
  }

  @Test("A shell command that an expression leaves empty is not run")
  func emptyCommand() throws {
    func run(_ value: String) throws -> BuiltRunner.Outcome {
      try self.run("vars: { c: '\(value)' }\ntarget: { command: '${{ vars.c }}' }\n")
    }
    let good = try run("true")
    good.expectExit(0)
    let bad = try run(" ")
    #expect(bad.exitCode != 0, "\(bad.text)")
    #expect(bad.text.contains("the command is empty"), "\(bad.text)")
  }

  @Test("A request whose pattern is an expression that gives nothing is told apart from none")
  func emptyPattern() throws {
    func run(_ script: String) throws -> BuiltRunner.Outcome {
      try self.run(
        """
        target: { command: [bash, -c, '\(script); read -r go; curl -sSf -H "Authorization: any" http://a.test/x'] }
        responses:
          - request: { method: GET, url: "http://a.test/x", headers: { authorization: { contains: "${{ capture.token }}" } } }
            reply: { text: ok }
        steps:
          - start:
          - wait: { stdout: token }
          - capture: { token: { stdout: "token=(.*)" } }
          - send: "go\\n"
          - wait: exit
        expect: { exit: 0 }

        """)
    }
    let good = try run("echo token=any")
    good.expectExit(0)
    let bad = try run("echo token=")
    bad.expectExit(1)
    #expect(
      bad.output.contains(
        "header \"authorization\": expected a value that contains \"${{ capture.token }}\", and \"${{ capture.token }}\" gives an empty text"
      ), "\(bad.text)"
    )
  }

  @Test("Below paths of JSON, values of another kind and such as are missing meet no opposite")
  func json() throws {
    let good = try run(Self.right.map { (Self.document, "{ json: { \($0) } }") })
    good.expectExit(0)
    #expect(good.text.contains("\(Self.right.count) passed, 0 failed"), "\(good.text)")

    let bad = try run(Self.wrong.map { (Self.document, "{ json: { \($0.0) } }") })
    bad.expectExit(1)
    #expect(bad.text.contains("0 passed, \(Self.wrong.count) failed"), "\(bad.text)")
    for (_, message) in Self.wrong {
      #expect(bad.text.contains("error: stdout: \(message)"), "\(message) in \(bad.text)")
    }
  }

  @Test("An output without a document of YAML meets no condition on one")
  func yaml() throws {
    let good = try run([
      ("null", "{ yaml: { $: { empty: true } } }"), ("a: 1", "{ yaml: { $.a: { not: 2 } } }"),
      ("# nothing", "{ any_of: [{ starts_with: \"#\" }, { yaml: { $.a: 1 } }] }"),
      ("---", "{ yaml: { equals: null } }"),
    ])
    #expect(good.text.contains("4 passed, 0 failed"), "\(good.text)")

    let bad = try run([
      ("# nothing", "{ yaml: { $: { empty: true } } }"),
      ("---", "{ yaml: { $.a: { absent: true } } }"),
      ("", "{ not: { yaml: { $.a: 1 } } }"), ("", "{ not: { json: { $.a: 1 } } }"),
    ])
    #expect(bad.text.contains("0 passed, 4 failed"), "\(bad.text)")
    #expect(bad.text.contains("expected YAML, and there is no document"), "\(bad.text)")
  }

  @Test("What an expression gives must be there to be looked for", arguments: [("id", 0), ("", 1)])
  func expressions(part: String, code: Int32) throws {
    let outcome = try run(
      """
      target: { command: [sh, -c, "echo 'id=\(part)'; echo 'the id is here'"] }
      steps:
        - run:
        - capture: { id: { stdout: "id=(.*)" } }
      expect: { stdout: { contains: "${{ capture.id }}" } }

      """)
    #expect(outcome.exitCode == code, "\(outcome.text)")
    #expect(outcome.text.contains("gives an empty text") == (code == 1), "\(outcome.text)")
  }

  /// A client that sends little, and conditions on it that what is missing meets.
  private func ordering(_ request: String, _ header: String) -> String {
    """
    target: { command: [curl, --silent, --show-error, --fail] }
    responses:
      - name: order
        request:
          method: POST
          url: http://shop.test/orders
          headers: { x-trace: { empty: true }, x-part: { not: { contains: x } }, x-number: { not: "6" } }
          query: { page: { empty: true }, size: { not: "6" }, sort: { not: { starts_with: z } } }
          cookies: { theme: { not: dark }, session: { not: { ends_with: x } }, old: { empty: true } }
          form: { user: { not: { in: [eve, mallory] } }, note: { empty: true }, more: { not: { empty: false } } }
        set: { orders: "1" }
        reply: { json: { id: 7 } }
      - name: change
        request:
          method: PUT
          url: http://shop.test/orders
          json: { $.cursor: { empty: true }, $.tags: { not: { contains: x } }, "$.items[*].id": { not: 5 } }
        set: { todo: tea, other: milk }
        reply: { json: { id: 8 } }
    steps:
      - run: [--request, POST, "http://shop.test/orders?size=5", --header, "\(header)", --cookie, session=s, --data, user=ada&note=]
        expect: { state: { orders: { not: "2" }, todo: { empty: true }, other: { exists: false } } }
      - run: [--request, PUT, "http://shop.test/orders", --json, '\(request)']
    expect:
      exit: 0
      stdout: { json: { $.id: { not: 7 } } }
      state: { orders: { not: "2" }, todo: { not: { empty: true } } }
      requests:
        - request:
            method: POST
            url: http://shop.test/orders
            headers: { x-trace: { empty: true }, x-number: { not: "6" } }
            form: { user: { not: eve }, note: { empty: true } }
          count: 1
        - { request: { method: PUT, url: http://shop.test/orders, json: { $.cursor: { empty: true } } } }

    """
  }

  @Test("What a request or a state lacks is empty, and meets opposites")
  func requests() throws {
    let good = try run(ordering(#"{"tags": [], "items": [{"id": 6}]}"#, "x-number: 5"))
    good.expectExit(0)

    let header = try run(ordering(#"{"tags": [], "items": [{"id": 6}]}"#, "x-part: x"))
    header.expectExit(1)
    let body = try run(ordering(#"{"tags": [], "items": [{"id": 5}]}"#, "x-number: 5"))
    body.expectExit(1)
    let kind = try run(ordering(#"{"tags": 5, "items": [{"id": 6}]}"#, "x-number: 5"))
    kind.expectExit(1)
  }
}
