import Glibc
import ScenarioReport
import Testing

@Suite("A report file is whole or not there")
struct FileSinkTests {
  @Test("Folders are made, and the file has its name only when it is complete")
  func complete() throws {
    let folder = try TemporaryFolder()
    let sink = try FileSink(path: "\(folder.path)/a/b/report.xml")

    try sink.write("one ")
    try sink.write("two")
    #expect(folder.text(of: "a/b/report.xml") == nil)
    try sink.finish()

    #expect(folder.text(of: "a/b/report.xml") == "one two")
    #expect(folder.text(of: "a/b/report.xml.part") == nil)
  }

  @Test("An earlier report stays until the new one is complete")
  func replacement() throws {
    let folder = try TemporaryFolder()
    try TextFile.write("old", to: "\(folder.path)/report.xml")

    let sink = try FileSink(path: "\(folder.path)/report.xml")
    try sink.write("new")
    #expect(folder.text(of: "report.xml") == "old")
    try sink.finish()

    #expect(folder.text(of: "report.xml") == "new")
  }

  @Test("A path below a file is refused with the path and a next step")
  func belowFile() throws {
    let folder = try TemporaryFolder()
    try TextFile.write("", to: "\(folder.path)/file")
    let path = "\(folder.path)/file/report.xml"

    let error = #expect(throws: ReportError.self) { _ = try FileSink(path: path) }

    #expect(error?.path == path)
    #expect(error?.message == "the report \"\(path)\" could not be written: not a directory")
    #expect(error?.help?.contains("folders are folders") ?? false)
  }

  @Test("A folder is refused as a report")
  func folder() throws {
    let folder = try TemporaryFolder()

    let error = #expect(throws: ReportError.self) { _ = try FileSink(path: folder.path) }

    #expect(error?.message.hasSuffix("is a directory") ?? false)
    #expect(error?.help == "name a file, such as \"\(folder.path)/TEST-scenario.xml\"")
  }

  @Test("A full device is an error, not a silent loss")
  func full() throws {
    let device = open("/dev/full", O_WRONLY)
    try #require(device >= 0)
    defer { close(device) }
    let sink = DescriptorSink(descriptor: device, name: "standard output")

    let error = #expect(throws: ReportError.self) { try sink.write("text") }

    #expect(
      error?.message == "standard output could not be written: no space left on device")
  }

  @Test("An empty path is refused")
  func empty() {
    let error = #expect(throws: ReportError.self) { _ = try FileSink(path: "") }
    #expect(error?.help != nil)
  }
}
