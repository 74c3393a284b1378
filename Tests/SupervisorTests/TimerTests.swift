import Foundations
import ScenarioModel
import Testing

@testable import Supervisor

@Suite("Timers of the target")
struct TimerTests {
  private func run(_ flow: ClockFlow, _ words: [String]) throws -> String {
    let program = try SupervisedProgram(clock: .from2030(flow))
    try program.start([try CompiledProgram.path(words[0])] + words.dropFirst())
    let result = program.awaitExit()
    #expect(result.hasHappened, "\(result)")
    return program.output
  }

  @Test(
    "A timer expires at its own instant, and tells what the kernel's would",
    arguments: [
      ("fd-relative", "left=5000000001 count=1 elapsed=7000000001"),
      ("fd-realtime", "count=1 elapsed=7000000001"),
      ("fd-monotonic", "count=1 elapsed=7000000001"),
      ("fd-boottime", "count=1 elapsed=7000000001"),
      ("fd-past", "before=-11 count=1 again=-11"),
      ("fd-periodic", "first=1 many=10 last=1 elapsed=12000000000"),
      ("fd-reset", "old=1000000000+1000000000 count=-11"),
      ("fd-epoll", "early=0 at=4999000000 ready=1 at=5000000000 count=1"),
      ("fd-forked", "count=1 elapsed=3000000000"),
      ("fd-closed", "elapsed=10000000000"),
      ("fd-again", "count=1 elapsed=60000000000"),
      ("fd-event", "same=1 ready=0 elapsed=20000000000"),
      (
        "fd-shared",
        "count=1 at=1000000000 count=1 at=2000000000 count=1 at=3000000000 elapsed=6000000000"
      ),
      ("fd-flags", "flags=1 clock=22 create=22 value=22 place=14 file=22"),
      (
        "signal-realtime",
        "first=2000000000 third=8000000000 code=-2 value=42 overrun=0 left=3000000000"
      ),
      (
        "signal-monotonic",
        "first=2000000000 third=8000000000 code=-2 value=42 overrun=0 left=3000000000"
      ),
      (
        "signal-boottime",
        "first=2000000000 third=8000000000 code=-2 value=42 overrun=0 left=3000000000"
      ),
      ("absolute", "elapsed=90000000000"),
      ("overrun", "delivered=1 overrun=4 then=0 at=6000000000"),
      ("none", "before=3000000000 after=3000000000 elapsed=10000000000"),
      ("thread", "value=11 elapsed=4000000000"),
      ("thread-id", "there=1 elapsed=1000000000"),
      ("deleted", "signals=0 error=22 elapsed=5000000000"),
      ("taken", "code=-2 value=9 elapsed=5000000000"),
      ("taken-late", "overrun=3 3 then=0 unseen=1 at=7500000000"),
      ("alarm", "left=18 code=128 elapsed=12500000000"),
      (
        "interval",
        "signals=3 left=1.500000 interval=2 old=1.500000 elapsed=16000000000"
      ),
      ("alarm-exec", "child=0 left=20"),
      ("alarm-signalfd", "signal=14 elapsed=3000000000"),
      ("fd-orphaned", "result=0 count=1 elapsed=3000000000"),
      ("fd-filled", "written=1 elapsed=10000000000"),
      ("fd-churn", "count=1 elapsed=3000000000"),
      ("many", "ordered=1 elapsed=200000000000"),
    ])
  func timers(kind: String, expected: String) throws {
    #expect(try run(.auto, ["timers", kind]) == "\(kind) \(expected)\n")
  }

  @Test(
    "A step of the wall clock cancels the timers that asked for it, and hurries the others",
    arguments: [
      ("read", "first=-125 at=0 second=1 at=40000000000"),
      ("readv", "first=-125 at=0 second=1 at=40000000000"),
      ("preadv2", "first=-125 at=0 second=1 at=40000000000"),
      ("epoll", "ready=1 first=-125 at=0 second=1 at=40000000000"),
      ("deaf", "first=1 at=40000000000 second=0 at=40000000000"),
    ])
  func cancelled(way: String, expected: String) throws {
    let program = try SupervisedProgram(clock: .from2030(.held))
    try program.start([try CompiledProgram.path("timers"), "cancelled-\(way)"])
    #expect(program.supervisor.settle(deadline: program.deadline).hasHappened)

    program.supervisor.change(.jump(.seconds(60)))
    #expect(program.supervisor.tick(.idle, deadline: program.deadline).hasHappened)

    #expect(program.awaitExit().hasHappened)
    #expect(program.output == "cancelled-\(way) armed\n\(expected)\n")
  }

  @Test(
    "A timer that repeats faster than it can be reported does not outlast the bound on real time")
  func hasty() throws {
    let rate = try ClockRate(text: "x3600")
    let text = """
      import os, signal, time
      signal.signal(signal.SIGALRM, lambda number, frame: os.write(1, b"."))
      signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
      while True:
        time.sleep(1800)
      """
    let program = try SupervisedProgram(clock: .from2030(.rate(rate)))
    try program.start(["/usr/bin/python3", "-c", text])

    // The timer has begun to hurry.
    let limit = program.deadline
    #expect(program.supervisor.awaitOutput(.output, beyond: 100, deadline: limit).hasHappened)
    let result = program.supervisor.awaitExit(deadline: .zero)
    guard case .timedOut = result else {
      Issue.record("\(result)")
      return
    }
  }
}
