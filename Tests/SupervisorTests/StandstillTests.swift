import Foundations
import Glibc
import Testing

@testable import Supervisor

/// Something that is there before a program starts, and to which others may do something.
final class OutsideWorld {
  /// A path, or a port.
  let place: String
  private var descriptor: Int32 = -1

  /// Makes what a case of the program `stuck` waits for.
  init(_ kind: String) throws {
    let path = "/tmp/scenario-stuck-\(getpid())-\(kind)"
    switch kind {
    case "tcp-outside":
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      descriptor = listener
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isListening = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(listener, address, length) == 0 && listen(listener, 1) == 0
            && getsockname(listener, address, &length) == 0
        }
      }
      try #require(isListening)
      place = "\(UInt16(bigEndian: address.sin_port))"
    case "outside-lock":
      place = path
      descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      lock.l_len = 50
      // F_OFD_SETLK: other tests of this process close files too, which gives F_SETLK's locks back.
      try #require(descriptor >= 0 && fcntl(descriptor, 37, &lock) == 0)
    case "old-fifo", "old-fifo-open":
      place = path
      try #require(mkfifo(path, 0o600) == 0)
    default:
      place = path
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    unlink(place)
  }
}

@Suite("Waits that only the tree itself could end")
struct StandstillTests {
  @Test(
    "Two that wait for each other, and one that waits for what it holds itself, are stuck",
    arguments: [
      (
        "left-lock", ["sleeps in flock for a lock that stuck (process PARENT) holds"]
      ),
      (
        "record-lock",
        [
          "sleeps in wait4 for its child",
          "sleeps in fcntl for a lock that stuck (process PARENT) holds",
        ]
      ),
      (
        "record-lock-end",
        [
          "sleeps in wait4 for its child",
          "sleeps in fcntl for a lock that stuck (process PARENT) holds",
        ]
      ),
      ("open-file-lock", ["sleeps in fcntl for a lock that stuck (process PARENT) holds"]),
      ("fifo", ["sleeps in read on descriptor 7 (PLACE (deleted))"]),
      ("fifo-open", ["sleeps in openat for the other end of the fifo PLACE"]),
      (
        "tcp",
        [
          "sleeps in read on descriptor 8 (the connection with stuck (process CHILD))",
          "sleeps in read on descriptor 9 (the connection with stuck (process PARENT))",
        ]
      ),
      (
        "tcp-mapped",
        [
          "sleeps in read on descriptor 8 (the connection with stuck (process CHILD))",
          "sleeps in read on descriptor 9 (the connection with stuck (process PARENT))",
        ]
      ),
      (
        "tcp-unaccepted",
        ["sleeps in read on descriptor 8 (the connection with stuck (process PARENT))"]
      ),
    ])
  func closed(kind: String, activities: [String]) throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    let world = try OutsideWorld(kind)
    try program.start([try CompiledProgram.path("stuck"), kind, world.place], input: .open)

    let result = program.awaitExit()
    guard case .stuck(let threads) = result else {
      Issue.record("it is not stuck: \(result)")
      return
    }
    let parent = try #require(threads.map(\.process).min())
    let child = try #require(threads.map(\.process).max())
    let expected = activities.map { text in
      [("PARENT", "\(parent)"), ("CHILD", "\(child)"), ("PLACE", world.place)].reduce(text) {
        $0.split(separator: $1.0, omittingEmptySubsequences: false).joined(separator: $1.1)
      }
    }
    #expect(threads.map(\.activity) == expected)
  }

  @Test("Locks are told apart by family, kind and range")
  func locks() throws {
    let text = """
      pos:\t0
      flags:\t0100002
      lock:\t1: FLOCK  ADVISORY  WRITE 100 fd:01:42 0 EOF
      lock:\t2: POSIX  ADVISORY  READ 100 fd:01:42 10 19
      lock:\t3: OFDLCK ADVISORY  WRITE -1 fd:01:42 30 EOF
      lock:\t4: LEASE  ACTIVE    READ 100 fd:01:42 0 EOF
      """
    let held = FileLock.held(in: text)

    #expect(held.map(\.family) == [.whole, .ofProcess, .ofOpenFile])
    #expect(held.map(\.isExclusive) == [true, false, true])
    #expect(held.map(\.taker) == [100, 100, -1])
    func conflicts(_ lock: FileLock) -> [Bool] { held.map { $0.conflicts(with: lock) } }
    #expect(conflicts(FileLock(family: .whole, isExclusive: false)) == [true, false, false])
    #expect(
      conflicts(FileLock(family: .ofProcess, isExclusive: false, start: 0, end: 29))
        == [false, false, false])
    #expect(
      conflicts(FileLock(family: .ofProcess, isExclusive: true, start: 19, end: 30))
        == [false, true, true])
    #expect(
      conflicts(FileLock(family: .ofOpenFile, isExclusive: true, start: 20, end: 29))
        == [false, false, false])
  }

  @Test("The other side of a connection is found by its addresses")
  func connections() {
    let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt\n"
    func line(_ local: String, _ remote: String, _ state: String, _ inode: Int) -> String {
      "   0: \(local) \(remote) \(state) 00000000:00000000 00:00000000 00000000  1000        0 "
        + "\(inode) 1 0000000000000000 20 4 30 10 -1\n"
    }
    let zeros = "00000000000000000000000000000000"
    let mapped = "0000000000000000FFFF00000100007F"
    let table = ConnectionTable(
      text: head + line("0100007F:1000", "00000000:0000", "0A", 10)
        + line("0100007F:2000", "0100007F:1000", "01", 11)
        + line("0100007F:1000", "0100007F:2000", "01", 12)
        + line("0100007F:2001", "0100007F:1000", "01", 13)
        + line("0100007F:1000", "0100007F:2001", "01", 0)
        + line("0100007F:2002", "0100007F:3000", "01", 14)
        + line("0100007F:2003", "08080808:0050", "01", 15)
        + line("0100007F:2004", "0100007F:4000", "01", 18) + head
        + line("\(mapped):3000", "\(mapped):2002", "01", 16)
        + line("\(zeros):4000", "\(zeros):0000", "0A", 17)
        + line("\(mapped):4000", "\(mapped):2004", "01", 0))

    #expect(table.peers(of: 11) == [12])
    #expect(table.peers(of: 12) == [11])
    #expect(table.peers(of: 13) == [10])
    #expect(table.peers(of: 14) == [16])
    #expect(table.peers(of: 15) == [])
    #expect(table.peers(of: 18) == [17])
    #expect(table.peers(of: 10) == [])
  }
}
