import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Why time does not move")
struct StuckTests {
  private func path(_ name: String) throws -> String {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let path = "\(root)/.build/programs/\(name)"
    try #require(
      access(path, X_OK) == 0, "\(path) is missing: run Tests/Programs/build.sh .build/programs")
    return path
  }

  @Test(
    "Where nobody outside can end a wait, everything is stuck, and the report says on what",
    arguments: [
      (
        "pipes",
        [
          "sleeps in read on descriptor 5 (a pipe with stuck (process CHILD))",
          "sleeps in read on descriptor 3 (a pipe with stuck (process PARENT))",
        ]
      ),
      ("poll", ["sleeps in poll on descriptor 3 (a pipe)"]),
      ("select", ["sleeps in pselect6 on descriptor 3 (a pipe)"]),
      ("epoll", ["sleeps in epoll_wait on descriptor 3 (a pipe)"]),
      ("socketpair", ["sleeps in read on descriptor 7 (a socket with stuck (process PARENT))"]),
      (
        "lock",
        [
          "sleeps in futex for a lock or a condition variable of its own process",
          "sleeps in futex for a lock or a condition variable of its own process",
        ]
      ),
      (
        "child",
        [
          "sleeps in wait4 for its child",
          "sleeps in read on standard input (a pipe with stuck (process PARENT))",
        ]
      ),
      (
        "file-lock",
        [
          "sleeps in wait4 for its child",
          "sleeps in flock for a lock that stuck (process PARENT) holds",
        ]
      ),
      ("input", ["sleeps in read on standard input"]),
      ("pause", ["sleeps in pause for a signal"]),
    ])
  func closed(kind: String, activities: [String]) throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start([try path("stuck"), kind], input: .open)

    guard case .stuck(let threads) = program.awaitExit() else {
      Issue.record("it is not stuck")
      return
    }
    #expect(program.givesUp())
    let parent = try #require(threads.map(\.process).min())
    let child = try #require(threads.map(\.process).max())
    let expected = activities.map { text in
      text.split(separator: "PARENT", omittingEmptySubsequences: false)
        .joined(separator: "\(parent)")
        .split(separator: "CHILD", omittingEmptySubsequences: false).joined(separator: "\(child)")
    }
    #expect(threads.map(\.activity) == expected)
  }

  @Test(
    "Where somebody outside may end a wait, nobody gives it up before its bound on real time",
    arguments: [
      "listener", "old-fifo", "old-fifo-open", "outside-lock", "tcp-outside",
    ])
  func open(kind: String) throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    let world = try OutsideWorld(kind)
    try program.start([try path("stuck"), kind, world.place], input: .open)

    #expect(program.supervisor.settle(deadline: program.deadline).hasHappened)
    #expect(!program.givesUp())
    guard
      case .timedOut(let threads, let report) = program.supervisor.awaitExit(deadline: .zero)
    else {
      Issue.record("it did not time out")
      return
    }
    #expect(threads.count == 1)
    #expect(report.count == 0)
  }

  @Test("Locks are read from the kernel's list, by who waits")
  func locks() {
    let text = """
      1: FLOCK  ADVISORY  WRITE 100 fd:01:42 0 EOF
      1: -> FLOCK  ADVISORY  WRITE 200 fd:01:42 0 EOF
      2: POSIX  ADVISORY  READ 300 fd:01:43 0 EOF
      2: POSIX  ADVISORY  READ 301 fd:01:43 0 EOF
      2: -> POSIX  ADVISORY  WRITE 201 fd:01:43 0 EOF
      """

    #expect(FileLocks.holders(blocking: 200, in: text) == [100])
    #expect(FileLocks.holders(blocking: 201, in: text) == [300, 301])
    #expect(FileLocks.holders(blocking: 100, in: text).isEmpty)
  }

  @Test("Links of descriptors are told apart by what they lead to")
  func links() {
    #expect(OpenDescriptor(link: "pipe:[4711]") == .pipe(4711))
    #expect(OpenDescriptor(link: "socket:[12]") == .socket(12))
    #expect(OpenDescriptor(link: "anon_inode:[eventfd]") == .anonymous("[eventfd]"))
    #expect(OpenDescriptor(link: "/tmp/pipe:[4711]") == .path("/tmp/pipe:[4711]"))
    #expect(OpenDescriptor(link: "pipe:[x]") == .path("pipe:[x]"))
  }
}

@Suite("Children that ask not to be traced")
struct UntracedTests {
  @Test(
    "Their time is virtual all the same, and their creator's flags are as it wrote them",
    arguments: ["clone", "clone3", "vfork"], [ClockFlow.auto, .real])
  func untraced(kind: String, flow: ClockFlow) throws {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let path = "\(root)/.build/programs/untraced"
    try #require(
      access(path, X_OK) == 0, "\(path) is missing: run Tests/Programs/build.sh .build/programs")
    let program = try SupervisedProgram(clock: .from2030(flow))
    // A day, where time is virtual; nothing, where it is not.
    let length = flow == .auto ? "86400" : "0"
    try program.start([path, kind, length])

    #expect(program.awaitExit().hasHappened)
    #expect(
      program.output
        == "\(kind) child_elapsed_s=\(length) parent_flags=kept child_flags=kept\n")
    let ended = program.events.count { event in
      if case .processEnded = event { return true }
      return false
    }
    #expect(ended == 2)
  }
}
