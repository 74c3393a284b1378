import Glibc
import Testing

@Suite("Verdicts of explorations that hold")
struct ExploreVerdictTests {
  private static func shell(
    _ script: String, _ explore: String, _ rest: String = "", shell: String = "bash"
  ) -> String {
    let quoted = script.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return """
      name: s
      target: { command: [\(shell), -c, "\(quoted)"] }
      explore: { \(explore) }
      \(rest)
      """
  }

  private static let clock = "clock: { at: 2026-03-01T09:00:00Z, flow: auto }"

  // MARK: - Hangs

  @Test("A program that sleeps for a day does not hang", arguments: ["auto", "rerun"])
  func longSleep(engine: String) throws {
    let explored = try Explored(
      Self.shell(
        "echo a > f; sleep 1d; cat f", "call: openat, startup: true, errors: EACCES", Self.clock),
      ["--engine", engine])
    #expect(explored.outcome.exitCode == 0, "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("0 distinct findings"), "\(explored.outcome.text)")
    #expect(explored.reproducers.isEmpty)
  }

  @Test("A program that tries again for ever hangs, however long it sleeps without the fault")
  func endless() throws {
    let explored = try Explored(
      Self.shell(
        "sleep 1d; until sync f; do sleep 1; done", "call: fsync, errors: EIO, times: onwards",
        Self.clock + "\ntimeout: 20s"
      ).replacing("target: {", with: "target: { files: { f: a },"))
    #expect(explored.outcome.exitCode == 1, "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("verdict: hang\n"), "\(explored.outcome.text)")
    #expect(
      explored.outcome.output.contains("of virtual time passed; without the fault it is 1d"),
      "\(explored.outcome.text)")
    let name = try #require(explored.reproducers.first)
    let run = try BuiltRunner.run(["run", "\(explored.saved)/\(name)"])
    run.expectExit(1)
    #expect(!run.text.contains("has no condition"), "\(run.text)")
  }

  // MARK: - Threads that race

  /// Eight threads that write to a file each, of which one ends the program silently where it cannot.
  private static func racing(isSilent: Bool, _ rest: String) -> String {
    let lines = [
      "import os, sys, threading", "def work(i):", "    for k in range(3):", "        try:",
      "            fd = os.open(f'out{i}', os.O_WRONLY | os.O_CREAT | os.O_APPEND)",
      "            os.write(fd, b'x')", "            os.close(fd)", "        except OSError as e:",
      isSilent ? "            if i == 3: os._exit(0)" : "            pass",
      "            os.write(2, str(e).encode())", "            os._exit(2)",
      "ts = [threading.Thread(target=work, args=(i,)) for i in range(8)]",
      "for t in ts: t.start()", "for t in ts: t.join()", "print('ok')",
    ]
    return """
      name: race
      target: { command: [python3, race.py], files: { race.py: "\(lines.joined(separator: "\\n"))\\n" } }
      \(clock)
      explore: { call: write, errors: EIO, where: { path: "**/out*" }, EXPLORE }
      \(rest)
      """
  }

  @Test("What fails from a call on begins with the same call in each run, as what fails once does")
  func racingOnwards() throws {
    let explored = try Explored(
      Self.racing(isSilent: false, "").replacing("EXPLORE", with: "times: onwards"),
      ["--engine", "rerun"])
    #expect(explored.outcome.exitCode == 0, "\(explored.outcome.text)")
    // The table has a column for faults that have struck another call.
    let table = explored.outcome.output.split(separator: "\n").first { $0.hasPrefix("  call ") }
    #expect(table?.contains("unstable") == false, "\(explored.outcome.text)")
    #expect(
      explored.outcome.output.contains("24 of 24 faults tried"), "\(explored.outcome.text)")
  }

  @Test("What no scenario can name in a race, it can in an order that the seed gives")
  func racingFinding() throws {
    let text = { Self.racing(isSilent: true, $0).replacing("EXPLORE", with: "times: once") }
    let raced = try Explored(text(""), ["--engine", "rerun"])
    #expect(raced.outcome.exitCode == 1, "\(raced.outcome.text)")
    #expect(
      raced.outcome.output.contains("with `order: seeded` the order is the same")
        != raced.outcome.output.contains("confirmed by a separate run"),
      "\(raced.outcome.text)")

    let ordered = try Explored(text("order: seeded"), ["--engine", "rerun"])
    #expect(ordered.outcome.exitCode == 1, "\(ordered.outcome.text)")
    #expect(
      ordered.outcome.output.contains("confirmed by a separate run"), "\(ordered.outcome.text)")
    #expect(!ordered.outcome.output.contains("with `order: seeded`"), "\(ordered.outcome.text)")
    #expect(ordered.reproducers.count == 1)
  }

  // MARK: - Findings that do not hold

  /// A program that bears a failed fsync badly, but the first time alone where `once` says so.
  private static func changing(_ folder: TemporaryFolder, isOnce: Bool) -> String {
    let condition = isOnce ? "mkdir \(folder.path)/once 2> /dev/null" : "true"
    return Self.shell(
      "echo a > out; sync out 2> /dev/null || { \(condition) && echo b > out; }; exit 0",
      "call: fsync, times: once, errors: EIO")
  }

  @Test("What is found once and not met again is dropped, and no scenario that passes is written")
  func dropped() throws {
    let folder = try TemporaryFolder()
    defer { rmdir("\(folder.path)/once") }
    let explored = try Explored(Self.changing(folder, isOnce: true), ["--engine", "rerun"])
    #expect(explored.outcome.exitCode == 0, "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("1 finding was not reproduced"))
    #expect(explored.outcome.output.contains("0 distinct findings"), "\(explored.outcome.text)")
    #expect(explored.reproducers.isEmpty)
  }

  @Test("What is met again is reported, with a scenario that fails")
  func kept() throws {
    let folder = try TemporaryFolder()
    let explored = try Explored(Self.changing(folder, isOnce: false), ["--engine", "rerun"])
    #expect(explored.outcome.exitCode == 1, "\(explored.outcome.text)")
    #expect(!explored.outcome.output.contains("not reproduced"), "\(explored.outcome.text)")
    let name = try #require(explored.reproducers.first)
    let run = try BuiltRunner.run(["run", "\(explored.saved)/\(name)"])
    run.expectExit(1)
  }

  @Test("A scenario whose fault could not be judged this time stays")
  func unjudged() throws {
    let explored = try Explored("name: t\ntarget: { command: [\"true\"] }", ["--points", "fsync"])
    let place = explored.folder.path
    // With `limit` there, the fourth run and all behind it do not make the call any more.
    explored.folder.write(
      """
      echo a > out
      if [ -e \(place)/limit ]; then
        n=$(cat \(place)/limit); echo $((n + 1)) > \(place)/limit
        [ "$n" -ge 3 ] && exit 0
      fi
      sync out 2> /dev/null || echo b > out
      exit 0

      """, to: "work.sh")
    explored.folder.write(
      """
      version: 2
      name: work
      target: { command: [sh, \(place)/work.sh] }
      explore: { call: fsync, times: once, errors: EIO }

      """, to: "case.yaml")
    let first = try explored.explore(["--engine", "rerun"])
    first.expectExit(1)
    let names = explored.reproducers
    #expect(names.count == 1, "\(first.text)")

    explored.folder.write("0\n", to: "limit")
    let second = try explored.explore(["--engine", "rerun"])
    #expect(
      second.output.contains("kept because not all of their faults could be judged"),
      "\(second.text)")
    #expect(explored.reproducers == names, "\(second.text)")
  }

  // MARK: - Baselines

  @Test("Two runs without faults that end otherwise: it is said in what")
  func baseline() throws {
    let folder = try TemporaryFolder()
    defer { rmdir("\(folder.path)/odd") }
    // The plain run and the second of those that see the points find the folder missing.
    let explored = try Explored(
      Self.shell(
        "if rmdir \(folder.path)/odd 2> /dev/null; then echo odd; exit 1; fi;"
          + " mkdir \(folder.path)/odd; echo even", "call: write",
        Self.clock + "\nentropy: seeded"))
    #expect(explored.outcome.exitCode == 3, "\(explored.outcome.text)")
    #expect(
      explored.outcome.output.contains("the target's end: exit 0 in a plain run, exit 1 in"),
      "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("stdout differs from line 1 on:\n"))
    #expect(explored.outcome.output.contains("- even\n"), "\(explored.outcome.text)")
    #expect(!explored.outcome.output.contains("give the scenario a `clock`"))
  }

  // MARK: - Points

  @Test("A file without a name is the same in each run: its call is known by its place")
  func namelessFile() throws {
    let explored = try Explored(
      """
      name: t
      target:
        command: [python3, -c, "import tempfile; f = tempfile.TemporaryFile(); f.write(b'a'); f.flush()"]
      explore: { call: write, errors: EIO }
      """, ["--engine", "rerun"])
    #expect(explored.outcome.exitCode == 0, "\(explored.outcome.text)")
    #expect(!explored.outcome.output.contains("unstable"), "\(explored.outcome.text)")
    #expect(
      explored.outcome.output.contains("\n  write        2      2          0     1      3 "),
      "\(explored.outcome.text)")
  }

  @Test("What programs prepare themselves with is left out, unless it is asked for")
  func startup() throws {
    let text = """
      name: cat
      target: { command: [bash, -c, "cat in"], files: { in: a } }
      explore: { call: openat, errors: EACCES, times: once, startup: WORD }
      """
    let plain = try Explored(text.replacing("WORD", with: "false"))
    let all = try Explored(text.replacing("WORD", with: "true"))
    func reached(_ explored: Explored) -> Int? {
      explored.outcome.output.split(separator: "\n").first { $0.hasPrefix("  openat") }?
        .split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
    let (few, many) = (try #require(reached(plain)), try #require(reached(all)))
    #expect(few >= 1 && few < many, "\(plain.outcome.text)\(all.outcome.text)")
  }

  // MARK: - Leaks

  /// A program that leaves a process behind where a call fails.
  private static func leaving(_ length: String, _ explore: String = "") -> String {
    Self.shell(
      "sync f 2> /dev/null || { sleep \(length) > /dev/null 2>&1 & exit 3; }",
      "call: fsync, times: once, errors: EIO\(explore)", Self.clock
    ).replacing("target: {", with: "target: { files: { f: a },")
  }

  @Test("A process that ends soon after its target is none that is left behind")
  func leakGrace() throws {
    let explored = try Explored(Self.leaving("0.1"))
    #expect(explored.outcome.exitCode == 0, "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("0 distinct findings"), "\(explored.outcome.text)")
  }

  @Test("A process that lives on is, and the scenario that is written waits for it as long")
  func leak() throws {
    let explored = try Explored(Self.leaving("1h"))
    #expect(explored.outcome.exitCode == 1, "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("left behind: a process of sleep"))
    let name = try #require(explored.reproducers.first)
    #expect(explored.text(of: name).contains("tick: \"10s\""), "\(explored.text(of: name))")
    let run = try BuiltRunner.run(["run", "\(explored.saved)/\(name)"])
    run.expectExit(1)
    explored.folder.write(
      explored.text(of: name).replacing("sleep 1h", with: "sleep 0.1")
        .replacing("folder: \"..\"", with: "folder: \".\""), to: "mended.yaml")
    let mended = try BuiltRunner.run(["run", "\(explored.folder.path)/mended.yaml"])
    mended.expectExit(0)
  }

  @Test("What may be left behind is said, by program or by file")
  func acceptedLeak() throws {
    let process = try Explored(Self.leaving("1h", ", leaks: { ignore: sleep }"))
    #expect(process.outcome.exitCode == 0, "\(process.outcome.text)")
    let graced = try Explored(Self.leaving("1h", ", leaks: { grace: 2h }"))
    #expect(graced.outcome.exitCode == 0, "\(graced.outcome.text)")
    let script = "echo a > f; sync f 2> /dev/null || { echo a > f-journal; exit 1; }"
    let file = try Explored(Self.shell(script, "call: fsync, times: once, errors: EIO"))
    #expect(file.outcome.output.contains("left behind: work/f-journal"), "\(file.outcome.text)")
    let accepted = try Explored(
      Self.shell(
        script, "call: fsync, times: once, errors: EIO, leaks: { ignore: [\"*-journal\"] }"))
    #expect(accepted.outcome.exitCode == 0, "\(accepted.outcome.text)")
  }

  // MARK: - Budgets

  @Test("Where runs are bounded, each place of the code comes once before any comes twice")
  func breadth() throws {
    let explored = try Explored(
      Self.shell(
        "for i in 1 2 3 4 5 6 7 8; do echo $i; done; echo a > out; sync out",
        "call: [write, fsync], times: once, errors: EIO"), ["--budget-runs", "3"])
    let line = explored.outcome.output.split(separator: "\n").first { $0.hasPrefix("  fsync") }
    let fired = line?.split(separator: " ").dropFirst(2).first
    #expect(fired == "1", "\(explored.outcome.text)")
  }

  @Test("A budget of time that the runs without faults need is told of as such")
  func noTime() throws {
    let explored = try Explored(
      Self.shell(
        "for i in {1..50}; do echo $i; /bin/true; done", "call: [\"@alloc\", \"@open\"]"),
      ["--budget-time", "1ms"])
    #expect(explored.outcome.exitCode == 3, "\(explored.outcome.text)")
    #expect(
      explored.outcome.output.contains("the budget of 1ms was used up"), "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("raise the budget"), "\(explored.outcome.text)")
  }

  @Test("Runs that differ are compared in what they share; a verdict that differs is none")
  func verdicts() throws {
    let folder = try TemporaryFolder()
    let count = folder.write("0", to: "count")
    let script = "n=$(cat \(count)); echo $((n + 1)) > \(count); echo run $n; echo a > out"
    let parts = try Explored(
      Self.shell(script, "call: write, times: once", "expect: { exit: 0 }"))
    #expect(parts.outcome.exitCode == 0, "\(parts.outcome.text)")
    #expect(
      parts.outcome.output.contains("not compared, because it differs"), "\(parts.outcome.text)")

    _ = folder.write("0", to: "count")
    let verdict = try Explored(
      Self.shell(script, "call: write, times: once", "expect: { stdout: \"run 0\\n\" }"))
    #expect(verdict.outcome.exitCode == 3, "\(verdict.outcome.text)")
    #expect(
      verdict.outcome.output.contains("passes in one run without faults and fails in another"),
      "\(verdict.outcome.text)")

    _ = folder.write("0", to: "count")
    let end = try Explored(Self.shell("\(script); exit $n", "call: write, times: once"))
    #expect(end.outcome.exitCode == 3, "\(end.outcome.text)")
    #expect(end.outcome.output.contains("the target's end: "), "\(end.outcome.text)")
  }

  @Test(
    "What is under way when a budget ends is cut off, though it computes and bears SIGTERM",
    arguments: ["trap '' TERM; while :; do :; done", "trap '' TERM; while :; do sleep 1; done"])
  func cutOff(script: String) throws {
    let explored = try Explored(
      Self.shell(
        script, "call: [write, \"@open\"]", "timeout: 5m\ngrace: 5m\nclock: { flow: real }"),
      ["--budget-time", "1s"])
    #expect(explored.outcome.exitCode == 3, "\(explored.outcome.text)")
    #expect(
      explored.outcome.output.contains("the budget of 1s was used up"), "\(explored.outcome.text)")
    #expect(!explored.outcome.output.contains("interrupted"), "\(explored.outcome.text)")
  }

  @Test("A script that asks by HTTPS and sleeps for days is explored, as the tutorial says")
  func tutorial() throws {
    let explored = try Explored(
      Self.shell(
        "while days=$(curl -sf https://billing.example.com/trials/ada); do echo $days | tee -a log;"
          + " [ $days -le 3 ] && exit 0; sleep 1d; done; exit 1", "budget: { runs: 2 }",
        """
        \(Self.clock)
        responses:
          - request: GET https://billing.example.com/trials/ada
            reply: [ { text: "4" }, { text: "3" } ]
        expect: { exit: 0 }
        """))
    #expect(explored.outcome.exitCode == 0, "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("2 of "), "\(explored.outcome.text)")
    #expect(!explored.outcome.output.contains("not deterministic"), "\(explored.outcome.text)")
  }
}
