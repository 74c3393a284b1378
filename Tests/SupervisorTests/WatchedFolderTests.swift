import Glibc
import Testing

@testable import Supervisor

@Suite("Watched folders")
struct WatchedFolderTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/watched-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { remove(folder) }
    try body(folder)
  }

  private func remove(_ path: String) {
    guard unlink(path) != 0 else { return }
    for name in FolderEntries.texts(in: path) { remove("\(path)/\(name)") }
    rmdir(path)
  }

  private func write(_ text: String, _ path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = text.withCString { Glibc.write(file, $0, text.utf8.count) }
    close(file)
  }

  private func text(_ path: String) -> String? { SmallFile.read(path) }

  @Test("Of several things that cannot be kept, the first by name is reported")
  func reasons() throws {
    try withFolder { folder in
      for index in 10..<50 { mkfifo("\(folder)/pipe\(index)", 0o600) }

      let error = #expect(throws: BranchRefusal.self) {
        _ = try WatchedFolders(roots: [folder]).keep()
      }
      #expect(error?.reason == "\"\(folder)/pipe10\" is not a file, a folder or a link")
    }
  }

  @Test("A file that is held and was moved gets its name back where it is open", arguments: [1, 2])
  func heldAndMoved(names: Int) throws {
    try withFolder { top in
      let folder = "\(top)/work"
      let holding = "\(top)/held"
      mkdir(folder, 0o700)
      mkdir(holding, 0o700)
      write("a", "\(folder)/temporary")
      let file = open("\(folder)/temporary", O_RDWR | O_CLOEXEC)
      defer { close(file) }
      #expect(link("\(folder)/temporary", "\(holding)/1") == 0)
      let inode = try #require(WatchedFolders.entry(at: "\(holding)/1")?.inode)
      let watched = WatchedFolders(roots: [folder])
      watched.held = [inode]
      let state = try watched.keep()

      #expect(rename("\(folder)/temporary", "\(folder)/final") == 0)
      if names == 2 { #expect(link("\(folder)/final", "\(folder)/second") == 0) }
      let reason = watched.putBack(state, held: [inode: "\(holding)/1"])

      #expect(reason == nil)
      // Which of two names who has it open sees is not known.
      if names == 1 { #expect(SmallFile.link("/proc/self/fd/\(file)") == "\(folder)/temporary") }
      #expect(FolderEntries.texts(in: folder) == ["temporary"])
    }
  }

  @Test(
    "Files that have taken each other's names get their own back, whatever folders are called",
    arguments: ["plain", ".scenario-aside-1", ".scenario-aside-1-1"])
  func swapped(name: String) throws {
    try withFolder { top in
      let folder = "\(top)/\(name)"
      mkdir(folder, 0o700)
      write("a", "\(folder)/a")
      write("b", "\(folder)/b")
      let watched = WatchedFolders(roots: [top])
      let state = try watched.keep()

      rename("\(folder)/a", "\(folder)/c")
      rename("\(folder)/b", "\(folder)/a")
      rename("\(folder)/c", "\(folder)/b")
      let reason = watched.putBack(state, held: [:])

      #expect(reason == nil)
      #expect(text("\(folder)/a") == "a")
      #expect(text("\(folder)/b") == "b")
      #expect(FolderEntries.texts(in: folder).sorted() == ["a", "b"])
    }
  }
}
