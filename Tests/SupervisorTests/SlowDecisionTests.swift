import Foundations
import Glibc
import Patterns
import Synchronization
import Testing

@testable import Supervisor

@Suite("A program that takes long to decide")
struct SlowDecisionTests {
  private let fifo = "/tmp/scenario-slow-decision-\(getpid())-\(UInt64.random(in: 0 ... .max))"

  /// Starts a program of which a call is decided about by another, which takes long, while somebody waits; goes on
  /// once that one has been asked.
  private func start(_ wait: BoundedWait) throws -> SupervisedProgram {
    try #require(mkfifo(fifo, 0o600) == 0)
    let question = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer {
      close(question)
      unlink(fifo)
    }
    let script = "read line; echo > \(fifo); sleep 5; echo '{\"error\": \"EIO\"}'; cat"
    let program = try SupervisedProgram(
      chaos: chaosEntries(
        "- call: fsync\n  provide: { exec: [sh, -c, \(YAMLQuoting.quoted(script))] }"))
    program.supervisor.post { $0.begin(wait) }
    try program.start(["/bin/sync", "."])
    var request = pollfd(fd: question, events: Int16(POLLIN), revents: 0)
    try #require(poll(&request, 1, 30_000) == 1)
    return program
  }

  private func isDecided(_ program: SupervisedProgram) -> Bool {
    _ = program.supervisor.snapshot()
    return program.events.contains {
      if case .faultInjected = $0 { true } else { false }
    }
  }

  @Test("It is not waited for when the time of the case is over")
  func late() throws {
    let wait = BoundedWait()
    let program = try start(wait)
    defer { program.stop() }

    wait.end()
    #expect(!isDecided(program))
  }

  @Test("It is waited for as long as the case may take")
  func inTime() throws {
    let program = try start(BoundedWait())
    defer { program.stop() }

    #expect(program.awaitExit().hasHappened)
    #expect(isDecided(program))
  }

  @Test("It is given up at the first look after which nobody waits for its answer")
  func looks() {
    var decisions = AskedPrograms()
    var looks = 0
    let error = #expect(throws: PatternError.self) {
      try decisions.ask(["sleep", "600"], "{}") {
        looks += 1
        return looks == 3
      }
    }
    decisions.close()
    #expect(error?.message.hasPrefix("the program did not answer") == true)
    #expect(looks == 3)
  }
}

@Suite("A program that is asked for decisions")
struct DecisionProcessTests {
  @Test(
    "It leaves no process of its own behind, also where it has ended before",
    arguments: ["read question; sleep 600 & echo $!; cat", "read question; sleep 600 & echo $!"])
  func leavesNobody(script: String) throws {
    var decisions = AskedPrograms()
    let answer = try decisions.ask(["sh", "-c", script], "{}") { false }
    let child = try #require(Int32(answer))
    // While it becomes another program (execve(2)), it shows no arguments.
    for _ in 0..<1_000 where !isRunning(child) { usleep(10_000) }
    #expect(isRunning(child))

    decisions.close()
    // SIGKILL takes its time; who waits for the orphan is not known here.
    for _ in 0..<1_000 where isRunning(child) { usleep(10_000) }
    #expect(!isRunning(child))
  }

  /// Returns whether a process is there and has not ended: one that nobody has waited for has no arguments (proc(5)).
  private func isRunning(_ process: Int32) -> Bool {
    !(SmallFile.read("/proc/\(process)/cmdline") ?? "").isEmpty
  }

  @Test(
    "It is told why one cannot be started, and what to do",
    arguments: [
      ("/nowhere/decide", ENOENT, "name a program in a folder of PATH, or its path"),
      ("no-such-program", ENOENT, "name a program in a folder of PATH, or its path"),
      ("/etc/passwd", EACCES, "make it executable (chmod +x), or name a program that is"),
    ])
  func notStarted(program: String, number: Int32, help: String) {
    var decisions = AskedPrograms()
    let error = #expect(throws: PatternError.self) {
      try decisions.ask([program], "{}") { false }
    }
    decisions.close()
    #expect(error?.message == "\"\(program)\" cannot start: \(SystemText.error(number))")
    #expect(error?.help == help)
  }
}

/// A wait whose bound on real time is over when a test says so.
private final class BoundedWait: PendingWait, Sendable {
  private let bound = Atomic<Int64>(Nanoseconds.forever.count)

  var deadline: Nanoseconds { Nanoseconds(bound.load(ordering: .acquiring)) }

  func end() { bound.store(0, ordering: .releasing) }

  func poll(_ loop: any TargetView) -> Bool { RunnerClock.now() >= deadline }
  func wantsQuiescence(_ loop: any TargetView) -> Bool { false }
  func letsTimePass(_ loop: any TargetView) -> Bool { false }
  func demand(_ loop: any TargetView) -> TimeDemand { .stand }
  func isStuck(_ loop: any TargetView) -> Bool { false }
  func isEndless(_ report: WaiterReport) {}
  func cancel() {}
}
