import Testing

@testable import Supervisor

@Suite("Files of which not every change is known")
struct UntrackedFilesTests {
  private func file(_ number: UInt) -> FileIdentity { FileIdentity(device: 1, inode: number) }

  @Test("A file is one of them if it was added, and a folder may hold any of them")
  func told() {
    var files = UntrackedFiles()
    #expect(!files.mayHold(file(1), isFolder: false))
    #expect(!files.mayHold(file(9), isFolder: true))
    files.insert(file(1))

    #expect(files.mayHold(file(1), isFolder: false))
    #expect(!files.mayHold(file(2), isFolder: false))
    #expect(files.mayHold(file(9), isFolder: true))
  }

  @Test("Where they are too many to be told apart, each file may be one of them")
  func many() {
    var files = UntrackedFiles()
    for number in 1...UInt(UntrackedFiles.limit) { files.insert(file(number)) }
    #expect(!files.mayHold(file(0), isFolder: false))
    files.insert(file(UInt(UntrackedFiles.limit) + 1))

    #expect(files.mayHold(file(0), isFolder: false))
  }
}
