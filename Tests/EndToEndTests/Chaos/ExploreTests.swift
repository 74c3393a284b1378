import Glibc
import Testing

@Suite("Exploring faults")
struct ExploreTests {
  private static let careless = "\(BuiltRunner.root)/.build/programs/careless"

  private static func work(_ word: String, _ explore: String) -> String {
    """
    name: work
    target: { command: [\(careless), \(word)] }
    explore: { \(explore) }
    expect: { exit: 0, files: { record: "a record\\n", lock: { absent: true } } }
    """
  }

  private static let mistakes =
    "call: [{ function: malloc }, write, fsync, rename], errors: practical"

  @Test("A program with one mistake of each kind: all are found, and reproduced by what is written")
  func careless() throws {
    let explored = try Explored(
      Self.work("careless", Self.mistakes))
    let outcome = explored.outcome

    outcome.expectExit(1)
    let all = outcome.output.split(separator: "\n").first { $0.hasPrefix("  all") } ?? ""
    let numbers = all.split(separator: " ").dropFirst().compactMap { Int($0) }
    #expect(numbers == [4, 4, 0, 2, 0, 2, 2, 2, 4], "\(outcome.text)")
    for verdict in ["crash", "silent difference", "hang", "leak"] {
      #expect(outcome.output.contains("verdict: \(verdict)\n"), "\(outcome.text)")
    }
    #expect(!outcome.output.contains("not reproduced"), "\(outcome.text)")
    #expect(outcome.output.contains("  left behind: work/lock\n"))
    #expect(outcome.output.contains("  careless was killed by SIGSEGV\n"))
    #expect(explored.reproducers.count == 6)
    // Of the two hangs, which wait for their timeouts, one must do.
    for name in explored.reproducers where !name.contains("hang-rename-EXDEV") {
      let run = try BuiltRunner.run(["run", "\(explored.saved)/\(name)"])
      #expect(run.exitCode == 1, "\(name): \(run.text)")
      // The mended program passes.
      explored.folder.write(
        explored.text(of: name).replacing("- careless\n", with: "- careful\n")
          .replacing("folder: \"..\"", with: "folder: \".\""), to: "mended.yaml")
      let mended = try BuiltRunner.run(["run", "\(explored.folder.path)/mended.yaml"])
      #expect(mended.exitCode == 0, "\(name): \(mended.text)")
    }
  }

  @Test("The mended program has none, whether faults are tried by forks or by runs")
  func careful() throws {
    for engine in ["auto", "rerun"] {
      let explored = try Explored(
        Self.work("careful", Self.mistakes + ", times: once"), ["--engine", engine])

      #expect(explored.outcome.exitCode == 0, "\(explored.outcome.text)")
      #expect(explored.outcome.output.contains("0 distinct findings"))
      #expect(explored.outcome.output.contains("1 passed, 0 failed"))
      #expect(explored.reproducers.isEmpty)
    }
  }

  @Test("sed ends well and leaves lines as they were where memory runs out")
  func sed() throws {
    let explored = try Explored(
      """
      name: sed
      target: { command: [sed, s/1/2/, lines], env: { LC_ALL: C }, files: { lines: "1\\nb\\n1\\n" } }
      explore: { call: "@alloc", times: once, each: site }
      expect: { stdout: "2\\nb\\n2" }
      """)
    let outcome = explored.outcome

    outcome.expectExit(1)
    #expect(outcome.output.contains("silent difference where malloc fails with ENOMEM"))
    #expect(outcome.output.contains("  stdout differs:\n    - 2\n"))
    #expect(!outcome.output.contains("verdict: crash"))
    #expect(!outcome.output.contains("not reproduced"), "\(outcome.text)")
    let name = try #require(explored.reproducers.first)
    #expect(explored.text(of: name).contains("tolerated:"))
    try BuiltRunner.run(["run", "\(explored.saved)/\(name)"]).expectExit(1)
    // What was found is not run with the rest of the folder.
    let all = try BuiltRunner.run(["run", explored.folder.path])
    all.expectExit(0)
  }

  @Test("sqlite3 crashes at two places of the C library where memory runs out")
  func sqlite() throws {
    let explored = try Explored(
      """
      name: sqlite
      target: { command: [sqlite3, ":memory:", "select 1"] }
      explore: { call: ["@alloc"], times: once, each: site }
      """)

    #expect(explored.outcome.exitCode == 1, "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("2 distinct findings"), "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("sqlite3 was killed by SIGSEGV"))
    #expect(explored.reproducers.allSatisfy { $0.hasPrefix("case-sqlite-crash-malloc-ENOMEM-") })
  }

  @Test("tail prints too much where reads are short")
  func tail() throws {
    let explored = try Explored(
      """
      name: tail
      target: { command: [tail, -n, "3", lines], files: { lines: "1\\n2\\n3\\n4\\n5\\n" } }
      explore: { call: read, provide: short, each: site }
      """)

    #expect(explored.outcome.exitCode == 1, "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("silent difference where read transfers one byte"))
    #expect(explored.outcome.output.contains("    + 1\n    + 2\n"), "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("confirmed by a separate run"))
  }

  @Test("sort and git tell of every file that they cannot write or rename")
  func clean() throws {
    let sort = try Explored(
      """
      name: sort
      target: { command: [sort, -o, sorted, lines], files: { lines: "b\\na\\n" } }
      explore: { call: ["@write", "@rename"], where: { path: "**/sorted" } }
      expect: { files: { sorted: "a\\nb\\n" } }
      """)
    #expect(sort.outcome.exitCode == 0, "\(sort.outcome.text)")
    #expect(sort.outcome.output.contains("\n  write            1      1          0     0      4 "))
    let git = try Explored(
      """
      name: git
      target:
        command: [sh, -c, "git init -q . && git add f && git commit -qm one"]
        env: { GIT_AUTHOR_NAME: a, GIT_AUTHOR_EMAIL: a@b, GIT_COMMITTER_NAME: a, GIT_COMMITTER_EMAIL: a@b }
        files: { f: "x\\n" }
      explore: { call: rename, where: { process: git }, errors: EIO, times: once }
      expect: { files: { .git/refs/heads/master: { exists: true } } }
      """)
    #expect(git.outcome.exitCode == 0, "\(git.outcome.text)")
    #expect(git.outcome.output.contains("0 distinct findings"))
  }

  @Test("Steps behind the run judge what it has left, without the fault")
  func checks() throws {
    let text = """
      name: checked
      target: { command: [sh, -c] }
      steps: [ { run: ["echo a > out.new; sync out.new; mv out.new out"] } ]
      explore:
        call: fsync
        times: once
        steps: [ { run: ["test \\"$(cat out)\\" = WORD"], expect: { exit: 0 } } ]
      """
    let good = try Explored(text.replacing("WORD", with: "a"))
    #expect(good.outcome.exitCode == 0, "\(good.outcome.text)")
    let otherwise = text.replacing("WORD", with: "b").replacing("exit: 0", with: "exit: 1")
    let other = try Explored(otherwise)
    #expect(other.outcome.exitCode == 0, "\(other.outcome.text)")
    let bad = try Explored(
      text.replacing("WORD", with: "a").replacing(
        "echo a > out.new; sync out.new; mv out.new out",
        with: "echo a > out; sync out || echo b > out"))
    #expect(bad.outcome.exitCode == 1, "\(bad.outcome.text)")
    #expect(bad.outcome.output.contains("  after the run: exit code"), "\(bad.outcome.text)")
    #expect(bad.outcome.output.contains("confirmed by a separate run"), "\(bad.outcome.text)")
  }

  @Test("A scenario that fails without faults is not explored")
  func failingBaseline() throws {
    let explored = try Explored(
      "name: wrong\ntarget: { command: [echo, a] }\nexplore: { call: write }\nexpect: { stdout: b }"
    )

    #expect(explored.outcome.exitCode == 1)
    #expect(!explored.outcome.output.contains("reached"), "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("0 passed, 1 failed"))
  }

  @Test("What differs without faults is reported and not compared")
  func unstable() throws {
    let explored = try Explored(
      """
      name: changing
      target: { command: [sh, -c, "echo $$; echo same"] }
      explore: { call: write, times: once, errors: EIO }
      """)

    #expect(
      explored.outcome.output.contains(
        "not compared, because it differs between runs without faults: stdout (line 1)"),
      "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("0 distinct findings"), "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("2 of 2 faults tried"), "\(explored.outcome.text)")
  }

  @Test("A file that has the number of its process in its name is none that a fault leaves behind")
  func varyingNames() throws {
    let explored = try Explored(
      """
      name: numbered
      target: { command: [sh, -c, "echo hi > log.$$; cat /etc/hostname > /dev/null; echo ok"] }
      explore: { call: read, where: { path: /etc/hostname }, times: once }
      """)

    #expect(explored.outcome.exitCode == 0, "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("0 distinct findings"), "\(explored.outcome.text)")
  }

  @Test(
    "What an interpreter does before it reads its script is start-up",
    arguments: [
      ("python3", "open('in').read()"), ("perl", "open(F, '<', 'in') or die; print <F>;"),
      ("bash", "read a < in || true"), ("node", "require('fs').readFileSync('in')"),
    ])
  func interpreters(interpreter: String, script: String) throws {
    func points(_ startup: String) throws -> Int {
      let explored = try Explored(
        """
        name: script
        target: { command: [\(interpreter), script], files: { in: a, script: "\(script)" } }
        explore: { call: ["@open"], times: once, errors: EIO\(startup) }
        """, ["--budget-runs", "1"])
      let line = try #require(
        explored.outcome.output.split(separator: "\n").first { $0.hasPrefix("  all ") }
          ?? explored.outcome.output.split(separator: "\n").first { $0.hasPrefix("  open") },
        "\(explored.outcome.text)")
      return try #require(Int(line.split(separator: " ")[1]))
    }
    let own = try points("")

    #expect(own > 0 && own < 4, "\(own)")
    #expect(try points(", startup: true") > own + 5)
  }

  @Test("A budget leaves trials, and the next exploration goes on with these")
  func budget() throws {
    let explored = try Explored(
      Self.work("careful", Self.mistakes), ["--budget-runs", "3", "--engine", "rerun"])
    #expect(explored.outcome.exitCode == 0, "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("3 of 12 faults tried"), "\(explored.outcome.text)")
    #expect(
      explored.outcome.output.contains(
        "9 trials remain: continue with `scenario explore \(explored.path) --engine rerun`"))
    #expect(TemporaryFolder.names(explored.saved) == ["case-work.state.json"])

    let rest = try explored.explore(["--engine", "rerun"])
    rest.expectExit(0)
    #expect(rest.output.contains("12 of 12 faults tried in 12 runs"), "\(rest.text)")
    #expect(TemporaryFolder.names(explored.saved).isEmpty)
  }

  @Test(
    "A fault whose run a budget cuts off is told of and tried first the next time, and is no pass for ever"
  )
  func cutOff() throws {
    let text = """
      name: endless
      target: { command: [bash, -c, "sync . || exit 1; sync . || END; sync . || exit 1"] }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      explore: { call: fsync, errors: EIO, times: once }
      """
    let options = ["--budget-time", "6s", "--engine", "rerun", "--jobs", "1"]
    let explored = try Explored(text.replacing("END", with: "while :; do :; done"), options)
    #expect(explored.outcome.exitCode == 0, "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("1 of 3 faults tried"), "\(explored.outcome.text)")
    #expect(
      explored.outcome.output.contains(
        "not judged, will be tried first next time: fsync#2 EIO once: running for "),
      "\(explored.outcome.text)")

    let again = try explored.explore(options)
    again.expectExit(3)
    #expect(
      again.output.contains("the budget of 6s was used up before a fault could be judged"),
      "\(again.text)")
    #expect(again.output.contains("fsync#2 EIO once: running for "), "\(again.text)")

    let mended = try Explored(text.replacing("END", with: "exit 1"), options)
    #expect(mended.outcome.exitCode == 0, "\(mended.outcome.text)")
    #expect(mended.outcome.output.contains("3 of 3 faults tried"), "\(mended.outcome.text)")
  }

  @Test("A state of something else is left aside, and said so; so is every one with --fresh")
  func otherState() throws {
    let explored = try Explored(Self.work("careful", Self.mistakes), ["--budget-runs", "3"])
    let fresh = try explored.explore(["--fresh", "--budget-runs", "4"])
    #expect(fresh.output.contains("4 of 12 faults tried"), "\(fresh.text)")
    explored.folder.write(
      "version: 2\n" + Self.work("careful", Self.mistakes) + "\nseed: 5\n", to: "case.yaml")
    let other = try explored.explore([])
    #expect(other.output.contains("all faults are tried again"), "\(other.text)")
    #expect(other.output.contains("12 of 12 faults tried"), "\(other.text)")
  }

  @Test("Reports have a case for each finding and one for all that was tolerated")
  func reports() throws {
    let reports = try TemporaryFolder()
    let explored = try Explored(
      Self.work("careless", "call: [{ function: malloc }, fsync], times: once"),
      [
        "--junit", "\(reports.path)/junit.xml", "--report", "jsonl=\(reports.path)/events.jsonl",
      ])
    #expect(explored.outcome.exitCode == 1, "\(explored.outcome.text)")
    let xml = try #require(TemporaryFolder.read("\(reports.path)/junit.xml"))
    #expect(xml.ranges(of: "<testcase ").count == 3, "\(xml)")
    #expect(xml.contains("name=\"work: what was tolerated\""))
    #expect(xml.contains("type=\"explore.silentDifference\""))
    #expect(xml.contains("<property name=\"scenario.explore.points.reached\" value=\"2\"/>"))
    let events = try #require(TemporaryFolder.read("\(reports.path)/events.jsonl"))
    #expect(events.ranges(of: "\"event\":\"faultTried\"").count == 2)
    #expect(events.ranges(of: "\"event\":\"explored\"").count == 1)
  }

  @Test("An interruption keeps what was won")
  func interruption() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      name: slow
      target: { command: [sh, -c, "for i in 1 2 3 4 5 6 7 8 9; do echo $i; /bin/true; done"] }
      explore: { call: ["@alloc", write, "@spawn", "@open"] }

      """, to: "case.yaml")
    let saved = "\(folder.path)/__explored__"
    let running = try BuiltRunner.start(["explore", path, "--engine", "rerun"])
    // What was won is written from time to time.
    try running.await("saved what it has won") {
      TemporaryFolder.names(saved).contains("case-slow.state.json")
    }
    kill(running.process, SIGINT)
    let outcome = running.wait()

    outcome.expectExit(130)
    #expect(outcome.output.contains("faults tried"), "\(outcome.text)")
    #expect(outcome.output.contains("the run was interrupted"), "\(outcome.text)")
    #expect(TemporaryFolder.names(saved).contains("case-slow.state.json"))
    for name in TemporaryFolder.names(saved) { unlink("\(saved)/\(name)") }
    rmdir(saved)
  }

  @Test(
    "Bad input is reported before anything runs",
    arguments: [
      ("explore: { call: [wirte] }", [], "case.yaml:3:19: error[E105]: unknown call \"wirte\""),
      ("explore: { call: malloc }", [], "write \"@alloc\" for all allocations"),
      ("explore: { errors: [EIOO] }", [], "unknown error \"EIOO\""),
      ("explore: { call: fsync, provide: short }", [], "none of the points can be made short"),
      ("explore: { call: rename, where: { host: a } }", [], "takes no address"),
      ("explore: { ignore: [\"[\"] }", [], "has a set that does not end"),
      ("tags: [a]", ["--points", "frite"], "unknown call \"frite\""),
      ("tags: [a]", ["--budget-runs", "0"], "--budget-runs must be 1 or more"),
      ("tags: [a]", ["--budget-time", "soon"], "is not a duration"),
      ("tags: [a]", ["--jobs", "0"], "--jobs must be from 1 to 512"),
    ])
  func badInput(text: String, options: [String], message: String) throws {
    let explored = try Explored("target: { command: [\"true\"] }\n\(text)", options)

    #expect(explored.outcome.exitCode == 2, "\(explored.outcome.text)")
    #expect(explored.outcome.errorOutput.contains(message), "\(explored.outcome.text)")
  }

  @Test(
    "Points that are never reached, or all ignored, are a mistake as a chaos entry that never fires"
  )
  func unreached() throws {
    let target = "name: t\ntarget: { command: [cat, in], files: { in: a } }\n"
    let explored = try Explored(target + "explore: { call: read, where: { path: out } }")
    #expect(explored.outcome.exitCode == 1, "\(explored.outcome.text)")
    #expect(
      explored.outcome.output.contains("no injection point was reached"), "\(explored.outcome.text)"
    )
    #expect(explored.outcome.output.contains("none of them with \"out\""))
    let ignored = try Explored(target + "explore: { call: read, ignore: cat }")
    #expect(ignored.outcome.exitCode == 1, "\(ignored.outcome.text)")
    #expect(ignored.outcome.output.contains("points are ignored"), "\(ignored.outcome.text)")
  }

  @Test("A file that says nothing of it is explored all the same")
  func defaults() throws {
    let explored = try Explored(
      "name: plain\ntarget: { command: [\"true\"] }", ["--points", "@open", "--jobs", "1"])

    #expect(explored.outcome.exitCode == 0, "\(explored.outcome.text)")
    #expect(
      explored.outcome.output.contains("no injection point was reached"), "\(explored.outcome.text)"
    )
  }
}
