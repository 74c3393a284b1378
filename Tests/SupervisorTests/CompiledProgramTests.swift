import Foundations
import Glibc
import Testing

@testable import Supervisor

/// The small programs of Tests/Programs, which `make` compiles before the tests.
enum CompiledProgram {
  static func path(_ name: String) throws -> String {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let path = "\(root)/.build/programs/\(name)"
    try #require(
      access(path, X_OK) == 0, "\(path) is missing: run Tests/Programs/build.sh .build/programs")
    return path
  }

  /// The environment in which the dynamic linker loads a library first; without it, ld.so would do with a warning.
  static func preload(_ library: String) throws -> [String] {
    let path = "/usr/lib/x86_64-linux-gnu/\(library)"
    try #require(
      access(path, R_OK) == 0, "\(path) is missing: run Tests/install-dependencies.sh test")
    return ["LD_PRELOAD=\(path)"]
  }
}

@Suite("Compiled programs")
struct CompiledProgramTests {
  private func run(_ flow: ClockFlow, _ words: [String]) throws -> String {
    let program = try SupervisedProgram(clock: .from2030(flow))
    try program.start([try CompiledProgram.path(words[0])] + words.dropFirst())
    #expect(program.awaitExit().hasHappened)
    return program.output
  }

  @Test(
    "A timed wait lasts exactly as long as it was asked to, and returns what the kernel would",
    arguments: [
      ("nanosleep", "result=0 error=none elapsed_ns=7000000001"),
      ("clock_nanosleep", "result=0 error=none elapsed_ns=7000000001"),
      ("clock_nanosleep-realtime", "result=0 error=none elapsed_ns=7000000001"),
      ("clock_nanosleep-monotonic", "result=0 error=none elapsed_ns=7000000001"),
      ("futex", "result=-1 error=ETIMEDOUT elapsed_ns=7000000001"),
      ("futex_bitset-realtime", "result=-1 error=ETIMEDOUT elapsed_ns=7000000001"),
      ("futex_bitset-monotonic", "result=-1 error=ETIMEDOUT elapsed_ns=7000000001"),
      ("poll", "result=0 error=none elapsed_ns=7001000000"),
      ("ppoll", "result=0 error=none elapsed_ns=7000000001 remaining_ns=0"),
      ("select", "result=0 error=none elapsed_ns=7000000000 remaining_ns=0"),
      ("pselect6", "result=0 error=none elapsed_ns=7000000001 remaining_ns=0"),
      ("epoll_wait", "result=0 error=none elapsed_ns=7001000000"),
      ("epoll_pwait", "result=0 error=none elapsed_ns=7001000000"),
      ("epoll_pwait2", "result=0 error=none elapsed_ns=7000000001"),
    ])
  func waits(kind: String, expected: String) throws {
    #expect(try run(.auto, ["waits", kind, "7000000001"]) == "\(kind) \(expected)\n")
  }

  @Test("A wait for longer than anybody lives does not come due")
  func forever() throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start([try CompiledProgram.path("waits"), "nanosleep", "9223372036854775807"])

    #expect(program.awaitExit().isStuck)
  }

  @Test("libc and raw system calls read the same clocks", arguments: [ClockFlow.held, .auto])
  func clocks(flow: ClockFlow) throws {
    let output = try run(flow, ["clocks"])

    let lines = output.split(separator: "\n")
    #expect(lines.count == 9)
    for line in lines {
      let fields = line.split(separator: " ")
      #expect(fields[1].dropFirst("libc=".count) == fields[2].dropFirst("raw=".count), "\(line)")
    }
    #expect(output.contains("realtime libc=1893456000.000000000"))
    #expect(output.contains("monotonic libc=100000.000000000"))
  }

  @Test("A clock that flows goes on, and never back, whoever reads it")
  func flowingClocks() throws {
    let readings = try run(.real, ["clocks"]).split(separator: "\n").prefix(1).flatMap { line in
      line.split(separator: " ").dropFirst().map { $0.drop { $0 != "=" }.dropFirst() }
    }

    #expect(readings.count == 2)
    #expect(readings[0] < readings[1])
    #expect(readings[0].hasPrefix("1893456000."))
  }

  @Test("Twenty threads wake in the order of their deadlines")
  func threads() throws {
    let delays = (1...20).map { ($0 * 7 % 20 + 1) * 1_000 }

    let output = try run(.auto, ["threads"] + delays.map(String.init))

    let woken = output.split(separator: "\n").compactMap {
      Int($0.split(separator: " ").dropLast().last ?? "")
    }
    #expect(woken == delays.sorted())
  }

  @Test(
    "A signal with a handler ends a sleep and leaves the rest; one without does not",
    arguments: [
      ("handler", "result=-1 error=EINTR elapsed_ns=2000000000 remaining_ns=3000000000 handled=1"),
      ("restart", "result=-1 error=EINTR elapsed_ns=2000000000 remaining_ns=3000000000 handled=1"),
      ("ignored", "result=0 error=none elapsed_ns=5000000000 remaining_ns=0 handled=0"),
      ("child", "result=0 error=none elapsed_ns=5000000000 remaining_ns=0 handled=0"),
    ])
  func signals(kind: String, expected: String) throws {
    #expect(try run(.auto, ["interrupt", kind, "5000", "2000"]) == "\(kind) \(expected)\n")
  }

  @Test(
    "What is hard on a tracer goes as it would without one",
    arguments: [
      "terminated-in-exec", "killed-in-exec", "signal-at-sleep", "killed-in-fork", "large-select",
      "constant-timeout", "own-filter", "exec-from-thread", "first-thread-ends", "descriptors",
    ])
  func hardships(kind: String) throws {
    #expect(try run(.auto, ["hardship", kind]) == "fine\n")
  }
}
