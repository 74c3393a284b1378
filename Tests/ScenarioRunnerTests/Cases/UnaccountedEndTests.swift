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
    "A signal to a program of a target accounts for the end that it brings, but not for any exit code",
    arguments: [
      ("HUP", FakeSupervisor.Status.signaled(number: 1), true), ("HUP", .exited(code: 129), true),
      ("TERM", .exited(code: 143), true), ("TERM", .exited(code: 3), false),
      ("TERM", .exited(code: 129), false), ("HUP", .signaled(number: 15), false),
    ])
  func signalsToPrograms(name: String, status: FakeSupervisor.Status, accounts: Bool) throws {
    supervisor.plan {
      $0.ends = [status]
      $0.programs = ["sleep"]
    }
    try run("{ start: [] }, { signal: { signal: \(name), process: sleep } }, { wait: exit }")
    #expect(harness.failures.map(\.type) == (accounts ? [] : ["expect.exit"]))
  }

  @Test(
    "A key of a terminal that is a signal accounts for the end that it brings",
    arguments: [
      ("{ key: ctrl-c }", FakeSupervisor.Status.signaled(number: 2), true),
      ("{ key: ctrl-c }", .exited(code: 130), true), ("{ key: ctrl-c }", .exited(code: 3), false),
      ("\"\\x03\"", .exited(code: 130), true), ("\"\\x1c\"", .signaled(number: 3), true),
      ("\"\\x1c\"", .exited(code: 130), false), ("{ key: ctrl-d }", .exited(code: 130), false),
    ])
  func keys(keys: String, status: FakeSupervisor.Status, accounts: Bool) throws {
    supervisor.plan { $0.ends = [status] }
    try run("{ start: [] }, { send: \(keys) }, { wait: exit }", target: ", terminal: 80x24")
    #expect(harness.failures.map(\.type) == (accounts ? [] : ["expect.exit"]))
  }

  @Test("What would be a key of a terminal is none on a pipe")
  func noKeys() throws {
    supervisor.plan { $0.ends = [.exited(code: 130)] }
    try run("{ start: [] }, { send: \"\\x03\" }, { wait: exit }")
    #expect(harness.failures.map(\.type) == ["expect.exit"])
  }

  @Test(
    "A key that was typed says nothing of the next start",
    arguments: [([], [0]), (["expect.exit"], [0, 130])] as [([String], [Int32])])
  func keysOfEarlierStart(types: [String], codes: [Int32]) throws {
    supervisor.plan { $0.ends = codes.map { .exited(code: $0) } }
    try run(
      "{ start: [] }, { send: { key: ctrl-c } }, { wait: exit }, { run: [] }",
      target: ", terminal: 80x24")
    #expect(harness.failures.map(\.type) == types)
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
    "Who expects an exit code at the end is told, of an earlier start, that this is about the last",
    arguments: [
      ("{ run: [], repeat: 3 }", "expect: { exit: 3 }", true),
      ("{ run: [] }, { run: [] }", "expect: { exit: 3 }", true), ("{ run: [] }", "", false),
      ("{ run: [] }, { run: [] }", "", false),
      ("{ start: [] }, { signal: CONT }, { start: [] }", "", true),
    ])
  func earlierStart(steps: String, end: String, isEarlier: Bool) throws {
    supervisor.plan { $0.ends = Array(repeating: .exited(code: 3), count: 3) }
    self.end(.exited(code: 3), at: "signal 18 to 0")
    try run(steps, end)
    #expect(harness.messages == [three])
    let help = "if this exit code is expected, add `expect: { exit: 3 }`"
    let place =
      " to the step that starts it, or to one that waits for its end: what is expected at the end"
      + " is about the last start before it"
    #expect(harness.failures.map(\.help) == [isEarlier ? help + place : help])
  }

  @Test("What a step expects of each start that it makes holds for all of them")
  func eachStart() throws {
    supervisor.plan { $0.ends = Array(repeating: .exited(code: 3), count: 3) }
    try run("{ run: [], repeat: 3, expect: { exit: 3 } }")
    #expect(harness.messages == [])
    #expect(supervisor.calls("start").count == 3)
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

  @Test(
    "A target that ends between two tries ends with the try that has started it, and with no other",
    arguments: [
      ("{ start: [], RETRY }", []),
      ("{ start: [] }, { signal: CONT }, { RETRY }, { start: [] }", [three]),
    ])
  func betweenTries(steps: String, messages: [String]) throws {
    supervisor.plan { state in
      state.whenCalled = { [supervisor] call in
        guard call == "tick" else { return }
        supervisor.plan {
          $0.statuses[0] = .exited(code: 3)
          $0.output = "ok"
        }
      }
    }
    let retry = "expect: { stdout: ok }, retry: { attempts: 2, every: 5s }"
    try run(steps.replacing("RETRY", with: retry), "clock: { flow: auto }")
    #expect(harness.messages == messages)
  }

  // MARK: - Faults

  @Test(
    "A fault about processes accounts for the end that it brings, and not because it is there",
    arguments: [
      ([9], [], FakeSupervisor.Status.signaled(number: 9), true),
      ([9], [], .exited(code: 137), true), ([9], [9], .exited(code: 1), false),
      ([9], [9], .signaled(number: 11), false), ([15], [15], .exited(code: 3), true),
      ([15], [], .exited(code: 3), false), ([15], [], .exited(code: 143), true),
      ([], [], .signaled(number: 9), false), ([], [], .exited(code: 3), false),
    ])
  func faults(
    signals: [Int], own: [Int], status: FakeSupervisor.Status, accounts: Bool
  ) throws {
    supervisor.plan {
      $0.ends = [status]
      $0.faultSignals = Set(signals.map { Int32($0) })
      $0.ownFaultSignals = Set(own.map { Int32($0) })
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

  @Test(
    "What cleans up behind a failure says nothing of a target that the failure kept from being started",
    arguments: [("exit 1", ["step.exec"]), ("exit 0", ["expect.start"])])
  func neverStartedBehindFailure(command: String, types: [String]) throws {
    try harness.run(
      """
      targets: { a: { command: [/bin/sh] }, b: { command: [/bin/sh] } }
      steps: [ { exec: '\(command)' }, { run: a } ]
      cleanup: [ { expect: { targets: { b: { stderr: '' } } } } ]
      """)
    #expect(harness.failures.map(\.type) == types)
  }
}
