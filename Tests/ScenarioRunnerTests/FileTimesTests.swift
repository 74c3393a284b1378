import Foundations
import Glibc
import ScenarioEvents
import Testing

@testable import ScenarioRunner

@Suite("Times of the files that a case begins with")
struct FileTimesTests {
  private func modification(_ path: String) throws -> [Int] {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return [
      status.st_atim.tv_sec, status.st_atim.tv_nsec, status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
    ]
  }

  @Test("Folders, files and links get one time, and what a link leads to outside keeps its own")
  func stamp() throws {
    let root = try TemporaryFolder(in: "/tmp", isKept: true).path
    defer { FileTree.remove(root) }
    let inside = "\(root)/case"
    try FileTree.write([1], to: "\(inside)/a/b/file", mode: 0o444)
    try FileTree.write([1], to: "\(root)/outside", mode: 0o644)
    #expect(symlink("../outside", "\(inside)/link") == 0)
    let before = try modification("\(root)/outside")

    try FileTree.stamp(inside, with: WallInstant(seconds: -86_400, nanoseconds: 7))

    for name in ["", "/a", "/a/b", "/a/b/file", "/link"] {
      #expect(try modification(inside + name) == [-86_400, 7, -86_400, 7])
    }
    #expect(try modification("\(root)/outside") == before)
  }

  @Test("A folder that is not there is an error that names it")
  func missing() {
    #expect {
      try FileTree.stamp("/nonexistent/folder", with: .epoch)
    } throws: { error in
      (error as? Failure)?.message
        == "cannot set the times of \"/nonexistent/folder\": No such file or directory"
    }
  }
}
