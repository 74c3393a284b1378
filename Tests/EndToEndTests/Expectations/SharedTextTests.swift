import Glibc
import Testing

@Suite("Texts of scenario files that several cases share")
struct SharedTextTests {
  private static func rows(_ plans: String, _ words: String, _ text: String) -> String {
    """
    version: 2
    name: rows
    matrix: { plan: [\(plans)] }
    target: { command: [sh, -c, '\(words)', sh, "${{ matrix.plan }}"] }
    expect: { exit: 0, stdout: \(text) }

    """
  }

  @Test("A text that all rows share changes if all of them say the same")
  func agreement() throws {
    let project = try ProjectFolder()
    try project.write(Self.rows("a, b", "echo new", "old"), to: "s/a.yaml")
    let run = try project.scenario(["run", "s", "-u", "changed", "-j", "2"])
    #expect(run.exitCode == 0 && run.errorOutput.contains("rewrote s/a.yaml"), "\(run.text)")
    #expect(run.output.contains("2 passed"), "\(run.text)")
    #expect(project.read("s/a.yaml") == Self.rows("a, b", "echo new", "new"))
  }

  @Test("One row alone does not change the text of the others: it is an error in every report")
  func oneRow() throws {
    let project = try ProjectFolder()
    let text = Self.rows("a, b", "echo new", "old")
    try project.write(text, to: "s/a.yaml")
    let run = try project.scenario(
      [
        "run", "s", "-u", "changed", "--case", "rows [plan=a]", "--report", "junit=r.xml",
        "--report", "jsonl=r.jsonl", "--report", "tap=r.tap", "--report", "ctrf=r.json",
      ])
    #expect(run.exitCode == 3 && project.read("s/a.yaml") == text, "\(run.text)")
    #expect(run.output.contains("ERROR") && !run.output.contains("1 passed"), "\(run.text)")
    #expect(run.output.contains("rows [plan=b]"), "\(run.text)")
    #expect(run.output.contains("`snapshot: true`"), "\(run.text)")
    for (name, part) in [
      ("r.xml", "<error "), ("r.tap", "not ok 1"), ("r.json", "\"failed\""),
      ("r.jsonl", "\"outcome\":\"errored\""),
    ] {
      let report = try #require(project.read(name))
      #expect(report.contains(part), "\(name): \(report)")
    }
    // It is what failed last.
    let again = try project.scenario(["run", "s", "--last-failed"])
    #expect(again.exitCode == 1 && again.output.contains("rows [plan=a]"), "\(again.text)")
  }

  @Test("A row that a saved plan leaves out has its say as well, and one that is skipped has none")
  func otherRows() throws {
    let project = try ProjectFolder()
    let text = Self.rows("a, b", "echo new", "old")
    try project.write(text, to: "s/a.yaml")
    try project.scenario(["plan", "s", "--case", "rows [plan=a]", "-o", "p.json"]).expectExit(0)
    let run = try project.scenario(["run", "--plan", "p.json", "-u", "changed"])
    #expect(run.exitCode == 3 && run.output.contains("rows [plan=b]"), "\(run.text)")
    #expect(project.read("s/a.yaml") == text)

    let scenarios = { (expected: String) in
      """
      version: 2
      expect: { exit: 0, stdout: \(expected) }
      scenarios:
        - { name: a, target: { command: [echo, new] } }
        - { name: b, skip: not yet, target: { command: [echo, old] } }

      """
    }
    try project.write(scenarios("old"), to: "s/a.yaml")
    try project.scenario(["run", "s", "-u", "changed"]).expectExit(0)
    #expect(project.read("s/a.yaml") == scenarios("new"))
  }

  @Test("Rows that say different things, or still say what is there, leave the text as it is")
  func disagreement() throws {
    let project = try ProjectFolder()
    for (words, text) in [
      ("echo $1", "old"), ("if [ $1 = a ]; then echo new; else echo old; fi", "old"),
      ("if [ $1 = a ]; then echo new; else exit 1; fi", "old"),
      ("echo same; if [ $1 = a ]; then echo new; else echo old; fi", "{ lines: [same, old] }"),
    ] {
      let file = Self.rows("a, b", words, text)
      try project.write(file, to: "s/a.yaml")
      let run = try project.scenario(["run", "s", "-u", "changed"])
      #expect(run.exitCode == 3 || words.contains("exit 1") && run.exitCode == 1, "\(run.text)")
      #expect(run.output.contains("cannot update this expected text"), "\(run.text)")
      #expect(project.read("s/a.yaml") == file)
    }
  }

  @Test("One text for several files changes for all of them or not at all")
  func files() throws {
    let project = try ProjectFolder()
    let text = { (words: String, expected: String) in
      """
      version: 2
      name: files
      target: { command: [sh, -c, '\(words)'] }
      expect: { exit: 0, files: { "*.txt": \(expected) } }

      """
    }
    try project.write(text("echo new > a.txt; echo old > b.txt", "old"), to: "s/a.yaml")
    let refused = try project.scenario(["run", "s", "-u", "changed"])
    refused.expectExit(3)
    try project.write(text("echo new > a.txt; echo new > b.txt", "old"), to: "s/a.yaml")
    try project.scenario(["run", "s", "-u", "changed"]).expectExit(0)
    #expect(project.read("s/a.yaml") == text("echo new > a.txt; echo new > b.txt", "new"))
  }

  @Test("A text that is not written out where it is said stays, and that is an error")
  func refusals() throws {
    let project = try ProjectFolder()
    let file = Self.rows("a", "echo new", "\"${{ matrix.plan }}\"")
    try project.write(file, to: "s/a.yaml")
    let run = try project.scenario(["run", "s", "-u", "changed", "--report", "junit=r.xml"])
    #expect(
      run.exitCode == 3 && run.output.contains("is not written literally here"), "\(run.text)")
    #expect(project.read("s/a.yaml") == file)
    let report = try #require(project.read("r.xml"))
    #expect(report.contains("<error ") && report.contains("errors=\"1\""), "\(report)")
  }

  @Test("The ends of the file's lines stay")
  func ends() throws {
    let project = try ProjectFolder()
    let old = Self.rows("a, b", "echo one; echo two", "old").replacing("\n", with: "\r\n")
    try project.write(
      old.replacing("expect: { exit: 0, stdout: old }", with: "expect:\r\n  stdout: old # what"),
      to: "s/a.yaml")
    try project.scenario(["run", "s", "-u", "changed"]).expectExit(0)
    let text = try #require(project.read("s/a.yaml"))
    #expect(
      text.contains("  stdout: | # what\r\n    one\r\n    two\r\n"), "\(text.debugDescription)")
    #expect(text.utf8.split(separator: 10).allSatisfy { $0.last == 13 }, "\(text.debugDescription)")
    try project.scenario(["run", "s"]).expectExit(0)
  }
}
