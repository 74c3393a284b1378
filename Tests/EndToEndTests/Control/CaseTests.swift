import Glibc
import Testing

@Suite("Cases: matrix, skip, only, capture, list")
struct CaseTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func scenario(
    _ command: [String], _ text: String, prefix: [String] = [],
    at place: String = ""
  ) throws -> BuiltRunner.Outcome {
    let path = folder.write("version: 2\n" + text, to: "cases.yaml")
    return try BuiltRunner.run(
      [command[0], path + place] + command.dropFirst(), prefix: prefix)
  }

  private static let matrix = """
    target: { command: [echo, "${{ matrix.plan }} costs ${{ matrix.price }}"] }
    matrix:
      - { plan: basic, price: 1 }
      - { plan: pro, price: 2 }
    expect: { stdout: "pro costs 2" }
    """

  @Test("Each row is a case with its own name, folder and report, and one fails alone")
  func rows() throws {
    let report = "\(folder.path)/report.xml"
    let outcome = try scenario(["run", "--report", "junit=\(report)"], Self.matrix)

    outcome.expectExit(1)
    #expect(outcome.output.contains("cases [plan=basic, price=1]"))
    #expect(outcome.output.contains("1 passed, 1 failed"))
    let xml = TemporaryFolder.read(report) ?? ""
    #expect(xml.contains("name=\"cases [plan=basic, price=1]\""))
    #expect(xml.contains("name=\"cases [plan=pro, price=2]\""))
    #expect(xml.contains("failures=\"1\""))
  }

  @Test("The command that reproduces a row runs that row alone, and fails as it did")
  func reproduction() throws {
    let outcome = try scenario(["run"], Self.matrix)
    let line = outcome.output.split(separator: "\n").first { $0.hasPrefix("reproduce: ") }
    let command = try #require(line).dropFirst("reproduce: scenario ".count)
    let again = try BuiltRunner.run(
      [], prefix: ["sh", "-c", "exec \"$0\" \(command)"])

    again.expectExit(1)
    #expect(again.output.contains("0 passed, 1 failed"), "\(again.text)")
  }

  @Test("A line picks the row that is written there")
  func lines() throws {
    let good = try scenario(["run"], Self.matrix, at: ":5")
    good.expectExit(0)
    #expect(good.output.contains("1 passed, 0 failed"))
    let bad = try scenario(["run"], Self.matrix, at: ":4")
    bad.expectExit(1)
  }

  @Test("Mistakes of a matrix are told by every command before anything runs")
  func matrixMistakes() throws {
    let text = "target: { command: [echo, \"${{ matrix.plann }}\"] }\nmatrix: { plan: [a, b] }\n"
    for command in ["run", "check", "plan"] {
      let outcome = try scenario([command], text)
      outcome.expectExit(2)
      #expect(outcome.errorOutput.contains("cases.yaml:2:32: error[E052]:"), "\(outcome.text)")
      #expect(outcome.errorOutput.contains("\"plann\""))
      #expect(outcome.errorOutput.contains("plan"))
    }
  }

  @Test("What is skipped is reported with its reason everywhere, and is no failure")
  func skip() throws {
    let text = """
      target: { command: ["false"] }
      scenarios:
        - { name: later, skip: waits for billing }
        - { name: never, matrix: { n: [1, 2] }, skip: { if: "${{ matrix.n > 0 }}", reason: too small } }
      """
    let report = "\(folder.path)/report.xml"
    let events = "\(folder.path)/events.jsonl"
    let outcome = try scenario(
      ["run", "--report", "junit=\(report)", "--report", "jsonl=\(events)"], text)

    outcome.expectExit(0)
    #expect(outcome.output.contains("later: waits for billing"))
    #expect(outcome.output.contains("0 passed, 0 failed, 3 skipped"))
    let xml = TemporaryFolder.read(report) ?? ""
    #expect(xml.contains("<skipped message=\"waits for billing\"/>"), "\(xml)")
    #expect(xml.contains("skipped=\"3\""))
    let lines = TemporaryFolder.read(events) ?? ""
    #expect(lines.contains("\"reason\":\"waits for billing\""), "\(lines)")
    #expect(!lines.contains("processStarted"))

    let half = try scenario(["run"], text.replacing("> 0", with: "> 1"))
    half.expectExit(1)
    #expect(half.output.contains("0 passed, 1 failed, 2 skipped"))
  }

  @Test("A row that is left out may have values that do not fit")
  func skippedValues() throws {
    let text = """
      target: { command: [sh, -c, "exit ${{ matrix.code }}"] }
      matrix: { code: [0, 3, 256] }
      skip: { if: "${{ matrix.code > 255 }}", reason: no such code }
      expect: { exit: "${{ matrix.code }}" }
      """
    let outcome = try scenario(["run"], text)
    outcome.expectExit(0)
    #expect(outcome.output.contains("2 passed, 0 failed, 1 skipped"))
    let refused = try scenario(["check"], text.replacing("> 255", with: "> 256"))
    refused.expectExit(2)
  }

  @Test("A skip without a reason is refused, with the way to say it")
  func skipMistakes() throws {
    let outcome = try scenario(["check"], "target: { command: [date] }\nskip: true\n")
    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains("cases.yaml:3:7: error[E023]:"))
    #expect(outcome.errorOutput.contains("write the reason"))
  }

  private static let only = """
    target: { command: ["true"] }
    scenarios:
      - { name: a, target: { command: ["false"] } }
      - { name: b, only: true }
    """

  @Test("Only what is marked runs, with a notice; an automatic build refuses it")
  func only() throws {
    let outcome = try scenario(["run"], Self.only)
    outcome.expectExit(0)
    #expect(outcome.errorOutput.contains("\"only\" skips 1 other case"))
    #expect(outcome.output.contains("1 passed, 0 failed"))

    for command in ["run", "check", "plan"] {
      let refused = try scenario([command], Self.only, prefix: ["env", "CI=true"])
      refused.expectExit(2)
      #expect(refused.errorOutput.contains("cases.yaml:5:22: error[E037]:"), "\(refused.text)")
    }
    let allowed = try scenario(["run", "--allow-only"], Self.only, prefix: ["env", "CI=true"])
    allowed.expectExit(0)
    let elsewhere = try scenario(["run"], Self.only, prefix: ["env", "CI=false"])
    elsewhere.expectExit(0)
    let all = try scenario(["check"], Self.only)
    #expect(all.output.contains("2 scenarios"), "\(all.text)")
  }

  @Test("A list names each case with its line, tags and row, for people and for programs")
  func list() throws {
    let text = """
      target: { command: [there-is-no-such-program] }
      scenarios:
        - name: a
          tags: [smoke]
          matrix:
            - { n: 1 }
            - { n: 2 }
        - { name: b, skip: later }
      """
    let outcome = try scenario(["list"], text)
    let path = "\(folder.path)/cases.yaml"
    outcome.expectExit(0)
    #expect(
      outcome.output == """
        \(path):7  a [n=1]  #smoke
        \(path):8  a [n=2]  #smoke
        \(path):9  b  (skipped: later)

        """)
    let json = try scenario(["list", "--format", "json", "--filter", "n=2"], text)
    #expect(
      json.output == """
        [
          {"file":"\(path)","line":8,"name":"a [n=2]","tags":["smoke"],"scenario":"a","matrix":{"n":2}}
        ]

        """)
    let broken = try scenario(["list"], text + "\nnmae: x")
    broken.expectExit(2)
    let none = try scenario(["list", "--filter", "zzz"], text)
    none.expectExit(4)
  }

  @Test("A captured text is known in later steps, replies and expectations")
  func capture() throws {
    let text = """
      target:
        command: [sh, -c, 'echo "token=$$ ready"; read a; echo "got $a"; echo "late=7" >&2']
      steps:
        - start:
        - wait: { stdout: ready }
        - capture: { token: { stdout: 'token=(\\S+)' } }
        - send: "${{ capture.token }}\\n"
        - wait: exit
          expect: { stdout: { contains: "got ${{ capture.token }}" } }
        - capture: { late: { stderr: 'late=(.)' } }
      expect: { stderr: "late=${{ int(capture.late) + 0 }}" }
      """
    let outcome = try scenario(["run"], text)
    outcome.expectExit(0)

    let wrong = try scenario(["run"], text.replacing("+ 0", with: "+ 1"))
    wrong.expectExit(1)
    let missing = try scenario(["run"], text.replacing("'token=(", with: "'tokens=("))
    missing.expectExit(1)
    #expect(
      missing.output.contains("\"token\" is not captured: stdout does not match"), "\(missing.text)"
    )
    #expect(missing.output.split(separator: "  token=").count == 2, "\(missing.text)")
  }

  @Test("What the target printed as JSON is captured with its type")
  func captureJSON() throws {
    let text = """
      target:
        command: [sh, -c, 'echo starting; echo "{\\"user\\": {\\"id\\": 41}}"; echo "[2]" >&2; echo "$@"', x]
      steps:
        - run:
        - capture: { user: { stdout: { json: $.user } }, two: { stderr: { json: "$[0]" } } }
        - run: ["${{ capture.user.id + 1 }}", "${{ json(capture.user) }}"]
          expect: { stdout: { contains: '42 {"id":41}' } }
      """
    let outcome = try scenario(["run"], text)
    outcome.expectExit(0)

    let missing = try scenario(["run"], text.replacing("json: $.user", with: "json: $.owner"))
    missing.expectExit(1)
    #expect(
      missing.output.contains(
        "\"user\" is not captured: stdout has nothing at $.owner: it is {\"user\":{\"id\":41}}"),
      "\(missing.text)")
  }

  @Test("A reply gives back what was captured before it was asked for")
  func captureInReplies() throws {
    let text = """
      target:
        command: [sh, -c, 'echo token=abc; read a; curl -s http://api.test/']
      responses: [{ GET http://api.test/: { text: "for ${{ capture.token }}" } }]
      steps:
        - start:
        - wait: { stdout: token }
        - capture: { token: { stdout: 'token=(\\S+)' } }
        - send: "\\n"
        - wait: exit
      expect: { stdout: { contains: for abc } }
      """
    let outcome = try scenario(["run"], text)
    outcome.expectExit(0)
    let wrong = try scenario(["run"], text.replacing("echo token=abc", with: "echo token=abd"))
    wrong.expectExit(1)
  }
}
