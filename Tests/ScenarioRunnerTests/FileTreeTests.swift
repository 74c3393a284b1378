import Glibc
import ScenarioEvents
import Testing

@testable import ScenarioRunner

@Suite("Whole folders and whole files")
struct FileTreeTests {
  private let folder = Folder()

  // MARK: - Removing

  @Test("A tree goes, locked folders and names that are not UTF-8 with it")
  func removesTree() {
    folder.make("tree/a/b")
    folder.write("text", to: "tree/a/b/file")
    folder.write("text", to: [0x74, 0x72, 0x65, 0x65, 0x2F, 0xFF, 0xFE])
    folder.make("tree/locked/inner")
    folder.write("text", to: "tree/locked/inner/file")
    chmod(folder.path("tree/locked/inner"), 0)
    chmod(folder.path("tree/locked"), 0)

    #expect(FileTree.remove(folder.path("tree")) == [])
    #expect(!folder.has("tree"))
  }

  @Test("No symbolic link is followed, neither inside nor at the top")
  func followsNoLink() {
    folder.make("outside")
    folder.write("text", to: "outside/file")
    folder.make("tree")
    symlink("../outside", folder.path("tree/link"))
    symlink("outside", folder.path("top"))

    #expect(FileTree.remove(folder.path("tree")) == [])
    #expect(FileTree.remove(folder.path("top")) == [])

    #expect(!folder.has("tree"))
    #expect(!folder.has("top"))
    #expect(folder.has("outside/file"))
  }

  @Test("A tree that is deeper than the number of files that may be open goes")
  func removesDeepTree() {
    let depth = 3_000
    folder.make("tree")
    var current = open(folder.path("tree"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for _ in 0..<depth {
      mkdirat(current, "d", 0o755)
      let next = openat(current, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      close(current)
      current = next
    }
    close(current)

    #expect(FileTree.remove(folder.path("tree")) == [])
    #expect(!folder.has("tree"))
  }

  @Test("What is not there needs no removal, and what cannot be removed is reported")
  func tellsProblems() {
    #expect(FileTree.remove(folder.path("nothing")) == [])
    #expect(FileTree.remove("/proc/self/status").count == 1)
  }

  // MARK: - Reading

  @Test("A file within the limit is read, a longer one is refused")
  func limit() throws {
    folder.write("12345678", to: "file")

    #expect(try FileTree.read(folder.path("file"), limit: 8) == Array("12345678".utf8))
    #expect(throws: FileReadError.tooLarge(limit: 7)) {
      try FileTree.read(folder.path("file"), limit: 7)
    }
    #expect(throws: FileReadError.tooLarge(limit: 7)) {
      try FileTree.read("/proc/self/status", limit: 7)
    }
  }

  @Test("A FIFO and a folder are refused at once")
  func irregular() {
    mkfifo(folder.path("fifo"), 0o600)

    #expect(throws: FileReadError.notRegular) { try FileTree.read(folder.path("fifo")) }
    #expect(throws: FileReadError.notRegular) { try FileTree.read(folder.path("")) }
    #expect(throws: FileReadError.system(errorNumber: ENOENT)) {
      try FileTree.read(folder.path("nothing"))
    }
  }

  @Test("Messages name the file and the bound")
  func messages() {
    #expect(FileReadError.notRegular.message(path: "a") == "\"a\" is not a regular file")
    #expect(
      FileReadError.tooLarge(limit: FileTree.readLimit).message(path: "a")
        == "\"a\" is larger than 64 MiB")
  }

  // MARK: - Making

  @Test("Folders that cannot be made are told of")
  func parents() throws {
    folder.write("", to: "file")

    try FileTree.makeParents(of: folder.path("a/b/c"))
    #expect(folder.has("a/b"))
    #expect(throws: Failure.self) { try FileTree.makeParents(of: folder.path("file/b/c")) }
  }

  @Test("A temporary folder is made below one that exists, and nowhere else")
  func temporary() throws {
    let made = try TemporaryFolder(in: folder.path("")).path
    #expect(FileTree.isFolder(made))

    for parent in [folder.path("nothing"), "no/such/folder"] {
      let failure = #expect(throws: Failure.self) { try TemporaryFolder(in: parent) }
      #expect(failure?.message.contains("\"\(parent)\": No such file or directory") ?? false)
      #expect(failure?.help?.contains("TMPDIR") ?? false)
    }
  }
}

/// A fresh folder, removed with the test.
private final class Folder {
  private let root: String

  init() {
    var template = Array("/tmp/scenario-runner-tests-XXXXXX".utf8CString)
    let made = mkdtemp(&template)
    root = made.map { String(cString: $0) } ?? "/nonexistent"
  }

  deinit {
    FileTree.remove(root)
  }

  func path(_ name: String) -> String { "\(root)/\(name)" }

  func has(_ name: String) -> Bool {
    var status = stat()
    return lstat(path(name), &status) == 0
  }

  func make(_ name: String) {
    var current = root
    for part in name.split(separator: "/") {
      current += "/\(part)"
      mkdir(current, 0o755)
    }
  }

  func write(_ text: String, to name: String) {
    write(text, to: Array(name.utf8))
  }

  /// Writes a file whose name is given in bytes.
  func write(_ text: String, to name: [UInt8]) {
    let path = Array(root.utf8) + [0x2F] + name + [0]
    let descriptor = path.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { name in
        name.baseAddress.map { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644) } ?? -1
      }
    }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
  }
}
