import Foundations
import ScenarioEvents
import Testing

@testable import MockEngine
@testable import MockServer
@testable import ScenarioRunner
@testable import Supervisor

@Suite("How the case runner ends a case")
struct CaseEndTests {
  private let harness: CaseHarness
  private var supervisor: FakeSupervisor { harness.supervisor }

  init() throws { harness = try CaseHarness() }

  private func run(_ steps: String, _ more: String = "") throws {
    try harness.run("target: { command: [/bin/sh] }\nsteps: [ \(steps) ]\n\(more)")
  }

  // MARK: - Ends that nobody expects

  @Test(
    "A target that ends badly fails the case, unless a condition speaks of its end",
    arguments: [
      ("", ["expect.exit"]), ("expect: { exit: 3 }", []),
      ("expect: { stdout: '' }", ["expect.exit"]),
    ])
  func unexpectedEnd(more: String, types: [String]) throws {
    supervisor.plan { $0.ends = [.exited(code: 3)] }
    try run("{ run: [] }", more)
    #expect(harness.failures.map(\.type) == types)
  }

  @Test("The step in which a target ends badly is the last one")
  func unexpectedEndOfStep() throws {
    supervisor.plan { $0.ends = [.exited(code: 3)] }
    try run("{ run: [] }, { run: [] }")
    #expect(harness.steps == ["run"])
    #expect(harness.failures.map(\.type) == ["expect.exit"])
  }

  @Test("What a signal did to a target counts no more once it is started again")
  func signalledBefore() throws {
    supervisor.plan { $0.ends = [.signaled(number: 1), .exited(code: 3)] }
    try run("{ start: [] }, { signal: HUP }, { wait: exit }, { run: [] }")
    #expect(harness.messages == ["the target exited with code 3 unexpectedly"])
  }

  @Test("A target that has ended badly before it is asked to fails the case")
  func earlyEnd() throws {
    supervisor.plan { state in
      state.whenCalled = { [supervisor] call in
        if call == "leaveStep" { supervisor.plan { $0.statuses[0] = .signaled(number: 11) } }
      }
    }
    try run("{ start: [] }")
    #expect(harness.messages == ["the target was killed by SIGSEGV unexpectedly"])
  }

  @Test(
    "A target that is asked to end at the end may exit as it likes, and not crash over that",
    arguments: [
      (FakeSupervisor.Status.exited(code: 3), []), (.signaled(number: 15), []),
      (.signaled(number: 6), ["the target was killed by SIGABRT unexpectedly"]),
    ])
  func askedToEnd(status: FakeSupervisor.Status, messages: [String]) throws {
    supervisor.plan { $0.endings = [.ended(status)] }
    try run("{ start: [] }")
    #expect(harness.messages == messages)
  }

  @Test("A target that crashes when a step stops it fails the step")
  func crashOnStop() throws {
    supervisor.plan { $0.ends = [.signaled(number: 6)] }
    try run("{ start: [] }, { stop: }")
    #expect(harness.failures.map(\.type) == ["expect.exit"])
  }

  @Test(
    "A target that has to be killed at the end is a warning, which says why",
    arguments: [
      (TargetEnding.KillReason.graceOver, ["it did not exit within 5s of SIGTERM"]),
      (.stuck, ["it got SIGTERM, and then blocked while virtual time was frozen"]),
      (.cancelled, []),
    ])
  func killed(reason: TargetEnding.KillReason, warnings: [String]) throws {
    supervisor.plan { $0.endings = [.killed(reason)] }
    try run("{ start: [] }")

    #expect(
      harness.warnings == warnings.map { "the target was killed at the end: \($0)" })
    #expect(harness.outcome == .passed)
  }

  // MARK: - Out of time, or interrupted

  @Test(
    "A case out of time ends the tree by each target's own signal, and tells who needed SIGKILL")
  func timeout() throws {
    supervisor.plan {
      $0.results["awaitExit"] = [.timedOut([], .nothing)]
      $0.killed = [
        LiveProcess(number: 70, ordinal: 2, program: "child", arguments: ["child", "-x"])
      ]
    }
    try harness.run(
      """
      target: { command: [/bin/sh], stop: { signal: INT, grace: 7s } }
      steps: [ { run: [] } ]
      """)

    #expect(supervisor.calls("endTree") == ["endTree [0:2] within 7s"])
    #expect(harness.failures.map(\.type) == ["Timeout"])
    #expect(
      harness.failures.first?.details.suffix(2)
        == ["SIGTERM did not end these; SIGKILL did:", "  child (process 2): child -x"])
    #expect(harness.outcome == .errored)
    // That it was killed then is no end of its own.
    #expect(harness.warnings == [])
  }

  @Test("Where everything is stuck nobody is asked to end before the end")
  func stuck() throws {
    supervisor.plan { $0.results["awaitExit"] = [.stuck([])] }
    try run("{ run: [] }")
    #expect(supervisor.calls("endTree") == [])
    #expect(harness.outcome == .errored)
  }

  @Test("A run that is stopped between two steps begins no other, and ends the tree")
  func interrupted() throws {
    supervisor.plan { state in
      state.whenCalled = { [cancellation = harness.cancellation] call in
        if call == "leaveStep" { cancellation.cancel() }
      }
    }
    try run("{ start: [] }, { send: x }, { stop: }")

    #expect(harness.steps == ["start"])
    #expect(supervisor.calls("cancel", "send") == ["cancel"])
    #expect(supervisor.calls("endTree") == ["endTree [] within 5s"])
    #expect(harness.failures.map(\.type) == ["Interrupted"])
    #expect(harness.warnings == [])
  }

  @Test("A run that may take no longer says so, and not that it was interrupted")
  func globalTimeout() throws {
    harness.cancellation.cancel(because: .timeout(.seconds(60)))
    try run("{ run: [] }")
    #expect(harness.messages == ["the run took longer than its limit of 1m"])
  }

  @Test(
    "Where a case says what its target bears, a hang is the target's mistake",
    arguments: [true, false])
  func hang(isBorne: Bool) throws {
    supervisor.plan { $0.results["awaitExit"] = [.stuck([])] }
    try run("{ run: [] }", isBorne ? "expect: { tolerated: { exit: 0 } }" : "")

    #expect(harness.outcome == (isBorne ? .failed : .errored))
    #expect(harness.messages.first?.hasPrefix("tolerated: ") == isBorne)
  }

  // MARK: - Always

  @Test("The steps of always are done whatever has failed, each of them")
  func always() throws {
    supervisor.plan { $0.takesInput = false }
    try run(
      "{ start: [] }, { send: x }, { stop: }",
      "cleanup: [ { exec: [/bin/false] }, { exec: [/bin/true] } ]")

    #expect(harness.steps == ["start", "send", "exec", "exec"])
    #expect(
      harness.messages.last == "cleanup: the command exited with code 1 unexpectedly")
  }

  @Test("The steps of always are done also where the run is stopped")
  func alwaysWhenStopped() throws {
    supervisor.plan { state in
      state.whenCalled = { [cancellation = harness.cancellation] call in
        if call == "leaveStep" { cancellation.cancel() }
      }
    }
    try run("{ start: [] }, { send: x }, { stop: }", "cleanup: [ { exec: [/bin/true] } ]")

    #expect(harness.steps == ["start", "exec"])
    #expect(harness.failures.map(\.type) == ["Interrupted"])
  }

  @Test("What fails in always does not change which sort of bad news the case is")
  func alwaysAfterError() throws {
    supervisor.plan { $0.results["awaitExit"] = [.stuck([])] }
    try run("{ run: [] }", "cleanup: [ { exec: [/bin/false] } ]")
    #expect(harness.failures.map(\.category) == [.error, .error])
    #expect(harness.outcome == .errored)
  }

  // MARK: - What is left over

  private var leak: LiveProcess {
    LiveProcess(number: 70, ordinal: 2, program: "daemon", arguments: ["daemon"])
  }

  @Test(
    "Who outlives the target is reported, fails the case, or is nobody's business, as the case says",
    arguments: [("warn", 1, 0), ("fail", 1, 1), ("ignore", 0, 0)])
  func leaks(rule: String, reported: Int, failed: Int) throws {
    supervisor.plan { $0.left = [leak] }
    try run("{ run: [] }", "leaks: \(rule)")

    #expect(
      harness.events.count { event in
        if case .leaked = event.kind { true } else { false }
      } == reported)
    #expect(harness.failures.map(\.type) == Array(repeating: "leak", count: failed))
  }

  @Test("Who outlives the target is not asked where the case has failed, or says how many are left")
  func expectedLeaks() throws {
    supervisor.plan { $0.left = [leak] }
    try run("{ run: [] }", "leaks: fail\nexpect: { processes: { left: 0 } }")
    #expect(supervisor.calls("leftBehind") == [])
    try run("{ run: [], expect: { exit: 1 } }", "leaks: fail")
    #expect(supervisor.calls("leftBehind") == [])
  }

  private func statistics(fired: Int, applied: Bool = true) -> RuleStatistics {
    RuleStatistics(
      entry: "slow", seen: 2, matched: 0, fired: fired, processes: [], wasApplied: applied,
      nearMisses: ["it came near"])
  }

  private static let chaos = "chaos: [ { name: slow, call: fsync, provide: { error: EIO } } ]"

  @Test("A fault that never fired fails a case that went well, unless nothing has applied it")
  func unfired() throws {
    supervisor.plan { $0.faults = [statistics(fired: 0)] }
    try run("{ run: [] }", Self.chaos)
    #expect(harness.failures.map(\.type) == ["chaos.unfired"])
    #expect(harness.failures.first?.details == ["it came near", "2 seen, 0 matched, 0 fired"])
    #expect(
      harness.failures.first?.help?.hasSuffix(
        "write `expect: { chaos: { slow: { fired: 0 } } }` at the end") == true)
  }

  @Test(
    "That a fault has not fired is accounted for by what was checked last, and not by what held before",
    arguments: [
      ("{ run: [], EXPECT }", []), ("{ run: [] }, { expect: CHAOS }", []),
      ("{ run: [], EXPECT }, { run: [] }", ["chaos.unfired"]),
      ("{ start: [] }, { exec: 'true', EXPECT }, { stop: }", []),
      ("{ start: [] }, { exec: 'true', EXPECT }, { wait: exit }", ["chaos.unfired"]),
      ("{ run: [], EXPECT }, { expect: { stdout: seen } }", []),
      (
        "{ run: [], EXPECT }, { expect: { eventually: { within: 1s, stdout: seen } } }",
        ["chaos.unfired"]
      ),
      ("{ run: [], EXPECT }, { capture: { word: { stdout: '\\w+' } } }", []),
      (
        "{ run: [] }, { capture: { word: { stdout: '\\w+' } } }, { run: [], EXPECT, if: IF }",
        ["chaos.unfired"]
      ),
    ])
  func accountOfFiring(steps: String, types: [String]) throws {
    supervisor.plan {
      $0.output = "seen"
      $0.faults = [statistics(fired: 0)]
    }
    try run(
      steps.replacing("EXPECT", with: "expect: CHAOS").replacing(
        "CHAOS", with: "{ chaos: { slow: { fired: 0 } } }"
      ).replacing("IF", with: "'${{ capture.word == \"other\" }}'"), Self.chaos)
    #expect(harness.failures.map(\.type) == types)
  }

  @Test("A fault that fired, or that no step has applied, is none that never fired")
  func fired() throws {
    for statistics in [statistics(fired: 1), statistics(fired: 0, applied: false)] {
      supervisor.plan { $0.faults = [statistics] }
      try run("{ run: [] }", Self.chaos)
    }
    #expect(harness.failures.isEmpty)
  }

  @Test("Beside an expectation that failed, a fault that never fired is a note")
  func unfiredNote() throws {
    supervisor.plan { $0.faults = [statistics(fired: 0)] }
    try run("{ run: [] }", Self.chaos + "\nexpect: { stdout: never }")

    #expect(harness.failures.map(\.type) == ["expect.stdout"])
    #expect(harness.warnings == ["the chaos entry \"slow\" never fired: it came near"])
  }

  @Test("Beside an error, a fault that never fired is not told")
  func unfiredBesideError() throws {
    supervisor.plan {
      $0.faults = [statistics(fired: 0)]
      $0.results["awaitExit"] = [.stuck([])]
    }
    try run("{ run: [] }", Self.chaos)
    #expect(harness.failures.map(\.type) == ["Stuck"])
    #expect(harness.warnings == [])
  }

  @Test(
    "A stub that no request asked for fails a case that went well, warns, or is nobody's business",
    arguments: [("fail", ["network.unused"], 0), ("warn", [], 1), ("ignore", [], 0)])
  func unused(rule: String, types: [String], warnings: Int) throws {
    harness.mockServer.plan { $0.unused = [unusedStub] }
    try run(
      "{ run: [] }",
      "network: { unused: \(rule) }\nresponses: [ { GET http://h/x: { text: x } } ]")

    #expect(harness.failures.map(\.type) == types)
    #expect(harness.warnings.count == warnings)
  }

  private var unusedStub: UnusedResponse {
    UnusedResponse(
      entry: 0, name: "GET http://h/x", usedCount: 0, totalCount: 1,
      range: SourceRange(file: "test.yaml", line: 3, column: 1))
  }

  @Test("A request that nothing answered fails the case, though all steps went well")
  func unmatched() throws {
    let request = RecordedRequest(
      number: 1, method: "GET", url: "http://h/y", headers: [], body: [], bodyLength: 0,
      operation: nil, entry: nil, status: 501, time: .zero, delay: .zero)
    harness.mockServer.plan { $0.events = [.unmatched(request, nearMisses: [])] }
    try run(
      "{ run: [] }", "network: { unused: ignore }\nresponses: [ { GET http://h/x: { text: x } } ]")

    #expect(harness.messages == ["no response for GET http://h/y"])
    #expect(harness.outcome == .failed)
  }

  @Test("An expectation that failed decides how the case has gone, also beside an error")
  func failedAndErrored() throws {
    let request = RecordedRequest(
      number: 1, method: "GET", url: "http://h/y", headers: [], body: [], bodyLength: 0,
      operation: nil, entry: nil, status: 501, time: .zero, delay: .zero)
    harness.mockServer.plan { $0.events = [.unmatched(request, nearMisses: [])] }
    supervisor.plan { $0.results["awaitExit"] = [.stuck([])] }
    try run(
      "{ run: [] }", "network: { unused: ignore }\nresponses: [ { GET http://h/x: { text: x } } ]")

    #expect(harness.failures.map(\.category) == [.error, .expectation])
    #expect(harness.outcome == .failed)
  }

  @Test(
    "The mock server handles what targets sent up to their ends before it is asked what is left over"
  )
  func catchUp() throws {
    try run(
      "{ start: [] }",
      "network: { unused: ignore }\nresponses: [ { GET http://h/x: { text: x } } ]")
    let calls = supervisor.calls().filter { $0.hasPrefix("end ") || $0.hasPrefix("mock server: ") }
    #expect(
      calls.suffix(3) == ["end 0 by 15 within 5s", "mock server: catchUp", "mock server: shutdown"])
  }

  // MARK: - Folders

  @Test(
    "The case's folder stays where it is wanted, and its place is reported",
    arguments: [
      (KeptFolders.none, 0, false), (.failed, 0, false), (.failed, 3, true), (.all, 0, true),
    ])
  func folder(kept: KeptFolders, code: Int32, stays: Bool) throws {
    harness.options.kept = kept
    supervisor.plan { $0.ends = [.exited(code: code)] }
    try run("{ run: [] }")

    #expect((harness.result?.directory != nil) == stays)
    #expect(FileTree.isFolder("\(harness.folder.path)/case-1") == stays)
  }

  @Test("Without a supervisor the case is undecided, and the mock server is closed")
  func noSupervisor() throws {
    harness.supervisorError = .failed(operation: "pipe", errorNumber: 24)
    try run(
      "{ run: [] }", "network: { unused: ignore }\nresponses: [ { GET http://h/x: { text: x } } ]")

    #expect(harness.outcome == .errored)
    #expect(harness.mockServer.calls == ["shutdown"])
    #expect(harness.steps == [])
  }

  @Test("Where the target's files cannot be laid, supervisor and mock server are closed")
  func unstaged() throws {
    try harness.run(
      """
      target: { command: [/bin/sh], files: { a: { file: /nonexistent/a } } }
      network: { unused: ignore }
      responses: [ { GET http://h/x: { text: x } } ]
      steps: [ { run: [] } ]
      """)

    #expect(harness.outcome == .errored)
    #expect(supervisor.calls() == ["stop", "mock server: shutdown"])
    #expect(harness.mockServer.calls == ["shutdown"])
  }
}
