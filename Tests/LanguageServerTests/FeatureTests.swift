import Foundations
@testable import LanguageServer
import ScenarioSyntax
import Testing

@Suite("What an editor shows of a document")
struct FeatureTests {
  private static let head = "version: 1\ntarget: { command: [x] }\n"

  private func messages(_ diagnostics: [Value]?) -> [String] {
    diagnostics?.compactMap { $0.member("message")?.stringValue } ?? []
  }

  // MARK: - Mistakes

  @Test("Mistakes are told with code, place and help, in the units of the client")
  func mistakes() throws {
    var session = try EditorSession()
    session.open(Self.head + "expect: { stdout: \"😀\", exitt: 0 }\n")
    let found = try #require(session.published()[EditorSession.address("a.yaml")]?.first)

    #expect(found.member("code") == .string("E021"))
    #expect(found.member("severity") == .integer(1))
    #expect(
      found.member("range")?.jsonText()
        == #"{"start":{"line":2,"character":24},"end":{"line":2,"character":29}}"#)
    #expect(messages([found])[0].contains("help: did you mean \"exit\"?"))
  }

  @Test("A text without mistakes is told to have none")
  func none() throws {
    var session = try EditorSession()
    session.open(Self.head + "expect: { exit: 0 }\n")

    #expect(session.published() == [EditorSession.address("a.yaml"): []])
    #expect(!session.server.hasWork)
  }

  @Test(
    "Nothing is said of the YAML of other programs, and of scenario files with unknown keys all is",
    arguments: [
      ("version: '3'\nservices:\n  web:\n    image: nginx\n", true),
      ("name: ci\non: [push]\njobs:\n  a:\n    steps: []\n", true),
      ("apiVersion: v1\nkind: Pod\n", true), ("trigger: [main]\nsteps:\n- script: make\n", true),
      ("version: 2\ntargt: { command: [x] }\nexpect: { exit: 0 }\n", false),
      ("target: { command: [x] }\nclock:\n  att: 2026-01-01\n", false),
      ("version: 2\nname: 3\nsteps: 4\n", false),
    ])
  func foreign(text: String, isForeign: Bool) throws {
    var session = try EditorSession()
    session.open(text)
    let found = try #require(session.published()[EditorSession.address("a.yaml")])

    #expect(found.isEmpty == isForeign, "\(messages(found))")
    #expect(try session.completions(text + "‸").isEmpty == isForeign)
  }

  @Test("What planning finds is told as well")
  func planning() throws {
    var session = try EditorSession()
    session.open(Self.head + "steps: [{ run: [\"${{ build.nobody }}\"] }]\n")

    #expect(
      messages(session.published()[EditorSession.address("a.yaml")]).contains {
        $0.hasPrefix("\"build\" has no object \"nobody\"")
      })
  }

  @Test("A mistake of a used file stands where it is used, and leads there")
  func usedFile() throws {
    var session = try EditorSession(disk: ["base.yaml": "version: 1\nfactoriez: {}\n"])
    session.open(Self.head + "include: [base.yaml]\nexpect: { exit: 0 }\n")
    let found = try #require(session.published()[EditorSession.address("a.yaml")]?.first)

    #expect(found.at("range", "start", "line") == .integer(2))
    let related = found.member("relatedInformation")?.listValue?.first
    #expect(related?.at("location", "uri") == .string(EditorSession.address("base.yaml")))
    #expect(related?.at("location", "range", "start", "line") == .integer(1))
  }

  @Test("A used file counts as it is in the editor, and its users are looked at again")
  func unsaved() throws {
    var session = try EditorSession(disk: ["base.yaml": "version: 1\n"])
    let user = EditorSession.address("a.yaml")
    session.open(
      Self.head
        + "include: [base.yaml]\nbuild: { me: { $build: user } }\nsteps: [{ run: [\"${{ build.me.a }}\"] }]\n"
    )
    #expect(messages(session.published()[user]).count == 1)

    session.open(
      "version: 1\nfactories: { user: { fields: { a: x } } }\n", path: "base.yaml")
    #expect(session.published()[user] == [])

    _ = session.tell(
      "textDocument/didClose",
      .object(["textDocument": .object(["uri": .string(EditorSession.address("base.yaml"))])]))
    #expect(messages(session.published()[user]).count == 1)
  }

  // MARK: - Hover

  @Test(
    "A word is explained by what the language says of it",
    arguments: [
      ("ste‸ps: []\n", "Actions and expectations, performed in order."),
      ("expect: { std‸out: x }\n", "Standard output."),
      ("network: { mode: off‸line }\n", "the mock server answers, and nothing leaves the machine"),
      ("name: \"${{ low‸er('A') }}\"\n", "lower(text)"),
      ("name: \"${{ mat‸rix.a }}\"\n", "A value of the row."),
      ("expect: { std‸out: [\n", "Standard output."),
    ])
  func hover(text: String, meaning: String) throws {
    var session = try EditorSession()
    let hover = try session.ask("hover", in: Self.head + text)
    let shown = hover.at("contents", "value")?.stringValue ?? ""

    #expect(shown.contains(meaning), "\(shown)")
  }

  @Test("A name is explained by its definition")
  func hoverOfName() throws {
    var session = try EditorSession()
    let hover = try session.ask(
      "hover",
      in: Self.head
        + "factories:\n  user:\n    fields: { a: 1 }\n  other: { fields: {} }\nbuild: { me: { $build: us‸er } }\n"
    )
    let shown = hover.at("contents", "value")?.stringValue ?? ""

    #expect(shown.contains("**user**: a factory, defined in line 4"))
    #expect(shown.contains("```yaml\n  user:\n    fields: { a: 1 }\n```"), "\(shown)")
  }

  @Test(
    "Where nothing stands, nothing is explained",
    arguments: ["‸", "version: 1‸ \n \n", "# no‸te\n"])
  func noHover(text: String) throws {
    var session = try EditorSession()
    #expect(try session.ask("hover", in: text.replacing("1‸ ", with: "1 ‸ ")) == .null)
  }

  // MARK: - Actions

  private func actions(_ text: String, only: [String]? = nil) throws -> [Value] {
    var session = try EditorSession()
    session.open(text)
    let end = EditorPosition(line: 999, character: 0)
    let range = EditorRange(start: EditorPosition(line: 0, character: 0), end: end)
    let result = try session.ask(
      "textDocument/codeAction",
      .object([
        "textDocument": .object(["uri": .string(EditorSession.address("a.yaml"))]),
        "range": range.value,
        "context": .object([
          "diagnostics": .list([]), "only": only.map { .list($0.map { .string($0) }) },
        ]),
      ]))
    // What was looked up for the answer is still told in its turn.
    #expect(session.server.hasWork)
    return result.listValue ?? []
  }

  @Test("What leaves nothing to decide is preferred, and mended as one; a guess is called one")
  func grades() throws {
    let text = Self.head + "Expect: { exit: 0 }\nsteqq: []\n"
    let actions = try actions(text)
    func action(_ title: String) -> Value? {
      actions.first { $0.member("title")?.stringValue?.contains(title) == true }
    }

    #expect(action("\"expect\"")?.member("isPreferred") == .bool(true))
    #expect(action("\"steps\"")?.member("isPreferred") == nil)
    #expect(action("\"steps\"")?.member("title")?.stringValue?.hasPrefix("perhaps: ") == true)
    let all = try #require(action("apply the certain fix"))
    #expect(all.member("kind") == .string("source.fixAll.scenario"))
    let edit = all.at("edit", "changes", EditorSession.address("a.yaml"))?.listValue?.first
    #expect(edit?.member("newText") == .string(text.replacing("Expect", with: "expect")))
  }

  @Test("Only the kinds that are asked for are offered")
  func kinds() throws {
    let text = Self.head + "Expect: { exit: 0 }\n"

    #expect(
      try actions(text, only: ["source.fixAll"]).compactMap { $0.member("kind") }
        == [.string("source.fixAll.scenario")])
    #expect(
      try actions(text, only: ["quickfix"]).compactMap { $0.member("kind") }
        == [.string("quickfix")])
    #expect(try actions(text, only: ["refactor"]).isEmpty)
    #expect(try actions(Self.head + "expect: { exit: 0 }\n").isEmpty)
  }

  // MARK: - Outline

  @Test("Scenarios, steps and definitions are the outline; broken text has one as far as it goes")
  func symbols() throws {
    func names(_ value: Value?) -> [String] {
      value?.listValue?.flatMap { symbol in
        [symbol.member("name")?.stringValue ?? ""]
          + names(symbol.member("children")).map { " " + $0 }
      } ?? []
    }
    var session = try EditorSession()
    session.open(
      "version: 1\nscenarios:\n  - name: first\n    steps: [{ run: }, { tick: 1h }]\n  - seed: 3\n")
    let whole = names(try session.ask(about: "a.yaml", "documentSymbol"))
    session.open("version: 1\nscenarios:\n  - name: first\n  - name: [\n")
    let broken = names(try session.ask(about: "a.yaml", "documentSymbol"))

    #expect(
      whole == ["version", "scenarios", " first", "  name", "  steps", " seed: 3", "  seed"])
    #expect(broken.starts(with: ["version", "scenarios", " first"]))
  }

  @Test("Each scenario has a run, a file without any has none")
  func lenses() throws {
    func titles(_ text: String) throws -> [String] {
      var session = try EditorSession()
      session.open(text)
      return try session.ask(about: "a.yaml", "codeLens").listValue?.compactMap {
        $0.at("command", "title")?.stringValue
      } ?? []
    }

    #expect(
      try titles("version: 1\nscenarios:\n  - name: a\n  - name: b\n") == [
        "scenario run a.yaml:3", "scenario run a.yaml:4",
      ])
    #expect(try titles(Self.head + "expect: { exit: 0 }\n") == ["scenario run a.yaml:3"])
    #expect(try titles("version: 1\nfactories: {}\n") == [])
  }

  // MARK: - Formatting

  @Test(
    "A document is formatted as \"scenario fmt\" does it, whatever the lines that differ",
    arguments: [
      "version: 1\ntarget:   {command: [x]}\nexpect: {exit: 0}\n",
      "expect: { exit: 0 }\nversion: 1\n\n\n\ntarget: { command: [x] }",
      "version: 1\r\ntarget:   { command: [x] }\r\n",
      "version:    1\n",
      head,
    ])
  func formats(text: String) throws {
    var session = try EditorSession()
    session.open(text)
    let edits = try #require(try session.ask(about: "a.yaml", "formatting").listValue)
    var changed = DocumentText(text)
    for edit in edits {
      let range = try #require(EditorRange(edit.member("range")))
      changed.replace(range, with: edit.member("newText")?.stringValue ?? "", .utf16)
    }

    guard case .formatted(let wanted) = ScenarioFormatter.format(bytes: Array(text.utf8), path: "a")
    else {
      Issue.record("it cannot be formatted")
      return
    }
    #expect(changed.text == wanted)
    #expect(edits.isEmpty == (wanted == text))
  }

  @Test("What cannot be read is left as it is")
  func leaves() throws {
    var session = try EditorSession()
    session.open("version: [\n")

    #expect(try session.ask(about: "a.yaml", "formatting") == .null)
  }
}
