import Foundations
import ScenarioModel
import Testing

@testable import Supervisor

@Suite("Waits for sockets with timeouts")
struct SocketWaitTests {
  private func lines(_ name: String, flow: ClockFlow = .auto) throws -> [String] {
    try WaitProgram.output(["socket_waits", name], flow: flow).split(separator: "\n").map(
      String.init)
  }

  @Test(
    "A call on a socket with a timeout fails when that is up, to the microsecond",
    arguments: [
      ("recv", "EAGAIN elapsed_ms=3141.593000"), ("read", "EAGAIN elapsed_ms=3000"),
      ("readv", "EAGAIN elapsed_ms=0.001000"), ("recvfrom", "EAGAIN elapsed_ms=3000"),
      ("recvmsg", "EAGAIN elapsed_ms=3000"), ("accept", "EAGAIN elapsed_ms=3000"),
      ("accept4", "EAGAIN elapsed_ms=3000"), ("splice-in", "EAGAIN elapsed_ms=3000"),
      ("send", "EAGAIN elapsed_ms=3000"), ("write", "EAGAIN elapsed_ms=3000"),
      ("writev", "EAGAIN elapsed_ms=3000"), ("sendmsg", "EAGAIN elapsed_ms=3000"),
      ("sendfile", "EAGAIN elapsed_ms=3000"), ("splice-out", "EAGAIN elapsed_ms=3000"),
      ("connect-local", "EAGAIN elapsed_ms=3000"),
    ])
  func expiry(name: String, expected: String) throws {
    #expect(try lines(name) == ["\(name) result=-1 error=\(expected)"])
  }

  @Test(
    "The timeout goes with the socket",
    arguments: ["inherit", "dup", "fork", "exec", "passed"])
  func inheritance(name: String) throws {
    #expect(try lines(name) == ["\(name) result=-1 error=EAGAIN elapsed_ms=3000"])
  }

  @Test("Each call has the whole time")
  func repetition() throws {
    let line = "recv-again result=-1 error=EAGAIN elapsed_ms=2000"

    #expect(try lines("recv-again") == [line, line, line])
  }

  @Test("A connect that nobody answers goes on in the background, and says so when asked again")
  func connecting() throws {
    #expect(
      try lines("connect") == [
        "connect result=-1 error=EINPROGRESS elapsed_ms=3000",
        "connect result=-1 error=EALREADY elapsed_ms=3000",
      ])
  }

  @Test("What comes in time is received, and what has come counts when the time is up")
  func data() throws {
    #expect(
      try lines("data") == [
        "data result=5 error=none elapsed_ms=1000",
        "data result=-1 error=EAGAIN elapsed_ms=3000",
      ])
    #expect(try lines("all") == ["all result=5 error=none elapsed_ms=3000"])
    #expect(try lines("send-part") == ["send-part result=1 error=none elapsed_ms=3000"])
  }

  @Test(
    "What needs no waiting, or has no timeout, knows none",
    arguments: [
      ("end", "result=0 error=none elapsed_ms=0"),
      ("no-wait", "result=-1 error=EAGAIN elapsed_ms=0"),
      ("negative", "result=-1 error=EAGAIN elapsed_ms=0"),
      ("zero", "result=5 error=none elapsed_ms=3600000"),
      ("splice-pipe", "result=5 error=none elapsed_ms=3600000"),
    ])
  func contrast(name: String, expected: String) throws {
    #expect(try lines(name) == ["\(name) \(expected)"])
  }

  @Test("The options read as they were set, and wrong ones are refused")
  func options() throws {
    #expect(
      try lines("options") == [
        "options option=20 result=0 length=16 seconds=0 microseconds=0",
        "options option=20 result=0 length=16 seconds=3 microseconds=140000",
        "options option=66 result=0 length=16 seconds=3 microseconds=140000",
        "options option=21 result=0 length=8 seconds=2000000000 microseconds=77",
        "options result=-1 error=EDOM elapsed_ms=0",
        "options result=-1 error=EINVAL elapsed_ms=0",
        "options result=-1 error=EFAULT elapsed_ms=0",
        "options result=-1 error=ENOTSOCK elapsed_ms=0",
        "options option=20 result=0 length=16 seconds=3 microseconds=140000",
        "options option=20 result=0 length=16 seconds=0 microseconds=0",
      ])
  }

  @Test("Twenty threads have each the time of its own socket")
  func threads() throws {
    #expect(try lines("threads") == ["threads result=0 error=none elapsed_ms=20000.017000"])
  }

  @Test(
    "recvmmsg looks at its time after each datagram only, and at the socket's for each",
    arguments: [
      ("late", "result=1 error=none elapsed_ms=9000", "bytes=5 socket_error=0 remaining_ns=0"),
      ("some", "result=3 error=none elapsed_ms=9000", "bytes=15 socket_error=0 remaining_ns=0"),
      (
        "all", "result=2 error=none elapsed_ms=3000",
        "bytes=10 socket_error=0 remaining_ns=2000000000"
      ),
      (
        "one", "result=1 error=none elapsed_ms=1000",
        "bytes=5 socket_error=0 remaining_ns=4000000001"
      ),
      ("socket", "result=-1 error=EAGAIN elapsed_ms=3000", "bytes=0 socket_error=0"),
      ("socket-some", "result=1 error=none elapsed_ms=4000", "bytes=5 socket_error=0"),
      (
        "both", "result=-1 error=EAGAIN elapsed_ms=3000",
        "bytes=0 socket_error=0 remaining_ns=5000000000"
      ),
      (
        "socket-later", "result=-1 error=EAGAIN elapsed_ms=7000",
        "bytes=0 socket_error=0 remaining_ns=5000000000"
      ),
      (
        "wrong", "result=-1 error=EINVAL elapsed_ms=0",
        "bytes=0 socket_error=0 remaining_ns=6000000000"
      ),
    ])
  func datagrams(name: String, result: String, state: String) throws {
    #expect(
      try lines("recvmmsg-\(name)") == [
        "recvmmsg-\(name) \(result)", "recvmmsg-\(name) \(state)",
      ])
  }

  @Test("A sleep of another process does not jump over the end of a timeout")
  func order() throws {
    #expect(try lines("jump") == ["jump result=-1 error=EAGAIN elapsed_ms=3000"])
  }

  @Test("Signals that are ignored neither end a wait nor make it longer")
  func ignoredSignals() throws {
    #expect(try lines("children") == ["children result=-1 error=EAGAIN elapsed_ms=3000"])
    #expect(try lines("terminal") == ["terminal result=0 error=none elapsed_ms=2000"])
  }

  @Test("A thread that computes behind its call waits for no time any more")
  func computing() throws {
    let program = try SupervisedProgram(
      clock: .from2030(.auto, computing: .charged(after: .zero, rate: .one)))
    try program.start([try CompiledProgram.path("socket_waits"), "computing"])

    #expect(program.awaitExit().hasHappened)
    #expect(
      program.output == """
        computing result=5 error=none elapsed_ms=1000
        computing result=0 error=none elapsed_ms=1000

        """)
  }

  @Test("A thread that has ended waits for nothing, be it the first of its process")
  func endedLeader() throws {
    let program = try SupervisedProgram(clock: .from2030(.held))
    try program.start([try CompiledProgram.path("socket_waits"), "ended-leader"])

    for _ in 0..<2 {
      #expect(program.supervisor.tick(.next, deadline: program.deadline).hasHappened)
    }
    #expect(program.awaitExit().hasHappened)
    #expect(
      program.output == """
        ended-leader result=5 error=none elapsed_ms=1000
        ended-leader result=0 error=none elapsed_ms=100000

        """)
  }

  @Test("A step to what comes next finds the end of a timeout")
  func nextStep() throws {
    let program = try SupervisedProgram(clock: .from2030(.held))
    try program.start([try CompiledProgram.path("socket_waits"), "recv"])

    #expect(program.supervisor.tick(.next, deadline: program.deadline).hasHappened)
    #expect(program.awaitExit().hasHappened)
    #expect(program.output == "recv result=-1 error=EAGAIN elapsed_ms=3141.593000\n")
  }

  @Test("Python's timeouts of both kinds last as long as they were set")
  func python() throws {
    let folder = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start(["/usr/bin/python3", "\(folder)/Programs/socket_timeout.py"])

    #expect(program.awaitExit().hasHappened)
    #expect(
      program.output == """
        BlockingIOError 90250000000
        90 250000
        TimeoutError 60000000000
        b'x' 0

        """)
  }

  @Test("Where time flows by itself, a timeout is never early")
  func flowingTime() throws {
    let line = try #require(try lines("readv", flow: .real).first)

    #expect(line.hasPrefix("readv result=-1 error=EAGAIN elapsed_ms="))
    let elapsed = try #require(Double(line.split(separator: "=").last ?? ""))
    #expect(elapsed >= 0.001)
  }

  @Test("Who waits for a socket with a timeout is told of, with the rest of its time")
  func situations() throws {
    let program = try SupervisedProgram(clock: .from2030(.held))
    try program.start([try CompiledProgram.path("socket_waits"), "recv"])

    #expect(program.supervisor.settle(deadline: program.deadline).hasHappened)
    let result = program.supervisor.tick(.duration(.milliseconds(141)), deadline: program.deadline)
    #expect(result.hasHappened)
    guard
      case .timedOut(let situations, _) = program.supervisor.awaitExit(deadline: .zero)
    else { return #expect(Bool(false), "it has ended") }
    #expect(
      situations.map(\.activity) == ["sleeps in recvfrom, 3.000593s of virtual time left"])
  }
}

@Suite("The marker of a socket's timeout")
struct SocketTimeoutTests {
  private func roundTrip(_ seconds: Int64, _ microseconds: Int64) -> [Int64]? {
    SocketTimeout.marker(for: TimeValue(seconds: seconds, fraction: microseconds))
      .flatMap(SocketTimeout.value(of:)).map { [$0.seconds, $0.fraction] }
  }

  @Test("A length comes back as it was set")
  func lengths() {
    #expect(roundTrip(0, 1) == [0, 1])
    #expect(roundTrip(3, 141_593) == [3, 141_593])
    #expect(roundTrip(2_000_000_000, 999_999) == [2_000_000_000, 999_999])
    // Longer than the clocks of a scenario can count.
    #expect(roundTrip(9_000_000_000, 5) == [8_000_000_000, 0])
  }

  @Test("What the kernel is to decide is left to it, and what it says otherwise is no marker")
  func others() {
    #expect(roundTrip(0, 0) == nil)
    #expect(roundTrip(-1, 0) == nil)
    #expect(roundTrip(1, 1_000_000) == nil)
    #expect(roundTrip(1, -1) == nil)
    #expect(roundTrip(.max, 0) == nil)
    for seconds in [Int64(0), 5, 1_000_000_000, .min, .max] {
      #expect(SocketTimeout.value(of: TimeValue(seconds: seconds, fraction: 0)) == nil)
    }
  }

  @Test("A marker is an eternity to every kernel, and no timeout to none")
  func eternity() throws {
    for seconds in [Int64(1), 9_000_000_000, Int64.max / 1_000] {
      let marker = try #require(SocketTimeout.marker(for: TimeValue(seconds: seconds, fraction: 0)))
      // From 31 years, to what fits a signed word in ticks of a millisecond.
      #expect((1_000_000_000..<Int64.max / 1_000 - 1).contains(marker.seconds))
    }
  }
}
