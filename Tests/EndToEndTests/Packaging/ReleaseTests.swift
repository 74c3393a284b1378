import Glibc
import Testing

/// What is done before a release, and what the README says of one.
@Suite("A release")
struct ReleaseTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs a script in a clone of what is to be released, whose version has a section of its own.
  private func dry(_ change: String) throws -> BuiltRunner.Outcome {
    let script = """
      set -e
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
      export GIT_AUTHOR_NAME=T GIT_AUTHOR_EMAIL=t@example.com GIT_COMMITTER_NAME=T GIT_COMMITTER_EMAIL=t@example.com
      mkdir -p "$2/clone/Sources/scenario/Process" "$2/clone/Documentation" "$2/clone/Packaging"
      cd "$1"
      cp README.md CHANGELOG.md action.yml "$2/clone"
      cp Documentation/installing.md Documentation/scenario.1 "$2/clone/Documentation"
      cp Packaging/dist "$2/clone/Packaging"
      cp Sources/scenario/Process/Version.swift "$2/clone/Sources/scenario/Process"
      cd "$2/clone"
      version=$(sed -n 's/.*static let text = "\\(.*\\)"/\\1/p' Sources/scenario/Process/Version.swift)
      sed -i "0,/^## .*/s//## $version/" CHANGELOG.md
      git init --quiet
      git add --all
      git commit --quiet --message 'Release'
      \(change)
      Packaging/dist --dry
      """
    let outcome = try BuiltRunner.command([
      "bash", "-c", script, "bash", BuiltRunner.root, folder.path,
    ])
    _ = try BuiltRunner.command(["rm", "-rf", "\(folder.path)/clone"])
    return outcome
  }

  @Test("A clean tree with one version may be released, and a dry run does nothing more than look")
  func clean() throws {
    let outcome = try dry("")
    #expect(outcome.exitCode == 0, "\(outcome.text)")
    #expect(outcome.output.contains("[x] tree"), "\(outcome.text)")
    #expect(outcome.output.contains("[x] version"), "\(outcome.text)")
    for step in [
      "generated", "lint", "tests", "cookbook", "release", "packages", "installed", "docs",
    ] {
      #expect(outcome.output.contains("[ ] \(step): would be done"), "\(outcome.text)")
    }
  }

  @Test(
    "What must not be released is told",
    arguments: [
      ("echo x > left-over", "[!] tree: 1 files are changed or new, such as \"left-over\""),
      (
        "sed -i '0,/^## .*/s//## Unreleased/' CHANGELOG.md",
        "the newest section of CHANGELOG.md is \"Unreleased\""
      ),
      (
        "sed -i 's/scenario_[0-9.]*_amd64/scenario_9.9.9_amd64/' Documentation/installing.md",
        "names 9.9.9"
      ),
      (
        "git commit --quiet --allow-empty --message Next; git tag v$version HEAD~",
        "is the tag of another commit"
      ),
    ])
  func refused(change: String, message: String) throws {
    let outcome = try dry(change)
    #expect(outcome.exitCode == 1, "\(outcome.text)")
    #expect(outcome.output.contains(message), "\(outcome.text)")
    #expect(outcome.output.hasSuffix("nothing is to be released\n"), "\(outcome.text)")
  }

  @Test("The README's badges say what is so")
  func badges() throws {
    let outcome = try BuiltRunner.command(["\(BuiltRunner.root)/Packaging/badges"])
    #expect(outcome.exitCode == 0, "\(outcome.text)")
    let shown = TemporaryFolder.read("\(BuiltRunner.root)/Documentation/images/badges.svg")
    #expect(outcome.output == shown, "Packaging/badges > Documentation/images/badges.svg")
    // A reader who sees no picture reads the same.
    let readme = try #require(TemporaryFolder.read("\(BuiltRunner.root)/README.md"))
    let words = try BuiltRunner.command(["\(BuiltRunner.root)/Packaging/badges", "--text"])
    let line = words.output.split(separator: "\n").first.map(String.init) ?? ""
    #expect(readme.contains("![\(line)](Documentation/images/badges.svg)"), "\(line)")
  }

  private static var hasSphinx: Bool {
    let probe = ["/usr/bin/python3", "-c", "import furo, myst_parser, sphinx"]
    return (try? BuiltRunner.command(probe).exitCode) == 0
  }

  @Test(
    "The book makes a site, and a link that leads nowhere makes none",
    .enabled(if: hasSphinx, "Sphinx is missing: Tests/install-dependencies.sh docs installs it"),
    arguments: [("", 0), ("[no page](nowhere.md)", 1), ("[no heading](time.md#nowhere)", 1)])
  func site(line: String, exitCode: Int32) throws {
    let script = """
      set -e
      mkdir -p "$2/book/Sources/scenario/Process"
      cd "$1"
      cp -R Documentation scenarios schemas Packaging *.md LICENSE action.yml .pre-commit-hooks.yaml "$2/book"
      cp Sources/scenario/Process/Version.swift "$2/book/Sources/scenario/Process"
      echo "$3" >> "$2/book/Documentation/faq.md"
      "$2/book/Packaging/site" --output "$2/book/site"
      test -s "$2/book/site/Documentation/time.html"
      # What a reader types is found, and nothing is fetched for it.
      chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=10000 --dump-dom \
        "file://$2/book/site/search.html?q=leap" 2>/dev/null | grep --quiet 'cookbook/leap-day.html'
      ! grep --recursive --include='*.html' --include='*.css' -E '(src|href)="https?:[^"]*[.](js|css|woff2?)"' "$2/book/site"
      grep --quiet 'prefers-color-scheme: dark' "$2/book/site/_static/site.css"
      """
    let outcome = try BuiltRunner.command([
      "bash", "-c", script, "bash", BuiltRunner.root, folder.path, line,
    ])
    _ = try BuiltRunner.command(["rm", "-rf", "\(folder.path)/book"])
    #expect(outcome.exitCode == exitCode, "\(outcome.text)")
    #expect(exitCode == 0 || outcome.errorOutput.contains("nowhere"), "\(outcome.text)")
  }
}
