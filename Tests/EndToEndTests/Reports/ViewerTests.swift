import FoundationEssentials
import Glibc
import Testing

@Suite("The HTML report of a real run, and what is copied from it", .serialized)
struct ViewerTests {
  private static func scenario(_ command: String, responses: String) -> String {
    """
    version: 2
    name: buys a book
    clock: { flow: auto }
    target: { command: [bash, -c, "\(command)"] }
    responses:
    \(responses)
    expect: { stdout: "first\\nTAPL 7\\nlast\\n" }
    """
  }

  private static let ask =
    #"echo first; curl -s --json '{\"book\": 7}' 'http://shop.test/orders?q=a%20b' | jq -r '\"\\(.title) \\(.id)\"'; echo last"#

  private static let entry = """
      - request: { method: POST, url: "http://shop.test/orders", query: { q: a b } }
        reply: { status: 201, after: 3s, json: { id: 7, title: TAPL, note: "${{ 'a' }} b" }, headers: { x-a: [one, "two: 2"] } }
    """

  private static func run(
    _ text: String, report: String = "html", in folder: TemporaryFolder
  ) throws -> BuiltRunner.Outcome {
    let path = folder.write(text, to: "shop.yaml")
    return try BuiltRunner.run([
      "run", path, "--report", "\(report)=\(folder.path)/report.\(report)",
    ])
  }

  private static func look(_ page: String, _ steps: [String]) throws -> [String] {
    let outcome = try BuiltRunner.command(
      ["python3", "\(BuiltRunner.root)/Tests/Browser/look.py", page] + steps)
    try #require(outcome.exitCode == 0, "\(outcome.text)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  private static func decoded(_ json: String) throws -> String {
    try JSONDecoder().decode(String.self, from: Data(json.utf8))
  }

  private static let form = ".request [aria-label=form] button"

  @Test("The entry of responses that is copied answers the target as the scenario's own did")
  func yaml() throws {
    let folder = try TemporaryFolder()
    let first = try Self.run(Self.scenario(Self.ask, responses: Self.entry), in: folder)
    first.expectExit(0)
    let lines = try Self.look(
      "\(folder.path)/report.html",
      [
        "key:Enter", "click:.request-head", "click:\(Self.form):nth-child(3)",
        "eval:document.querySelector('.form pre').textContent",
      ])
    let entry = try Self.decoded(lines[0])
    let indented = entry.split(separator: "\n").map { "  \($0)\n" }.joined()

    let again = try Self.run(Self.scenario(Self.ask, responses: indented), in: folder)
    #expect(again.exitCode == 0, "\(entry)\n\(again.text)")
    #expect(again.output.contains("3s virtual"), "\(again.text)")
    // The twin: it is the entry that answers.
    let other = try Self.run(
      Self.scenario(Self.ask, responses: indented.replacing("TAPL", with: "SICP")), in: folder)
    other.expectExit(1)
  }

  @Test("The command of curl that is copied asks what the target asked")
  func curl() throws {
    let folder = try TemporaryFolder()
    _ = try Self.run(Self.scenario(Self.ask, responses: Self.entry), in: folder)
    let lines = try Self.look(
      "\(folder.path)/report.html",
      [
        "key:Enter", "click:.request-head", "click:\(Self.form):nth-child(2)",
        "eval:document.querySelector('.form pre').textContent",
      ])
    let command = try Self.decoded(lines[0])
    let script = folder.write("exec \(command)\n", to: "again.sh")
    func ask(_ book: Int) throws -> BuiltRunner.Outcome {
      try Self.run(
        """
        version: 2
        target: { command: [bash, \(script)] }
        responses:
          - request: { method: POST, url: "http://shop.test/orders", query: { q: a b }, json: { equals: { book: \(book) } } }
            reply: { text: got it }
        expect: { stdout: got it }
        """, in: folder)
    }

    #expect(try ask(7).exitCode == 0, "\(command)")
    try ask(8).expectExit(1)
  }

  @Test("A request that nothing answers is shown with what it said, and a secret is not")
  func unmatched() throws {
    let folder = try TemporaryFolder()
    let outcome = try Self.run(
      """
      version: 2
      target:
        command: [curl, -s, -d, "colour=blue", -H, "Authorization: Bearer swordfish", "http://shop.test/x"]
      responses: [ { GET http://shop.test/y: { text: a } } ]
      """, in: folder)
    outcome.expectExit(1)
    let lines = try Self.look(
      "\(folder.path)/report.html",
      [
        "key:Enter", "click:.request-head",
        "eval:document.querySelector('.request-body').textContent",
      ])

    #expect(
      lines[0].contains("colour=blue") && lines[0].contains("no response answers"), "\(lines)")
    #expect(!lines[0].contains("swordfish"))
  }

  @Test("What a failure expected stands beside what came, also where one line says it all")
  func comparison() throws {
    let folder = try TemporaryFolder()
    let outcome = try Self.run(
      """
      version: 2
      target: { command: [sh, -c, "echo hello; echo; echo '{\\"a\\": 2}' > out.json"] }
      expect:
        stdout: goodbye
        files: { out.json: { json: { a: 1 } } }
      """, in: folder)
    outcome.expectExit(1)
    let lines = try Self.look(
      "\(folder.path)/report.html",
      [
        "key:Enter",
        "eval:[...document.querySelectorAll('.comparison tbody')].map((each) => each.textContent).join('|')",
        "eval:[...document.querySelectorAll('.source-line.bad code')].map((each) => each.textContent.trim()).join('|')",
      ])

    #expect(lines[0].contains("1goodbye1hello"), "\(lines)")
    #expect(lines[0].contains("\\\"a\\\": 1") && lines[0].contains("\\\"a\\\": 2"), "\(lines)")
    #expect(lines[1].contains("stdout: goodbye|files:"), "\(lines)")
  }
}
