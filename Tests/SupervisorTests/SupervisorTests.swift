import Foundations
import Glibc
import ScenarioModel
import Testing

@testable import Supervisor

@Suite("The supervisor")
struct SupervisorTests {
  // MARK: - Launching

  @Test("A program runs, and its output and exit code come back")
  func runs() throws {
    let program = try SupervisedProgram()

    try program.start(["/bin/sh", "-c", "echo hello; echo oops >&2; exit 3"])
    let result = program.awaitExit()

    #expect(result.hasHappened)
    #expect(program.supervisor.exitStatus() == .exited(code: 3))
    #expect(program.output == "hello\n")
    #expect(program.supervisor.output(.error).bytes == Array("oops\n".utf8))
  }

  @Test("A program that does not exist is an error with its errno")
  func missingProgram() throws {
    let program = try SupervisedProgram()

    #expect(throws: LaunchError.cannotExecute(errorNumber: ENOENT)) {
      try program.start(["/nowhere/at/all"])
    }
  }

  @Test("A file that is no program is an error with its errno")
  func notAProgram() throws {
    let program = try SupervisedProgram()

    #expect(throws: LaunchError.cannotExecute(errorNumber: EACCES)) {
      try program.start(["/etc/passwd"])
    }
  }

  @Test("Input reaches the program whole, also when it is larger than a pipe")
  func largeInput() throws {
    let program = try SupervisedProgram()

    try program.start(
      ["/usr/bin/wc", "-c"], input: .bytes([UInt8](repeating: 65, count: 3_000_000)))
    _ = program.awaitExit()

    #expect(program.output == "3000000\n")
  }

  @Test("Output of 10 MB comes back whole")
  func largeOutput() throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))

    try program.start(["/usr/bin/head", "-c", "10000000", "/dev/zero"])
    _ = program.awaitExit()

    #expect(program.supervisor.output(.output).count == 10_000_000)
  }

  @Test("The end of a supervisor leaves no process of the tree, daemons included")
  func killsTheTree() throws {
    let program = try SupervisedProgram()
    try program.start(
      ["/bin/sh", "-c", "for i in 1 2; do setsid sh -c 'echo up; exec sleep 1000' & done; wait"])
    _ = program.supervisor.awaitOutput(.output, beyond: 5, deadline: program.deadline)
    let processes = Set(
      program.events.compactMap { event -> Int32? in
        if case .processStarted(let process, _, _) = event { return process }
        return nil
      })
    let survivors = { processes.filter { kill($0, 0) == 0 && !isZombie($0) } }
    #expect(survivors().count >= 3)

    program.stop()

    #expect(survivors().isEmpty)
  }

  private func isZombie(_ process: Int32) -> Bool {
    SmallFile.read("/proc/\(process)/stat")?.contains(") Z ") ?? true
  }

  // MARK: - Time

  @Test("A day of sleep takes no real time worth naming")
  func sleepADay() throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))

    try program.start(["/bin/sh", "-c", "date +%s; sleep 86400; date +%s"])
    let result = program.awaitExit()

    #expect(result.hasHappened)
    #expect(program.output == "1893456000\n1893542400\n")
    #expect(program.view.reading().elapsed == .seconds(86_400))
  }

  @Test("Children that sleep print in the order of their sleeps, twenty runs in a row")
  func sleepSort() throws {
    for _ in 0..<20 {
      let program = try SupervisedProgram(clock: .from2030(.auto))

      try program.start(
        ["/bin/sh", "-c", "for i in 5 3 1 4 2; do (sleep $i; echo $i) & done; wait"])
      _ = program.awaitExit()

      #expect(program.output == "1\n2\n3\n4\n5\n")
    }
  }

  @Test("Where time is held a sleeper is told to be stuck, with what it waits for")
  func heldSleeperIsStuck() throws {
    let program = try SupervisedProgram(clock: .from2030(.held))

    try program.start(["/bin/sleep", "3600"])
    guard case .stuck(let threads) = program.awaitExit() else {
      Issue.record("the sleeper was not found to be stuck")
      return
    }

    #expect(threads.count == 1)
    #expect(threads.first?.activity == "sleeps in clock_nanosleep, 1h of virtual time left")
  }

  @Test("A tick wakes what is due within it, and nothing else")
  func tick() throws {
    let program = try SupervisedProgram(clock: .from2030(.held))
    try program.start(
      [
        "/bin/sh", "-c",
        "(sleep 2; echo two) & (sleep 5; echo five) & (sleep 3; echo three) & wait",
      ]
    )
    #expect(program.supervisor.settle(deadline: program.deadline).hasHappened)

    #expect(program.supervisor.tick(.duration(.seconds(3)), deadline: program.deadline).hasHappened)
    #expect(program.output == "two\nthree\n")

    #expect(program.supervisor.tick(.next, deadline: program.deadline).hasHappened)
    #expect(program.awaitExit().hasHappened)
    #expect(program.output == "two\nthree\nfive\n")
    #expect(program.view.reading().elapsed == .seconds(5))
  }

  @Test("A tick to the next deadline says so where there is none")
  func nothingDue() throws {
    let program = try SupervisedProgram(clock: .from2030(.held))
    try program.start(["/bin/cat"], input: .open)

    guard case .stuck(let threads) = program.supervisor.tick(.next, deadline: program.deadline)
    else {
      Issue.record("the tick has ended as if something had been due")
      return
    }
    #expect(threads.map(\.program).contains { $0.contains("cat") })
    #expect(program.view.reading().elapsed == .zero)
  }

  @Test("What is filed during a tick and due within it fires too, twenty runs in a row")
  func tickFiresWhatItFiles() throws {
    for _ in 0..<20 {
      let program = try SupervisedProgram(clock: .from2030(.held))
      try program.start(
        ["/bin/sh", "-c", "for i in 1 2 3 4; do sleep 1; date +%s; done"])
      _ = program.supervisor.settle(deadline: program.deadline)

      _ = program.supervisor.tick(.duration(.seconds(3)), deadline: program.deadline)

      #expect(program.output == "1893456001\n1893456002\n1893456003\n")
    }
  }

  @Test("Travel steps the wall clock of a running program, and its sleep goes on")
  func travelWhileAsleep() throws {
    let program = try SupervisedProgram(clock: .from2030(.held))
    try program.start(["/bin/sh", "-c", "sleep 10; date +%s"])
    _ = program.supervisor.settle(deadline: program.deadline)

    program.supervisor.change(.travel(.absolute(WallInstant(seconds: 1_000))))
    _ = program.supervisor.tick(.duration(.seconds(9)), deadline: program.deadline)
    #expect(program.output.isEmpty)
    _ = program.supervisor.tick(.duration(.seconds(1)), deadline: program.deadline)
    _ = program.awaitExit()

    #expect(program.output == "1010\n")
  }

  @Test("A flowing clock wakes a sleeper after real time")
  func flowingSleep() throws {
    let program = try SupervisedProgram(clock: .from2030(.real))
    let before = RealClock.monotonic()

    try program.start(["/bin/sh", "-c", "sleep 0.2; date +%Y"])
    _ = program.awaitExit()

    #expect(RealClock.monotonic() - before >= .milliseconds(200))
    #expect(program.output == "2030\n")
  }

  @Test("A program that computes holds virtual time back from those that wait")
  func computingHoldsTime() throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))

    // The reader gives up after one virtual second; the writer computes without sleeping.
    try program.start(
      [
        "/bin/bash", "-c",
        "(i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done; echo done) | "
          + "(read -t 1 line && echo \"got $line\" || echo timeout)",
      ])
    _ = program.awaitExit()

    #expect(program.output == "got done\n")
    #expect(program.view.reading().elapsed == .zero)
  }

  // MARK: - Network

  struct RefusingRouter: ConnectionRouter {
    func route(
      to address: InternetAddress, transport: TransportKind, sends: Bool
    ) -> RoutingDecision {
      address.isLoopback ? .pass : .refuse(errorNumber: EHOSTUNREACH)
    }

    var redirects: Bool { false }

    func hostName(of address: InternetAddress) -> String? { nil }
  }

  @Test("A connection goes where the router says, and loopback stays reachable")
  func routing() throws {
    let program = try SupervisedProgram(router: RefusingRouter())

    try program.start(
      ["/bin/bash", "-c", "echo > /dev/tcp/203.0.113.7/80; echo > /dev/tcp/127.0.0.1/1"])
    _ = program.awaitExit()

    let errors = String(decoding: program.supervisor.output(.error).bytes, as: UTF8.self)
    #expect(errors.contains("No route to host"))
    #expect(errors.contains("Connection refused"))
  }
}
