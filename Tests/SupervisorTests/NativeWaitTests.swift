import Foundations
import Glibc
import ScenarioPlan
import Synchronization
import Testing

@testable import Supervisor

@Suite("Waits that the kernel ends")
struct NativeWaitTests {
  private func wait(_ line: String) -> NativeWait? {
    BlockedCall(text: line.utf8).flatMap(NativeWait.init)
  }

  @Test(
    "A call with a timeout among its arguments is a wait",
    arguments: [
      (
        "35 0x7ffd0 0x0 0x0 0x0 0x0 0x0 0x7f 0x7f",
        NativeWait.Length.timespec(0x7ffd0, isAbsolute: false)
      ),
      ("230 0x1 0x1 0x10 0x0 0x0 0x0 0x7f 0x7f", .timespec(0x10, isAbsolute: true)),
      ("7 0x10 0x1 0x3e8 0x0 0x0 0x0 0x7f 0x7f\n", .known(.seconds(1))),
      ("232 0x3 0x10 0x1 0x5 0x0 0x0 0x7f 0x7f", .known(.milliseconds(5))),
      ("23 0x1 0x0 0x0 0x0 0x40 0x0 0x7f 0x7f", .timeval(0x40)),
      ("202 0x10 0x80 0x0 0x50 0x0 0x0 0x7f 0x7f", .timespec(0x50, isAbsolute: false)),
      ("202 0x10 0x189 0x0 0x50 0x0 0xffffffff 0x7f 0x7f", .timespec(0x50, isAbsolute: true)),
      ("219 0x10 0x189 0x0 0x50 0x0 0x0 0x7f 0x7f", .hidden),
    ])
  func waits(line: String, expected: NativeWait.Length) {
    #expect(wait(line)?.length == expected)
  }

  @Test(
    "A call without one is not, nor is a thread that runs",
    arguments: [
      "running\n", "", "-1 0x7f 0x7f", "0 0x0 0x7f 0x1 0x0 0x0 0x0 0x7f 0x7f",
      // poll without end, or without waiting
      "7 0x10 0x1 0xffffffff 0x0 0x0 0x0 0x7f 0x7f", "7 0x10 0x1 0x0 0x0 0x0 0x0 0x7f 0x7f",
      // clock_nanosleep on the processor's clock
      "230 0x2 0x0 0x10 0x0 0x0 0x0 0x7f 0x7f",
      // futex without a timeout, and a futex that wakes, whose argument is a number
      "202 0x10 0x80 0x0 0x0 0x0 0x0 0x7f 0x7f", "202 0x10 0x3 0x1 0x50 0x0 0x0 0x7f 0x7f",
      "35 nonsense 0x0 0x0 0x0 0x0 0x0 0x7f 0x7f", "99999999999999999999 0x0 0x0 0x0 0x0 0x0 0x0",
    ])
  func others(line: String) {
    #expect(wait(line) == nil)
  }

  @Test("A thread that sleeps in the kernel's own time is found and told once, with its length")
  func unseen() throws {
    let told = Reported()
    let clock = PlannedClock.from2030(.auto)
    let loop = TracerLoop(
      configuration: SupervisorConfiguration(
        clock: clock, view: ClockView(clock, present: .epoch),
        report: { event in told.events.withLock { $0.append(event) } }),
      mailbox: try Mailbox())
    var child = pid_t()
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("5000"), nil]
    defer { for argument in arguments { free(argument) } }
    try #require(posix_spawn(&child, "/bin/sleep", nil, nil, &arguments, environ) == 0)
    defer {
      kill(child, SIGKILL)
      waitpid(child, nil, 0)
    }
    let identifier = ThreadIdentifier(child)
    let process = TargetProcess(identifier, arguments: ["/bin/sleep"], memories: OpenMemories())
    loop.tree.add(Tracee(identifier, of: process))
    let sleepCall = "\(SystemCallNumber.clockNanosleep) "
    let limit = RunnerClock.now() + .seconds(30)
    while SmallFile.read("/proc/\(child)/syscall")?.hasPrefix(sleepCall) != true {
      try #require(RunnerClock.now() < limit)
      sched_yield()
    }

    loop.record.reportNativeWaits(of: loop.tracees.values)
    loop.record.reportNativeWaits(of: loop.tracees.values)

    #expect(loop.record.control.escapedWaits == 1)
    let events = told.events.withLock { $0 }
    guard
      case .waitEscaped(
        child, "sleep", "clock_nanosleep", let length, "the call was not intercepted")? =
        events.first
    else {
      Issue.record("\(events)")
      return
    }
    #expect(events.count == 1)
    #expect(length == .seconds(5_000))
  }

  private final class Reported: Sendable {
    let events = Mutex<[SupervisorEvent]>([])
  }
}
