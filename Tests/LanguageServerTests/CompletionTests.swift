import Foundations
@testable import LanguageServer
import Testing

@Suite("What is offered while somebody writes")
struct CompletionTests {
  /// A text with a cursor, what is offered there, and what is not.
  struct Sample: Sendable, CustomTestStringConvertible {
    var text: String
    var offered: [String]
    var absent: [String] = []

    var testDescription: String { text.split(separator: "\n").last.map(String.init) ?? "" }
  }

  private static let factories = """
    version: 1
    factories:
      user:
        aliases: [person]
        fields: { name: Ada, mail: a@b }
        traits: { admin: { fields: { role: admin } } }
      account:
        extends: user
        fields: { plan: free }
        traits: { paid: { fields: { plan: gold } } }
      order: { fields: { total: 1 }, traits: { big: { fields: { total: 100 } } } }

    """

  static let samples = [
    Sample(text: "‸", offered: ["version", "target", "scenarios"], absent: ["run", "contains"]),
    Sample(text: "version: 1\nst‸", offered: ["steps"], absent: ["version"]),
    Sample(text: "version: 1\n‸\nsteps: []\n", offered: ["target"], absent: ["steps", "version"]),
    Sample(text: "steps:\n  - ‸", offered: ["run", "tick", "expect"], absent: ["steps"]),
    Sample(text: "steps:\n- ‸", offered: ["run", "tick"], absent: ["steps"]),
    Sample(text: "steps:\n  - run:\n    ‸", offered: ["expect"], absent: ["run", "tick"]),
    Sample(text: "steps:\n  - run:\n    expect:\n      ‸", offered: ["exit", "stdout"]),
    Sample(text: "expect: { ‸", offered: ["exit", "stdout"]),
    Sample(text: "expect: { exit: 0, std‸ }", offered: ["stdout", "stderr"], absent: ["exit"]),
    Sample(text: "expect: { ‸, exit: 0 }", offered: ["stdout"], absent: ["exit"]),
    Sample(
      text: "expect: { stdout: { ‸ } }", offered: ["contains", "matches"], absent: ["stdout"]),
    Sample(text: "expect:\n  stdout: {\n    ‸", offered: ["contains"], absent: ["stdout"]),
    Sample(text: "network:\n  mode: ‸", offered: ["offline", "live"], absent: ["mode"]),
    Sample(text: "network: { mode: o‸", offered: ["offline"]),
    Sample(text: "network: { mode: \"o‸", offered: ["offline"]),
    Sample(text: "steps:\n  - stop:\n  - tick: ‸", offered: ["idle", "next", "3s"]),
    Sample(text: "only: ‸", offered: ["true", "false"]),
    Sample(text: "responses:\n  - request: GET https://x.test/\n    ‸", offered: ["reply"]),
    Sample(
      text: "responses:\n  - request: GET https://x.test/\n    reply: { ‸",
      offered: ["status", "json"], absent: ["request"]),
    Sample(text: "responses:\n  - GET https://x.test/a: { ‸", offered: ["status", "json"]),
    Sample(text: factories + "build: { me: { $build: ‸", offered: ["user", "person", "order"]),
    Sample(
      text: factories + "build:\n  me:\n    $build: user\n    traits: ‸", offered: ["admin"],
      absent: ["big", "paid"]),
    Sample(
      text: factories + "build: { me: { $build: account, traits: [ad‸",
      offered: ["admin", "paid"], absent: ["big"]),
    Sample(text: factories + "build: { me: { ‸", offered: ["$build", "$seq"]),
    Sample(
      text: "chaos: [{ name: full, call: write, provide: { error: ENOSPC } }]\n"
        + "steps:\n  - revert: ‸", offered: ["full"]),
    Sample(
      text: "chaos: [{ name: full, call: write, provide: { error: ENOSPC } }]\n"
        + "expect: { chaos: { ‸", offered: ["full"]),
    Sample(
      text: "targets: { api: { command: [x] }, db: { command: [y] } }\nsteps:\n  - start: ‸",
      offered: ["api", "db"]),
    Sample(
      text: "responses: [{ GET https://x.test/a: { json: {} } }]\n"
        + "expect: { requests: [{ request: ‸", offered: ["GET https://x.test/a"]),
    // Expressions.
    Sample(text: "name: ${{ ‸", offered: ["build", "matrix", "lower"], absent: ["steps"]),
    Sample(
      text: factories + "build: { me: { $build: account } }\nsteps:\n  - send: \"${{ build.‸ }}\"",
      offered: ["me"], absent: ["lower"]),
    Sample(
      text: factories
        + "build: { me: { $build: account } }\nsteps:\n  - send: \"${{ build.me.‸ }}\"",
      offered: ["plan", "name", "mail"], absent: ["total"]),
    Sample(
      text: "steps:\n  - capture: { token: { stdout: x } }\n  - send: \"${{ capture.‸ }}\"",
      offered: ["token"]),
    Sample(text: "matrix: { who: [a, b] }\nsteps:\n  - send: ${{ matrix.‸", offered: ["who"]),
    Sample(
      text: "vars: { port: { type: integer }, host: a }\nsteps:\n  - send: ${{ vars.‸",
      offered: ["port", "host"], absent: ["type"]),
    Sample(
      text: "blocks: { login: { params: [user], steps: [] } }\nsteps:\n  - block: ‸",
      offered: ["login"], absent: ["user"]),
    Sample(
      text: "sequences: { ids: 1 }\nbuild: { me: { id: { $seq: ‸", offered: ["ids"]),
    // Names of version 1 are understood where they stand, and not offered.
    Sample(
      text: factories + "build:\n  me:\n    $build: user\n    trait: ‸", offered: ["admin"],
      absent: ["big", "paid"]),
    Sample(text: "steps:\n  - send: \"${{ clock.‸", offered: ["now", "unix"]),
    Sample(
      text: "target:\n  command: [x]\n  env: { HOST: a }\nsteps:\n  - send: \"${{ env.‸",
      offered: ["HOST"]),
    // Where nothing is to be offered.
    Sample(text: "name: x # ‸", offered: [], absent: ["version", "true"]),
    Sample(text: "target:\n  stdin: |\n    ‸", offered: [], absent: ["command", "version"]),
    Sample(text: "name: done ${{ build.x }} ‸", offered: [], absent: ["lower", "build"]),
  ]

  @Test("Each place has its own words, whether the file can be read or not", arguments: samples)
  func offers(sample: Sample) throws {
    var session = try EditorSession()
    let labels = Value.list(try session.completions(sample.text)).labels

    for word in sample.offered { #expect(labels.contains(word), "\(labels)") }
    for word in sample.absent { #expect(!labels.contains(word), "\(labels)") }
    #expect(Set(labels).count == labels.count, "\(labels)")
    if sample.offered.isEmpty { #expect(labels.isEmpty, "\(labels)") }
  }

  @Test("Names of used files are offered, their own scenario's first")
  func used() throws {
    var session = try EditorSession(disk: [
      "base.yaml": "version: 1\nfactories: { shared: { fields: { a: 1 } } }\n"
    ])
    let items = try session.completions(
      """
      version: 1
      include: [base.yaml]
      scenarios:
        - name: one
          factories: { own: { fields: { a: 1 } } }
          build: { me: { $build: ‸ } }
        - name: two
          factories: { other: { fields: { a: 1 } } }
      """)

    #expect(Value.list(items).labels == ["own", "shared"])
    #expect(items.last?.member("detail") == .string("factory, base.yaml"))
  }

  @Test("What was known stays while the text cannot be read")
  func remembers() throws {
    var session = try EditorSession()
    let text = "version: 1\nbuild: { me: { $build: } }\nfactories:\n  user: { fields: { a: 1 } }\n"
    session.open(text)
    let address = EditorSession.address("a.yaml")
    _ = session.tell(
      "textDocument/didChange",
      .object([
        "textDocument": .object(["uri": .string(address), "version": .integer(2)]),
        "contentChanges": .list([
          .object(["text": .string(text.replacing("$build: } }", with: "$build: [ } }"))])
        ]),
      ]))
    let position = EditorPosition(line: 1, character: 23)
    let result = try session.ask(
      "textDocument/completion", .map(session.place("a.yaml", position)))

    #expect(result.member("items")?.labels.contains("user") == true)
  }

  @Test("A key is written with its colon, and once")
  func colons() throws {
    var session = try EditorSession()
    func text(_ items: [Value], _ label: String) -> Value? {
      items.first { $0.member("label") == .string(label) }?.at("textEdit", "newText")
    }

    #expect(text(try session.completions("se‸"), "seed") == .string("seed: "))
    #expect(text(try session.completions("st‸"), "steps") == .string("steps:"))
    #expect(text(try session.completions("st‸: []"), "steps") == .string("steps"))
    #expect(text(try session.completions("network: { mode:‸"), "live") == .string(" live"))
  }

  @Test("What is offered stands in for what was written of it")
  func ranges() throws {
    var session = try EditorSession()
    let item = try #require(
      try session.completions("name: 😀\nnetwork: { mode: of‸ }").first {
        $0.member("label") == .string("offline")
      })

    #expect(
      item.at("textEdit", "range")?.jsonText()
        == #"{"start":{"line":1,"character":17},"end":{"line":1,"character":19}}"#)
  }

  @Test("Snippets are for clients that fill them in")
  func snippets() throws {
    let text = "version: 1\ntarget: ‸"
    let takes = Value.object([
      "textDocument": .object([
        "completion": .object(["completionItem": .object(["snippetSupport": .bool(true)])])
      ])
    ])
    var plain = try EditorSession()
    var filling = try EditorSession(capabilities: takes)

    #expect(try plain.completions(text).allSatisfy { $0.member("insertTextFormat") == nil })
    #expect(try filling.completions(text).contains { $0.member("insertTextFormat") == .integer(2) })
  }

  @Test("Every place of a text has an answer, and quickly enough to look at all")
  func everywhere() throws {
    let text = Self.samples.map(\.text).joined(separator: "\n").replacing("‸", with: "")
    var session = try EditorSession()
    session.open(text)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (line, content) in lines.enumerated() {
      for character in stride(from: 0, through: content.utf16.count, by: 3) {
        let place = session.place("a.yaml", EditorPosition(line: line, character: character))
        _ = try session.ask("textDocument/completion", .map(place))
        _ = try session.ask("textDocument/hover", .map(place))
      }
    }
  }
}
