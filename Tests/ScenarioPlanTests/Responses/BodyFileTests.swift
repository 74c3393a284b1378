import Foundations
@testable import MockEngine
@testable import Patterns
@testable import ScenarioCompiler
import ScenarioModel
@testable import ScenarioPlan
import ScenarioSyntax
import Testing

@Suite("Files of replies")
struct BodyFileTests {
  private static let files: [(path: String, text: String)] = [
    ("page.html", "<p>\n  ${{ request.query.name }}, ${{ vars.who }}</p>"),
    ("bodies/a.json", "{ \"id\": \"${{ request.path.id }}\" }"), ("bodies/b.json", "b"),
    ("bodies/c.txt", "c"), ("mistake.html", "<p>\n\n a ${{ request.qery }} ${{ vars.non }}"),
    ("broken.html", "\n${{ 1 + }}"), ("tür/ä.txt", "ä"), ("tür/b.txt", "b"),
    ("links/in.txt", "in"), ("links/out.txt", "out"),
  ]

  private func plan(
    _ replies: String..., vars: String = "{ who: Ada }"
  ) throws -> (plan: ExecutionPlan?, diagnostics: [Diagnostic]) {
    let text = """
      version: 2
      target: { command: [./program, "${{ vars.who }}"] }
      vars: \(vars)
      responses:
      \(replies.enumerated().map { "  - GET https://h/\($0)/{id}: \($1)\n" }.joined())
      """
    let file = try #require(ScenarioFile.parse(text: text, path: "test.yaml").file)
    var options = PlannerOptions(
      fileExists: { path in Self.files.contains { $0.path == path } })
    options.reportsUnused = true
    options.readFile = { path in
      path == "bytes.bin"
        ? [0xFF] : Self.files.first { $0.path == path }.map { Array($0.text.utf8) }
    }
    options.realPath = { path in
      path == "links/out.txt" ? "/elsewhere/out.txt" : "/project/\(path)"
    }
    options.filesBelow = { folder in
      Self.files.map(\.path).filter { $0.hasPrefix(folder + "/") }.sorted()
    }
    return Planner.plan(files: [file], options: options)
  }

  private func body(_ reply: String) throws -> PlannedReply.Body {
    let result = try plan(reply)
    #expect(result.diagnostics.map(\.message) == [])
    return try #require(
      result.plan?.cases.first?.network?.responses.first?.replies.first?.body)
  }

  private func scope(_ path: String, id: String = "a") throws -> RequestScope<CaseScope> {
    RequestScope(
      request: IncomingRequest(
        method: "GET", target: try RequestTarget(scheme: "https", authority: "h", target: path),
        headers: [], body: []), captures: ["id": id], count: 1,
      base: CaseScope(directory: "/case"))
  }

  @Test("A file is sent as it is unless its expressions are to be filled in")
  func plain() throws {
    #expect(try body("{ file: page.html }") == .file(path: "page.html"))
    #expect(
      try body("{ file: { path: page.html, expressions: false } }") == .file(path: "page.html"))
    guard
      case .template(let text, "page.html") = try body(
        "{ file: { path: page.html, expressions: true } }")
    else {
      Issue.record("no text")
      return
    }
    #expect(try text.resolve(in: scope("/0/x?name=Bob")) == "<p>\n  Bob, Ada</p>")
  }

  @Test("A mistake in a file is told by its own line and column")
  func places() throws {
    let mistakes = try plan(
      "{ file: { path: mistake.html, expressions: true } }",
      "{ file: { path: broken.html, expressions: true } }"
    ).diagnostics
    #expect(
      mistakes.compactMap(\.range).map(\.description).sorted() == [
        "broken.html:2:9", "mistake.html:3:28", "mistake.html:3:8",
      ], "\(mistakes)")
  }

  @Test("A variable that only a file reads is read")
  func unread() throws {
    let vars = "{ who: Ada, seldom: x }"
    let unread = try plan("{ file: page.html }", vars: vars).diagnostics
    #expect(unread.map(\.message) == ["no expression reads \"vars.seldom\""])
    #expect(
      try plan("{ file: { path: page.html, expressions: true } }", vars: "{ who: Ada }")
        .diagnostics.isEmpty)
  }

  @Test(
    "A computed name stays below the folder that is written in front of it",
    arguments: [
      ("a", "bodies/a.json"), ("x", "bodies/x.json"), ("..", "bodies/...json"),
      ("sub/a", "bodies/sub/a.json"), ("../a", nil), ("/etc/a", nil), ("a/../../a", nil),
      ("./a", nil), ("a\0", nil),
    ])
  func confined(id: String, path: String?) throws {
    guard case .computedFile(let name) = try body("{ file: 'bodies/${{ request.path.id }}.json' }")
    else {
      Issue.record("no name")
      return
    }
    #expect(name.folder == "bodies")
    let scope = try scope("/0/x", id: id)
    #expect((try? name.path(in: scope)) == path)
  }

  @Test("A computed name with expressions reads the files that it can be, and needs one")
  func candidates() throws {
    guard
      case .computedFile(let name) = try body(
        "{ file: { path: 'bodies/${{ request.path.id }}.json', expressions: true } }")
    else {
      Issue.record("no name")
      return
    }
    #expect(name.texts?.keys.sorted() == ["bodies/a.json", "bodies/b.json"])
    #expect(
      try plan("{ file: { path: 'none/${{ request.path.id }}', expressions: true } }")
        .diagnostics.map(\.message) == ["no file below \"none\" can have the computed name"])
  }

  @Test(
    "The files that a name can be are found in every folder, and no link leads out of it",
    arguments: [
      ("tür/${{ request.path.id }}.txt", ["tür/b.txt", "tür/ä.txt"]),
      ("tür/b${{ request.path.id }}", ["tür/b.txt"]),
      ("links/${{ request.path.id }}.txt", ["links/in.txt"]),
    ])
  func folders(name: String, found: [String]) throws {
    guard
      case .computedFile(let name) = try body(
        "{ file: { path: '\(name)', expressions: true } }")
    else {
      Issue.record("no name")
      return
    }
    #expect(name.texts?.keys.sorted() == found)
  }

  @Test("A name that the run need not compute is one that is written out")
  func known() throws {
    #expect(try body("{ file: \"${{ 'page' }}.html\" }") == .file(path: "page.html"))
    #expect(
      try plan("{ file: \"${{ 'none' }}.html\" }").diagnostics.map(\.message)
        == ["the file \"none.html\" does not exist"])
  }
}
