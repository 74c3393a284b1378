import Glibc
import Testing

@Suite("Commands that answer requests")
struct ProgramHandlerTests {
  /// Answers each request by its path.
  private static let program = """
    #!/usr/bin/env python3
    import base64, json, sys
    seen = 0
    for line in sys.stdin:
        request = json.loads(line)
        seen += 1
        name = request['url'].split('/')[-1]
        if name == 'nonsense': answer = 'hello'
        elif name == 'number': answer = '3'
        elif name == 'unknown': answer = '{"code": 200}'
        elif name == 'status': answer = '{"status": 99}'
        elif name == 'header': answer = '{"headers": {"a b": "c"}}'
        elif name == 'two': answer = '{"text": "a", "json": 1}'
        elif name == 'end': sys.exit(1)
        elif name == 'twice': answer = '{"text": "one"}\\n{"text": "two"}'
        elif name == 'drip':
            import time
            while True: print('.', end='', flush=True), time.sleep(0.02)
        elif name == 'slow': answer = '{"text": "slow", "after": "90s"}'
        elif name == 'long': answer = json.dumps({'text': 'x' * len(request['text'])})
        elif name == 'bytes': answer = json.dumps({'base64': request.get('base64', '')})
        elif name == 'empty': answer = '{}'
        elif name == 'late':
            import time
            time.sleep(1)
            answer = '{"text": "late"}'
        else:
            answer = json.dumps({'status': 201, 'headers': {'x-seen': seen, 'set-cookie': ['a=1', 'b=2']},
                'json': [request['method'], request['url'], request['count'], request['text']]})
        print(answer, flush=True)

    """

  private func run(
    _ target: String,
    responses: String =
      "- { request: { url: { matches: api.test } }, then: repeat, reply: HANDLER }",
    _ rest: String = "", options: [String] = []
  ) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let program = folder.write(Self.program, to: "reply.py")
    chmod(program, 0o755)
    let path = folder.write(
      """
      version: 2
      target: { command: "\(target)" }
      clock: { at: 2031-01-01T00:00:00Z, flow: auto }
      responses:
        \(responses.replacing("HANDLER", with: "{ handler: { exec: ./reply.py } }"))
      \(rest)

      """, to: "handled.yaml")
    let outcome = try BuiltRunner.run(["run", path] + options)
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test(
    "A command answers with status, headers and a body, over HTTP/2 as well, and keeps what it knows"
  )
  func answers() throws {
    let target =
      "curl -si https://api.test/a -d one; echo; curl -s http://api.test/b; echo;"
      + " curl -sI https://api.test/c; curl -s http://api.test/empty"
    let outcome = try run(
      target,
      """
      expect:
        stdout:
          all_of:
            - contains: "HTTP/2 201"
            - contains: "x-seen: 1"
            - contains: "set-cookie: b=2"
            - contains: '["POST","https://api.test/a",1,"one"]'
            - contains: '["GET","http://api.test/b",2,""]'
            - contains: "x-seen: 3"
      """)

    outcome.expectExit(0)
  }

  @Test(
    "A failing case shows what the command has written to standard error, and a passing one not")
  func errors() throws {
    func run(_ script: String) throws -> BuiltRunner.Outcome {
      let folder = try TemporaryFolder()
      let path = folder.write(
        """
        version: 2
        target: { command: [curl, -s, http://api.test/] }
        responses: [ { GET http://api.test/: { handler: { exec: [bash, -c, '\(script)'] } } } ]
        expect: { stdout: good }

        """, to: "errors.yaml")
      let outcome = try BuiltRunner.run(["run", path])
      withExtendedLifetime(folder) {}
      return outcome
    }
    let answer = #"read line; echo one >&2; echo trouble >&2; echo "{\"text\": \"TEXT\"}""#

    let good = try run(answer.replacing("TEXT", with: "good"))
    let bad = try run(answer.replacing("TEXT", with: "bad"))
    let dead = try run("read line; echo trouble >&2")

    good.expectExit(0)
    #expect(!good.text.contains("trouble"), "\(good.text)")
    for outcome in [bad, dead] {
      outcome.expectExit(1)
      #expect(
        outcome.output.contains("the standard error of the handler \"bash\":"), "\(outcome.text)")
      #expect(outcome.output.contains("trouble"))
      #expect(!outcome.errorOutput.contains("trouble"))
    }
    #expect(dead.output.contains("the program ended without an answer"))
    #expect(dead.output.contains(#"such as {"status": 200, "json": {}}"#), "\(dead.text)")
  }

  @Test("Time stands still until the command answers, and passes while its answer is held back")
  func delays() throws {
    let target =
      "date +%T; curl -s http://api.test/slow; date +%T; curl -s http://api.test/a > f; date +%T"
    let outcome = try run(
      target, "expect: { stdout: { lines: [00:00:00, slow00:01:30, 00:01:30] } }")
    let twin = try run(target, "expect: { stdout: { lines: [00:00:00, slow00:00:00, 00:00:00] } }")

    outcome.expectExit(0)
    twin.expectExit(1)
  }

  @Test("Long bodies and bytes that are no text pass both ways")
  func bodies() throws {
    let outcome = try run(
      "head -c 5000000 /dev/zero | tr '\\\\0' y > in; curl -s --data-binary @in http://api.test/long | wc -c;"
        + " head -c 300000 /bin/sh > sh; curl -s --data-binary @sh http://api.test/bytes | cmp - sh && echo same",
      "expect: { stdout: { lines: [\"5000000\", same] } }")

    outcome.expectExit(0)
  }

  @Test("Twenty clients at once get one answer each")
  func crowd() throws {
    let outcome = try run(
      "for i in $(seq 20); do curl -s http://api.test/$i & done > all; wait; grep -o 'test/[0-9]*' all | sort | uniq | wc -l",
      "expect: { stdout: \"20\" }")

    outcome.expectExit(0)
  }

  @Test(
    "A line that is no answer, and a command that ends, fail the case by name",
    arguments: [
      ("nonsense", "the line is no JSON"), ("number", "the line is no JSON object: 3"),
      ("unknown", "unknown key \"code\""), ("status", "\"status\" is no number from 200 to 599"),
      ("header", "\"a b\" is no name of a header"), ("two", "one is the body"),
      ("end", "the program ended without an answer"),
    ])
  func failures(path: String, message: String) throws {
    let outcome = try run("curl -s http://api.test/\(path)")
    let warned = try run(
      "curl -s http://api.test/\(path)",
      responses:
        "- GET http://api.test/**: { handler: { exec: ./reply.py, unanswered: warn } }")

    outcome.expectExit(1)
    #expect(outcome.text.contains("reply.py\" gave no answer: "), "\(outcome.text)")
    #expect(outcome.text.contains(message), "\(outcome.text)")
    warned.expectExit(0)
    #expect(warned.text.contains(message), "\(warned.text)")
  }

  @Test("A client that leaves before gets nothing, and the next one its own answer")
  func leaving() throws {
    let folder = try TemporaryFolder()
    chmod(folder.write(Self.program, to: "reply.py"), 0o755)
    let path = folder.write(
      """
      version: 2
      target: { command: "curl -s -m 0.3 http://api.test/late; curl -s http://api.test/own" }
      responses: [ { GET http://api.test/**: { handler: { exec: ./reply.py } } } ]
      expect:
        stdout: { contains: '["GET","http://api.test/own",2,""]', not: { contains: late } }

      """, to: "leaving.yaml")
    let outcome = try BuiltRunner.run(["run", path, "--report", "jsonl=-"])
    withExtendedLifetime(folder) {}

    outcome.expectExit(0)
    #expect(outcome.text.contains("\"status\":499"), "\(outcome.text)")
  }

  @Test("A command answers what no entry matches")
  func unmatched() throws {
    let outcome = try run(
      "curl -s http://other.test/a", responses: "[]",
      """
      network: { unmatched: { handler: { exec: ./reply.py } } }
      expect: { stdout: { contains: '["GET","http://other.test/a",1,""]' } }
      """)

    outcome.expectExit(0)
  }

  @Test("The delays of an entry and of its command's answer add up")
  func twoDelays() throws {
    let outcome = try run(
      "curl -s http://api.test/slow; date +%T",
      responses: "- GET http://api.test/**: { after: 5s, handler: { exec: ./reply.py } }",
      "expect: { stdout: slow00:01:35 }")

    outcome.expectExit(0)
  }

  @Test("A line that nobody asked for fails the next request, and is not taken for its answer")
  func unasked() throws {
    let outcome = try run("curl -s http://api.test/twice; sleep 1; curl -s http://api.test/a")

    outcome.expectExit(1)
    #expect(outcome.text.contains("has written what nobody asked for"), "\(outcome.text)")
  }

  @Test("A command that never ends its line has not answered, also where it goes on writing")
  func endlessLine() throws {
    let outcome = try run("curl -s http://api.test/drip", "timeout: 2m")
    let hurried = try run("curl -s http://api.test/drip", "timeout: 2s")

    outcome.expectExit(1)
    #expect(outcome.text.contains("the program did not answer"), "\(outcome.text)")
    hurried.expectExit(3)
    #expect(hurried.text.contains("timed out after the case's 2s"), "\(hurried.text)")
    #expect(hurried.text.contains("GET http://api.test/drip: the handler \""), "\(hurried.text)")
    #expect(hurried.text.contains("/reply.py\" has not answered yet"), "\(hurried.text)")
    #expect(hurried.text.contains("help: let the program answer"), "\(hurried.text)")
    // It was not waited for that the client rests, which may take 5 s.
    #expect(!outcome.text.contains("has not answered yet"), "\(outcome.text)")
  }

  @Test(
    "Mistakes have their place at check",
    arguments: [
      ("{ exec: ./none.py }", "does not exist"), ("{ exec: [] }", "\"exec\" is empty"),
      ("{ exec: ./reply.py, port: 80 }", "\"port\" cannot be combined with \"exec\""),
      ("{ exec: ./reply.py, target: target }", "\"target\" cannot be combined with \"exec\""),
      ("{ exec: ./reply.py, within: 5s }", "\"within\" cannot be combined with \"exec\""),
      ("{ exec: '' }", "the program's name is empty"),
      ("{ exec: python3 -u reply.py }", "write a list: exec: [python3, -u, reply.py]"),
      ("{}", "names nobody who answers"), ("{ exce: ./reply.py }", "did you mean \"exec\""),
    ])
  func mistakes(handler: String, message: String) throws {
    let outcome = try run(
      "true", responses: "- GET http://api.test/**: { handler: \(handler) }")

    outcome.expectExit(2)
    #expect(outcome.text.contains(message), "\(outcome.text)")
  }

  @Test("A program beside the file is found wherever the runner is started")
  func folders() throws {
    let folder = try TemporaryFolder()
    chmod(folder.write(Self.program, to: "reply.py"), 0o755)
    _ = folder.write(
      """
      version: 2
      target: { command: [curl, -s, http://api.test/empty] }
      responses: [ { GET http://api.test/**: { handler: { exec: [./reply.py] } } } ]

      """, to: "handled.yaml")
    let outcome = try BuiltRunner.run(
      ["run", "handled.yaml"], prefix: ["env", "-C", folder.path])
    withExtendedLifetime(folder) {}

    outcome.expectExit(0)
  }
}
