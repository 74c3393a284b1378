import Glibc
import ScenarioModel
import Testing

@testable import Supervisor

/// What is told of limits that the target has met.
@Suite("Limits that strike")
struct LimitStrikeTests {
  private func run(_ words: [String], _ limits: TargetLimits) throws -> SupervisedProgram {
    let program = try SupervisedProgram(limits: limits)
    try program.start(words)
    #expect(program.awaitExit().hasHappened)
    return program
  }

  private func python(_ script: String, _ limits: TargetLimits) throws -> SupervisedProgram {
    try run(["/usr/bin/python3", "-S", "-c", script], limits)
  }

  private func account(_ program: SupervisedProgram) -> [String] {
    program.supervisor.snapshot().limits.map {
      "\($0.resource) \($0.limit) \($0.struck) \($0.systemCall) \($0.program)"
    }
  }

  private func told(_ program: SupervisedProgram) -> Int {
    program.events.count { if case .limitStruck = $0 { true } else { false } }
  }

  @Test("Each call that finds no descriptor is counted, and the first is reported")
  func files() throws {
    let script = """
      import os
      kept = []
      def fill(make):
          try:
              while True: kept.append(make())
          except OSError as e: print(e.errno)
      fill(lambda: os.open('/dev/null', os.O_RDONLY))
      fill(lambda: os.dup(0))
      fill(os.pipe)
      """

    let program = try python(script, TargetLimits(files: 20))
    let wide = try python(
      script.replacing("while True", with: "for _ in range(9)"), TargetLimits(files: 64))

    #expect(program.output == "24\n24\n24\n")
    #expect(account(program) == ["files 20 3 openat python3"])
    #expect(told(program) == 1)
    #expect(account(wide) == [])
  }

  @Test("A descriptor limit that a program has set itself is not the scenario's")
  func ownLimit() throws {
    let script = """
      import os, resource
      resource.setrlimit(resource.RLIMIT_NOFILE, (10, 10))
      try:
          while True: os.open('/dev/null', os.O_RDONLY)
      except OSError as e: print(e.errno)
      """

    let program = try run(
      ["/usr/bin/python3", "-c", script], TargetLimits(files: 20))

    #expect(program.output == "24\n")
    #expect(account(program) == [])
  }

  @Test("Memory that is not there is counted, whichever call has wanted it")
  func memory() throws {
    let script = """
      import mmap
      count = 0
      for _ in range(3):
          try: bytearray(1 << 30)
          except MemoryError: count += 1
      try: mmap.mmap(-1, 1 << 62)
      except (OSError, OverflowError, ValueError): pass
      print(count)
      """

    let program = try python(script, TargetLimits(memory: 64 << 20))

    #expect(program.output == "3\n")
    let account = try #require(program.supervisor.snapshot().limits.first)
    #expect(account.resource == .memory)
    #expect(account.struck >= 3)
    #expect(["mmap", "brk"].contains(account.systemCall))
    #expect(account.program == "python3")
    #expect(told(program) == 1)
    // What no machine has is not the limit's doing.
    let none = try python("print('here')", TargetLimits(memory: 256 << 20))
    #expect(none.output == "here\n")
    #expect(self.account(none) == [])
  }

  @Test("Threads and processes that may not be are counted")
  func processes() throws {
    let program = try run(
      ["/bin/bash", "-c", "for i in 1 2 3; do (exec sleep 100) & done; kill $(jobs -p); wait"],
      TargetLimits(processes: 2))

    let account = try #require(program.supervisor.snapshot().limits.first)
    #expect(account.resource == .processes)
    #expect(account.program == "bash")
    #expect(account.struck >= 1)
    #expect(told(program) == 1)
  }

  @Test("A ledger counts all and tells of the first in each process")
  func statistics() {
    var statistics = LimitStatistics()
    func strike(_ process: Int) -> Bool {
      statistics.strike(.files, limit: 20, by: "open", in: "cat", process: process)
    }

    #expect(strike(1))
    #expect(!strike(1))
    #expect(strike(2))
    let isNews = statistics.strike(.memory, limit: 9, by: "mmap", in: "cat", process: 1)
    #expect(isNews)
    #expect(statistics.accounts.map(\.struck) == [3, 1])
    for process in 3..<1_000 { _ = strike(process) }
    #expect(!strike(1_000))
    #expect(statistics.accounts.first?.struck == 1_001)
  }
}
