import Foundations
import Glibc
import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import ScenarioSyntax
import Testing

@testable import Supervisor

/// Entries for tests, as a scenario file would have them.
private func entries(_ list: String) throws -> [PlannedChaos] {
  let text = """
    version: 2
    target: { command: [/bin/true] }
    clock: { flow: auto }
    responses: [{ "GET https://h/": { text: x } }]
    steps: [{ name: night, run: }, { apply: all }]
    chaos:
    \(list)
    """
  let file = try #require(ScenarioFile.parse(text: text, path: "test.yaml").file)
  let (plan, diagnostics) = Planner.plan(
    files: [file], options: PlannerOptions(fileExists: { _ in true }))
  #expect(diagnostics.map(\.message) == [])
  return try #require(plan?.cases.first?.chaos)
}

@Suite("Chaos that strikes processes")
struct ChaosProcessTests {
  private func supervise(
    _ words: [String], _ list: String, input: LaunchRequest.Input = .empty,
    flow: ClockFlow = .auto, replies: ReplyCounter? = nil
  ) throws -> SupervisedProgram {
    let program = try SupervisedProgram(
      clock: .from2030(flow), chaos: try entries(list), replies: replies)
    let path = words[0].hasPrefix("/") ? words[0] : try CompiledProgram.path(words[0])
    try program.start([path] + words.dropFirst(), input: input)
    return program
  }

  private func shell(
    _ script: String, _ list: String, input: LaunchRequest.Input = .empty
  ) throws -> SupervisedProgram {
    let program = try supervise(["/bin/bash", "-c", script], list, input: input)
    #expect(program.awaitExit().hasHappened)
    return program
  }

  private func actions(_ program: SupervisedProgram) -> [String] {
    program.events.compactMap {
      guard case .faultInjected(let fault) = $0 else { return nil }
      let name = fault.subject?.split(separator: "/").last.map(String.init) ?? ""
      return "\(fault.entry) \(fault.occurrence): \(fault.action), \(name)"
    }
  }

  private func account(_ program: SupervisedProgram) -> [String] {
    program.supervisor.snapshot().faults.map { "\($0.seen) \($0.matched) \($0.fired)" }
  }

  // MARK: - At the start

  @Test("A process is struck before its own first instruction")
  func firstInstruction() throws {
    let script = "/bin/echo hello; echo $?"

    let struck = try shell(script, "- { name: e, process: echo, provide: { kill: process } }")
    let spared = try shell(script, "- { name: e, process: echp, provide: { kill: process } }")

    #expect(struck.output == "137\n")
    #expect(actions(struck) == ["e 1: kill process, echo"])
    #expect(spared.output == "hello\n0\n")
    #expect(actions(spared) == [])
  }

  @Test(
    "Starts are counted over the whole tree, and the schedule says which are struck",
    arguments: [
      ("skip: 2", "0 0 137 137 137 137"), ("nth: [2, 5]", "0 137 0 0 137 0"),
      ("every: 3", "0 0 137 0 0 137"), ("times: 1", "137 0 0 0 0 0"),
      ("skip: 1, every: 2, times: 2", "0 0 137 0 137 0"),
    ])
  func schedules(when: String, expected: String) throws {
    let script = "for i in 1 2 3 4 5 6; do (/bin/true; exit $?); r=\"$r $?\"; done; echo $r"

    let program = try shell(
      script, "- { name: t, process: 'true', when: { \(when) }, provide: kill }")

    #expect(program.output == expected + "\n")
  }

  @Test("Chance decides by the seed")
  func probability() throws {
    let script = "for i in 1 2 3 4 5 6 7 8; do /bin/true; r=\"$r $?\"; done; echo $r"
    let entry = "- { name: t, process: 'true', when: { probability: 0.5 }, provide: kill }"

    let first = try shell(script, entry).output

    #expect(try shell(script, entry).output == first)
    #expect(first.contains("137") && first.contains(" 0"))
  }

  @Test(
    "Processes are told by name, path, pattern and number",
    arguments: [
      ("sleep", "137 0"), ("/usr/bin/slee?", "137 0"), ("'**/true'", "0 137"),
      ("'[st]*'", "137 137"), ("[sleep, 'true']", "137 137"), ("2", "137 0"),
      ("3", "0 137"), ("[3, 2]", "137 137"),
    ])
  func names(victim: String, expected: String) throws {
    let program = try shell(
      "/usr/bin/sleep 1; r=$?; /usr/bin/true; echo $r $?",
      "- { name: t, process: \(victim), provide: kill }")

    #expect(program.output == expected + "\n")
  }

  @Test("A child that runs no program of its own is one of its maker's program")
  func forks() throws {
    let program = try shell(
      "(echo one); echo $?; (echo two); echo $?",
      "- { name: second, process: bash, when: { nth: 3 }, provide: kill }")

    #expect(program.output == "one\n0\n137\n")
    // The first process, two subshells.
    #expect(account(program) == ["3 3 1"])
  }

  @Test("A child of vfork is not taken for its maker")
  func vforks() throws {
    let script = "import subprocess; print(subprocess.run(['/bin/echo', 'hi']).returncode)"
    let list = "- { name: p, process: python3*, when: { skip: 1 }, provide: kill }"

    let program = try supervise(["/usr/bin/python3", "-S", "-c", script], list)

    #expect(program.awaitExit().hasHappened)
    #expect(program.output == "hi\n0\n")
    #expect(account(program) == ["3 1 0"])
  }

  @Test("The first entry that takes a process decides, the others count it")
  func firstWins() throws {
    let program = try shell(
      "trap '' TERM; /bin/sleep 1; echo $?",
      """
      - { name: a, process: sleep, when: { skip: 1 }, provide: kill }
      - { name: b, process: sleep, provide: { signal: KILL } }
      - { name: c, process: '*', when: { skip: 5 }, provide: kill }
      """)

    #expect(program.output == "137\n")
    #expect(actions(program) == ["b 1: signal 9, sleep"])
    #expect(account(program) == ["3 1 0", "3 1 1", "3 2 0"])
  }

  @Test("One after the other, the last one stays")
  func sequence() throws {
    let script = "for i in 1 2 3 4; do /bin/true; r=\"$r $?\"; done; echo $r"

    let program = try shell(
      script,
      "- { name: t, process: 'true', provide: { sequence: [original, { signal: HUP }, kill] } }")

    #expect(program.output == "0 129 137 137\n")
  }

  // MARK: - At a moment

  @Test("From a virtual instant on those are struck that live then, and those that start later")
  func instants() throws {
    func run(_ more: String) throws -> SupervisedProgram {
      try shell(
        "sleep 10; echo $?; sleep 100; echo $?; sleep 100; echo $?",
        "- { name: t, process: sleep, when: { from: +30s\(more) }, provide: kill }")
    }

    let always = try run("")
    #expect(always.output == "0\n137\n137\n")
    #expect(always.view.reading().elapsed == .seconds(30))
    #expect(actions(always) == ["t 1: kill process, sleep", "t 2: kill process, sleep"])
    let once = try run(", times: 1")
    #expect(once.output == "0\n137\n0\n")
    #expect(once.view.reading().elapsed == .seconds(130))
    #expect(actions(once) == ["t 1: kill process, sleep"])
  }

  @Test("An instant of the wall clock is one as well")
  func wallInstants() throws {
    let program = try shell(
      "sleep 100; echo $?",
      "- { name: t, process: sleep, when: { from: 2030-01-01T00:00:42Z }, provide: kill }")

    #expect(program.output == "137\n")
    #expect(program.view.reading().elapsed == .seconds(42))
  }

  @Test("Those that live are counted in the order of their births")
  func order() throws {
    let program = try shell(
      "for i in 1 2 3 4; do sleep 100 & p=\"$p $!\"; done; for j in $p; do wait $j; echo $?; done",
      "- { name: t, process: sleep, when: { from: +5s, nth: [2, 4] }, provide: kill }")

    #expect(program.output == "0\n137\n0\n137\n")
  }

  @Test("Twenty threads die with their process at the instant")
  func crowd() throws {
    let script = """
      import threading, time
      for i in range(20): threading.Thread(target=time.sleep, args=[100 + i]).start()
      """
    for _ in 0..<3 {
      let program = try supervise(
        ["/usr/bin/python3", "-S", "-c", script],
        "- { name: t, process: 1, when: { from: +30s }, provide: kill }")

      #expect(program.awaitExit().hasHappened)
      #expect(program.supervisor.exitStatus() == .signaled(number: 9))
      #expect(program.view.reading().elapsed == .seconds(30))
    }
  }

  @Test("A static Go program gets its signal in the middle of a tick")
  func goProgram() throws {
    let program = try supervise(
      ["tickers", "10s", "1s"],
      "- { name: t, process: tickers, when: { from: +1500ms }, provide: { signal: INT } }"
    )

    #expect(program.awaitExit().hasHappened)
    #expect(program.supervisor.exitStatus() == .signaled(number: 2))
    #expect(program.view.reading().elapsed == .milliseconds(1_500))
  }

  @Test("Behind a reply, during a step and with a step those are struck that live")
  func events() throws {
    let replies = ReplyCounter()
    let list = """
      - { name: r, process: sleep, when: { on: { reply: GET https://h/ }, times: 1 }, provide: kill }
      - { name: d, process: sleep, when: { during: night }, provide: kill }
      - { name: a, process: sleep, apply: false, provide: kill }
      """
    let program = try supervise(
      [
        "/bin/bash", "-c",
        "trap '' USR1; for i in 1 2 3; do echo began; sleep 1000000; echo $?; done",
      ], list, flow: .held, replies: replies)
    func awaitLines(_ count: Int) {
      while program.output.split(separator: "\n").count < count {
        let result = program.supervisor.awaitOutput(
          .output, beyond: program.output.utf8.count, deadline: program.deadline)
        guard result.hasHappened else { break }
      }
      #expect(program.supervisor.settle(deadline: program.deadline).hasHappened)
    }
    awaitLines(1)

    replies.add("GET https://h/")
    awaitLines(3)
    #expect(program.output == "began\n137\nbegan\n")

    program.supervisor.enterStep("day")
    awaitLines(3)
    program.supervisor.leaveStep()
    program.supervisor.enterStep("night")
    awaitLines(5)
    // The one that begins while the step lasts is struck as well.
    #expect(program.output == "began\n137\nbegan\n137\nbegan\n137\n")
    program.supervisor.leaveStep()
    #expect(program.awaitExit().hasHappened)
    #expect(actions(program).map { $0.prefix(1) } == ["r", "d", "d"])
  }

  @Test("An entry that a step applies strikes those that live, and those that start from there")
  func applying() throws {
    let program = try supervise(
      ["/bin/bash", "-c", "for i in 1 2 3 4; do sleep 10; echo $?; done"],
      "- { name: a, process: sleep, apply: false, provide: kill }", flow: .held)
    #expect(
      program.supervisor.tick(.duration(.seconds(15)), deadline: program.deadline).hasHappened)

    program.supervisor.applyChaos(.entry("a"), seed: nil)
    #expect(program.awaitExit().hasHappened)

    #expect(program.output == "0\n137\n137\n137\n")
    #expect(program.view.reading().elapsed == .seconds(15))
  }

  // MARK: - Stopping

  @Test("A process that is stopped stands still for so long in virtual time")
  func stopping() throws {
    let program = try shell(
      "date +%s; sleep 3; date +%s",
      "- { name: s, process: date, when: { nth: 2 }, provide: { pause: 1h } }")

    let times = program.output.split(separator: "\n").compactMap { Int($0) }
    #expect(times == [1_893_456_000, 1_893_459_603])
    #expect(actions(program) == ["s 2: stop 1h, date"])
  }

  @Test("A wait whose time is up while its process stands still is over when it goes on")
  func stoppedWait() throws {
    let list = "- { name: s, process: sleep, when: { from: +2s }, provide: { pause: 1m } }"

    #expect(try shell("sleep 5", list).view.reading().elapsed == .seconds(62))
    #expect(try shell("sleep 100", list).view.reading().elapsed == .seconds(100))
  }

  @Test("Whoever waits for a stopped child gets on without it, and may kill it")
  func impatience() throws {
    for (length, expected) in [("20s", "124"), ("2s", "0")] {
      let program = try shell(
        "timeout --signal=KILL 10 sleep 5; echo $?; timeout 10 sleep 5; echo $?",
        "- { name: s, process: sleep, when: { times: 1 }, provide: { pause: \(length) } }")

      #expect(program.output == (expected == "0" ? "0\n0\n" : "137\n0\n"))
      let elapsed: Nanoseconds = expected == "0" ? .seconds(12) : .seconds(15)
      #expect(program.view.reading().elapsed == elapsed)
    }
  }

  // MARK: - Starting again

  @Test(
    "The target is killed and started again, with its words and its input, and its output goes on")
  func restarting() throws {
    let program = try shell(
      "read line; echo $line $1; sleep 10; echo done",
      "- { name: r, process: 1, when: { from: +4s }, provide: { restart: { after: 2s } } }",
      input: .bytes(Array("input\nmore\n".utf8)))

    #expect(program.output == "input\ninput\ndone\n")
    #expect(program.view.reading().elapsed == .seconds(16))
    #expect(program.supervisor.exitStatus() == .exited(code: 0))
    #expect(actions(program) == ["r 1: restart after 2s, bash"])
  }

  @Test("Its children die with it, and it starts only when they are gone")
  func children() throws {
    let program = try shell(
      "trap '' TERM; sleep 100 & sleep 100 & echo $(jobs -p | wc -l); sleep 7; kill %1 %2; echo end",
      "- { name: r, process: bash, when: { from: +1s }, provide: { restart: 0s } }")

    #expect(program.output == "2\n2\nend\n")
    #expect(program.view.reading().elapsed == .seconds(8))
    let ends = program.events.count {
      if case .processEnded(_, .signaled(number: 9)) = $0 { true } else { false }
    }
    #expect(ends == 4)
  }

  @Test("A target that dies at each start is started so often")
  func crashLoop() throws {
    let program = try shell(
      "echo here; exit 3",
      "- { name: r, process: bash, when: { times: 5 }, provide: { restart: { after: 1m } } }")

    #expect(program.output == "here\n")
    #expect(program.view.reading().elapsed == .seconds(300))
    #expect(program.supervisor.exitStatus() == .exited(code: 3))
  }

  @Test("Only the first process is started again")
  func firstOnly() throws {
    let program = try shell(
      "sleep 5; echo $?",
      "- { name: r, process: sleep, when: { times: 1 }, provide: { restart: 1s } }")

    #expect(program.output == "0\n")
    let account = try #require(program.supervisor.snapshot().faults.first)
    #expect(account.nearMisses.first == "\"restart\" applies only to the target's first process")
  }

  @Test("A call may stop its process or start the target again")
  func calls() throws {
    let script = "import os, time; os.sync(); print(int(time.monotonic()))"
    let words = ["/usr/bin/python3", "-S", "-c", script]

    let stopped = try supervise(words, "- { name: s, call: sync, provide: { pause: 90s } }")
    #expect(stopped.awaitExit().hasHappened)
    let again = try supervise(
      words, "- { name: r, call: sync, when: { times: 1 }, provide: { restart: { after: 60s } } }")
    #expect(again.awaitExit().hasHappened)

    #expect(stopped.output == "100090\n")
    #expect(again.output == "100060\n")
  }

  @Test("A target whose program cannot be started again has ended, and it is told why")
  func lostProgram() throws {
    var template = Array("/tmp/lost-program-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      unlink("\(folder)/script")
      rmdir(folder)
    }
    // A script whose interpreter goes: only the kernel's execve finds out.
    try #require(symlink("/bin/sh", "\(folder)/shell") == 0)
    let file = open("\(folder)/script", O_WRONLY | O_CREAT, 0o700)
    let text = "#!\(folder)/shell\nrm \(folder)/shell; sleep 100\n"
    #expect(text.withCString { write(file, $0, text.utf8.count) } == text.utf8.count)
    close(file)

    let program = try supervise(
      ["\(folder)/script"],
      "- { name: r, process: 1, when: { from: +4s }, provide: { restart: { after: 2s } } }")

    #expect(program.awaitExit().hasHappened)
    let notices = program.events.compactMap { event -> String? in
      if case .notice(_, let text) = event { text } else { nil }
    }
    #expect(
      notices == ["the target could not be restarted: execve fails with ENOENT"])
    #expect(program.supervisor.exitStatus() != nil)
  }

  @Test("Nothing is started again once the supervisor stops")
  func stoppingSupervisor() throws {
    let program = try supervise(
      ["/bin/sleep", "1000"],
      "- { name: r, process: 1, when: { from: +1s }, provide: { restart: { after: 5s } } }",
      flow: .held)
    #expect(program.supervisor.tick(.duration(.seconds(3)), deadline: program.deadline).hasHappened)

    #expect(!program.supervisor.signal(SIGTERM))
    #expect(program.supervisor.exitStatus() == nil)
    program.stop()
  }

  // MARK: - What never happened

  @Test("An entry that struck nobody tells which programs began to run")
  func nearMisses() throws {
    let script = "/bin/true; /bin/true; /bin/sleep 1"
    func misses(_ list: String) throws -> [String] {
      let program = try shell(script, list)
      return withExtendedLifetime(program) {
        program.supervisor.snapshot().faults.first?.nearMisses ?? []
      }
    }

    #expect(
      try misses("- { name: w, process: worker*, provide: kill }") == [
        "these programs started: bash 3 times, true 2 times, sleep once",
        "none of them matches \"worker*\"",
      ])
    #expect(
      try misses("- { name: w, process: sleep, when: { from: +1h }, provide: kill }").first
        == "its time never came: the scenario ended earlier")
    #expect(
      try misses("- { name: w, process: sleep, when: { skip: 3 }, provide: kill }") == [
        "1 process matched, but the first 3 are skipped"
      ])
    #expect(
      try misses("- { name: w, process: sleep, when: { from: +500ms, nth: 2 }, provide: kill }")
        == ["1 process matched, but only number 2 is chosen"])
  }
}
