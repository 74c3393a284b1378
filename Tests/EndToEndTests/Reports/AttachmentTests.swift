import Testing

@Suite("What a scenario captured and left, in its reports")
struct AttachmentTests {
  private static let text = """
    version: 2
    name: kept
    target: { command: [bash, -c, 'echo port 8080 token abcdefgh; echo x > note.txt; curl -s http://a.test/'] }
    responses: [{ GET http://a.test/: { text: ok } }]
    steps:
      - run:
      - capture: { port: { stdout: 'port (\\d+)' }, token: { stdout: 'token (\\S+)' } }
    """

  /// Runs it in a folder for temporary files of its own, which is removed with what is kept in it.
  private func run(
    expecting output: String, _ options: [String]
  ) throws -> (outcome: BuiltRunner.Outcome, report: (String) -> String) {
    let folder = try TemporaryFolder()
    let path = folder.write(
      Self.text + "\nexpect: { stdout: { contains: \(output) } }\n", to: "s.yaml")
    let reports = ["junit", "jsonl", "html", "har"]
    let script = folder.write(
      """
      cd '\(folder.path)'
      mkdir kept
      TMPDIR=$PWD/kept '\(BuiltRunner.executable)' run "$@"
      code=$?
      find kept -name note.txt | sed 's/^/kept: /'
      rm -r kept
      exit $code
      """, to: "script.sh")
    let outcome = try BuiltRunner.command(
      ["bash", script, path] + options + reports.flatMap { ["--report", "\($0)=r.\($0)"] })
    let texts = reports.map { ($0, TemporaryFolder.read("\(folder.path)/r.\($0)") ?? "") }
    return (outcome, { name in texts.first { $0.0 == name }?.1 ?? "" })
  }

  @Test("Captured values are events, properties and lines; a token is hidden by its name")
  func captures() throws {
    let (outcome, report) = try run(expecting: "never", [])

    outcome.expectExit(1)
    #expect(outcome.output.contains("captured: port = 8080\ncaptured: token = ***\n"))
    #expect(report("jsonl").contains(#""data":{"name":"port","value":"8080"}"#))
    #expect(report("junit").contains(#"name="scenario.capture.port: kept" value="8080"/>"#))
    #expect(report("html").contains(#"["captured","port = 8080"]"#))
  }

  @Test("The files of a folder that is kept are named, and the archive of requests")
  func kept() throws {
    let (outcome, report) = try run(expecting: "never", ["--keep-workdir=failed"])

    let line = try #require(outcome.output.split(separator: "\n").first { $0.hasPrefix("kept: ") })
    let path = line.dropFirst("kept: ".count)
    #expect(report("junit").contains("[[ATTACHMENT|r.har]]\n[[ATTACHMENT|\(path)]]\n"))
    #expect(report("html").contains(#""files":[["archive","r.har","./r.har"],["file","\#(path)","#))
    #expect(report("jsonl").contains(#""attachments":[{"kind":"archive","path":"/"#))
  }

  @Test("A file whose name is not UTF-8 is led to by its bytes")
  func bytes() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      name: odd
      target: { command: [bash, -c, "echo x > $'a\\\\xff.txt'; echo x > plain.txt"] }
      expect: { exit: 7 }
      """, to: "s.yaml")
    let names = ["junit", "jsonl", "html", "ctrf", "tap"]
    let outcome = try BuiltRunner.command(
      ["env", "TMPDIR=\(folder.path)", BuiltRunner.executable, "run", path]
        + ["--keep-workdir=failed"]
        + names.flatMap { ["--report", "\($0)=\(folder.path)/r.\($0)"] })
    let reports = names.map { TemporaryFolder.read("\(folder.path)/r.\($0)") ?? "" }

    outcome.expectExit(1)
    #expect(!reports[0].contains("a\u{fffd}") && reports[0].contains("/plain.txt]]"))
    #expect(reports[1].contains(#""address":"file://"#) && reports[1].contains("a%FF.txt"))
    #expect(reports[2].contains("a%FF.txt\"]") && reports[2].contains(#"a\\xff.txt"#))
    #expect(reports[3].contains("a%FF.txt") && reports[3].contains("/plain.txt"))
    #expect(reports[4].contains(#"a\\xff.txt"#))
    for report in reports { #expect(!report.contains("a\u{fffd}")) }
  }

  @Test("A scenario that passed has none, and neither has one whose folder is not kept")
  func twin() throws {
    let (passed, report) = try run(expecting: "ok", ["--keep-workdir=failed"])
    passed.expectExit(0)
    #expect(!report("junit").contains("ATTACHMENT") && !report("html").contains(#""files":"#))
    #expect(!report("jsonl").contains("attachments"))

    let (failed, other) = try run(expecting: "never", [])
    #expect(failed.exitCode == 1 && !failed.output.contains("kept: "), "\(failed.text)")
    #expect(!other("junit").contains("note.txt]]"))
  }
}
