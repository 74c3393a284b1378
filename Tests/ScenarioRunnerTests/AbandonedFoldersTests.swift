import Foundations
import Glibc
import Testing

@testable import ScenarioRunner

@Suite("The folders of runners that were killed")
final class AbandonedFoldersTests {
  private let parent: String

  init() throws {
    parent = try TemporaryFolder("abandoned-", in: "/tmp", isKept: true).path
  }

  deinit {
    FileTree.remove(parent)
  }

  /// A folder as a killed runner leaves it.
  private func abandoned() throws -> String {
    // The lock ends with the object, as it does with a process.
    let path = try TemporaryFolder(in: parent).path
    try FileTree.write([1], to: "\(path)/case-1/work/a/b", mode: 0o644)
    return path
  }

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  @Test("They are removed, whatever a target has made of them")
  func removed() throws {
    let first = try abandoned()
    try FileTree.write([1], to: "\(first)/case-1/work/secret", mode: 0)
    chmod("\(first)/case-1/work/a", 0o500)
    chmod("\(first)/case-1/work", 0)
    chmod(first, 0o500)
    symlink(parent, "\(first)/case-1/link")
    mkfifo("\(first)/case-1/fifo", 0)
    try FileTree.write([1], to: "\(parent)/other", mode: 0o644)

    #expect(AbandonedFolders(in: parent).remove() == 1)

    #expect(!exists(first))
    #expect(exists("\(parent)/other"))
  }

  @Test("A new run removes them before it makes its own, by either name")
  func byTheNextRun() throws {
    let first = try abandoned()
    #expect(rename(first, "\(parent)/scn-abcdef") == 0)
    let next = try TemporaryFolder(in: parent)

    #expect(!exists("\(parent)/scn-abcdef"))
    #expect(exists(next.path))
  }

  @Test("The folder of a runner that lives, one that is kept, and anybody else's stay")
  func spared() throws {
    let living = try TemporaryFolder(in: parent)
    let kept = try TemporaryFolder(in: parent, isKept: true).path
    let foreign = "\(parent)/scenario-foreign"
    try FileTree.write([1], to: "\(foreign)/file", mode: 0o644)
    chmod(foreign, 0o700)
    let open = try abandoned()
    chmod(open, 0o755)
    let forged = try abandoned()
    try FileTree.write(
      Array("A RUNNER OF SCENARIOS LOCKS THIS FILE WHILE IT LIVES\n".utf8),
      to: "\(forged)/\(RunnerLock.name)", mode: 0o600)
    let linked = try abandoned()
    #expect(Glibc.link("\(linked)/\(RunnerLock.name)", "\(parent)/second-name") == 0)
    let elsewhere = "\(parent)/elsewhere"
    #expect(rename(try abandoned(), elsewhere) == 0)
    #expect(symlink(elsewhere, "\(parent)/scenario-link") == 0)

    #expect(AbandonedFolders(in: parent).remove() == 0)

    for path in [living.path, kept, "\(foreign)/file", open, forged, linked, "\(elsewhere)/case-1"]
    {
      #expect(exists(path), "\(path)")
    }
  }

  @Test("Where other machines have the folder as well, nothing is removed")
  func shared() throws {
    let folder = try abandoned()

    #expect(AbandonedFolders(in: parent, isShared: { _ in true }).remove() == 0)
    #expect(exists("\(folder)/case-1"))
    #expect(AbandonedFolders(in: parent).remove() == 1)
  }

  @Test(
    "A folder of another user's stays, whoever has written into it", .enabled(if: geteuid() == 0))
  func foreign() throws {
    let folder = try abandoned()
    #expect(chown(folder, 65534, 65534) == 0)

    #expect(AbandonedFolders(in: parent).remove() == 0)
    #expect(exists("\(folder)/case-1"))
  }

  @Test("Whoever comes second to a folder leaves it to the first")
  func twoAtOnce() throws {
    let folder = try abandoned()
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    let first = RunnerLock.takeOver(in: descriptor)
    try #require(first != nil)
    defer { first.map { _ = close($0) } }

    #expect(RunnerLock.takeOver(in: descriptor) == nil)
    #expect(AbandonedFolders(in: parent).remove() == 0)
    #expect(exists(folder))
  }

  @Test("What is left when time is over stays to be found again")
  func late() throws {
    let folder = try abandoned()
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    var removal = TreeRemoval(deadline: .zero)
    removal.empty(descriptor, path: folder, but: RunnerLock.name)

    #expect(!removal.problems.isEmpty)
    #expect(AbandonedFolders(in: parent).remove() == 1)
    #expect(!exists(folder))
  }
}
