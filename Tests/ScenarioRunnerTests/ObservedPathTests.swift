import Glibc
import ScenarioEvents
import ScenarioTools
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

    #expect(paths == ["work/folder", "work/folder/file"])
    #expect(try accessTime(of: path) == 1_000_000_000)
    #expect(ObservedFiles(root: root).all()["work/folder/file"]?.text == "text")
  }

  /// When a file was read last, in seconds: stat(1) tells it where the compiler hides members of stat(2)'s
  /// structure from some targets.
  private func accessTime(of path: String) throws -> Int? {
    let stream = try #require(popen("exec stat -c %X '\(path)'", "r"))
    defer { pclose(stream) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, 64, stream) != nil else { return nil }
    let digits = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
