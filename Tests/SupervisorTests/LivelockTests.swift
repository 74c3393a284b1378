import Foundations
import Glibc
import ScenarioModel
import Testing

@testable import Supervisor

@Suite("Waiting again and again")
struct LivelockTests {
  private func start(
    _ flow: ClockFlow, _ words: [String], deadlineLimit: Int? = nil
  ) throws -> SupervisedProgram {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let path = "\(root)/.build/programs/spin"
    try #require(
      access(path, X_OK) == 0, "\(path) is missing: run Tests/Programs/build.sh .build/programs")
    let program = try SupervisedProgram(clock: .from2030(flow), deadlineLimit: deadlineLimit)
    try program.start([path] + words)
    return program
  }

  @Test("A poll without end ends with a report of who polls", arguments: ["exit", "idle"])
  func endless(wait: String) throws {
    let program = try start(.auto, ["sleep-forever", "1"], deadlineLimit: 500)

    let result =
      wait == "exit"
      ? program.awaitExit() : program.supervisor.tick(.idle, deadline: program.deadline)
    guard case .endless(let report) = result else {
      Issue.record("it is not endless: \(result)")
      return
    }
    #expect(report.count == 500)
    let waiter = try #require(report.waiters.first)
    #expect(waiter.program == "spin")
    #expect(waiter.systemCall == "clock_nanosleep")
    #expect(waiter.length == .milliseconds(1))
    #expect(waiter.count == 500)
    #expect(report.elapsed == .milliseconds(500))
  }

  @Test("A spin without end ends with a report as well")
  func endlessSpin() throws {
    let program = try start(.auto, ["clock-forever", "1"], deadlineLimit: 500)

    guard case .endless(let report) = program.awaitExit() else {
      Issue.record("it is not endless")
      return
    }
    #expect(report.waiters.map(\.systemCall) == [nil])
    #expect(report.waiters.map(\.count) == [500])
  }

  @Test("Who says something between its waits gets on, however many they are")
  func progress() throws {
    let program = try start(.auto, ["sleep-and-print", "1"], deadlineLimit: 20)

    #expect(program.awaitExit().hasHappened)
    #expect(program.output.split(separator: "\n").count == 200)
  }

  @Test("A timeout in real time says who let virtual time pass")
  func timeout() throws {
    let program = try start(.auto, ["sleep-forever", "1"], deadlineLimit: .max)

    // The program has begun once the first of its waits is over.
    _ = program.supervisor.tick(.duration(.milliseconds(1)), deadline: program.deadline)
    let result = OneShot<WaitResult>()
    program.supervisor.post { $0.begin(LateTimeout(after: .milliseconds(50), result)) }
    guard case .timedOut(_, let report) = result.value() else {
      Issue.record("it did not time out")
      return
    }
    #expect(report.waiters.map(\.count) == [50])
    #expect(report.count == 50)
    #expect(report.elapsed == .milliseconds(50))
  }

  @Test("The most frequent waits are found among many others")
  func counter() {
    var counter = WakeHistogram(start: .seconds(1))
    func wait(_ program: String, _ length: Int64) -> WakeHistogram.Wait {
      WakeHistogram.Wait(
        program: program, systemCall: SystemCallNumber.poll, length: Nanoseconds(length))
    }
    for number in 0..<10_000 {
      counter.add(wait("rare", Int64(number)))
      if number % 4 == 0 { counter.add(wait("often", 5)) }
      if number % 5 == 0 { counter.add(wait("also", 6)) }
    }

    let report = counter.report(now: .seconds(3))

    #expect(report.count == 14_500)
    #expect(report.elapsed == .seconds(2))
    #expect(report.waiters.prefix(2).map(\.program) == ["often", "also"])
    #expect(report.waiters.count == 3)
    // Counts are never told higher than they are.
    #expect(report.waiters[0].count <= 2_500 && report.waiters[0].count > 2_300)
    #expect(report.waiters[1].count <= 2_000 && report.waiters[1].count > 1_800)
  }

  @Test(
    "Processes that are started for a wait each are counted, with the one process that starts them")
  func starts() {
    var counter = WakeHistogram(start: .zero)
    func add(_ program: String, _ ordinal: Int, by starter: Int) {
      counter.add(
        WakeHistogram.Wait(
          program: program, systemCall: SystemCallNumber.poll, length: .seconds(1)),
        by: WakeHistogram.Sleeper(
          ordinal: ordinal, starter: .init(ordinal: starter, program: "sh\(starter)")))
    }
    for number in 1...30 {
      add("sleep", 10 * number, by: 1)
      // Each is started by a process of its own, whatever that runs.
      if number % 2 == 0 { add("mixed", 10 * number + 1, by: 10 * number - 1) }
      // Two that live on, and wait in turns.
      if number % 3 == 0 { add("poller", 1 + number % 2, by: 2) }
    }

    let waiters = counter.report(now: .seconds(30)).waiters

    #expect(waiters.map(\.program) == ["sleep", "mixed", "poller"])
    #expect(waiters.map(\.processes) == [30, 15, 1])
    #expect(waiters.map(\.starter) == ["sh1", nil, "sh2"])
  }
}

/// A wait for the target's end whose bound on real time is over as soon as so much virtual time has passed.
private final class LateTimeout: PendingWait {
  let deadline = Nanoseconds.forever
  private let wait: AwaitTarget
  private let length: Nanoseconds
  private var end: Nanoseconds?

  init(after length: Nanoseconds, _ result: OneShot<WaitResult>) {
    self.length = length
    wait = AwaitTarget(of: .first, deadline: .zero, endsAtStandstill: true, result: result) { _ in
      false
    }
  }

  func poll(_ loop: any TargetView) -> Bool {
    let end = end ?? loop.virtualNow + length
    self.end = end
    return loop.virtualNow >= end && wait.poll(loop)
  }

  func wantsQuiescence(_ loop: any TargetView) -> Bool { wait.wantsQuiescence(loop) }
  func letsTimePass(_ loop: any TargetView) -> Bool { wait.letsTimePass(loop) }
  func demand(_ loop: any TargetView) -> TimeDemand { wait.demand(loop) }
  func isStuck(_ loop: any TargetView) -> Bool { wait.isStuck(loop) }
  func isEndless(_ report: WaiterReport) { wait.isEndless(report) }
  func cancel() { wait.cancel() }
}
