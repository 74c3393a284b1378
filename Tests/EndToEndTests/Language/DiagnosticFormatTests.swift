import Glibc
import Testing

@Suite("Telling mistakes to programs")
struct DiagnosticFormatTests {
  private static let wrong = """
    version: 2
    target: { command: [touch, never] }
    timout: 5s
    expect: { stdout: { matches: '(a' } }

    """

  @Test("All formats go to standard output, and the exit code says that nothing runs")
  func formats() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(Self.wrong, to: "wrong.yaml")
    func check(_ format: String) throws -> String {
      let outcome = try BuiltRunner.run(["check", "--format", format, path])
      outcome.expectExit(2)
      #expect(outcome.errorOutput.isEmpty || format == "text", "\(outcome.errorOutput)")
      return outcome.output
    }

    #expect(try check("text") == "")
    #expect(try check("github").contains("::error file=\(path),line=3,endLine=3,col=1,endColumn=7"))
    #expect(try check("json").contains("\"code\": \"E044\""))
    #expect(try check("sarif").contains("\"ruleId\": \"E044\""))
    let twin = try BuiltRunner.run(["check", "--diagnostics", "json", path])
    twin.expectExit(2)
    #expect(twin.errorOutput.contains("use --format instead of --diagnostics"), "\(twin.text)")
    let other = try BuiltRunner.run(["check", "--format", "xml", path])
    other.expectExit(2)
    #expect(other.errorOutput.contains("is not one of text, json, github, sarif"))
  }

  @Test(
    "What check prints as JSON is what its schema says", arguments: [wrong, "a: [\n", "\0", ""])
  func schema(text: String) throws {
    let folder = try TemporaryFolder()
    let wrong = folder.write(text, to: "wrong.txt")
    let schema = try #require(
      TemporaryFolder.read("\(BuiltRunner.root)/schemas/diagnostics.schema.json"))
    folder.write(schema, to: "schema.json")
    let path = folder.write(
      """
      version: 2
      target: { command: [\(BuiltRunner.executable), check, --format, json, \(wrong)] }
      expect: { exit: 2, stdout: { json: { schema: schema.json } } }

      """, to: "checks.yaml")

    let outcome = try BuiltRunner.run(["run", path])

    outcome.expectExit(0)
  }

  @Test("A run and a plan tell mistakes in a format, too")
  func otherCommands() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(Self.wrong, to: "wrong.yaml")

    for command in ["run", "plan"] {
      let outcome = try BuiltRunner.run([command, "--diagnostics", "github", path])
      outcome.expectExit(2)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errorOutput.contains("title=E021::"), "\(outcome.errorOutput)")
    }
  }

  @Test("A file that does not load is an error in the JUnit report, and no other file runs")
  func junit() throws {
    let folder = try TemporaryFolder()
    folder.write(Self.wrong, to: "wrong.yaml")
    folder.write("version: 2\ntarget: { command: [date] }\n", to: "good.yaml")
    let report = "\(folder.path)/report.xml"

    let outcome = try BuiltRunner.run(["run", folder.path, "--report", "junit=\(report)"])
    let xml = try #require(TemporaryFolder.read(report))

    outcome.expectExit(2)
    #expect(outcome.output.isEmpty)
    #expect(xml.contains("errors=\"1\""))
    #expect(xml.contains("wrong.yaml:3:1: error[E021]"), "\(xml)")
    #expect(xml.contains("wrong.yaml:4:30: error[E044]"), "\(xml)")
    #expect(!xml.contains("good.yaml"))
    #expect(!TemporaryFolder.names(folder.path).contains("never"))
  }

  @Test("Fixes are made in the file, and what is left is reported")
  func fixes() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      "target: { command: [date] }\ntimout: 5s\nsteps: [{ run: [] }, { suspedn: 3s }]\n",
      to: "a.yaml",
      mode: 0o640)
    let outcome = try BuiltRunner.run(["check", "--fix", path])

    #expect(outcome.exitCode == 2 || outcome.exitCode == 0, "\(outcome.text)")
    #expect(
      TemporaryFolder.read(path)
        == "version: 2\ntarget: { command: [date] }\ntimeout: 5s\nsteps: [{ run: [] }, { suspend: 3s }]\n"
    )
    #expect(outcome.errorOutput.contains(": 3 fixed"), "\(outcome.text)")
    #expect(TemporaryFolder.names(folder.path) == ["a.yaml"])
    // A second time there is nothing to do.
    let again = try BuiltRunner.run(["check", "--fix", path])
    #expect(!again.errorOutput.contains("mended"))
  }

  @Test("A name that is merely near is suggested with its confidence, and never put in")
  func suggestions() throws {
    let folder = try TemporaryFolder()
    let text = """
      version: 2
      target: { command: [date], env: { A: b } }
      tags: &needs [smoke]
      needs: 1
      vars: [smoke]
      steps: [{ repeat: all }, { restart: [] }, { retry: }, { steps: hello }, { mock: 3s }, { run: [] }]
      expect: { stdout: { json: { $.msg: { not: { contians: error } } } } }

      """
    let path = folder.write(text, to: "a.yaml")
    let certain = folder.write(
      "version: 2\ntarget: { command: [date] }\ntimout: 5s\n", to: "b.yaml")

    let fixed = try BuiltRunner.run(["check", "--fix", path])
    let json = try BuiltRunner.run(["check", "--format", "json", path]).output
    let sarif = try BuiltRunner.run(["check", "--format", "sarif", path]).output
    let sure = try BuiltRunner.run(["check", "--format", "sarif", certain]).output

    #expect(fixed.exitCode == 2 && !fixed.text.contains("mended"), "\(fixed.text)")
    #expect(TemporaryFolder.read(path) == text)
    #expect(json.contains("\"confidence\": \"guess\""), "\(json)")
    #expect(json.contains("\"confidence\": \"likely\""), "\(json)")
    #expect(!json.contains("\"certain\"") && !sarif.contains("\"certain\""), "\(json)")
    #expect(sarif.contains("\"confidence\": \"guess\""), "\(sarif)")
    #expect(sure.contains("\"confidence\": \"certain\""), "\(sure)")
  }

  @Test("A hundred mistakes are shown, and the others counted")
  func many() throws {
    let folder = try TemporaryFolder()
    let keys = (0..<130).map { "key\($0): 1\n" }.joined()
    let path = folder.write("version: 2\ntarget: { command: [date] }\n" + keys, to: "a.yaml")
    let outcome = try BuiltRunner.run(["check", path])

    #expect(outcome.errorOutput.contains("\"key99\""))
    #expect(!outcome.errorOutput.contains("\"key100\""))
    #expect(outcome.errorOutput.contains("and 30 more that are not shown\n"))
    #expect(outcome.errorOutput.contains("130 errors; nothing was run\n"))
  }

  @Test("Mistakes that only planning finds are reported beside those of reading")
  func bothStages() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      Self.wrong
        + "chaos: [{ call: fsnyc, provide: { error: EIO } }]\nbuild: { a: { $build: b } }\n",
      to: "a.yaml")
    let outcome = try BuiltRunner.run(["check", path])

    #expect(outcome.errorOutput.contains(":3:1: error[E021]"))
    #expect(outcome.errorOutput.contains(":4:30: error[E044]"), "\(outcome.errorOutput)")
    #expect(outcome.errorOutput.contains(":5:17: error[E105]"), "\(outcome.errorOutput)")
  }

  @Test("A file of 64 MB is refused without being read")
  func large() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("version: 2\n", to: "a.yaml")
    #expect(truncate(path, 64_000_000) == 0)
    let outcome = try BuiltRunner.run(["check", path])

    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains("error[E003]"), "\(outcome.errorOutput)")
    #expect(outcome.errorOutput.contains("is larger than 32 MiB"))
  }

  @Test("All that can be mended is, also what is not told because there is so much")
  func fixesAll() throws {
    let folder = try TemporaryFolder()
    let count = 260
    let steps = (0..<count).map { _ in "  - suspnd: 3s\n" }.joined()
    let path = folder.write(
      "version: 2\ntarget: { command: [cat] }\nsteps:\n  - start:\n" + steps, to: "many.yaml")

    let outcome = try BuiltRunner.run(["check", "--fix", path])

    outcome.expectExit(0)
    #expect(outcome.errorOutput.contains("\(count) fixed"), "\(outcome.text)")
    #expect(!(TemporaryFolder.read(path) ?? "suspnd").contains("suspnd"))
  }
}
