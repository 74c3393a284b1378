import Foundations
import ScenarioModel
import Testing

@testable import Supervisor

/// What a tick promises: each event at its own instant, in order; what is filed meanwhile and due fires
/// too; what was cancelled does not.
@Suite("Ticks")
struct TickTests {
  private func start(_ script: String) throws -> SupervisedProgram {
    let program = try SupervisedProgram(clock: .from2030(.held))
    try program.start(["/bin/bash", "-c", script])
    try #require(program.supervisor.settle(deadline: program.deadline).hasHappened)
    return program
  }

  private func tick(_ program: SupervisedProgram, _ amount: TickAmount) {
    #expect(program.supervisor.tick(amount, deadline: program.deadline).hasHappened)
  }

  @Test("Each event fires at its own instant, in the order of the instants")
  func ownInstants() throws {
    let program = try start("for i in 7 2 5; do (sleep $i; date +%s) & done; wait; sleep 100")

    tick(program, .duration(.seconds(10)))

    #expect(program.output == "1893456002\n1893456005\n1893456007\n")
    #expect(program.view.reading().elapsed == .seconds(10))
  }

  @Test("What an event files and is due within the tick fires too, at its own instant")
  func filedMeanwhile() throws {
    let program = try start(
      "sleep 2; date +%s; (sleep 3; date +%s) & sleep 1; date +%s; wait; sleep 9")

    tick(program, .duration(.seconds(5)))

    #expect(program.output == "1893456002\n1893456003\n1893456005\n")
  }

  @Test("What is due after the tick does not fire, not even by a nanosecond")
  func dueLater() throws {
    let program = try start("sleep 5.5; echo late; sleep 100")

    tick(program, .duration(.milliseconds(5_500) - Nanoseconds(1)))
    #expect(program.output.isEmpty)

    tick(program, .duration(Nanoseconds(1)))
    #expect(program.output == "late\n")
  }

  @Test("What an event cancels does not fire, and its deadline holds nothing up")
  func cancelled() throws {
    let program = try start(
      "(exec sleep 5) & sleep 2; kill $!; wait $!; echo $?; sleep 1; date +%s")

    tick(program, .idle)

    #expect(program.output == "143\n1893456003\n")
    #expect(program.view.reading().elapsed == .seconds(3))
  }

  @Test("Without the cancellation it does fire")
  func notCancelled() throws {
    let program = try start("(exec sleep 5) & sleep 2; wait $!; echo $?; sleep 1; date +%s")

    tick(program, .idle)

    #expect(program.output == "0\n1893456006\n")
  }

  @Test("Two ticks are one tick in two parts")
  func parts() throws {
    let script = "for i in 1 2 3; do sleep 1.5; date +%s.%N; done; sleep 100"
    let (whole, halves) = (try start(script), try start(script))

    tick(whole, .duration(.seconds(4)))
    for _ in 0..<4 { tick(halves, .duration(.seconds(1))) }

    #expect(whole.output == halves.output)
    #expect(whole.output == "1893456001.500000000\n1893456003.000000000\n")
  }

  @Test(
    "A suspension wakes what waits for an instant of the wall or boot clock, and nothing else",
    arguments: [
      ("monotonic", "relative", false), ("monotonic", "absolute", false),
      ("boottime", "relative", true), ("boottime", "absolute", true),
      // A relative sleep on the wall clock does not follow its steps: clock_nanosleep(2).
      ("realtime", "relative", false), ("realtime", "absolute", true),
    ])
  func suspension(clock: String, kind: String, wakes: Bool) throws {
    for flow in [ClockFlow.held, .real] {
      let program = try SupervisedProgram(clock: .from2030(flow))
      let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
      try program.start(["\(root)/.build/programs/lid", clock, kind])
      #expect(program.supervisor.settle(deadline: program.deadline).hasHappened)

      program.supervisor.change(.suspend(.seconds(1_800)))
      #expect(program.supervisor.settle(deadline: program.deadline).hasHappened)
      #expect(program.output.isEmpty)

      program.supervisor.change(.suspend(.seconds(1_900)))
      #expect(program.supervisor.settle(deadline: program.deadline).hasHappened)
      #expect(program.output == (wakes ? "awake\n" : ""))
    }
  }

  // MARK: - The record of waits

  @Test("The waits that were asked for are recorded in order, each by the length asked for")
  func records() throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start(["/bin/bash", "-c", "sleep 1; sleep 2; sleep 4"])
    #expect(program.awaitExit().hasHappened)

    let waits = program.supervisor.snapshot().waits
    #expect(waits.waits.map(\.length) == [.seconds(1), .seconds(2), .seconds(4)])
    #expect(
      waits.waits.map(\.owner.systemCall) == [
        "clock_nanosleep", "clock_nanosleep", "clock_nanosleep",
      ])
    #expect(Set(waits.waits.map(\.owner.program)) == ["sleep"])
    #expect(waits.omitted == 0)
  }

  @Test(
    "A wait that goes on after a signal is one wait, one that is asked for again is two",
    arguments: [("ignored", 1), ("handler", 1)])
  func recordsOnce(kind: String, count: Int) throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    try program.start(["\(root)/.build/programs/interrupt", kind, "5000", "2000"])
    #expect(program.awaitExit().hasHappened)

    let long = program.supervisor.snapshot().waits.waits.filter { $0.length == .seconds(5) }
    #expect(long.count == count)
  }

  @Test("Waits for ever, and for no time, are none")
  func ignoresForever() {
    let owner = WaitDescription(program: "p", thread: 1, systemCallNumber: 0)
    var statistics = WaitStatistics()
    for length in [Nanoseconds.forever, .zero, Nanoseconds(-1), .seconds(1)] {
      statistics.add(length, by: owner)
    }

    #expect(statistics.waits.map(\.length) == [.seconds(1)])
  }

  @Test("Rows of equal waits come out as they went in")
  func rows() {
    let owners = ["p", "q"].map { WaitDescription(program: $0, thread: 1, systemCallNumber: 0) }
    let entries = [(1, 0), (1, 0), (1, 1), (2, 1), (2, 1), (2, 1), (1, 0), (2, 1)]
    var statistics = WaitStatistics()
    for (length, owner) in entries { statistics.add(.seconds(Int64(length)), by: owners[owner]) }

    #expect(statistics.count == entries.count)
    #expect(statistics.waits.map(\.length) == entries.map { .seconds(Int64($0.0)) })
    #expect(statistics.waits.map(\.owner) == entries.map { owners[$0.1] })
  }

  @Test("Of more waits than can be kept the first are, and the rest is counted")
  func bounded() {
    let owner = WaitDescription(program: "p", thread: 1, systemCallNumber: 0)
    var statistics = WaitStatistics()
    for count in 1...(WaitStatistics.limit + 3) {
      statistics.add(Nanoseconds(Int64(count)), by: owner)
    }

    #expect(statistics.waits.count == WaitStatistics.limit)
    #expect(statistics.waits.last?.length == Nanoseconds(Int64(WaitStatistics.limit)))
    #expect(statistics.omitted == 3)
  }
}
