import Glibc
import Testing

@Suite("The README and the book")
struct ReadmeTests {
  /// The pages, by their paths below the root.
  static let pages = [
    "", "Documentation/", "Documentation/coming-from/", "Documentation/cookbook/",
    "Documentation/decisions/", "Documentation/scale-out/", "Documentation/scale-out/bazel/",
  ].flatMap { folder in
    TemporaryFolder.names("\(BuiltRunner.root)/\(folder)").filter { $0.hasSuffix(".md") }
      .map { folder + $0 }.sorted()
  }

  /// Recipes are run by `CookbookTests`.
  @Test("What the pages show is what happens: files pass, commands print what stands below them")
  func blocks() throws {
    let outcome = try BuiltRunner.command([
      "\(BuiltRunner.root)/Tests/Book/run", "--scenario", BuiltRunner.executable,
    ])
    outcome.expectExit(0)
    #expect(outcome.output.contains(" 0 failed"), "\(outcome.text)")
  }

  @Test("What is only checked or not run is said with its line and the reason")
  func figures() throws {
    let folder = try TemporaryFolder()
    let page = folder.write(
      """
      # A page

      <!-- not run: it needs a moon -->

      ```fortran
      STOP
      ```

      ```json
      {}
      ```

      ```sql some.sql
      SELECT 1;
      ```

      ```console
      $ cat some.sql
      SELECT 1;
      ```

      """, to: "page.md")
    let outcome = try BuiltRunner.command([
      "\(BuiltRunner.root)/Tests/Book/run", "--scenario", BuiltRunner.executable, page,
    ])

    outcome.expectExit(0)
    #expect(outcome.output.contains("page.md:5: it needs a moon"), "\(outcome.text)")
    #expect(outcome.output.contains("page.md:9: json of another program"), "\(outcome.text)")
    #expect(
      outcome.output.contains("2 blocks run, 1 only checked, 1 not run, 0 failed"),
      "\(outcome.text)")
  }

  @Test(
    "A page that shows what does not happen is told by its line",
    arguments: [
      (
        "```yaml a.yaml\nversion: 2\ntarget: { command: \"false\" }\nexpect: { exit: 0 }\n```\n",
        "exits with 1"
      ),
      ("```yaml\nversion: 1\nnothing: 1\n```\n", "scenario check exits with 2"),
      ("```yaml\nresponses:\n  - { nothing: 1 }\n```\n", "piece.yaml: exits with 2 instead of 0"),
      ("```yaml\nnothing: 1\n```\n", "piece.yaml: exits with 2 instead of 0"),
      ("```json\n{ nothing }\n```\n", "this is no json"),
      ("```yaml\n- uses: ./scenario\n  with:\n    none: 1\n```\n", "action.yml takes"),
      (
        "<!-- with: target: { command: x } -->\n\n```yaml\nsteps: [{ start: other }]\n```\n",
        "scenario check piece.yaml: exits with 2"
      ),
      ("```console\n$ echo no\nyes\n```\n", "nothing printed the line"),
      ("```console\n$ printf '1\\n2\\n'\n2\n1\n```\n", "in another order"),
      ("```console\n$ printf '1\\n2\\n3\\n'\n1\n3\n```\n", "prints other lines between"),
      ("```console\n$ printf '1\\n2\\n'\n1\n```\n", "prints other lines between"),
      ("```console\n$ printf '1\\n2\\n'\n2\n```\n", "prints other lines between"),
      ("```console\n$ printf '1\\n2\\n3\\n'\n…\n2\n1\n…\n```\n", "in another order"),
      ("```console\n$ echo 1\n$ echo 2\n2\n```\n", "echo 1: prints other lines"),
      ("```console\n$ echo 1\n2\n$ echo 2\n1\n```\n", "nothing printed the line"),
      ("```console\n$ false\n```\n", "exits with 1 instead of 0"),
      ("<!-- exits: 1 -->\n\n```console\n$ true\n```\n", "exits with 0 instead of 1"),
      ("```console\nprinted by nothing\n```\n", "no command is run"),
      ("<!-- before: false -->\n```console\n$ true\n```\n", "the commands before it: exits with 1"),
      ("```console\n$ pkill none\n```\n", "may signal programs"),
      ("```console\n$ kill -0 $(pidof init)\n```\n", "exits with"),
      ("```\nsome text\n```\n", "nothing here runs or checks a block in \"\""),
      ("```cobol\nSTOP RUN.\n```\n", "nothing here runs or checks a block in \"cobol\""),
      ("```sql never.sql\nSELECT 1;\n```\n", "nothing below it that is run names \"never.sql\""),
      ("- An item:\n\n  ```console\n  $ false\n  ```\n", "page.md:5: write a block between lines"),
      ("> ```sh\n> true\n> ```\n", "page.md:3: write a block between lines"),
      ("~~~sh\ntrue\n~~~\n", "page.md:3: write a block between lines"),
      (
        "```sql a.sql\n1\n```\n\n```sql a.sql\n2\n```\n\n```console\n$ cat a.sql\n```\n",
        "nothing that is run has named \"a.sql\""
      ),
      (
        "<!-- exit: 1 -->\n\n```console\n$ false\n```\n",
        "no comment before a block begins with \"exit:\""
      ),
      ("<!-- exits: one -->\n\n```console\n$ true\n```\n", "is no exit code"),
      ("<!-- varies: ( -->\n\n```console\n$ true\n```\n", "is no regular expression"),
      ("```yaml\n- uses: ./scenario\n```\n", "action.yml takes"),
      ("```sh\nfalse\ntrue\n```\n", "it: exits with 1"),
      ("```console\n$ true\nlate\n```\n", "nothing printed the line"),
      (
        "<!-- after: false -->\n\n```console\n$ true\n```\n", "the commands behind it: exits with 1"
      ),
      (
        "<!-- run: yes -->\n\n```yaml\ntarget: { command: \"false\" }\n```\n",
        "scenario run piece.yaml: exits with 1"
      ),
    ])
  func wrongPage(text: String, message: String) throws {
    let folder = try TemporaryFolder()
    let page = folder.write("# A page\n\n" + text, to: "page.md")
    let outcome = try BuiltRunner.command([
      "\(BuiltRunner.root)/Tests/Book/run", "--scenario", BuiltRunner.executable, page,
    ])
    outcome.expectExit(1)
    #expect(outcome.output.contains(message), "\(outcome.text)")
    #expect(outcome.output.contains("page.md:"), "\(outcome.text)")
  }

  @Test("What a reader wants to do is found from the README in two steps")
  func reader() throws {
    let outcome = try BuiltRunner.command(["\(BuiltRunner.root)/Tests/Book/reader"])
    outcome.expectExit(0)
    #expect(outcome.output.contains("26 of 26 tasks are found"), "\(outcome.text)")
  }

  @Test(
    "A way that ends elsewhere is told",
    arguments: [
      ("s|# Emacs|# Vim|", "editors.md has no heading \"Vim\""),
      ("s|^  eglot|  no such word|", "nothing says \"no such word\""),
      (
        "s|Documentation/editors.md|time.md#nowhere|",
        "README.md has no link to \"time.md#nowhere\""
      ),
      ("s|> # Emacs|> # Emacs > # Vim|", "the way has 3 steps"),
      ("/^My editor/,/^$/d", "25 of 25 tasks"),
    ])
  func stray(change: String, message: String) throws {
    let folder = try TemporaryFolder()
    let tasks = try #require(
      TemporaryFolder.read("\(BuiltRunner.root)/Tests/Book/tasks.txt"))
    let file = folder.write(tasks, to: "tasks.txt")
    _ = try BuiltRunner.command(["sed", "-i", change, file])

    let outcome = try BuiltRunner.command(["\(BuiltRunner.root)/Tests/Book/reader", file])
    outcome.expectExit(1)
    #expect(outcome.output.contains(message), "\(outcome.text)")
  }

  @Test(
    "The README is a page that is read in a minute: 120 lines, one picture, twelve lines of YAML")
  func length() throws {
    let readme = try #require(TemporaryFolder.read("\(BuiltRunner.root)/README.md"))
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count < 120)
    #expect(readme.split(separator: "![").count == 3, "badges, and one picture")
    let block = readme.split(separator: "```yaml trial.yaml\n").dropFirst().first ?? ""
    let lines = block.split(separator: "\n").prefix { $0 != "```" }
    #expect(lines.count == 12)
  }

  @Test("The language's page is what the code says")
  func languagePage() throws {
    let page = try #require(
      TemporaryFolder.read("\(BuiltRunner.root)/Documentation/language.md"))

    let expressions = try BuiltRunner.run(["schema", "--format", "expressions"])
    #expect(
      expressions.output
        == TemporaryFolder.read("\(BuiltRunner.root)/Documentation/expressions.md"))
    let outcome = try BuiltRunner.run(["schema", "--format", "markdown"])
    let contrast = try BuiltRunner.run(["schema", "--format", "markdown", "scenarios"])

    #expect(outcome.output == page, "`make schema` writes the page")
    contrast.expectExit(2)
  }

  @Test("Links lead to pages and headings that are there", arguments: pages)
  func links(page: String) throws {
    let text = try #require(TemporaryFolder.read("\(BuiltRunner.root)/\(page)"))
    let folder = page.dropLast(page.reversed().prefix { $0 != "/" }.count)
    for piece in Self.prose(of: text).split(separator: "](").dropFirst() {
      let target = piece.prefix { $0 != ")" }
      guard piece.contains(")"), !target.contains(":"), !target.contains(" ") else { continue }
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let path = "\(BuiltRunner.root)/" + (parts[0].isEmpty ? page : "\(folder)\(parts[0])")
      #expect(access(path, F_OK) == 0, "\(page) leads to \"\(target)\"")
      guard parts.count > 1, path.hasSuffix(".md") else { continue }
      let headings = Self.anchors(of: TemporaryFolder.read(path) ?? "")
      #expect(headings.contains(String(parts[1])), "\(page) leads to \"\(target)\"")
    }
  }

  @Test("Headings have the anchors that GitHub gives them")
  func anchors() {
    let text = """
      # A `first` hour: don't!

      ```
      # no heading
      ```
      ## Time, and [network](network.md)
      ## Time, and network
      ### snake_case -- dash
      """
    #expect(
      Self.anchors(of: text) == [
        "a-first-hour-dont", "time-and-network", "time-and-network-1", "snake_case----dash",
      ])
  }

  /// The text without blocks and spans of code.
  private static func prose(of text: String) -> String {
    var isCode = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      let isFence = line.drop { $0 == " " }.hasPrefix("```")
      if isFence { isCode.toggle() }
      return !isCode && !isFence
    }.map { line in
      line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 0 }.map { String($0.element) }.joined()
    }.joined(separator: "\n")
  }

  /// The anchors of headings: letters, digits, `_` and `-` in lower case, blanks as `-`, with a number where another
  /// heading has the same.
  private static func anchors(of text: String) -> Set<String> {
    var anchors: Set<String> = []
    var isCode = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode, line.hasPrefix("#") else { continue }
      var heading = line.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
      heading = heading.replacing(#/\]\([^)]*\)/#, with: "")
      let anchor = String(
        heading.compactMap { letter in
          if letter == " " { return "-" }
          return letter.isLetter || letter.isNumber || letter == "_" || letter == "-" ? letter : nil
        })
      var candidate = anchor
      var number = 0
      while !anchors.insert(candidate).inserted {
        number += 1
        candidate = "\(anchor)-\(number)"
      }
    }
    return anchors
  }
}
