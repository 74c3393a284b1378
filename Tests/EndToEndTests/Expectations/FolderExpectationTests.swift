import Glibc
import Testing

@Suite("Whole folders that are expected")
struct FolderExpectationTests {
  private static func text(_ words: String, _ condition: String) -> String {
    """
    version: 2
    name: build
    target: { command: [sh, -c, '\(words)'] }
    expect:
      exit: 0
      files:
        out/: \(condition)
    timeout: 10m

    """
  }

  private static let build = "mkdir -p out/sub; echo one > out/a.txt; echo two > out/sub/b.txt"

  @Test(
    "A folder is as one of the project, or what is missing, unexpected and different is reported")
  func comparison() throws {
    let project = try ProjectFolder()
    try project.write("one\n", to: "s/expected/a.txt")
    try project.write("two\n", to: "s/expected/sub/b.txt")
    try project.write(Self.text(Self.build, "{ folder: expected }"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(0)

    try project.write("zero\n", to: "s/expected/sub/b.txt")
    try project.write("c\n", to: "s/expected/c.txt")
    try project.write(
      Self.text(Self.build + "; echo x > out/new", "{ folder: expected }"), to: "s/a.yaml")
    let run = try project.scenario(["run", "s"])
    run.expectExit(1)
    for line in [
      "missing: c.txt", "unexpected: new", "different: sub/b.txt", "-zero", "+two",
      "3 files differ", "+++ out/sub/b.txt",
    ] {
      #expect(run.output.contains(line), "\(line): \(run.text)")
    }
    try project.write(
      Self.text(
        Self.build + "; echo x > out/new", "{ folder: expected, ignore: [new, sub/, c.txt] }"),
      to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(0)
  }

  @Test("A name without wildcards is that of a folder as well, where it is to be there or not")
  func presence() throws {
    func text(_ files: String) -> String {
      """
      version: 2
      target: { command: "mkdir -p cache; ln -s nowhere link; touch $HOME/x" }
      expect: { files: { \(files) } }

      """
    }
    try TwinRuns.check(
      passing: text("cache: { exists: true }"), failing: text("cache: { absent: true }"),
      text("cash: { exists: true }"))
    try TwinRuns.check(
      passing: text("$HOME/x: { exists: true }, link: { exists: true }"),
      failing: text("$HOME/x: { absent: true }"), text("link: { absent: true }"))
    // Of several names those of files are meant, as ever.
    try TwinRuns.check(
      passing: text("\"c*\": { absent: true }"), failing: text("\"l*\": { absent: true }"))
  }

  @Test("What is missing below a folder is told with what that folder holds")
  func missing() throws {
    func output(_ path: String) throws -> String {
      let project = try ProjectFolder()
      try project.write(
        """
        version: 2
        target: { command: "mkdir $HOME/mail; touch $HOME/mail/in here" }
        expect: { files: { \(path): { contains: x } } }

        """, to: "s/a.yaml")
      let run = try project.scenario(["run", "s"])
      run.expectExit(1)
      return run.output
    }
    #expect(
      try output("$HOME/inbox").contains("\n$HOME contains:\n$HOME/mail/in\n"))
    #expect(try output("inbox").contains("\nthe case's directory contains:\nhere\n"))
    #expect(try output("$TMPDIR/x").contains("\n$TMPDIR is empty\n"))
  }

  @Test("Links are compared by where they lead, and modes if that is said")
  func linksAndModes() throws {
    let project = try ProjectFolder()
    try project.write("one\n", to: "s/expected/a.txt")
    #expect(symlink("a.txt", project.path + "/s/expected/link") == 0)
    let words = "mkdir out; echo one > out/a.txt; ln -s a.txt out/link; chmod 755 out/a.txt"
    try project.write(Self.text(words, "{ folder: expected }"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(0)
    try project.write(Self.text(words, "{ folder: expected, modes: true }"), to: "s/a.yaml")
    let modes = try project.scenario(["run", "s"])
    #expect(modes.exitCode == 1 && modes.output.contains("not executable"), "\(modes.text)")
    try project.write(
      Self.text(words + "; ln -sf b.txt out/link", "{ folder: expected }"), to: "s/a.yaml")
    let link = try project.scenario(["run", "s"])
    #expect(link.exitCode == 1 && link.output.contains("expected a link to \"a.txt\""))
    // A file of the same bytes is no link.
    try project.write(
      Self.text("mkdir out; echo one > out/a.txt; cp out/a.txt out/link", "{ folder: expected }"),
      to: "s/a.yaml")
    let file = try project.scenario(["run", "s"])
    #expect(file.exitCode == 1 && file.output.contains("expected a symlink, but it is a file"))
  }

  @Test("Only these files: each is there, and nothing else")
  func only() throws {
    let project = try ProjectFolder()
    for (condition, code, line) in [
      ("{ only: [a.txt, sub/b.txt] }", 0, ""), ("{ only: [\"**/*.txt\"] }", 0, ""),
      ("{ only: [a.txt, sub/] }", 0, ""), ("{ only: [a.txt] }", 1, "unexpected: sub/b.txt"),
      ("{ only: [a.txt, sub/*, \"*.log\"] }", 1, "missing: *.log"),
      ("{ only: [a.txt], ignore: [sub/] }", 0, ""), ("{ only: [] }", 1, "expected no file"),
    ] {
      try project.write(Self.text(Self.build, condition), to: "s/a.yaml")
      let run = try project.scenario(["run", "s"])
      #expect(Int(run.exitCode) == code && run.output.contains(line), "\(condition): \(run.text)")
    }
    try project.write(Self.text("mkdir out", "{ only: [] }"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(0)
    try project.write(Self.text("true", "{ only: [] }"), to: "s/a.yaml")
    let missing = try project.scenario(["run", "s"])
    #expect(missing.exitCode == 1 && missing.output.contains("there is no folder \"out/\""))
  }

  @Test("A folder is there or not")
  func states() throws {
    let project = try ProjectFolder()
    for (words, condition, code) in [
      ("mkdir out", "{ exists: true }", 0), ("true", "{ exists: true }", 1),
      ("true", "{ absent: true }", 0), ("mkdir out", "{ absent: true }", 1),
      ("mkdir -m 700 out", "{ mode: 700 }", 0), ("mkdir -m 755 out", "{ mode: 700 }", 1),
    ] {
      try project.write(Self.text(words, condition), to: "s/a.yaml")
      let run = try project.scenario(["run", "s"])
      #expect(Int(run.exitCode) == code, "\(words), \(condition): \(run.text)")
    }
  }

  @Test("A snapshot of a folder holds its texts, and of other files their digests")
  func snapshot() throws {
    let project = try ProjectFolder()
    let words =
      "mkdir -p out/empty; echo in $PWD > out/a.txt; printf x > out/b; ln -s b out/link; "
      + "printf \"\\\\0\\\\377\" > out/c.bin"
    let path = "s/__snapshots__/a.yaml/build.out.snap"
    try project.write(Self.text(words, "{ snapshot: true }"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(0)
    let held = try #require(project.read(path))
    #expect(
      held.hasPrefix("-- a.txt --\n  in $DIR\n-- b (no final newline) --\n  x\n-- c.bin (2 bytes, ")
    )
    #expect(held.hasSuffix(") --\n-- empty/ --\n-- link -> b --\n"))
    try project.scenario(["run", "s"]).expectExit(0)
    try project.write(
      Self.text(words + "; printf y > out/b; rm out/link; echo n > out/n", "{ snapshot: true }"),
      to: "s/a.yaml")
    let changed = try project.scenario(["run", "s"])
    changed.expectExit(1)
    for line in ["3 files differ", "different: b", "missing: link", "unexpected: n"] {
      #expect(changed.output.contains(line), "\(line): \(changed.text)")
    }
    try project.scenario(["review", "s", "--accept"]).expectExit(0)
    try project.scenario(["run", "s"], variables: ["CI=1"]).expectExit(0)
  }

  @Test("Names of any bytes are told apart, each in one line")
  func names() throws {
    let project = try ProjectFolder()
    let words =
      "mkdir out; cd out; touch \"$(printf \"a\\\\nb\")\" \"$(printf \"c\\\\377\")\" \"$(printf \"c\\\\376\")\""
    try project.write(Self.text(words, "{ snapshot: names }"), to: "s/a.yaml")
    let run = try project.scenario(["run", "s"])
    run.expectExit(0)
    #expect(
      project.read("s/__snapshots__/a.yaml/names.snap")
        == "-- a\\nb --\n-- c\\xfe --\n-- c\\xff --\n")
    try project.scenario(["run", "s"]).expectExit(0)
  }

  @Test("A name that looks like a remark, or like where a link leads, is told from one")
  func ambiguousNames() throws {
    let project = try ProjectFolder()
    let path = "s/__snapshots__/a.yaml/names.snap"
    for (words, held) in [
      (
        "touch \"a (executable)\" \"b -> c\" \"d (1).txt\"",
        "-- a\\x20(executable) --\n-- b\\x20-> c --\n-- d (1).txt --\n"
      ),
      (
        "touch a; chmod 755 a; ln -s c b; touch \"d (1).txt\"",
        "-- a (executable) --\n-- b -> c --\n-- d (1).txt --\n"
      ),
    ] {
      try project.write(
        Self.text("mkdir out; cd out; \(words)", "{ snapshot: names, modes: true }"), to: "s/a.yaml"
      )
      try project.scenario(["run", "s", "-u", "all"]).expectExit(0)
      #expect(project.read(path) == held)
    }
  }

  @Test("As many files differ as is said, also where not all are reported, and elisions hide none")
  func counts() throws {
    let project = try ProjectFolder()
    let words = "mkdir out; cd out; for i in $(seq 100 149); do echo $i > f$i; done"
    let path = "s/__snapshots__/a.yaml/many.snap"
    try project.write(Self.text(words, "{ snapshot: many }"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(0)
    try project.write(
      Self.text(words + "; for i in $(seq 100 149); do echo x > f$i; done", "{ snapshot: many }"),
      to: "s/a.yaml")
    let run = try project.scenario(["run", "s"])
    #expect(run.exitCode == 1 && run.output.contains("50 files differ"), "\(run.text)")
    #expect(run.output.contains("different: f139\n") && !run.output.contains("different: f140"))
    #expect(run.output.contains("… 10 more"), "\(run.text)")
    // Files that an elision stands for are not told.
    try project.write("-- f100 --\n  x\n...\n-- f149 --\n  149\n", to: path)
    let elided = try project.scenario(["run", "s"])
    #expect(elided.exitCode == 1 && elided.output.contains("1 file differs"), "\(elided.text)")
    #expect(elided.output.contains("different: f149"), "\(elided.text)")
  }

  @Test("Files of many bytes, and many files, are compared to the last byte")
  func large() throws {
    let project = try ProjectFolder()
    let words =
      "mkdir out; head -c 10000000 /dev/zero > out/big; cd out; mkdir m; cd m; "
      + "for i in $(seq 2000); do echo $i > f$i; done"
    try project.write(String(repeating: "\0", count: 10_000_000), to: "s/expected/big")
    for number in 1...2_000 { try project.write("\(number)\n", to: "s/expected/m/f\(number)") }
    try project.write(Self.text(words, "{ folder: expected }"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(0)
    try project.write(
      Self.text(words + "; printf 1 >> ../big; echo 0 > f777", "{ folder: expected }"),
      to: "s/a.yaml")
    let run = try project.scenario(["run", "s"])
    #expect(run.exitCode == 1 && run.output.contains("2 files differ"), "\(run.text)")
    #expect(run.output.contains("from byte 10000001 on") && run.output.contains("-777"))
  }

  @Test("What contradicts itself, leads elsewhere or is misspelled is a mistake with its place")
  func mistakes() throws {
    let project = try ProjectFolder()
    try project.write("x", to: "s/expected/a.txt")
    for (condition, message) in [
      ("{ folder: expected, only: [a] }", "\"only\" cannot be combined with \"folder\""),
      ("{ folder: expected, snapshot: true }", "\"snapshot\" cannot be combined with \"folder\""),
      ("{ folder: nowhere }", "the folder \"s/nowhere\" does not exist"),
      ("{ only: [../a] }", "leads out of the directory"),
      ("{ snapshot: ../a }", "is not a snapshot name"),
      ("{ foldr: expected }", "did you mean \"folder\""),
      ("{ ignore: [a] }", "the condition of the folder is empty"),
      ("{ only: [a], modes: true }", "compares only names"), ("text", "must be a map"),
      ("{ kind: file }", "is the path of a folder"),
      ("{ only: [\"[a\"] }", "a set that does not end"),
    ] {
      try project.write(Self.text("true", condition), to: "s/a.yaml")
      let check = try project.scenario(["check", "s"])
      #expect(check.exitCode == 2 && check.errorOutput.contains(message), "\(check.text)")
      #expect(check.errorOutput.contains("s/a.yaml:7:"), "\(check.text)")
    }
    for (path, condition) in [
      ("out", "{ folder: expected }"), ("../out/", "{ only: [] }"), ("o*/", "{ only: [] }"),
      ("\"*.txt\"", "{ snapshot: true }"),
    ] {
      let text = Self.text("true", condition)
      try project.write(text.replacing("out/:", with: path + ":"), to: "s/a.yaml")
      let check = try project.scenario(["check", "s"])
      #expect(check.exitCode == 2, "\(path): \(check.text)")
    }
  }
}
