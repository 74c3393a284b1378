import Foundations
import Glibc
import ScenarioEvents
import ScenarioPlan
import Testing

@testable import ScenarioRunner
@testable import Supervisor

@Suite("What the case runner does in a step")
struct CaseStepTests {
  private let harness: CaseHarness
  private var supervisor: FakeSupervisor { harness.supervisor }

  init() throws { harness = try CaseHarness() }

  private func run(_ steps: String, _ more: String = "") throws {
    try harness.run("target: { command: [/bin/sh] }\nsteps: [ \(steps) ]\n\(more)")
  }

  @Test(
    "A case starts its target, waits for its end, ends what is left, and lets the supervisor go")
  func order() throws {
    try run("{ run: [] }")

    #expect(
      supervisor.calls("start", "awaitExit", "end", "stop")
        == ["start 0", "awaitExit 0", "end 0 by 15 within 5s", "stop"])
    #expect(harness.outcome == .passed)
  }

  @Test("A case that is skipped makes no supervisor and no folder, and tells why")
  func skipped() throws {
    try run("{ run: [] }", "skip: later")

    #expect(supervisor.calls() == [])
    #expect(harness.outcome == .skipped)
    #expect(harness.result?.reason == "later")
    #expect(FileTree.entries(of: harness.folder.path).isEmpty)
  }

  @Test("A step that fails is the last one, and what is expected at the end is not checked")
  func failing() throws {
    supervisor.plan { $0.takesInput = false }
    try run("{ start: [] }, { send: x }, { stop: }", "expect: { stdout: never }")

    #expect(harness.steps == ["start", "send"])
    #expect(harness.failures.map(\.type) == ["step.input"])
    #expect(harness.outcome == .failed)
  }

  @Test("All conditions of a step are checked, and each that does not hold is a failure")
  func conditions() throws {
    supervisor.plan { $0.output = "seen" }
    try run("{ run: [], expect: { exit: 3, stdout: other, stderr: '' } }")

    #expect(harness.failures.map(\.type) == ["expect.exit", "expect.stdout"])
  }

  @Test("Where time stands, each step ends once everything sleeps")
  func settling() throws {
    try run("{ start: [] }, { send: x }, { stop: }", "clock: { flow: held }")

    #expect(
      supervisor.calls("start", "send", "signal", "settle")
        == ["start 0", "settle", "send x to 0", "settle", "signal 15 to 0", "settle"])
  }

  @Test("Where time flows, no step waits until everything sleeps")
  func flowing() throws {
    try run("{ start: [] }, { stop: }", "clock: { flow: real }")
    #expect(supervisor.calls("settle") == [])
  }

  @Test("Before anything was started nothing need sleep")
  func nothingStarted() throws {
    try run("{ jump: 1s }, { run: [] }", "clock: { flow: held }")
    #expect(supervisor.calls("change", "settle", "start") == ["change jump", "start 0", "settle"])
  }

  @Test("A step that does not come to rest fails")
  func restless() throws {
    supervisor.plan { $0.results["settle"] = [.stuck([])] }
    try run("{ start: [] }, { stop: }", "clock: { flow: held }")

    #expect(harness.failures.map(\.type) == ["Stuck"])
    #expect(harness.steps == ["start"])
  }

  @Test("A target that runs is not started again")
  func running() throws {
    var planned = try harness.plan(
      "target: { command: [/bin/sh] }\nsteps: [ { start: [] }, { stop: } ]")
    planned.steps.insert(planned.steps[0], at: 1)
    harness.run(planned)

    #expect(harness.messages == ["the target is already running"])
    #expect(supervisor.calls("start") == ["start 0"])
  }

  @Test("A target that has ended is started again, and what it wrote before is kept")
  func restart() throws {
    supervisor.plan { $0.output = "once\n" }
    try run("{ run: [] }, { run: [] }")
    #expect(supervisor.calls("start") == ["start 0", "start 0"])
    #expect(harness.result?.standardOutput == "once\nonce\n")
  }

  @Test("Two targets are started each by its own step, and ended the last one first")
  func targets() throws {
    try harness.run(
      """
      targets: { a: { command: [/bin/sh] }, b: { command: [/bin/sh], stop: { signal: INT, grace: 1s } } }
      steps: [ { start: [], target: a }, { start: [], target: b } ]
      """)

    #expect(
      supervisor.calls("start", "end")
        == ["start 0", "start 1", "end 1 by 2 within 1s", "end 0 by 15 within 5s"])
  }

  @Test("A target that cannot be started fails the case as an error, which names the program")
  func unstartable() throws {
    supervisor.plan { $0.startError = .cannotExecute(errorNumber: 8) }
    try run("{ run: [] }")

    #expect(harness.failures.map(\.type) == ["Launch"])
    #expect(harness.messages.first?.contains("\"/bin/sh\"") == true)
    #expect(harness.outcome == .errored)
    #expect(supervisor.calls("awaitExit", "end") == [])
  }

  @Test("A signal is sent once the target is at rest")
  func signal() throws {
    try run("{ start: [] }, { signal: HUP }, { wait: exit }")
    #expect(
      supervisor.calls("awaitRest", "signal", "awaitExit")
        == ["awaitRest", "signal 1 to 0", "awaitExit 0"])
  }

  @Test("A signal that comes too late fails the step")
  func lateSignal() throws {
    supervisor.plan { $0.takesSignals = false }
    try run("{ start: [] }, { signal: HUP }, { wait: exit }")
    #expect(harness.messages == ["the target exited before SIGHUP could be sent"])
  }

  @Test("A signal for a program that does not run fails the step, which names what runs")
  func signalToProgram() throws {
    supervisor.plan { $0.programs = ["worker"] }
    try run("{ start: [] }, { signal: { signal: HUP, process: wroker } }, { stop: }")

    #expect(
      harness.messages == ["no process of the target runs \"wroker\", so SIGHUP was not sent"])
    #expect(harness.failures.first?.help?.contains("worker") == true)
  }

  @Test("A target that does not end when it is stopped is killed, and fails the step")
  func stop() throws {
    supervisor.plan { $0.results["awaitExit"] = [.timedOut([], .nothing)] }
    try harness.run(
      """
      target: { command: [/bin/sh], stop: { grace: 1ms } }
      steps: [ { start: [] }, { stop: } ]
      """)

    #expect(supervisor.calls("killTree") == ["killTree 0"])
    #expect(harness.failures.map(\.type) == ["step.stop"])
  }

  @Test(
    "A tick that does not end for all the polls advises a slack, and does not advise a tick",
    arguments: [true, false])
  func slowTick(isTick: Bool) throws {
    let report = WaiterReport(
      waiters: [
        WaiterReport.Waiter(
          program: "redis-server", systemCall: "epoll_wait", length: .milliseconds(100),
          count: 10_000)
      ], count: 10_000, elapsed: .seconds(1_000))
    supervisor.plan { $0.results[isTick ? "tick" : "awaitExit"] = [.timedOut([], report)] }
    try harness.run(
      """
      target: { command: [/bin/sh] }
      clock: { flow: held }
      steps: [ { start: [] }, \(isTick ? "{ tick: 2h }" : "{ wait: exit }") ]
      """)

    let help = try #require(harness.failures.first?.help)
    #expect(help.contains("clock: { slack: 1s }"))
    #expect(help.contains("`tick:`") == !isTick)
  }

  @Test("Where the polls are minutes apart, no slack is advised: it would change little")
  func longPolls() throws {
    let report = WaiterReport(
      waiters: [
        WaiterReport.Waiter(
          program: "php", systemCall: "nanosleep", length: .seconds(3_600), count: 10_000)
      ], count: 10_000, elapsed: .seconds(36_000_000))
    supervisor.plan { $0.results["awaitExit"] = [.timedOut([], report)] }
    try harness.run(
      "target: { command: [/bin/sh] }\nclock: { flow: auto }\nsteps: [ { start: [] }, { wait: exit } ]\n"
    )

    let help = try #require(harness.failures.first?.help)
    #expect(help.contains("`tick:`"))
    #expect(!help.contains("slack"))
  }

  @Test(
    "A loop that starts a program for each wait is told as such, and a thread that computes as well",
    arguments: [
      (Nanoseconds.seconds(3_600), Nanoseconds.zero, true), (.milliseconds(1), .zero, false),
      // On a slow machine little time passes in such a loop.
      (.milliseconds(200), .zero, true),
      (.seconds(3_600), .seconds(3_600), false),
    ])
  func waitingLoop(length: Nanoseconds, sinceLast: Nanoseconds, isLoop: Bool) throws {
    let thread = ThreadSituation(
      process: 7, thread: 7, program: "sh", activity: "runs", standing: .computes)
    // What computes has waited as often, but for a short time altogether, or long ago.
    var report = WaiterReport(
      waiters: [
        WaiterReport.Waiter(
          program: "sleep", systemCall: "clock_nanosleep", length: length, count: 500)
      ], count: 500, elapsed: Nanoseconds(length.count * 500))
    report.realSinceLast = sinceLast
    supervisor.plan { $0.results["awaitExit"] = [.timedOut([thread], report)] }
    try harness.run(
      """
      target: { command: [/bin/sh] }
      clock: { flow: held }
      steps: [ { start: [] }, { wait: exit } ]
      """)

    let help = try #require(harness.failures.first?.help)
    #expect(help.contains("\"sleep\" waited in clock_nanosleep again and again") == isLoop)
    #expect(help.contains("a thread that computes") == !isLoop)
  }

  @Test(
    "A loop that starts a program for each wait is told with both; programs beside each other are none",
    arguments: [
      (500, 500, 500, 0, true), (500, 460, 500, 0, true), (5_000, 5_000, 5_000, 0, true),
      (500, 2, 500, 0, false), (10, 10, 10, 0, false), (500, 500, 20, 0, false),
      (500, 500, 500, 3_600, false),
    ] as [(Int, Int, Int64, Int64, Bool)])
  func startingLoop(
    count: Int, processes: Int, elapsed: Int64, sinceLast: Int64, isLoop: Bool
  ) throws {
    var report = WaiterReport(
      waiters: [
        WaiterReport.Waiter(
          program: "sleep", systemCall: "clock_nanosleep", length: .seconds(1), count: count,
          processes: processes, starter: "sh")
      ], count: count, elapsed: .seconds(elapsed))
    report.realSinceLast = .seconds(sinceLast)
    supervisor.plan { $0.results["awaitExit"] = [.timedOut([], report)] }
    try harness.run(
      """
      target: { command: [/bin/sh] }
      clock: { flow: auto }
      steps: [ { start: [] }, { wait: exit } ]
      """)

    let help = try #require(harness.failures.first?.help)
    #expect(help.contains("\"sh\" starts \"sleep\" again and again (") == isLoop)
    #expect(
      help.contains(" times, each waits 1s), and nothing in the scenario ends this loop") == isLoop)
  }

  @Test("A tick to the next deadline fails where nothing waits for time", arguments: [true, false])
  func nothingDue(isStuck: Bool) throws {
    supervisor.plan { if isStuck { $0.results["tick"] = [.stuck([])] } }
    try run("{ start: [] }, { tick: next }, { stop: }", "clock: { flow: held }")

    #expect(harness.failures.map(\.type) == (isStuck ? ["step.tick"] : []))
    #expect(supervisor.calls("signal").isEmpty == isStuck)
  }

  @Test("Each wait for output looks behind what the wait before has matched")
  func output() throws {
    supervisor.plan { $0.growth = ["ready> ", "", "ready> "] }
    try run(
      "{ start: [] }, { wait: { stdout: 'ready> ' } }, { wait: { stdout: 'ready> ' } }, { stop: }")

    #expect(harness.outcome == .passed)
    // The second one does not find the prompt that the first has matched.
    #expect(supervisor.calls("awaitOutput").count == 3)
  }

  @Test("A target that is started again is waited for from the beginning of what it writes")
  func outputOfNextStart() throws {
    supervisor.plan {
      $0.growth = ["up"]
      $0.results["awaitOutput"] = [.happened, .happened, .stuck([])]
    }
    try run(
      "{ start: [] }, { wait: { stdout: up } }, { stop: }, { start: [] }, { wait: { stdout: up } }, { stop: }"
    )
    #expect(harness.failures.isEmpty)
  }

  @Test("A wait for output that came before what was matched says so when it is in vain")
  func usedUpOutput() throws {
    supervisor.plan {
      $0.growth = ["a b"]
      $0.results["awaitOutput"] = [.happened, .stuck([])]
    }
    try run("{ start: [] }, { wait: { stdout: b } }, { wait: { stdout: a } }, { stop: }")

    #expect(harness.failures.map(\.type) == ["Stuck"])
    #expect(harness.failures.first?.help?.hasPrefix("stdout matches earlier") == true)
  }

  @Test(
    "A block is undone behind its steps, also where one of them fails", arguments: [true, false])
  func block(fails: Bool) throws {
    supervisor.plan { $0.takesInput = !fails }
    try run(
      "{ start: [] }, { jump: { by: 1h, steps: [ { send: x }, { close: stdin } ] } }, { stop: }",
      "clock: { flow: held }")

    #expect(
      supervisor.calls("change", "send", "closeInput")
        == ["change begin", "change jump", "send x to 0"]
        + (fails ? ["change end"] : ["closeInput 0", "change end"]))
    #expect(harness.outcome == (fails ? .failed : .passed))
  }

  @Test("A condition that does not hold within a block ends the block, and the case")
  func conditionInBlock() throws {
    try run(
      """
      { start: [] },
      { jump: { by: 1h, steps: [ { send: x, expect: { stdout: y } }, { close: stdin } ] } },
      { stop: }
      """, "clock: { flow: held }")

    #expect(supervisor.calls("send", "closeInput", "change end") == ["send x to 0", "change end"])
    #expect(harness.steps == ["start", "jump"])
  }

  @Test("A wall clock that cannot show what it is set to fails the step")
  func clock() throws {
    supervisor.plan { $0.canChangeClocks = false }
    try run("{ jump: 1h }, { run: [] }", "clock: { flow: held }")

    #expect(harness.failures.map(\.type) == ["Clock"])
    #expect(supervisor.calls("start") == [])
  }

  @Test("The supervisor and the mock server hear of each step, and of faults that steps apply")
  func faults() throws {
    try run(
      "{ apply: slow }, { run: [] }, { revert: all }",
      """
      chaos: [ { name: slow, call: fsync, apply: false, provide: { error: EIO } } ]
      responses: [ { GET http://h/x: { text: x } } ]
      network: { unused: ignore }
      """)

    let expected = [
      "enterStep apply", "applyChaos", "leaveStep", "enterStep run", "leaveStep",
      "enterStep revert", "revertChaos", "leaveStep",
    ]
    #expect(supervisor.calls("enterStep", "leaveStep", "applyChaos", "revertChaos") == expected)
    #expect(harness.mockServer.calls.filter { !["catchUp", "shutdown"].contains($0) } == expected)
  }

  @Test("A step that brings replies lets the mock server give them")
  func respond() throws {
    try run(
      "{ responses: [ { GET http://h/x: { text: x } } ] }, { run: [] }",
      "network: { unused: ignore }"
    )
    #expect(harness.mockServer.calls.filter { $0.hasPrefix("respond") } == ["respond 0"])
  }

  @Test(
    "Where everything sleeps and nothing wakes it, readiness is given up after a number of looks")
  func neverReady() throws {
    try harness.run(
      """
      target: { command: [/bin/sh], ready: { file: up } }
      clock: { flow: held }
      steps: [ { start: [] }, { stop: } ]
      """)

    #expect(harness.failures.map(\.type) == ["Readiness"])
    #expect(
      harness.messages.first?.hasPrefix("all threads are blocked, and the target is not ready")
        == true)
    #expect(supervisor.calls("pause").count == 49)
  }

  @Test("Time goes from deadline to deadline until a target is ready, if it may")
  func readiness() throws {
    supervisor.plan { state in
      state.timeAwaited = 10
      state.whenCalled = { [supervisor] _ in
        guard supervisor.calls("tick").count == 3, let folder = supervisor.directories.last else {
          return
        }
        close(creat("\(folder)/up", 0o600))
      }
    }
    try harness.run(
      """
      target: { command: [/bin/sh], ready: { file: up } }
      clock: { flow: auto }
      steps: [ { start: [] }, { stop: } ]
      """)

    #expect(harness.failures.isEmpty)
    #expect(supervisor.calls("tick").count == 3)
  }

  @Test("A target that waits for time which may not move is not ready")
  func standingTime() throws {
    supervisor.plan {
      $0.timeAwaited = 5
      $0.timeMovesByItself = false
    }
    try harness.run(
      """
      target: { command: [/bin/sh], ready: { file: up } }
      clock: { flow: held }
      steps: [ { start: [] }, { stop: } ]
      """)

    #expect(supervisor.calls("tick", "pause") == [])
    #expect(harness.messages.first?.contains("waits for virtual time, which is frozen") == true)
  }

  @Test("A target that ends before it is ready fails the step")
  func endedBeforeReady() throws {
    supervisor.plan { state in
      state.whenCalled = { [supervisor] call in
        if call == "settle" { supervisor.plan { $0.statuses[0] = .exited(code: 7) } }
      }
    }
    try harness.run(
      """
      target: { command: [/bin/sh], ready: { file: up } }
      clock: { flow: held }
      steps: [ { start: [] }, { stop: } ]
      """)
    #expect(
      harness.messages.first?.hasPrefix("the target exited with code 7 before it was ready") == true
    )
  }
}

extension WaiterReport {
  /// Nobody has let time pass.
  static let nothing = WaiterReport(waiters: [], count: 0, elapsed: .zero)
}
