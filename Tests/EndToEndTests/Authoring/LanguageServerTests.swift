import Foundations
import Glibc
import Testing

/// `scenario lsp`, as a client of others understands it.
@Suite("The language server")
struct LanguageServerTests {
  private static let base = """
    version: 1
    factories:
      user: { fields: { name: Ada } }

    """
  private static let shop = """
    version: 1
    include: [base.yaml]
    target: { command: [echo, "${{ build.me.name }}"] }
    build: { me: { $build: user } }
    stepz:
      - run:
        expect:   { exit: 0 }

    """

  @Test("A client of others opens, changes, asks and goes")
  func client() throws {
    let python = "\(BuiltRunner.root)/.build/python/bin/python"
    try #require(access(python, X_OK) == 0, "run Tests/install-dependencies.sh test")
    let folder = try TemporaryFolder()
    folder.write(Self.base, to: "base.yaml")
    folder.write(Self.shop, to: "shop.yaml")
    let outcome = try BuiltRunner.run(
      ["lsp"], prefix: [python, "\(BuiltRunner.root)/Tests/Editors/client.py", folder.path])
    try #require(outcome.exitCode == 0, "\(outcome.text)")
    let found = try JSONText.parse(outcome.output)
    func told(_ key: String) -> String? { found.member(key)?.jsonText() }

    #expect(told("encoding") == #""utf-16""#)
    #expect(told("opened") == #"["E021 4: unknown key \"stepz\" in the file"]"#)
    #expect(told("actions") == #"["perhaps: replace \"stepz\" with \"steps\""]"#)
    #expect(told("changed") == "[]")
    #expect(told("completion") == #"["user"]"#)
    #expect(told("hover")?.contains("The factory's name, or one of its aliases.") == true)
    #expect(told("definition") == #"["base.yaml",2]"#)
    #expect(told("references") == #"[["base.yaml",2],["shop.yaml",3]]"#)
    #expect(told("highlights") == "[3]")
    #expect(told("placeholder") == #""user""#)
    #expect(told("rename") == #"{"base.yaml":1,"shop.yaml":1}"#)
    #expect(told("symbols") == #"["version","include","target","build","steps"]"#)
    #expect(told("lenses") == #"[["scenario run shop.yaml:5",["shop.yaml:5"]]]"#)
    #expect(told("formatting") == "1")
    #expect(told("late") == #"["E020 0: unknown version \"7\""]"#)
    #expect(told("code") == "0")
    withExtendedLifetime(folder) {}
  }

  @Test("A client that goes without a word leaves no server behind: exit code 1")
  func goes() throws {
    let outcome = try BuiltRunner.run([], prefix: ["sh", "-c", "printf 'Content-Le' | \"$0\" lsp"])

    outcome.expectExit(1)
    #expect(outcome.output.contains("the input ends within a message"))
    #expect(outcome.errorOutput.isEmpty)
  }

  @Test("The server says what \"scenario check\" says, for files with mistakes of any kind")
  func agrees() throws {
    let root = "\(BuiltRunner.root)/Tests/EndToEndTests/Failing"
    let files = TemporaryFolder.names(root).filter { $0.hasSuffix(".yaml") }.sorted()
    try #require(files.count > 20)
    let folder = try TemporaryFolder()
    for (number, name) in files.prefix(20).enumerated() {
      // Each is broken in a way of its own.
      let text = try #require(TemporaryFolder.read("\(root)/\(name)"))
      let key = ["run", "expect", "command", "name"][number % 4]
      let broken = text.replacing(" \(key):", with: " zz:").replacing("- \(key):", with: "- zz:")
      folder.write(broken, to: name)
    }
    let check = try BuiltRunner.run(
      ["check", "--format", "json", "."], prefix: ["env", "--chdir", folder.path])
    let report = try JSONText.parse(check.output)
    guard case .list(let diagnostics)? = report.member("diagnostics") else {
      Issue.record("\(check.text)")
      return
    }
    let wanted = diagnostics.map { diagnostic in
      let range = diagnostic.member("range")
      func text(_ value: Value?) -> String {
        if case .string(let text)? = value { text } else { value?.jsonText() ?? "" }
      }
      return "\(text(range?.member("file"))):\(text(range?.member("line"))): "
        + text(diagnostic.member("message"))
    }
    try #require(wanted.count > 10, "\(check.output)")
    let outcome = try BuiltRunner.run(
      ["lsp"],
      prefix: ["python3", "\(BuiltRunner.root)/Tests/Editors/mistakes.py", folder.path])
    let said = outcome.output.split(separator: "\n").map(String.init)

    #expect(said.sorted() == wanted.sorted(), "\(outcome.errorOutput)")
    withExtendedLifetime(folder) {}
  }
}
