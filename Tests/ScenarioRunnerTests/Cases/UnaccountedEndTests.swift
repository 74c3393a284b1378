import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioRunner
@testable import Supervisor

private let three = "the target exited with code 3 unexpectedly"

@Suite("What accounts for the end of a target")
struct UnaccountedEndTests {
  private let harness: CaseHarness
  private var supervisor: FakeSupervisor { harness.supervisor }

  init() throws { harness = try CaseHarness() }

  private func run(_ steps: String, _ more: String = "", target: String = "") throws {
    try harness.run("target: { command: [/bin/sh]\(target) }\nsteps: [ \(steps) ]\n\(more)")
  }

  /// Lets the target end when something is asked of the supervisor.
  private func end(_ status: FakeSupervisor.Status, at call: String) {
    supervisor.plan { state in
      state.whenCalled = { [supervisor] other in
        if other == call { supervisor.plan { $0.statuses[0] = status } }
      }
    }
  }

  // MARK: - Signals

  @Test(
    "A signal of a step accounts for the end that it asks for, and for no other",
    arguments: [
      ("HUP", FakeSupervisor.Status.signaled(number: 1), true), ("HUP", .exited(code: 129), true),
      ("HUP", .exited(code: 3), false), ("HUP", .signaled(number: 15), false),
      ("USR1", .exited(code: 3), false), ("CONT", .exited(code: 1), false),
      ("TERM", .exited(code: 3), true), ("TERM", .signaled(number: 15), true),
      ("TERM", .signaled(number: 11), false), ("INT", .exited(code: 130), true),
      ("QUIT", .exited(code: 2), true), ("KILL", .signaled(number: 9), true),
      ("KILL", .exited(code: 1), false),
    ])
  func signals(name: String, status: FakeSupervisor.Status, accounts: Bool) throws {
    supervisor.plan { $0.ends = [status] }
    try run("{ start: [] }, { signal: \(name) }, { wait: exit }")
    #expect(harness.failures.map(\.type) == (accounts ? [] : ["expect.exit"]))
  }

  @Test(
    "The signal by which a target is stopped asks for its end, whatever else it means elsewhere",
    arguments: [("USR1", []), ("USR2", [three])])
  func stopSignal(name: String, messages: [String]) throws {
    supervisor.plan { $0.ends = [.exited(code: 3)] }
    try run(
      "{ start: [] }, { signal: \(name) }, { wait: exit }", target: ", stop: { signal: USR1 }")
    #expect(harness.messages == messages)
  }

  @Test("A signal that a target got over does not account for a crash over being asked to end")
  func crashAfterSignal() throws {
    supervisor.plan { $0.endings = [.ended(.signaled(number: 11))] }
    try run("{ start: [] }, { signal: HUP }")
    #expect(harness.messages == ["the target was killed by SIGSEGV unexpectedly"])
  }

  @Test("A target that a step had to kill has one failure, and no word of that end")
  func killed() throws {
    supervisor.plan { $0.results["awaitExit"] = [.timedOut([], .nothing)] }
    end(.signaled(number: 9), at: "killTree 0")
    try run("{ start: [] }, { stop: }", target: ", stop: { grace: 1ms }")
    #expect(harness.failures.map(\.type) == ["step.stop"])
    #expect(harness.warnings == [])
  }

  // MARK: - Conditions

  @Test("What a command is expected to exit with says nothing of the target")
  func command() throws {
    end(.exited(code: 3), at: "leaveStep")
    try run("{ start: [] }, { exec: 'exit 4', expect: { exit: 4 } }")
    #expect(harness.messages == [three])
  }

  @Test(
    "What is expected beside a command of the first target by its name is about that target",
    arguments: [(3, 0), (4, 1)])
  func namedBesideCommand(code: Int, failures: Int) throws {
    end(.exited(code: 3), at: "leaveStep")
    try harness.run(
      """
      targets: { a: { command: [/bin/sh] }, b: { command: [/bin/sh] } }
      steps:
        - start: a
        - exec: 'exit 4'
          expect: { exit: 4, targets: { a: { exit: \(code) } } }
      """)
    #expect(harness.failures.count == failures)
  }

  @Test(
    "A condition of a step that is left out accounts for nothing",
    arguments: [("seen", []), ("other", [three])])
  func leftOut(word: String, messages: [String]) throws {
    supervisor.plan {
      $0.output = "seen"
      $0.ends = [.exited(code: 3)]
    }
    try run(
      """
      { run: [] }, { capture: { word: { stdout: '\\w+' } } },
      { expect: { exit: 3 }, if: '${{ capture.word == "\(word)" }}' }
      """)
    #expect(harness.messages == messages)
  }

  @Test("A condition that holds within a time accounts for the end on which it was checked")
  func eventually() throws {
    end(.exited(code: 7), at: "leaveStep")
    try run(
      "{ start: [] }, { expect: { eventually: { within: 1s, exit: 7 } } }", "clock: { flow: held }")
    #expect(harness.messages == [])
  }

  @Test("What is expected of the last start says nothing of one that cleans up")
  func cleanup() throws {
    supervisor.plan { $0.ends = [.exited(code: 0), .exited(code: 3)] }
    try run("{ run: [] }", "expect: { exit: 0 }\ncleanup: [ { run: [] } ]")
    #expect(harness.messages == ["cleanup: " + three])
  }

  @Test("Beside another failure, an end that a condition may have expected is not told")
  func unreached() throws {
    supervisor.plan { $0.ends = [.exited(code: 3)] }
    try run("{ run: [] }, { exec: 'exit 1' }", "expect: { exit: 3 }")
    #expect(harness.failures.map(\.type) == ["step.exec"])
    #expect(harness.warnings == [])
  }

  // MARK: - Another start, another try

  @Test(
    "Another start does not hide how the one before has ended",
    arguments: [
      (FakeSupervisor.Status.exited(code: 3), [three], 1), (.signaled(number: 1), [], 2),
      (.exited(code: 0), [], 2),
    ])
  func restart(status: FakeSupervisor.Status, messages: [String], starts: Int) throws {
    end(status, at: "signal 1 to 0")
    try run("{ start: [] }, { signal: HUP }, { start: [] }")
    #expect(harness.messages == messages)
    #expect(supervisor.calls("start").count == starts)
  }

  @Test(
    "A try that is forgotten takes the end of its own start with it, and of no other",
    arguments: [
      ("{ run: [], retry: 2 }", [FakeSupervisor.Status.exited(code: 3), .exited(code: 0)], []),
      ("{ start: [] }, { wait: exit, retry: 2 }", [.exited(code: 3), .exited(code: 3)], [three]),
    ])
  func retry(steps: String, ends: [FakeSupervisor.Status], messages: [String]) throws {
    supervisor.plan { $0.ends = ends }
    try run(steps)
    #expect(harness.messages == messages)
  }

  // MARK: - Faults

  @Test(
    "A fault about processes accounts for the end that it brings, and not because it is there",
    arguments: [
      ([9], FakeSupervisor.Status.signaled(number: 9), true),
      ([9], .exited(code: 137), true), ([9], .exited(code: 1), false),
      ([9], .signaled(number: 11), false), ([15], .exited(code: 3), true),
      ([], .signaled(number: 9), false), ([], .exited(code: 3), false),
    ])
  func faults(signals: [Int], status: FakeSupervisor.Status, accounts: Bool) throws {
    supervisor.plan {
      $0.ends = [status]
      $0.faultSignals = Set(signals.map { Int32($0) })
      $0.faults = [
        RuleStatistics(
          entry: "cut", seen: 1, matched: 1, fired: 1, processes: [], wasApplied: true,
          nearMisses: [])
      ]
    }
    try run("{ run: [] }", "chaos: [ { name: cut, process: sh, provide: kill } ]")
    #expect(harness.failures.map(\.type) == (accounts ? [] : ["expect.exit"]))
  }

  // MARK: - Targets that were never started

  @Test(
    "Nothing holds of a target that was never started, also what holds of no output",
    arguments: [
      ("other", "stdout: { not: { contains: x } }", ["expect.start"]),
      ("other", "stderr: ''", ["expect.start"]), ("other", "exit: 0", ["expect.start"]),
      ("seen", "stdout: { not: { contains: x } }", []),
    ])
  func neverStarted(word: String, expectation: String, types: [String]) throws {
    supervisor.plan { $0.output = "seen" }
    try harness.run(
      """
      targets: { a: { command: [/bin/sh] }, b: { command: [/bin/sh] } }
      steps:
        - run: a
        - { capture: { word: { stdout: '\\w+' } }, target: a }
        - { run: b, if: '${{ capture.word == "\(word)" }}' }
      expect: { targets: { b: { \(expectation) } } }
      """)
    #expect(harness.failures.map(\.type) == types)
    if !types.isEmpty {
      #expect(harness.messages.first?.hasPrefix("\"b\" was never started") == true)
    }
  }
}
