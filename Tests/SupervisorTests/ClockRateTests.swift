import Foundations
import Glibc
import Testing

@testable import Supervisor

/// Clocks that flow faster and slower than real time.
@Suite("Rates of time")
struct ClockRateTests {
  private let start = WallInstant(seconds: 1_000_000)
  private let real = Nanoseconds.seconds(50)

  private func clock(_ flow: ClockFlow) -> VirtualClock {
    VirtualClock(wall: start, flow: flow, real: real)
  }

  private func rate(_ text: String) throws -> ClockRate { try ClockRate(text: text) }

  // MARK: - The value

  @Test("A clock with a rate flows so many times as fast, on all clocks")
  func flows() throws {
    let clock = clock(.rate(try rate("x60")))

    #expect(clock.flows)
    #expect(clock.wall(real: real + .seconds(2)) == start + .seconds(120))
    #expect(clock.elapsed(real: real + .seconds(2)) == .seconds(120))
    #expect(
      clock.realTime(until: VirtualClock.initialMonotonic + .seconds(60), real: real) == .seconds(1)
    )
  }

  @Test("A step sets a rate whatever the flow was", arguments: [ClockFlow.held, .auto, .real])
  func steps(flow: ClockFlow) throws {
    var clock = clock(flow)

    clock.flow(at: try rate("x10"), real: real)

    #expect(clock.flows && !clock.movesByItself)
    #expect(clock.elapsed(real: real + .seconds(3)) == .seconds(30))
  }

  @Test("A change of the rate keeps what has passed, and goes on from there")
  func changes() throws {
    var clock = clock(.rate(try rate("x1000")))

    clock.flow(at: try rate("x0.5"), real: real + .seconds(1))
    #expect(clock.elapsed(real: real + .seconds(1)) == .seconds(1_000))
    #expect(clock.elapsed(real: real + .seconds(3)) == .seconds(1_001))
  }

  @Test("The way back gives the clock its own flow and its own present")
  func returns() throws {
    var clock = clock(.real)
    clock.flow(at: try rate("x60"), real: real)
    clock.returnToPresent(real: real + .seconds(10))

    #expect(clock.rateOfStep == nil)
    #expect(clock.wall(real: real + .seconds(10)) == start + .seconds(10))
    #expect(clock.elapsed(real: real + .seconds(10)) == .seconds(600))
    #expect(clock.elapsed(real: real + .seconds(11)) == .seconds(601))
  }

  @Test("The present of a clock with a rate flows at that rate, whatever holds it meanwhile")
  func presentFlows() throws {
    var clock = clock(.rate(try rate("x60")))
    clock.freeze(at: .epoch, real: real + .seconds(1))
    clock.returnToPresent(real: real + .seconds(2))

    #expect(clock.wall(real: real + .seconds(2)) == start + .seconds(120))
  }

  @Test("A freeze inside a rate's block holds, and the block's end restores flow and wall")
  func blocks() throws {
    var clock = clock(.auto)
    var blocks: [VirtualClock.Displacement] = []
    clock.apply(.jump(.seconds(100)), blocks: &blocks, real: real)

    clock.apply(.beginBlock, blocks: &blocks, real: real)
    clock.apply(.rate(try rate("x10")), blocks: &blocks, real: real)
    clock.apply(.beginBlock, blocks: &blocks, real: real + .seconds(1))
    clock.apply(.freeze(nil), blocks: &blocks, real: real + .seconds(1))
    #expect(clock.elapsed(real: real + .seconds(9)) == .seconds(10))
    clock.apply(.endBlock, blocks: &blocks, real: real + .seconds(9))
    #expect(clock.elapsed(real: real + .seconds(10)) == .seconds(20))
    clock.apply(.endBlock, blocks: &blocks, real: real + .seconds(10))

    #expect(clock.movesByItself)
    #expect(clock.elapsed(real: real + .seconds(99)) == .seconds(20))
    #expect(clock.wall(real: real + .seconds(99)) == start + .seconds(120))
  }

  @Test("A clock that is changed often falls behind by nothing")
  func doesNotDrift() throws {
    let rate = try rate("x0.333333333")
    var clock = clock(.rate(rate))
    var now = real
    for step in 1...10_000 {
      now += Nanoseconds(Int64(step % 11))
      clock.jump(by: .zero, real: now)
      #expect(clock.elapsed(real: now) == rate.flowed(in: now - real).length)
    }
  }

  @Test("A machine that sleeps wakes with its wall and boot clocks ahead, in any flow")
  func suspends() throws {
    var clock = clock(.rate(try rate("x60")))
    clock.suspend(for: .seconds(8 * 3_600), real: real + .seconds(1))

    #expect(clock.wall(real: real + .seconds(1)) == start + .seconds(8 * 3_600 + 60))
    #expect(clock.elapsed(real: real + .seconds(1)) == .seconds(60))
    #expect(
      clock.boot(real: real + .seconds(1))
        == VirtualClock.initialMonotonic + .seconds(8 * 3_600 + 60))
  }

  // MARK: - Programs

  @Test("Where time flows a thousand times as fast, a sleep of a minute ends in this test's time")
  func fastSleep() throws {
    let program = try SupervisedProgram(clock: .from2030(.rate(try rate("x1000"))))

    // The wait for the end gives up after half a minute of real time.
    try program.start(["/bin/sh", "-c", "sleep 60; date +%Y"])
    #expect(program.awaitExit().hasHappened)

    #expect(program.output == "2030\n")
    #expect(program.view.reading().elapsed >= .seconds(60))
  }

  @Test("Where time flows half as fast, a sleep takes twice as long")
  func slowSleep() throws {
    let program = try SupervisedProgram(clock: .from2030(.rate(try rate("x0.5"))))
    let before = RealClock.monotonic()

    try program.start(["/bin/sleep", "0.1"])
    #expect(program.awaitExit().hasHappened)

    #expect(RealClock.monotonic() - before >= .milliseconds(200))
  }

  @Test("Programs that read a fast clock one after the other see it go on")
  func ordered() throws {
    let program = try SupervisedProgram(clock: .from2030(.rate(try rate("x1000"))))

    try program.start(
      ["/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10; do date +%s%N; done"])
    #expect(program.awaitExit().hasHappened)

    let readings = program.output.split(separator: "\n").compactMap { Int64($0) }
    #expect(readings.count == 10)
    #expect(zip(readings, readings.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("libc and raw system calls agree on a clock with a rate", arguments: ["x60", "x0.001"])
  func sameClock(text: String) throws {
    let program = try SupervisedProgram(clock: .from2030(.rate(try rate(text))))
    try program.start([try Self.path("clocks")])
    #expect(program.awaitExit().hasHappened)

    // libc is asked first, then the kernel: the second reading is later, and not by much.
    let lines = program.output.split(separator: "\n").prefix(7)
    #expect(lines.count == 7, "\(program.output)")
    for line in lines {
      let words = line.split(separator: " ").dropFirst().map { $0.drop { $0 != "=" }.dropFirst() }
      let times = try words.map { try WallInstant(text: "@\($0)") }
      #expect(times[0] <= times[1], "\(line)")
      #expect(times[1] - times[0] < .seconds(3_600), "\(line)")
    }
  }

  @Test("A rate wakes what waits under a held clock, and its end holds time again")
  func wakesHeld() throws {
    let program = try SupervisedProgram(clock: .from2030(.held))
    try program.start(["/bin/sh", "-c", "sleep 60; echo one; sleep 36000000; echo two"])
    _ = program.supervisor.settle(deadline: program.deadline)

    program.supervisor.change(.rate(try rate("x10000")))
    _ = program.supervisor.awaitOutput(.output, beyond: 0, deadline: program.deadline)
    program.supervisor.change(.freeze(nil))

    #expect(program.awaitExit().isStuck)
    #expect(program.output == "one\n")
  }

  @Test("Twenty threads in two processes never see monotonic time go back while the rate changes")
  func readersSeeTimeGoOn() throws {
    let program = try readers("monotonic")
    for _ in 0..<25 {
      program.supervisor.change(.rate(ClockRate.fastest))
      program.supervisor.change(.rate(try rate("x0.5")))
      program.supervisor.change(.freeze(nil))
      program.supervisor.change(.jump(.seconds(-60)))
      program.supervisor.change(.rate(try rate("x1000")))
      program.supervisor.change(.returnToPresent)
    }

    // The first process sees time flow before the second one does.
    for _ in 0..<100 {
      program.supervisor.change(.freeze(nil))
      program.supervisor.change(.rate(ClockRate.fastest))
    }

    let (reads, backwards) = try account(of: program)
    #expect(reads > 1_000)
    #expect(backwards == 0)
  }

  @Test("Those threads do see the wall clock go back when a step takes it back")
  func readersSeeTheWallGoBack() throws {
    let program = try readers("realtime")
    for _ in 0..<10 { program.supervisor.change(.jump(.seconds(-60))) }

    let backwards = try account(of: program).backwards
    #expect(backwards > 0)
  }

  @Test("Who looks at the clocks from outside never sees monotonic time go back either")
  func viewGoesOn() async throws {
    let program = try SupervisedProgram(clock: .from2030(.real))
    let view = program.view
    let watchers = (0..<2).map { _ in
      Task.detached {
        var latest = Nanoseconds.zero
        var backwards = 0
        for _ in 0..<50_000 {
          let elapsed = view.reading().elapsed
          if elapsed < latest { backwards += 1 }
          latest = max(latest, elapsed)
        }
        return backwards
      }
    }
    for _ in 0..<100 {
      program.supervisor.change(.rate(.fastest))
      program.supervisor.change(.rate(try rate("x0.5")))
    }

    for watcher in watchers {
      let backwards = await watcher.value
      #expect(backwards == 0)
    }
  }

  private func readers(_ clock: String) throws -> SupervisedProgram {
    let program = try SupervisedProgram(clock: .from2030(.real))
    try program.start([try Self.path("readers"), clock, "20"], input: .open)
    let ready = program.supervisor.awaitOutput(.output, beyond: 0, deadline: program.deadline)
    try #require(ready.hasHappened)
    return program
  }

  private func account(
    of program: SupervisedProgram
  ) throws -> (reads: Int, backwards: Int) {
    #expect(program.supervisor.closeInput())
    #expect(program.awaitExit().hasHappened)
    let words = program.output.split(whereSeparator: { $0 == "=" || $0 == " " || $0 == "\n" })
    try #require(words.count == 5, "\(program.output)")
    return (try #require(Int(words[2])), try #require(Int(words[4])))
  }

  private static func path(_ name: String) throws -> String {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let path = "\(root)/.build/programs/\(name)"
    try #require(
      access(path, X_OK) == 0, "\(path) is missing: run Tests/Programs/build.sh .build/programs")
    return path
  }
}
