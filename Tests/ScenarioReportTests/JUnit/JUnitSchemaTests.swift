import Foundations
import ScenarioEvents
import ScenarioReport
import Testing

@Suite(
  "JUnit XML is valid against the schema that Jenkins enforces",
  .enabled(if: XMLLint.isAvailable, "xmllint is missing: install libxml2-utils"))
struct JUnitSchemaTests {
  private static let nastyTexts: [String] = [
    "\u{1B}[31mred\u{1B}[0m", "\u{00}\u{01}\u{08}\u{0B}\u{1F}", "]]>", "<&>\"'", "👩‍👩‍👧 ÄÖ \u{10FFFF}",
    "\u{FFFE}\u{FFFF}", "a\rb\r\nc\td", String(decoding: [0xED, 0xA0, 0x80, 0xFF], as: UTF8.self),
    "\u{1B}", "\u{9B}", "", " ", "\n",
  ]

  private func write(_ run: SampleRun, to folder: TemporaryFolder) throws -> String {
    let path = "\(folder.path)/TEST-scenario.xml"
    try run.play(to: JUnitRecorder(sink: try FileSink(path: path)))
    return path
  }

  @Test("Nasty text in every place leaves the report valid", arguments: nastyTexts)
  func nasty(text: String) throws {
    let folder = try TemporaryFolder()
    var run = SampleRun(caseCount: 5, hostname: text)
    var failure = Failure.wrongOutput
    failure.type = text
    failure.message = text
    failure.actual = text
    failure.details = [text, text]
    failure.help = text
    failure.range?.file = text
    var error = failure
    error.category = .error
    run.addCase(
      text, outcome: .failed, failures: [failure, error], output: text, errorOutput: text)
    run.addCase(text, file: text, outcome: .errored, failures: [error], directory: text)
    run.addCase(text, outcome: .skipped, warnings: [text])
    run.addCase(text, outcome: nil)
    run.append(.failed(failure))
    run.end()

    let path = try write(run, to: folder)
    let result = XMLLint.validate(path)

    #expect(result.status == 0, "\(result.output)")
  }

  @Test("Text comes back as it went in")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    var run = SampleRun()
    var failure = Failure.wrongOutput
    failure.message = "a\tb]]>&<\"'"
    failure.range = nil
    run.addCase("n", outcome: .failed, failures: [failure], output: "a\r\nb\u{01}\u{1B}[1mc ]]>")
    run.end()

    let path = try write(run, to: folder)

    #expect(XMLLint.value(of: "//system-out", in: path) == "a\r\nb\\x{01}c ]]>\n")
    #expect(XMLLint.value(of: "//failure/@message", in: path) == "a\tb]]>&<\"'\n")
  }

  @Test("Outputs of 5 MB leave the report valid")
  func large() throws {
    let folder = try TemporaryFolder()
    var run = SampleRun(caseCount: 2)
    let output = String(repeating: "\u{1B}[32mok\u{1B}[0m <😀>\u{01}\n", count: 200_000)
    #expect(output.utf8.count >= 4_000_000)
    run.addCase("talks", output: output, errorOutput: output)
    run.addCase("fails", outcome: .failed, failures: [.wrongOutput], output: output)
    run.end()

    let result = XMLLint.validate(try write(run, to: folder))

    #expect(result.status == 0, "\(result.output)")
  }

  @Test("An empty run leaves a valid report")
  func empty() throws {
    let folder = try TemporaryFolder()
    let result = XMLLint.validate(try write(SampleRun(caseCount: 0), to: folder))
    #expect(result.status == 0, "\(result.output)")
  }

  @Test("The validator is one that refuses")
  func twin() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/bad.xml"
    try TextFile.write("<testsuites><testcase name=\"loose\" line=\"1\"/></testsuites>", to: path)

    #expect(XMLLint.validate(path).status != 0)
  }
}
