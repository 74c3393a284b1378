import Testing

@testable import Supervisor

@Suite("Waits of no length")
struct TimerSlackTests {
  @Test(
    "No other deadline comes while the kernel rounds one up to the slack of its timers",
    arguments: [
      "nanosleep", "clock_nanosleep", "clock_nanosleep-past", "futex", "futex-past", "semtimedop",
      "sigtimedwait", "ppoll", "pselect", "epoll_pwait2", "mq_timedreceive",
    ])
  func emptyWait(kind: String) throws {
    #expect(try WaitProgram.output(["timer_slack", kind]) == "0\n")
  }
}
