import Glibc
import ScenarioEvents
import ScenarioModel
import ScenarioPlan
import Testing

@testable import ScenarioRunner

@Suite("What an exploration sees of files")
struct ObservedPathTests {
  @Test("Before the target runs, names are looked at, and no file is read")
  func unread() throws {
    var template = Array("/tmp/observed-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = "\(root)/work/folder/file"
    defer {
      unlink(path)
      for folder in ["/work/folder", "/work", ""] { rmdir(root + folder) }
    }
    for folder in ["/work", "/work/folder"] { mkdir(root + folder, 0o700) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    #expect(write(descriptor, "text", 4) == 4)
    close(descriptor)
    // As a file lies there whose times are the scenario's: reading would make it newer (mount(8): relatime).
    let time = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)

    let paths = ObservedFiles(root: root).paths()

    var status = stat()
    #expect(lstat(path, &status) == 0)
    #expect(paths == ["work/folder", "work/folder/file"])
    let accessed = status.st_atim.tv_sec
    #expect(accessed == 1_000_000_000)
    #expect(ObservedFiles(root: root).all()["work/folder/file"]?.text == "text")
  }
}
