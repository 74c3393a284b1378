import Glibc
import Testing

@testable import Supervisor

/// What calls change, by their arguments alone; what they point to lies in this process.
@Suite("Calls that change files")
struct FileCallTests {
  private let memory: TargetMemory

  init() throws {
    memory = try #require(TargetMemory(of: ThreadIdentifier(getpid())))
  }

  private func changes(_ name: String, _ arguments: UInt64...) -> FileChanges? {
    var registers = Registers()
    for (index, argument) in arguments.enumerated() {
      registers[argument: index] = argument
    }
    return FileCall.table[name]?.changes(registers, memory)
  }

  private func place(_ address: UInt64, from directory: Int32 = AT_FDCWD) -> PathArgument {
    PathArgument(address: address, directory: directory)
  }

  @Test("Each call of the table is one that this architecture has")
  func names() {
    let known = FileCall.table.keys.filter { SystemCallTable.current.number(of: $0) != nil }

    #expect(known.count == FileCall.table.count)
    let kernel = FakeKernel()
    #expect(FileStamper(kernel: kernel, time: kernel).filterRules.count == FileCall.table.count)
  }

  @Test("A write changes the file behind the descriptor that it writes to")
  func writes() {
    let third = FileChanges(first: .descriptor(3, .modification), success: .positive)

    #expect(changes("write", 3, 0, 1) == third)
    #expect(changes("sendfile", 3, 4) == third)
    #expect(changes("copy_file_range", 4, 0, 3) == third)
    #expect(changes("splice", 4, 0, 3) == third)
    #expect(third.haveHappened(result: 1))
    #expect(!third.haveHappened(result: 0))
    #expect(!third.haveHappened(result: -28))
  }

  @Test(
    "Opening changes times only where it may make or empty a file",
    arguments: openings)
  func opening(flags: Int32, expected: FileChange?) {
    let flags = UInt64(UInt32(bitPattern: flags))

    let here = UInt64(bitPattern: Int64(AT_FDCWD))
    #expect(changes("open", 100, flags)?.first == expected)
    #expect(changes("openat", here, 100, flags)?.first == expected)
    let structure = [flags, 0, 0]
    structure.withUnsafeBufferPointer { buffer in
      let address = UInt64(UInt(bitPattern: buffer.baseAddress))
      #expect(changes("openat2", here, 100, address)?.first == expected)
    }
  }

  private static let opened = PathArgument(address: 100, directory: AT_FDCWD)
  private static let openings: [(Int32, FileChange?)] = [
    (O_RDONLY, nil), (O_RDWR | O_APPEND, nil),
    (O_WRONLY | O_CREAT, .opened(opened, creates: true, certain: [])),
    (O_WRONLY | O_TRUNC, .opened(opened, creates: false, certain: .modification)),
    (O_RDWR | O_CREAT | O_EXCL, .opened(opened, creates: true, certain: .all)),
    (O_RDWR | 0x41_0000, .opened(nil, creates: false, certain: .all)),
    (0x20_0000 | O_CREAT, nil),
  ]

  @Test("Names that come and go change the folders that they stand in")
  func entries() throws {
    #expect(changes("mkdirat", 5, 100)?.first == .newEntry(place(100, from: 5)))
    #expect(changes("symlink", 50, 100)?.first == .newEntry(place(100)))
    #expect(changes("link", 50, 100)?.first == .folder(place(100)))
    #expect(changes("unlink", 100)?.first == .folder(place(100)))
    let move = try #require(changes("renameat2", 5, 100, 6, 200, 0))
    #expect(move.first == .folder(place(100, from: 5)))
    #expect(move.second == .folder(place(200, from: 6)))
    // Two names of one file: a success that changes nothing.
    #expect(!move.haveHappened(result: 0))
  }

  @Test("Only times that are to be the present are the scenario's")
  func settingTimes() {
    let now: Int64 = 0x3fff_ffff
    let omitted: Int64 = 0x3fff_fffe
    func set(_ access: Int64, _ modification: Int64) -> FileChange? {
      [5, access, 6, modification].withUnsafeBufferPointer { buffer in
        changes("utimensat", 3, 0, UInt64(UInt(bitPattern: buffer.baseAddress)), 0)?.first
      }
    }

    #expect(changes("utimensat", 3, 0, 0, 0)?.first == .descriptor(3, .all))
    #expect(set(now, now) == .descriptor(3, .all))
    #expect(set(now, omitted) == .descriptor(3, .access))
    #expect(set(7, now) == .descriptor(3, .modification))
    #expect(set(7, 8) == nil)
    #expect(set(omitted, omitted) == nil)
    let path = place(100)
    #expect(changes("utime", 100, 0)?.first == .path(path, followsLink: true, .all))
    let nofollow = UInt64(AT_SYMLINK_NOFOLLOW)
    let folder = UInt64(UInt32(bitPattern: AT_FDCWD))
    #expect(
      changes("utimensat", folder, 100, 0, nofollow)?.first
        == .path(path, followsLink: false, .all))
  }

  @Test("Of all requests to a device, only those that share a file's blocks change times")
  func requests() {
    #expect(changes("ioctl", 3, 0x4004_9409)?.first == .descriptor(3, .modification))
    #expect(changes("ioctl", 3, 0x4020_940d)?.first == .descriptor(3, .modification))
    #expect(changes("ioctl", 3, 0x5401) == nil)
  }

  @Test("Only a socket's address that is a path makes an entry")
  func binding() {
    func bind(_ bytes: [UInt8]) -> FileChange? {
      bytes.withUnsafeBufferPointer { buffer in
        let address = UInt64(UInt(bitPattern: buffer.baseAddress))
        guard
          case .newEntry(let place)? = changes("bind", 3, address, UInt64(bytes.count))?.first
        else { return nil }
        #expect(memory.readPath(place) == Array("ab".utf8))
        return .newEntry(place)
      }
    }

    #expect(bind([1, 0] + Array("ab".utf8)) != nil)
    #expect(bind([1, 0] + Array("ab\0cd".utf8)) != nil)
    #expect(bind([1, 0, 0] + Array("ab".utf8)) == nil)
    #expect(bind([2, 0] + Array("ab".utf8)) == nil)
    #expect(bind([1, 0]) == nil)
  }

  @Test(
    "A path is split where the last name begins",
    arguments: [
      ("a", "", "a"), ("a/b", "a/", "b"), ("/a", "/", "a"), ("a//b//", "a//", "b"),
      ("./..a", "./", "..a"), ("..../x.", "..../", "x."),
    ])
  func paths(path: String, folder: String, name: String) throws {
    let entry = try #require(EntryPath(Array(path.utf8)))

    #expect(entry.folder == Array(folder.utf8))
    #expect(entry.name == Array(name.utf8))
  }

  @Test("A path that ends in no name is none of an entry", arguments: ["", "/", "//", ".", "a/.."])
  func noEntry(path: String) {
    #expect(EntryPath(Array(path.utf8)) == nil)
  }

  @Test("A time has been set by the kernel if it lies within the call")
  func window() {
    let window = FileTimeWindow(start: timespec(tv_sec: 100, tv_nsec: 500))
    func set(_ seconds: Int, _ nanoseconds: Int) -> Bool {
      var status = stat()
      status.st_mtim = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
      return window.times(setIn: status, until: timespec(tv_sec: 101, tv_nsec: 10))
        == .modification
    }

    #expect(set(100, 500))
    #expect(set(101, 10))
    #expect(!set(100, 499))
    #expect(!set(101, 11))
    // Where only whole seconds are kept.
    #expect(set(100, 0))
    #expect(!set(98, 0))
  }
}
