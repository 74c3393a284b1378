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
  private func check(
    _ change: String, options: String = "--dry"
  ) throws -> BuiltRunner.Outcome {
    let script = """
      set -e
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
      export MAINTAINER='T <t@example.com>'
      export GIT_AUTHOR_NAME=T GIT_AUTHOR_EMAIL=t@example.com GIT_COMMITTER_NAME=T GIT_COMMITTER_EMAIL=t@example.com
      mkdir -p "$2/clone/Sources/scenario/Process" "$2/clone/Documentation/scale-out" "$2/clone/Packaging"
      cd "$1"
      cp README.md CHANGELOG.md action.yml "$2/clone"
      cp Documentation/installing.md Documentation/scenario.1 "$2/clone/Documentation"
      cp -R Documentation/scale-out/bazel Documentation/scale-out/slurm "$2/clone/Documentation/scale-out"
      cp Packaging/dist "$2/clone/Packaging"
      cp Sources/scenario/Process/Version.swift "$2/clone/Sources/scenario/Process"
      cd "$2/clone"
      version=$(sed -n 's/.*static let text = "\\(.*\\)"/\\1/p' Sources/scenario/Process/Version.swift)
      sed -i "0,/^## .*/s//## $version (2026-01-02)/" CHANGELOG.md
      git init --quiet
      git add --all
      git commit --quiet --message 'Release'
      \(change)
      Packaging/dist \(options)
      """
    let outcome = try BuiltRunner.command([
      "bash", "-c", script, "bash", BuiltRunner.root, folder.path,
    ])
    _ = try BuiltRunner.command(["rm", "-rf", "\(folder.path)/clone"])
    return outcome
  }

  @Test("A clean tree with one version may be released, and a dry run does nothing more than look")
  func clean() throws {
    let outcome = try check("")
    outcome.expectExit(0)
    #expect(outcome.output.contains("[x] tree"), "\(outcome.text)")
    #expect(outcome.output.contains("[x] version"), "\(outcome.text)")
    for step in [
      "generated", "lint", "tests", "cookbook", "release", "reproduced", "packages", "installed",
      "checked", "systems", "kernels", "browsers", "engines", "docs", "given",
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
        "sed -i 's/^\\(## [0-9.]*\\) (.*)/\\1/' CHANGELOG.md; git commit --quiet --all --message Undated",
        "of CHANGELOG.md has no date"
      ),
      (
        "sed -i 's/scenario_[0-9.]*_amd64/scenario_9.9.9_amd64/' Documentation/installing.md",
        "Documentation/installing.md:"
      ),
      (
        "sed -i 's/scenario:[0-9.]* /scenario:9.9.9 /' Documentation/installing.md",
        "Documentation/installing.md:"
      ),
      (
        "sed -i 's/scenario-[0-9.]*-linux/scenario-9.9.9-linux/' Documentation/scale-out/slurm/shards.sbatch",
        "Documentation/scale-out/slurm/shards.sbatch:"
      ),
      (
        "git commit --quiet --allow-empty --message Next; git tag v$version HEAD~",
        "is the tag of another commit"
      ),
      ("unset MAINTAINER", "the Debian package has no maintainer"),
      ("MAINTAINER='scenario authors <scenario@localhost.localdomain>'", "has no maintainer"),
    ])
  func refused(change: String, message: String) throws {
    let outcome = try check(change)
    outcome.expectExit(1)
    #expect(outcome.output.contains(message), "\(outcome.text)")
    #expect(outcome.output.hasSuffix("nothing is to be released\n"), "\(outcome.text)")
  }

  /// Targets that take a moment, and leave what the steps look at.
  private static let targets = """
    cat > Makefile <<'END'
    schema lint:
    test browsers:
    \t@echo 'Test run with 7 tests in 2 suites passed after 1 seconds.'
    check-packages:
    \t@echo '5 passed, 0 failed, 0 skipped'
    engines:
    \t@echo 'bazel: the recipe works under bazel itself'
    distributions kernels:
    \t@echo '6 passed, 0 failed'
    cookbook:
    \t@echo '3 recipes run, 0 skipped, 0 failed'
    docs:
    \t@echo 'dist/docs: 9 pages, 12 KiB'
    release:
    \tmkdir -p dist
    \tprintf '#!/bin/sh\\ncase $$1 in --version) echo scenario 9.8.7 ;; run) grep -q version: "$$2" ;; esac\\n' > dist/scenario
    \tchmod +x dist/scenario
    packages:
    \tmkdir -p dist/scenario-9.8.7-linux-x86_64/bin dist/scenario-9.8.7-linux-x86_64/share/doc/scenario
    \tcp dist/scenario dist/scenario-9.8.7-linux-x86_64/bin
    \techo '{"components": [{"name": "zlib", "version": "1"}]}' > dist/scenario-9.8.7-linux-x86_64/share/doc/scenario/components.cdx.json
    \ttar -C dist -czf dist/scenario-9.8.7-linux-x86_64.tar.gz scenario-9.8.7-linux-x86_64
    \trm -r dist/scenario-9.8.7-linux-x86_64
    \tcd dist && sha256sum scenario* > SHA256SUMS
    END
    sed -i "s/$version/9.8.7/g" Sources/scenario/Process/Version.swift $(git ls-files '*.md' '*.yml' Documentation)
    echo /dist/ > .gitignore

    """

  @Test("Each step is done in its place and named, and what was done is kept")
  func whole() throws {
    let outcome = try check(
      Self.targets + "git add --all; git commit --quiet --message 'Targets'",
      options: "&& cat dist/RELEASE.txt")
    outcome.expectExit(0)
    let steps = [
      "tree", "version", "maintained", "generated", "lint", "tests", "cookbook", "release",
      "reproduced", "packages", "installed", "checked", "systems", "kernels", "browsers", "engines",
      "docs", "given",
    ]
    let kept = outcome.output.split(separator: "\n").filter { $0.hasPrefix("[x] ") }.suffix(
      steps.count)
    #expect(
      kept.map { $0.dropFirst(4).prefix { $0 != " " } } == steps.map { $0[...] }, "\(outcome.text)")
    for words in [
      "7 tests in 2 suites passed", "3 recipes run, 0 skipped, 0 failed", "9 pages, 12 KiB",
      "has 1 components", "ready: tag v9.8.7",
    ] {
      #expect(outcome.output.contains(words), "\(outcome.text)")
    }
  }

  @Test(
    "The first step that does not hold ends it",
    arguments: [
      (
        "sed -i 's/^schema lint:/schema:\\n\\techo x > README.md\\nlint:/' Makefile",
        "[!] generated: \"make schema\" changes \"README.md\"", "lint"
      ),
      (
        "sed -i 's/^schema lint:/schema:\\nlint:\\n\\tfalse/' Makefile",
        "[!] lint: make lint exits with 2", "tests"
      ),
      (
        "sed -i 's/suites passed/suites failed/' Makefile", "[!] tests: make test does not say",
        "cookbook"
      ),
      (
        "sed -i 's/0 skipped/1 skipped/' Makefile", "[!] cookbook: make cookbook does not say",
        "release"
      ),
      (
        "sed -i 's/^\\tchmod.*/\\ttruncate --size 41M dist\\/scenario/' Makefile",
        "[!] release: dist/scenario has 42991616 bytes", "reproduced"
      ),
      (
        "sed -i 's/^\\tchmod.*/&\\n\\tpwd >> dist\\/scenario/' Makefile",
        "[!] reproduced: dist/scenario, built again elsewhere, differs in", "packages"
      ),
      (
        "sed -i 's/SHA256SUMS/SHA256SUMS; echo x >> scenario-9.8.7-linux-x86_64.tar.gz/' Makefile",
        "[!] packages: dist/SHA256SUMS does not hold", "installed"
      ),
      (
        "sed -i 's/echo scenario 9.8.7/echo scenario 9.8.6/' Makefile",
        "[!] installed: the program of the archive says", "checked"
      ),
      (
        "sed -i 's/\"version\": \"1\"/\"version\": \"unknown\"/' Makefile",
        "[!] installed: the list of components knows no version of zlib", "checked"
      ),
      (
        "sed -i 's/grep -q version:/grep -q nothing:/' Makefile",
        "[!] installed: the README's scenario exits with 1", "checked"
      ),
      (
        "sed -i 's/5 passed, 0 failed, 0 skipped/5 passed, 0 failed, 1 skipped/' Makefile",
        "[!] checked: make check-packages does not say", "systems"
      ),
      (
        "sed -i 's/6 passed, 0 failed/0 passed, 0 failed, 3 skipped/' Makefile",
        "[!] systems: make distributions does not say", "kernels"
      ),
      (
        "sed -i 's/works under bazel itself/is left out/' Makefile",
        "[!] engines: make engines does not say", "docs"
      ),
      (
        "sed -i 's/^docs:/docs:\\n\\techo x >> dist\\/scenario/' Makefile",
        "[!] given: dist/SHA256SUMS does not hold", "given"
      ),
    ])
  func stopped(change: String, message: String, next: String) throws {
    let outcome = try check(
      Self.targets + change + "\ngit add --all; git commit --quiet --message 'Targets'", options: ""
    )
    outcome.expectExit(1)
    #expect(outcome.output.contains(message), "\(outcome.text)")
    #expect(!outcome.output.contains("[x] \(next)"), "\(outcome.text)")
    #expect(outcome.output.hasSuffix("nothing is to be released\n"), "\(outcome.text)")
  }

  /// A small package of C++ and Swift, whose executable tells where it was built.
  private static let package = """
    mkdir -p Sources/Where/include Sources/scenario Packaging
    cat > Package.swift <<'END'
    // swift-tools-version: 6.2
    import PackageDescription
    let package = Package(
      name: "scenario",
      targets: [.target(name: "Where"), .executableTarget(name: "scenario", dependencies: ["Where"])])
    END
    printf '#ifdef __cplusplus\\nextern "C"\\n#endif\\nconst char *place(void);\\n' > Sources/Where/include/Where.h
    printf '#include "Where.h"\\nconst char *place(void) { return __FILE__; }\\n' > Sources/Where/where.cc
    printf 'import Where\\nprint(String(cString: place()))\\n' > Sources/scenario/main.swift
    """

  @Test("What `make release` builds does not depend on the folder that it is built in")
  func reproducible() throws {
    let script = """
      set -e
      for name in one another; do
        mkdir "$2/$name"
        cd "$2/$name"
        \(Self.package)
        cp "$1/Packaging/neutral" "$1/Packaging/no-unwind-tables.ld" Packaging
        make -f "$1/Makefile" release > log 2>&1 || { cat log; exit 3; }
        dist/scenario
      done
      cmp "$2/one/dist/scenario" "$2/another/dist/scenario"
      # Without what is done about it, it does.
      swift build -c release --product scenario > /dev/null 2>&1
      strip --strip-all -o dist/scenario .build/release/scenario
      grep --quiet --text "$2/another/Sources" dist/scenario
      """
    let outcome = try BuiltRunner.command([
      "bash", "-c", script, "bash", BuiltRunner.root, folder.path,
    ])
    outcome.expectExit(0)
    #expect(outcome.output == "Sources/Where/where.cc\nSources/Where/where.cc\n")
  }

  @Test("A target that fails keeps none of the others from being run, and what is skipped is told")
  func nightly() throws {
    let make = folder.write(
      """
      #!/bin/sh
      case $2 in
        broken) echo "no such thing"; exit 2 ;;
        partial) echo "skipped: no kernel"; echo '➜ Test "A thing" skipped: "no protoc"' ;;
        *) echo "$2 ran" ;;
      esac

      """, to: "make")
    chmod(make, 0o755)
    let outcome = try BuiltRunner.command([
      "env", "MAKE=\(make)", "\(BuiltRunner.root)/Tests/nightly", "broken", "partial", "last",
    ])

    outcome.expectExit(1)
    #expect(outcome.output.contains("last ran"), "\(outcome.text)")
    #expect(outcome.output.contains("skipped: no kernel\n"), "\(outcome.text)")
    #expect(
      outcome.output.contains("\"A thing\" skipped: \"no protoc\"\n2 of 3 targets passed"),
      "\(outcome.text)")
    #expect(outcome.errorOutput.contains("make broken failed"), "\(outcome.text)")

    let well = try BuiltRunner.command([
      "env", "MAKE=\(make)", "\(BuiltRunner.root)/Tests/nightly", "first", "last",
    ])
    well.expectExit(0)
  }

  @Test("The README's badges say what is so")
  func badges() throws {
    let outcome = try BuiltRunner.command(["\(BuiltRunner.root)/Packaging/badges"])
    outcome.expectExit(0)
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
      site=$2/book/site
      "$2/book/Packaging/site" --output "$site"
      test -s "$site/Documentation/time.html"
      # What a reader types is found, and nothing is fetched for it.
      chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=10000 --dump-dom \
        "file://$site/search.html?q=leap" 2>/dev/null | grep --quiet 'cookbook/leap-day.html'
      # The last line is what the page has asked for, the first one what it says of itself.
      look() {
        python3 Tests/Browser/look.py "$site/$1.html" "${@:2}" > "$site.txt"
        sed -n '$p' "$site.txt" | grep --extended-regexp '[[ ]"(https?|wss?):' || sed -n 1p "$site.txt"
      }
      darkness='eval:getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).reduce((sum, each) => sum + Number(each), 0)'
      for page in index Documentation/time Documentation/language search; do
        # A phone shows pages in its own width.
        test "$(look "$page" --width 400 --height 800 'eval:document.documentElement.scrollWidth')" = 400
        test "$(look "$page" "$darkness")" -gt 600
        test "$(look "$page" --dark "$darkness")" -lt 150
      done
      """
    let outcome = try BuiltRunner.command([
      "bash", "-c", script, "bash", BuiltRunner.root, folder.path, line,
    ])
    _ = try BuiltRunner.command(["rm", "-rf", "\(folder.path)/book"])
    #expect(outcome.exitCode == exitCode, "\(outcome.text)")
    #expect(exitCode == 0 || outcome.errorOutput.contains("nowhere"), "\(outcome.text)")
  }
}
