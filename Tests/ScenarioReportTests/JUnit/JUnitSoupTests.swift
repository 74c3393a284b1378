import ScenarioEvents
import Testing

@testable import ScenarioReport

@Suite(
  "Whatever a target prints, JUnit XML is well-formed",
  .enabled(if: XMLLint.isAvailable, "xmllint is missing: install libxml2-utils"))
struct JUnitSoupTests {
  private func files(
    _ dialect: JUnitDialect, in folder: TemporaryFolder, seeds: Range<UInt64>
  ) throws -> [String] {
    for seed in seeds {
      var soup = ByteSoup(seed: seed)
      let run = soup.run()
      let path = "\(folder.path)/\(seed)"
      let destination: JUnitDestination =
        dialect.needsFolder
        ? .folder(try ReportFolder(path: path)) : .sink(try FileSink(path: "\(path)/r.xml"))
      try run.play(to: JUnitRecorder(destination: destination, dialect: dialect))
    }
    return Command.run("find '\(folder.path)' -type f | sort").output.split(separator: "\n")
      .map(String.init)
  }

  @Test("Soups of bytes in every place, through every dialect", arguments: JUnitDialect.allCases)
  func soups(dialect: JUnitDialect) throws {
    let folder = try TemporaryFolder()
    let paths = try files(dialect, in: folder, seeds: 1..<60)

    #expect(paths.count >= 59)
    #expect(paths.allSatisfy { $0.hasSuffix(".xml") })
    let parsed = XMLLint.parse(all: paths)
    #expect(parsed.status == 0, "\(parsed.output.prefix(2000))")
    for schema in dialect.schemas {
      let result = XMLLint.validate(all: paths, schema: schema)
      #expect(result.status == 0, "\(schema): \(result.output.prefix(2000))")
    }
    for path in paths {
      let text = try #require(TextFile.read(path))
      #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
      #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0 })
    }
  }

  @Test("Another parser takes them too, and finds every case")
  func expat() throws {
    let folder = try TemporaryFolder()
    let paths = try files(.jenkins, in: folder, seeds: 100..<130)
    let script =
      "import sys, xml.etree.ElementTree as t\n"
      + "for p in sys.argv[1:]: print(len(t.parse(p).findall('.//testcase')))\n"
    try TextFile.write(script, to: "\(folder.path)/count.py")
    let files = paths.map { "'\($0)'" }.joined(separator: " ")
    let result = Command.run("python3 '\(folder.path)/count.py' \(files)")

    #expect(result.status == 0, "\(result.output.prefix(2000))")
    // Seven cases, and one for what belongs to none.
    #expect(result.output.split(separator: "\n").allSatisfy { $0 == "8" })
    #expect(result.output.split(separator: "\n").count == paths.count)
  }

  @Test("What is left of a soup comes back as it was written")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    for seed in UInt64(200)..<220 {
      var soup = ByteSoup(seed: seed)
      let text = soup.text() + "."
      var run = SampleRun()
      run.addCase("n", output: text)
      run.end()
      let path = "\(folder.path)/\(seed).xml"
      try run.play(to: JUnitRecorder(sink: try FileSink(path: path)))

      #expect(XMLLint.value(of: "//system-out", in: path) == ReportText.cleaned(text) + "\n")
    }
  }

  @Test("The parser is one that refuses")
  func twin() throws {
    let folder = try TemporaryFolder()
    var soup = ByteSoup(seed: 7)
    let bytes = (0..<40).flatMap { _ in soup.bytes() }
    let text = String(decoding: bytes, as: UTF8.self)
    try TextFile.write("<a>\(text)</a>", to: "\(folder.path)/raw.xml")

    #expect(XMLLint.parse(all: ["\(folder.path)/raw.xml"]).status != 0)
  }
}
