import ScenarioReport
import Testing

@Suite("A journal can be read while it is written")
struct JournalSinkTests {
  @Test("Each text is there at once, and nothing of an earlier journal is")
  func atOnce() throws {
    let folder = try TemporaryFolder()
    try TextFile.write("old and long\n", to: "\(folder.path)/j")
    let sink = try JournalSink(path: "\(folder.path)/j")

    #expect(folder.text(of: "j") == "")
    try sink.write("one\n")
    #expect(folder.text(of: "j") == "one\n")
    try sink.write("two\n")
    try sink.finish()
    #expect(folder.text(of: "j") == "one\ntwo\n")
    #expect(folder.text(of: "j.part") == nil)
  }

  @Test("A journal that another writes is refused and stays as it is, until the other has ended")
  func together() throws {
    let folder = try TemporaryFolder()
    do {
      let first = try JournalSink(path: "\(folder.path)/j")
      try first.write("one\n")
      let error = #expect(throws: ReportError.self) {
        _ = try JournalSink(path: "\(folder.path)/j")
      }
      #expect(error?.message.hasSuffix("is being written by another run") ?? false)
      try first.write("two\n")
      try first.finish()
    }
    #expect(folder.text(of: "j") == "one\ntwo\n")
    try JournalSink(path: "\(folder.path)/j").write("three\n")
    #expect(folder.text(of: "j") == "three\n")
  }

  @Test("A journal that is dropped keeps what it has")
  func dropped() throws {
    let folder = try TemporaryFolder()
    do {
      let sink = try JournalSink(path: "\(folder.path)/a/b/j")
      try sink.write("one\n")
    }
    #expect(folder.text(of: "a/b/j") == "one\n")
  }

  @Test("Nothing is written to a journal that is complete, and none stands where none can")
  func refused() throws {
    let folder = try TemporaryFolder()
    let sink = try JournalSink(path: "\(folder.path)/j")
    try sink.finish()

    #expect(throws: ReportError.self) { try sink.write("late\n") }
    #expect(throws: ReportError.self) { _ = try JournalSink(path: folder.path) }
    #expect(throws: ReportError.self) { _ = try JournalSink(path: "") }
  }

  @Test("A journal that somebody has removed is no success")
  func removed() throws {
    let folder = try TemporaryFolder()
    let sink = try JournalSink(path: "\(folder.path)/j")
    try sink.write("one\n")
    #expect(Command.run("rm '\(folder.path)/j'").status == 0)

    #expect(throws: ReportError.self) { try sink.finish() }
  }
}
