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
    #expect(folder.names(in: "a/b") == ["report.xml"])
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

  @Test("A symbolic link stays one, and the file that it leads to is replaced")
  func link() throws {
    let folder = try TemporaryFolder()
    mkdir("\(folder.path)/real", 0o755)
    try TextFile.write("old", to: "\(folder.path)/real/report.xml")
    try #require(symlink("real/report.xml", "\(folder.path)/link.xml") == 0)

    let sink = try FileSink(path: "\(folder.path)/link.xml")
    try sink.write("new")
    #expect(folder.text(of: "real/report.xml") == "old")
    try sink.finish()

    #expect(folder.kind(of: "link.xml") == S_IFLNK)
    #expect(folder.text(of: "real/report.xml") == "new")
    #expect(folder.names(in: "real") == ["report.xml"])
  }

  @Test("A link that leads nowhere is refused and stays")
  func danglingLink() throws {
    let folder = try TemporaryFolder()
    try #require(symlink("nowhere", "\(folder.path)/link.xml") == 0)

    let error = #expect(throws: ReportError.self) {
      _ = try FileSink(path: "\(folder.path)/link.xml")
    }

    #expect(error?.message.hasSuffix("is a broken symbolic link") ?? false)
    #expect(error?.help != nil)
    #expect(folder.kind(of: "link.xml") == S_IFLNK)
  }

  @Test("A FIFO is written to and stays one", arguments: ["fifo", "link"])
  func fifo(name: String) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/fifo"
    try #require(mkfifo(path, 0o600) == 0)
    try #require(symlink("fifo", "\(folder.path)/link") == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }

    let sink = try FileSink(path: "\(folder.path)/\(name)")
    try sink.write("text")
    try sink.finish()

    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(read(reader, &buffer, buffer.count) == 4)
    #expect(folder.kind(of: "fifo") == S_IFIFO)
    #expect(folder.kind(of: "link") == S_IFLNK)
    #expect(folder.names(in: ".") == ["fifo", "link"])
  }

  @Test("A report that is never completed leaves nothing behind")
  func abandoned() throws {
    let folder = try TemporaryFolder()

    do {
      let sink = try FileSink(path: "\(folder.path)/report.xml")
      try sink.write("half")
    }

    #expect(folder.names(in: ".") == [])
  }

  @Test("Of two that write one report at once, the one that ends last has it, and it is whole")
  func together() throws {
    let folder = try TemporaryFolder()
    let first = try FileSink(path: "\(folder.path)/report.xml")
    let second = try FileSink(path: "\(folder.path)/report.xml")
    try first.write("one ")
    try second.write("two ")
    try first.write("1")
    try second.write("2")

    try second.finish()
    #expect(folder.text(of: "report.xml") == "two 2")
    try first.finish()
    #expect(folder.text(of: "report.xml") == "one 1")
    #expect(folder.names(in: ".") == ["report.xml"])
  }

  @Test("What an earlier run left beside the report is not followed")
  func leftover() throws {
    let folder = try TemporaryFolder()
    try TextFile.write("mine", to: "\(folder.path)/other")
    try #require(symlink("other", "\(folder.path)/report.xml.part") == 0)

    let sink = try FileSink(path: "\(folder.path)/report.xml")
    try sink.write("new")
    try sink.finish()

    #expect(folder.text(of: "other") == "mine")
    #expect(folder.text(of: "report.xml") == "new")
  }

  @Test("Two ways to write one path are one place, two paths are two")
  func places() throws {
    let folder = try TemporaryFolder()
    try TextFile.write("", to: "\(folder.path)/report.xml")
    try #require(symlink("report.xml", "\(folder.path)/link.xml") == 0)
    let place = ReportPath("\(folder.path)/report.xml")

    #expect(ReportPath("\(folder.path)/./report.xml") == place)
    #expect(ReportPath("\(folder.path)/link.xml") == place)
    #expect(ReportPath("\(folder.path)/new/../report.xml") == place)
    #expect(ReportPath("\(folder.path)/new/report.xml") != place)
    #expect(ReportPath("a/b") == ReportPath("./a//b"))
    #expect(ReportPath("a/b") != ReportPath("a/c"))
  }

  @Test("A path below a file is refused with the path and a next step")
  func belowFile() throws {
    let folder = try TemporaryFolder()
    try TextFile.write("", to: "\(folder.path)/file")
    let path = "\(folder.path)/file/report.xml"

    let error = #expect(throws: ReportError.self) { _ = try FileSink(path: path) }

    #expect(error?.path == path)
    #expect(error?.message == "the report \"\(path)\" could not be written: Not a directory")
    #expect(error?.help?.contains("parts are folders") ?? false)
  }

  @Test("A folder is refused as a report")
  func folder() throws {
    let folder = try TemporaryFolder()

    let error = #expect(throws: ReportError.self) { _ = try FileSink(path: folder.path) }

    #expect(error?.message.hasSuffix("Is a directory") ?? false)
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
      error?.message == "standard output could not be written: No space left on device")
  }

  @Test("An empty path is refused")
  func empty() {
    let error = #expect(throws: ReportError.self) { _ = try FileSink(path: "") }
    #expect(error?.help != nil)
  }
}
