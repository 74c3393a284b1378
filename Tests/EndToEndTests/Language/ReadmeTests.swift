import Glibc
import Testing

@Suite("The README and the book")
struct ReadmeTests {
  /// Pages that show whole scenarios for people who come from other tools.
  static let comparisons = [
    "bats-pytest-cram", "dixie-and-others", "libfaketime", "toxiproxy", "vcr", "wiremock-msw",
  ].map { "Documentation/coming-from/\($0).md" }

  /// The pages, by their paths below the root.
  static let pages =
    ["README.md", "SECURITY.md"] + comparisons
    + [
      "README", "chaos", "comparison", "coverage", "data", "editors", "expectations", "exploring",
      "expressions", "faq", "glossary", "how-it-works", "inputs", "installing", "limits",
      "network", "processors", "programs", "real-daemons", "recording", "reports", "running",
      "scale-out/README", "security", "time", "troubleshooting", "tutorial", "versioning",
    ].map { "Documentation/\($0).md" }
    + TemporaryFolder.names("\(BuiltRunner.root)/Documentation/cookbook").map {
      "Documentation/cookbook/\($0)"
    }

  @Test(
    "Scenarios that are written out run as they are",
    arguments: [
      "README.md", "Documentation/chaos.md", "Documentation/expectations.md",
      "Documentation/inputs.md", "Documentation/limits.md", "Documentation/programs.md",
      "Documentation/real-daemons.md", "Documentation/tutorial.md",
    ] + comparisons)
  func wholeScenarios(page: String) throws {
    let text = try #require(TemporaryFolder.read("\(BuiltRunner.root)/\(page)"))
    let folder = try TemporaryFolder()
    for script in Self.blocks(of: "bash", in: text) {
      _ = folder.write(script, to: "remind.sh", mode: 0o755)
    }
    let scenarios = Self.blocks(of: "yaml", in: text).filter { $0.hasPrefix("version: 2\n") }
    try #require(!scenarios.isEmpty)
    for (number, scenario) in scenarios.enumerated() {
      let path = folder.write(scenario, to: "scenario-\(number).yaml")

      let outcome = try BuiltRunner.run(["run", path])

      #expect(outcome.exitCode == 0, "\(outcome.text)")
      #expect(outcome.output.contains(" passed, 0 failed"))
    }
  }

  @Test("Each piece that is shown is one that a file may hold", arguments: pages)
  func pieces(page: String) throws {
    let text = try #require(TemporaryFolder.read("\(BuiltRunner.root)/\(page)"))
    let folder = try TemporaryFolder()
    let pieces = Self.blocks(of: "yaml", in: text).filter { piece in
      ["responses:", "chaos:", "factories:", "explore:", "expect:"].contains {
        piece.hasPrefix($0 + "\n")
      }
    }
    for (number, piece) in pieces.enumerated() {
      let head = "version: 2\ntarget: { command: [\"true\"] }\n"
      let right = folder.write(head + piece, to: "right-\(number).yaml")
      let wrong = folder.write(head + piece + "  - { nothing: 1 }\n", to: "wrong-\(number).yaml")

      let outcome = try BuiltRunner.run(["check", right])
      let contrast = try BuiltRunner.run(["check", wrong])

      #expect(outcome.exitCode == 0, "\(outcome.text)")
      #expect(contrast.exitCode == 2, "\(contrast.text)")
    }
  }

  @Test("Each whole file that is shown is one of today's language", arguments: pages)
  func wholeFiles(page: String) throws {
    let text = try #require(TemporaryFolder.read("\(BuiltRunner.root)/\(page)"))
    let folder = try TemporaryFolder()
    let files = Self.blocks(of: "yaml", in: text).filter { $0.hasPrefix("version: ") }
    for (number, file) in files.enumerated() {
      #expect(file.hasPrefix("version: 2\n"), "\(file)")
      let path = folder.write(file, to: "file-\(number).yaml")

      let outcome = try BuiltRunner.run(["check", path])

      #expect(outcome.exitCode == 0, "\(outcome.text)")
      #expect(!outcome.text.contains("warning"), "\(outcome.text)")
    }
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
    #expect(contrast.exitCode == 2, "\(contrast.text)")
  }

  @Test("Links lead to pages that are there", arguments: pages)
  func links(page: String) throws {
    let text = try #require(TemporaryFolder.read("\(BuiltRunner.root)/\(page)"))
    let folder = page.dropLast(page.reversed().prefix { $0 != "/" }.count)
    for piece in text.split(separator: "](").dropFirst() {
      let target = piece.prefix { $0 != ")" && $0 != "#" }
      guard !target.isEmpty, !target.contains(":") else { continue }
      let path = "\(BuiltRunner.root)/\(folder)\(target)"
      #expect(access(path, F_OK) == 0, "\(page) leads to \"\(target)\"")
    }
  }

  private static func blocks(of language: String, in text: String) -> [String] {
    text.split(separator: "```\(language)\n", omittingEmptySubsequences: false).dropFirst()
      .compactMap { $0.split(separator: "```", omittingEmptySubsequences: false).first }
      .map(String.init)
  }
}
