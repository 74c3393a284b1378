import Foundations
import Glibc
import ScenarioModel
import Testing

@testable import Supervisor

@Suite("Programs that spin")
struct SpinTests {
  private func path() throws -> String {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let path = "\(root)/.build/programs/spin"
    try #require(
      access(path, X_OK) == 0, "\(path) is missing: run Tests/Programs/build.sh .build/programs")
    return path
  }

  private func start(
    _ flow: ClockFlow, _ words: [String], idleTurn: Nanoseconds? = nil
  ) throws -> SupervisedProgram {
    let program = try SupervisedProgram(clock: .from2030(flow), idleTurn: idleTurn)
    try program.start([try path()] + words)
    return program
  }

  /// - Parameter after: how much computing is free; as much as always unless said.
  private func run(
    _ flow: ClockFlow, _ words: [String], after: Nanoseconds? = nil
  ) throws -> String {
    let cost = after.map { ComputingCost.charged(after: $0, rate: .one) }
    let program = try SupervisedProgram(clock: .from2030(flow, computing: cost))
    try program.start([try path()] + words)
    #expect(program.awaitExit().hasHappened)
    return program.output
  }

  @Test(
    "A spin on the clock ends at its instant",
    arguments: [
      ["clock", "100"], ["raw-clock", "20"], ["yield-clock", "20"], ["raw-yield-clock", "20"],
      ["threads", "20", "20"],
    ])
  func clock(words: [String]) throws {
    #expect(try run(.auto, words) == "\(words[0]) elapsed_ns=\(words[1])000000\n")
  }

  @Test("A program that reads the clock often and works is charged no more than it has computed")
  func metering() throws {
    let output = try run(.auto, ["meter", "300"])
    let fields = Dictionary(
      uniqueKeysWithValues: output.split(whereSeparator: \.isWhitespace).dropFirst().map { field in
        let parts = field.split(separator: "=").map(String.init)
        return (parts[0], Int64(parts[1]) ?? -1)
      })
    let elapsed = try #require(fields["elapsed_ns"])
    let spent = try #require(fields["spent_ns"])

    #expect(elapsed > 0)
    #expect(elapsed <= spent)
  }

  @Test("A program that computes until a time has come ends")
  func deadlineLoop() throws {
    let program = try start(.auto, ["until", "60"])

    #expect(program.awaitExit().hasHappened)
    let elapsed = try #require(
      program.output.split(separator: "=").last?.split(separator: "\n").first)
    let length = try #require(Int64(elapsed))
    #expect(length >= 60_000_000 && length % 10_000_000 == 0)
    let reasons = program.events.compactMap { event -> String? in
      if case .clockMoved(_, let reason) = event { return reason.text }
      return nil
    }
    #expect(reasons.contains("spin computes"))
  }

  @Test("Who reads the clock often and works between is no spinner where time is held")
  func work() throws {
    let text = """
      import time
      for _ in range(15000):
        length = len(time.strftime("%T") + str(time.time()))
      print(length, time.strftime("%F %T"), time.time() % 1, flush=True)
      time.sleep(1)
      """
    let program = try SupervisedProgram(clock: .from2030(.held))
    try program.start(["/usr/bin/python3", "-c", text])

    #expect(program.supervisor.settle(deadline: program.deadline).hasHappened)
    #expect(program.output == "20 2030-01-01 00:00:00 0.0\n")
  }

  @Test(
    "A few reads see one instant; a great many and nothing else make time pass",
    arguments: [true, false])
  func freeReads(isFew: Bool) throws {
    let output = try run(.auto, ["reads", isFew ? "990" : "100000"])

    #expect(output.contains("elapsed_ns=0 instants=1\n") == isFew)
  }

  @Test(
    "Who yields until a sleeper is done sees it at the sleeper's own instant",
    arguments: ["yield", "zero-sleep"])
  func yields(kind: String) throws {
    #expect(try run(.auto, [kind, "5000"]) == "\(kind) elapsed_ns=5000000000\n")
  }

  @Test(
    "Who computes until a sleeper of its own process is done sees it at that one's own instant",
    arguments: ["flag", "disturbed-flag", "alarm"])
  func sleepersSake(kind: String) throws {
    #expect(try run(.auto, [kind, "50"]) == "\(kind) elapsed_ns=50000000\n")
  }

  @Test("A tick ends though a thread computes for ever beside a sleeper")
  func tickBesideComputing() throws {
    let program = try start(.held, ["flag", "3600000"])

    let result = program.supervisor.tick(.duration(.milliseconds(20)), deadline: program.deadline)
    #expect(result.hasHappened)
  }

  @Test(
    "Who is simply slow makes nobody's time run out, in its own process or in another",
    arguments: ["worker", "stranger"])
  func slow(kind: String) throws {
    #expect(try run(.auto, [kind, "800"]) == "\(kind) elapsed_ns=0 in_time=1\n")
  }

  @Test(
    "Who computes for ever beside another process's deadline makes it come",
    arguments: ["stranger", "relay", "unreaped"])
  func strangers(kind: String) throws {
    let output = try run(.auto, [kind, "3600000"], after: .milliseconds(100))
    #expect(output == "\(kind) elapsed_ns=10000000 in_time=0\n")
  }

  @Test("What was computed before somebody began to wait brings his deadline no nearer")
  func lateDeadline() throws {
    // The bound is half of what has been used before, and the moment a small part of it.
    #expect(try run(.auto, ["moment", "1000"], after: .milliseconds(20)) == "moment in_time=1\n")
  }

  @Test(
    "Who asks somebody who computes until a time has come ends", arguments: ["ask", "ask-bound"])
  func asking(kind: String) throws {
    #expect(try run(.auto, [kind, "50"], after: .milliseconds(20)) == "\(kind) ended=1\n")
  }

  @Test("A tick until nothing waits goes on while somebody computes who may yet wait")
  func idleTick() throws {
    let program = try SupervisedProgram(
      clock: .from2030(.held, computing: .charged(after: .milliseconds(20), rate: .one)))
    try program.start([try path(), "sleep-compute", "1000"])

    #expect(program.supervisor.tick(.idle, deadline: program.deadline).hasHappened)
    #expect(program.awaitExit().hasHappened)
    #expect(program.output == "sleep-compute over\n")
  }

  @Test("Yielders that wait for each other get on before a deadline comes due", arguments: [2, 6])
  func turns(count: Int) throws {
    #expect(try run(.auto, ["turns", "5000", "\(count)"]) == "turns elapsed_ns=0\n")
  }

  @Test(
    "Yielders that give each other the turn for ever keep nobody's deadline away",
    arguments: [2, 5])
  func circle(count: Int) throws {
    let output = try run(.auto, ["circle", "3600000", "\(count)"])

    #expect(output == "circle elapsed_ns=3600000000000\n")
  }

  @Test(
    "No time passes for a spinner while another thread computes",
    arguments: [
      (["computer", "100"], "computer elapsed_ns=0 flag=1\n"),
      (["yield-computer", "100"], "yield-computer elapsed_ns=0 flag=1\n"),
      (["looper", "1"], "looper elapsed_ns=0 flag=2\n"),
      (["peer", "300"], "peer in_time=1 poll=1\n"),
    ])
  func computingPeers(words: [String], expected: String) throws {
    #expect(try run(.auto, words) == expected)
  }

  @Test(
    "Spinners get their signals, and stop and go on, while time is held",
    arguments: [
      ("signal", "signal signal=USR1\n"), ("yield-signal", "yield-signal signal=USR1\n"),
      ("stop", "stop fine\n"),
    ])
  func signals(kind: String, expected: String) throws {
    #expect(try run(.held, [kind, "20"]) == expected)
    #expect(try run(.auto, [kind, "20"]) == expected)
  }

  @Test(
    "A tick gives spinners their time, and not a nanosecond more",
    arguments: ["clock", "raw-clock", "yield-clock", "yield", "zero-sleep"])
  func tick(kind: String) throws {
    let program = try start(.held, [kind, "50"])

    #expect(
      program.supervisor.tick(.duration(.milliseconds(49)), deadline: program.deadline).hasHappened)
    #expect(program.supervisor.exitStatus() == nil)
    #expect(
      program.supervisor.tick(.duration(.milliseconds(1)), deadline: program.deadline).hasHappened)
    #expect(program.awaitExit().hasHappened)
    #expect(program.output == "\(kind) elapsed_ns=50000000\n")
  }

  @Test(
    "A spinner for which time stands still is told of as stuck",
    arguments: [
      (ClockFlow.held, "clock-forever", "busy-waits on a frozen clock"),
      (.held, "yield-forever", "calls sched_yield repeatedly, and nothing changes"),
      (.auto, "yield-forever", "calls sched_yield repeatedly, and nothing changes"),
    ])
  func stuck(flow: ClockFlow, kind: String, activity: String) throws {
    let program = try start(flow, [kind, "1"])

    guard case .stuck(let threads) = program.awaitExit() else {
      Issue.record("it is not stuck")
      return
    }
    #expect(threads.map(\.activity) == [activity])
  }

  @Test(
    "Where a stop takes longer than idle turns are taken to, the supervisor measures it",
    arguments: [
      (["yield-clock", "20"], "yield-clock elapsed_ns=20000000\n"),
      (["zero-sleep", "5000"], "zero-sleep elapsed_ns=5000000000\n"),
      (["yield-computer", "100"], "yield-computer elapsed_ns=0 flag=1\n"),
      (["turns", "5000", "6"], "turns elapsed_ns=0\n"),
    ])
  func slowStops(words: [String], expected: String) throws {
    let program = try start(.auto, words, idleTurn: Nanoseconds(1))

    #expect(program.awaitExit().hasHappened)
    #expect(program.output == expected)
  }

  @Test("A yielder that nothing can help is stuck also where a stop takes long")
  func slowStuck() throws {
    let program = try start(.held, ["yield-forever", "1"], idleTurn: Nanoseconds(1))

    guard case .stuck(let threads) = program.awaitExit() else {
      Issue.record("it is not stuck")
      return
    }
    #expect(threads.map(\.activity) == ["calls sched_yield repeatedly, and nothing changes"])
  }

  @Test("A frozen spinner goes on when the clock does")
  func thaw() throws {
    let program = try start(.real, ["clock", "1"])
    program.supervisor.change(.freeze(nil))
    _ = program.supervisor.settle(deadline: program.deadline)
    program.supervisor.change(.returnToPresent)

    #expect(program.awaitExit().hasHappened)
  }
}
