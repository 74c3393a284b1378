import Testing

@Suite("Secrets")
struct SecretTests {
  private static let token = "tok/ada+lovelace"
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let program = """
    version: 2
    target:
      command: >-
        echo "plain $API_TOKEN";
        printf %s "x$API_TOKEN" | base64;
        printf %s "$API_TOKEN" | od -An -tx1 | tr -d ' \\n'; echo;
        echo tok%2Fada%2Blovelace >&2
      env: { pass: [API_TOKEN] }
    expect: { stdout: "nothing of the kind" }
    """

  /// Everything that a run leaves: both streams, and the reports.
  private func run(
    _ text: String, _ options: [String], environment: String
  ) throws -> (outcome: BuiltRunner.Outcome, everything: String) {
    let path = folder.write(text, to: "secret.yaml")
    let names = ["junit", "jsonl", "har", "tap", "ctrf"]
    let reports = names.flatMap { ["--report", "\($0)=\(folder.path)/r.\($0)"] }
    let outcome = try BuiltRunner.run(
      ["run", path] + reports + options, prefix: ["/usr/bin/env", environment])
    let texts = names.map { TemporaryFolder.read("\(folder.path)/r.\($0)") ?? "" }
    return (outcome, texts.joined(separator: "\n") + outcome.text)
  }

  private func shows(_ everything: String) -> [String] {
    [
      Self.token, "tok\\/ada+lovelace", "ada+love", "ovelace", "eHRvay9hZGErbG92ZWxhY2U",
      "746f6b2f6164", "tok%2Fada",
    ].filter { everything.contains($0) }
  }

  @Test("A variable that the file names is shown nowhere, in no form")
  func file() throws {
    let (outcome, everything) = try run(
      Self.program + "\nsecrets: { env: [API_TOKEN] }\n", [],
      environment: "API_TOKEN=\(Self.token)")

    outcome.expectExit(1)
    #expect(shows(everything) == [])
    #expect(outcome.output.contains("plain ***"), "\(outcome.text)")
  }

  @Test("So is one that the command line names")
  func option() throws {
    let (outcome, everything) = try run(
      Self.program, ["--secret", "API_TOKEN"], environment: "API_TOKEN=\(Self.token)")

    outcome.expectExit(1)
    #expect(shows(everything) == [])
  }

  @Test("What nobody calls a secret is shown: the twin of both")
  func twin() throws {
    let (outcome, everything) = try run(
      Self.program, [], environment: "API_TOKEN=\(Self.token)")

    outcome.expectExit(1)
    #expect(shows(everything).count == 7 - 1, "\(shows(everything))")
  }

  @Test("What an expression matches is shown nowhere")
  func expression() throws {
    let (outcome, everything) = try run(
      Self.program + "\nsecrets: { matches: ['tok/[a-z+]+'] }\n", [],
      environment: "API_TOKEN=\(Self.token)")

    outcome.expectExit(1)
    #expect(!everything.contains(Self.token))
    #expect(everything.contains("plain ***"))
  }

  @Test("What a used file names is a secret as well, at any depth, and checked as such")
  func used() throws {
    let secrets = "secrets: { env: [API_TOKEN], matches: ['ovel[a-z]+'] }\n"
    folder.write("version: 2\ninclude: [deep.yaml]\n", to: "shared.yaml")
    folder.write("version: 2\n" + secrets, to: "deep.yaml")
    let text = Self.program + "\ninclude: [shared.yaml]\n"
    let (outcome, everything) = try run(text, [], environment: "API_TOKEN=\(Self.token)")

    outcome.expectExit(1)
    #expect(shows(everything) == [])
    #expect(outcome.output.contains("plain ***"), "\(outcome.text)")
    let (short, _) = try run(text, [], environment: "API_TOKEN=abc")
    #expect(
      short.exitCode == 2 && short.text.contains("deep.yaml:2:18: error[E110]"), "\(short.text)")
    folder.write("version: 2\nsecrets: { matches: ['('] }\n", to: "deep.yaml")
    let (bad, _) = try run(text, [], environment: "API_TOKEN=\(Self.token)")
    #expect(bad.exitCode == 2 && bad.text.contains("deep.yaml:2:22: error[E044]"), "\(bad.text)")
  }

  @Test("A secret of the command line that is not set is reported, and what may be meant")
  func unset() throws {
    let (outcome, _) = try run(
      Self.program, ["--secret", "API_TOKN"], environment: "API_TOKEN=\(Self.token)")

    outcome.expectExit(1)
    #expect(outcome.errorOutput.contains("warning[W025]: the secret \"API_TOKN\" is not set"))
    #expect(outcome.errorOutput.contains("did you mean \"API_TOKEN\"?"), "\(outcome.text)")
    let (set, _) = try run(
      Self.program, ["--secret", "API_TOKEN"], environment: "API_TOKEN=\(Self.token)")
    #expect(!set.errorOutput.contains("W025"))
    let (empty, _) = try run(Self.program, ["--secret", "API_TOKEN"], environment: "API_TOKEN=")
    #expect(empty.errorOutput.contains("W025"), "\(empty.text)")
  }

  @Test("Wherever an excerpt or a diff is cut within a secret, no piece of it is left")
  func excerpts() throws {
    let text = """
      version: 2
      secrets: { env: [API_TOKEN] }
      target:
        command: [bash, -c, 'printf "%0*d$API_TOKEN and more" $1 0; echo; echo line', x]
        env: { pass: [API_TOKEN] }
      scenarios:
      """
    // A value is cut behind 80 characters, a line of a diff behind 400.
    let scenarios = (Array(62...80) + Array(383...401)).map { width in
      """
        - name: w\(width)
          steps: [{ run: ['\(width)'] }]
          expect: { stdout: { contains: lines, equals: "other\\nlines" } }
      """
    }
    let (outcome, everything) = try run(
      ([text] + scenarios).joined(separator: "\n") + "\n", [],
      environment: "API_TOKEN=\(Self.token)")

    outcome.expectExit(1)
    #expect(everything.contains("…") && everything.contains("***…"))
    for start in 0...(Self.token.count - 3) {
      let part = String(Self.token.dropFirst(start).prefix(3))
      // What the text around it says all the same.
      guard !["ace", "ela", "lac", "ove"].contains(part) else { continue }
      #expect(!everything.contains(part), "\(part)")
    }
  }

  @Test("The last events of a failure show no secret, also where a text is cut within one")
  func lastEvents() throws {
    let text = """
      version: 2
      secrets: { env: [API_TOKEN] }
      target:
        command: [bash, -c, 'printf "%0*d$API_TOKEN" $1 0; curl -s "http://a.test/?k=$API_TOKEN"', x]
        env: { pass: [API_TOKEN] }
      responses: [{ request: GET http://a.test/, reply: [{ text: ok }], then: repeat }]
      scenarios:
      """
    // A line is cut behind 160 characters, a piece of output behind 400 bytes.
    let scenarios = [10, 145, 150, 153, 159, 386, 391, 399].map { width in
      "  - { name: w\(width), steps: [{ run: ['\(width)'] }], expect: { exit: 77 } }"
    }
    let (outcome, everything) = try run(
      ([text] + scenarios).joined(separator: "\n") + "\n", [],
      environment: "API_TOKEN=\(Self.token)")

    #expect(outcome.output.contains("last events:"), "\(outcome.text)")
    #expect(outcome.output.contains("http://a.test/?k=*** →"), "\(outcome.text)")
    #expect(shows(everything) == [])
    #expect(!everything.contains("tok/ad"))
  }

  @Test("A value that is too short is refused before anything runs")
  func short() throws {
    let (outcome, _) = try run(
      Self.program + "\nsecrets: { env: [API_TOKEN] }\n", [], environment: "API_TOKEN=abc")

    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains("secret.yaml:10:18: error[E110]"), "\(outcome.text)")
    #expect(outcome.errorOutput.contains("too short"))
    let unset = try BuiltRunner.run(["check", "\(folder.path)/secret.yaml"])
    unset.expectExit(0)
  }

  @Test("Mistakes of a file are reported without secrets")
  func mistakes() throws {
    let text =
      "version: 2\nsecrets: { env: [API_TOKEN] }\ntarget: { command: [a], x: \(Self.token) }\n"
    for arguments in [["check"], ["check", "--format", "json"], ["plan"], ["run"]] {
      let path = folder.write(text, to: "bad.yaml")
      let outcome = try BuiltRunner.run(
        arguments + [path], prefix: ["/usr/bin/env", "API_TOKEN=\(Self.token)"])

      outcome.expectExit(2)
      #expect(shows(outcome.text) == [], "\(outcome.text)")
      #expect(outcome.text.contains("unknown key"))
    }
  }

  @Test("A plan is printed without secrets")
  func plan() throws {
    let text =
      "version: 2\nsecrets: { env: [API_TOKEN] }\ntarget: { command: [echo, \(Self.token)] }\n"
    let path = folder.write(text, to: "plan.yaml")
    let outcome = try BuiltRunner.run(
      ["plan", path], prefix: ["/usr/bin/env", "API_TOKEN=\(Self.token)"])

    outcome.expectExit(0)
    #expect(outcome.output.contains("***"), "\(outcome.text)")
    #expect(shows(outcome.text) == [])
  }

  @Test("What is no expression, and what is no variable's name, is reported with its place")
  func badSettings() throws {
    func check(_ secrets: String) throws -> BuiltRunner.Outcome {
      let text = "version: 2\nsecrets: \(secrets)\ntarget: { command: [a] }\n"
      let outcome = try BuiltRunner.run(["check", folder.write(text, to: "bad.yaml")])
      outcome.expectExit(2)
      return outcome
    }
    #expect(
      try check("{ matches: ['('] }").text.contains("bad.yaml:2:22: error[E044]"))
    let names = try check("{ env: [a=b], nme: [x] }")
    #expect(names.text.contains("\"a=b\" cannot name an environment variable"))
    #expect(names.text.contains("unknown key \"nme\""))
  }
}
