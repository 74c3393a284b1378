import Foundations
import Glibc
import Testing

@testable import ScenarioRunner

/// What a watch is told, and when it is looked at.
@Suite("Watching files")
struct WatchingTests {
  private static func milliseconds(_ count: Int64) -> Nanoseconds { .milliseconds(count) }

  // MARK: - Calm

  @Test("What is written is reported once nothing has been written for a moment")
  func calm() {
    var changes = WatchedChanges()
    #expect(changes.due == nil)
    changes.record("a", .written, at: Self.milliseconds(1_000))
    changes.record("b", .written, at: Self.milliseconds(1_060))
    changes.record("a", .written, at: Self.milliseconds(1_080))
    #expect(changes.due == Self.milliseconds(1_180))
    #expect(changes.take(at: Self.milliseconds(1_179)) == nil)
    #expect(changes.take(at: Self.milliseconds(1_180)) == ["a", "b"])
    #expect(changes.due == nil && changes.take(at: Self.milliseconds(9_000)) == nil)
  }

  @Test("What is taken away is waited for, and told sooner when it has come again")
  func replaced() {
    var gone = WatchedChanges()
    gone.record("a", .removed, at: .zero)
    #expect(gone.due == WatchedChanges.patience)
    gone.record("a", .written, at: Self.milliseconds(200))
    #expect(gone.due == Self.milliseconds(300))
  }

  @Test("Changes without end are reported all the same")
  func endless() {
    var changes = WatchedChanges()
    for moment in stride(from: Int64(0), to: 2_950, by: 50) {
      changes.record("log", .written, at: Self.milliseconds(moment))
      #expect(changes.take(at: Self.milliseconds(moment)) == nil)
    }
    changes.record("log", .written, at: Self.milliseconds(2_990))
    #expect(changes.due == WatchedChanges.limit)
    #expect(changes.take(at: WatchedChanges.limit) == ["log"])
  }

  // MARK: - Folders

  /// A folder that goes with the test.
  private final class Folder {
    let path: String

    init() throws {
      var template = Array("/tmp/watching.XXXXXX".utf8CString)
      try #require(mkdtemp(&template) != nil)
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { FileTree.remove(path) }

    func write(_ text: String, to name: String) throws {
      try FileTree.write(Array(text.utf8), to: "\(path)/\(name)", mode: 0o644)
    }
  }

  @Test("Writing, renaming, linking and removing are told by path; what is only made is not")
  func events() throws {
    let folder = try Folder()
    try folder.write("1", to: "old")
    let watch = try #require(FolderWatch())
    #expect(watch.watch([folder.path]) == nil)
    #expect(watch.events().isEmpty)

    try folder.write("2", to: "new")
    #expect(Set(watch.events()) == [.written("\(folder.path)/new")])
    rename("\(folder.path)/new", "\(folder.path)/old")
    #expect(
      watch.events() == [.removed("\(folder.path)/new"), .written("\(folder.path)/old")])
    link("\(folder.path)/old", "\(folder.path)/second")
    #expect(watch.events() == [.written("\(folder.path)/second")])
    unlink("\(folder.path)/old")
    #expect(watch.events() == [.removed("\(folder.path)/old")])
    let open = Glibc.open("\(folder.path)/half", O_WRONLY | O_CREAT, 0o644)
    #expect(watch.events().isEmpty)
    close(open)
    #expect(watch.events() == [.written("\(folder.path)/half")])
    mkdir("\(folder.path)/below", 0o755)
    #expect(watch.events() == [.folders("\(folder.path)/below")])
  }

  @Test("A folder is watched when it comes, and no more when nobody wants it")
  func folders() throws {
    let folder = try Folder()
    let watch = try #require(FolderWatch())
    let below = "\(folder.path)/one/two"
    #expect(watch.watch([below]) == nil)
    mkdir("\(folder.path)/one", 0o755)
    #expect(watch.events() == [.folders("\(folder.path)/one")])
    mkdir(below, 0o755)
    #expect(watch.watch([below]) == nil)
    _ = watch.events()
    try folder.write("1", to: "one/two/file")
    #expect(watch.events() == [.written("\(below)/file")])
    try folder.write("1", to: "beside")
    #expect(watch.events().isEmpty)
    #expect(watch.watch([folder.path]) == nil)
    _ = watch.events()
    try folder.write("2", to: "one/two/file")
    #expect(watch.events().isEmpty)
  }

  @Test("A file is what it was as long as its bytes are, however often it is written")
  func marks() throws {
    let folder = try Folder()
    let path = "\(folder.path)/file"
    #expect(FileFingerprint(path: path) == .absent && FileFingerprint(path: folder.path) == .absent)
    try folder.write("same", to: "file")
    let mark = FileFingerprint(path: path)
    try folder.write("same", to: "file")
    #expect(FileFingerprint(path: path) == mark)
    try folder.write("other", to: "file")
    #expect(FileFingerprint(path: path) != mark)
    // Who may execute it counts, who may read it does not.
    let other = FileFingerprint(path: path)
    chmod(path, 0o600)
    #expect(FileFingerprint(path: path) == other)
    chmod(path, 0o700)
    #expect(FileFingerprint(path: path) != other)
  }

  @Test("Another mode of a file is reported; one of a folder is not")
  func modes() throws {
    let folder = try Folder()
    try folder.write("1", to: "file")
    mkdir("\(folder.path)/below", 0o755)
    let watch = try #require(FolderWatch())
    #expect(watch.watch([folder.path]) == nil)
    chmod("\(folder.path)/file", 0o755)
    #expect(watch.events() == [.written("\(folder.path)/file")])
    chmod("\(folder.path)/below", 0o700)
    #expect(watch.events().isEmpty)
  }

  @Test("Links are followed wherever they stand on the way, and each is reported")
  func links() throws {
    let folder = try Folder()
    let path = try #require(FileTree.canonicalPath(folder.path))
    mkdir("\(path)/one", 0o755)
    mkdir("\(path)/one/two", 0o755)
    try folder.write("1", to: "one/two/file")
    symlink("one", "\(path)/first")
    symlink("../first/two/file", "\(path)/one/second")
    symlink("\(path)/first/./second", "\(path)/third")

    let trail = SymlinkChain("\(path)/third")
    #expect(trail.links == ["\(path)/third", "\(path)/first", "\(path)/one/second"])
    #expect(trail.end == "\(path)/one/two/file")
    let none = SymlinkChain("\(path)/one/../one/absent")
    #expect(none.links.isEmpty && none.end == "\(path)/one/absent")

    symlink("circle", "\(path)/circle")
    #expect(SymlinkChain("\(path)/circle/x").links == ["\(path)/circle"])
  }

  @Test("What failed before begins first, in the plan's order on both sides")
  func failedFirst() {
    let names = ["a", "b", "c", "d"]
    #expect(CaseOrder.failed(["d", "b", "x"]).places(of: names) { _ in nil } == [1, 3, 0, 2])
    #expect(CaseOrder.failed([]).places(of: names) { _ in nil } == [0, 1, 2, 3])
  }
}
