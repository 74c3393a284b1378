import Glibc
import Testing

@Suite("Running several cases: jobs, exclusion, order, retries, repetition")
struct RunningTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(
    _ text: String, _ options: [String], prefix: [String] = []
  ) throws -> BuiltRunner.Outcome {
    let path = folder.write("version: 2\n" + text, to: "running.yaml")
    return try BuiltRunner.run(["run", path] + options, prefix: prefix)
  }

  /// Two cases that wait for each other at a FIFO.
  private func meeting(_ more: String = "", timeout: String = "1s") throws -> String {
    let fifo = "\(folder.path)/fifo"
    unlink(fifo)
    try #require(mkfifo(fifo, 0o600) == 0)
    return """
      timeout: \(timeout)
      grace: 0s
      \(more)
      scenarios:
        - name: reads
          target: { command: "read line < \(fifo); echo $line" }
          expect: { stdout: met }
        - name: writes
          target: { command: "echo met > \(fifo)" }

      """
  }

  // MARK: - Jobs

  @Test("Two cases that wait for each other both pass where two run at once")
  func atOnce() throws {
    let outcome = try run(try meeting(timeout: "60s"), ["-j2"])

    outcome.expectExit(0)
    #expect(outcome.output.contains("2 passed, 0 failed"))
  }

  @Test("They cannot meet where one runs after the other", arguments: ["-j1", "--jobs=1"])
  func oneByOne(jobs: String) throws {
    let outcome = try run(try meeting(), [jobs, "-x"])

    outcome.expectExit(3)
    #expect(outcome.output.contains("ERROR"))
    #expect(outcome.output.contains("1 not run"))
  }

  @Test(
    "They cannot meet where they share a name, or one wants to be alone",
    arguments: ["exclusive: fifo", "exclusive: [a, fifo]", "exclusive: true"])
  func exclusive(key: String) throws {
    let outcome = try run(try meeting(key), ["-j4", "-x"])

    outcome.expectExit(3)
    #expect(outcome.output.contains("1 not run"))
  }

  private static let mixed = """
    scenarios:
      - { name: one, target: { command: "echo a; exit 1" }, expect: { stdout: a } }
      - { name: two, target: { command: "sleep 0.2; echo b" }, expect: { stdout: b } }
      - { name: three, target: { command: [cat], stdin: hello }, expect: { stdout: bye } }
      - { name: four, target: { command: [echo, d] }, expect: { stdout: d } }
      - { name: five, target: { command: [./none] } }
      - { name: six, skip: not now, target: { command: [echo] } }

    """

  /// A report without what differs between any two runs.
  private func timeless(_ path: String) -> String {
    let text = (TemporaryFolder.read(path) ?? "").split(separator: "\n")
      .filter { !$0.hasPrefix("failed after: ") && !$0.contains("scenario.started") }
      .map { $0.hasPrefix("  +") ? $0.dropFirst(2).drop { $0 != " " } : $0 }
      .map { $0.trimmingPrefix { $0 == " " } }.joined(separator: "\n")
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    return words.filter { !$0.hasPrefix("time=\"") && !$0.hasPrefix("timestamp=\"") }
      .joined(separator: " ")
  }

  @Test("Reports are the same, times apart, however many run at once and in whatever order")
  func sameReports() throws {
    let reports = try [["-j1"], ["-j8"], ["-j2", "--order", "random", "--seed", "5"]].map {
      options in
      let report = "\(folder.path)/\(options.joined()).xml"
      let outcome = try run(Self.mixed, options + ["--report", "junit=\(report)"])
      outcome.expectExit(1)
      #expect(outcome.output.contains("2 passed, 2 failed, 1 errored, 1 skipped"))
      return timeless(report)
    }

    #expect(reports[0].contains("name=\"five\""))
    #expect(reports[0] == reports[1])
    let order = try #require(
      reports[2].split(separator: "\n").first { $0.contains("scenario.order") })
    #expect(order.contains("random, with seed 5"))
  }

  @Test("An order by chance is reported, and the same seed makes the same again")
  func order() throws {
    func lines(_ options: [String]) throws -> [Substring] {
      try run(Self.mixed, ["-j1"] + options).output.split(separator: "\n")
        .filter { $0.contains("s] ") }.map { $0.split(separator: "]")[1] }
    }
    let first = try lines(["--order=random", "--seed=3"])
    let plain = try lines([])

    #expect(try lines(["--order=random", "--seed=3"]) == first)
    #expect(first != plain)
    #expect(first.sorted() == plain.sorted())
    #expect(try run(Self.mixed, ["--order=random"]).output.contains("order: random, with seed "))
  }

  // MARK: - Retries

  /// A case that passes when it is tried for that time, or one of several.
  private func flaky(_ count: String, _ more: String = "") -> String {
    unlink("\(folder.path)/tries")
    return """
      \(more)
      target: { command: "echo x >> \(folder.path)/tries; wc -l < \(folder.path)/tries" }
      expect: { stdout: { matches: '^\\s*\(count)\\s' } }

      """
  }

  @Test(
    "A case that passes when it is tried again is flaky, and has passed unless that is forbidden")
  func retries() throws {
    let outcome = try run(flaky("2"), ["--retries", "2"])

    outcome.expectExit(0)
    #expect(outcome.output.contains("TRY 1 FAIL"))
    #expect(outcome.output.contains("FLAKY 2/3"))
    #expect(outcome.output.contains("1 passed, 0 failed, 1 flaky"))
    let strict = try run(flaky("2"), ["--retries", "2", "--fail-on-flaky"])
    strict.expectExit(1)
    let key = try run(flaky("3", "retries: 2"), [])
    #expect(key.output.contains("FLAKY 3/3"), "\(key.text)")
  }

  @Test("A case that never passes has failed, and one that may not be tried again is tried once")
  func noMoreRetries() throws {
    let outcome = try run(flaky("4"), ["--retries", "2"])

    outcome.expectExit(1)
    #expect(outcome.output.contains("TRY 2 FAIL"))
    #expect(outcome.output.contains("0 passed, 1 failed"))
    #expect(!outcome.output.contains("flaky"))
    let own = try run(flaky("2", "retries: 0"), ["--retries", "2"])
    own.expectExit(1)
    #expect(!own.output.contains("TRY"))
  }

  // MARK: - Repetition

  @Test("Each repetition is a case of its own")
  func repetition() throws {
    let report = "\(folder.path)/r.xml"
    let outcome = try run(
      flaky("2"), ["--repeat", "3", "-j1", "--report", "junit=\(report)"])

    outcome.expectExit(1)
    #expect(outcome.output.contains("1 passed, 2 failed"))
    let xml = TemporaryFolder.read(report) ?? ""
    #expect(xml.contains("name=\"running #2\"") && xml.contains("name=\"running #3\""))
    #expect(xml.contains("tests=\"3\""))
  }

  @Test("A scenario that is called like a repetition stays one of its own")
  func namedLikeRepetition() throws {
    let text = """
      target: { command: [echo] }
      scenarios: [{ name: a }, { name: "a #2" }]

      """
    let outcome = try run(text, ["--repeat=2", "-j1"])

    outcome.expectExit(0)
    #expect(outcome.output.contains("4 passed, 0 failed"))
    #expect(outcome.output.contains("› a ##2") && !outcome.output.contains("flaky"))
    let both = try run(text, ["--repeat=2", "--until-fail"])
    #expect(both.exitCode == 2 && both.errorOutput.contains("leave --repeat out"), "\(both.text)")
  }

  @Test("Rounds go on until something fails")
  func untilFailure() throws {
    let outcome = try run(flaky("[1-6]"), ["--until-fail", "-j1"])

    outcome.expectExit(1)
    #expect(outcome.output.contains("6 passed, 1 failed"))
    #expect(outcome.output.contains("running #7"))
  }

  @Test(
    "No more cases begin once so many did not pass", arguments: [("-x", 3), ("--fail-fast=2", 2)])
  func failFast(option: String, rest: Int) throws {
    let cases = ["false", "false", "\"true\"", "\"true\""].enumerated()
      .map { "  - { name: c\($0), target: { command: [\($1)] } }" }.joined(separator: "\n")
    let outcome = try run("scenarios:\n\(cases)\n", [option, "-j1"])

    outcome.expectExit(1)
    #expect(outcome.output.contains(", \(rest) not run"), "\(outcome.text)")
    let all = try run("scenarios:\n\(cases)\n", ["-j1"])
    #expect(all.output.contains("2 passed, 2 failed"), "\(all.text)")
  }

  @Test("A run that takes longer than it may ends with 124, and says what was under way")
  func globalTimeout() throws {
    let report = "\(folder.path)/r.xml"
    func limited(to limit: String) throws -> BuiltRunner.Outcome {
      try self.run(
        "target: { command: [sleep, \"1000\"] }\n",
        ["--global-timeout", limit, "--report", "junit=\(report)"])
    }
    // A slow machine does not come to the case in a short time.
    var limits = ["300ms", "3s", "1m"]
    var outcome = try limited(to: limits[0])
    while outcome.output.contains("1 not run"), limits.count > 1 {
      limits.removeFirst()
      outcome = try limited(to: limits[0])
    }

    outcome.expectExit(124)
    #expect(
      outcome.output.contains("the run took longer than its limit of \(limits[0])"),
      "\(outcome.text)")
    #expect(TemporaryFolder.read(report)?.contains("type=\"Timeout\"") ?? false)
    let quick = try run("target: { command: [echo] }\n", ["--global-timeout", "1h"])
    quick.expectExit(0)
  }

  @Test("Nothing selected is 4, unless that is fine")
  func nothing() throws {
    let text = "target: { command: [echo] }\n"
    try run(text, ["--filter", "none"]).expectExit(4)
    let fine = try run(text, ["--filter", "none", "--pass-with-no-tests"])
    fine.expectExit(0)
  }

  // MARK: - Folders

  @Test("The XDG folders lie in the case's home, and the one for sockets is there and private")
  func folders() throws {
    let outcome = try run(
      """
      target:
        command: |
          for name in CONFIG_HOME DATA_HOME CACHE_HOME STATE_HOME RUNTIME_DIR; do
            eval path=\\$XDG_$name
            case $path in "$HOME"/?*) ;; *) echo "$name is $path" ;; esac
          done
          stat -c %a "$XDG_RUNTIME_DIR"
      expect: { stdout: "700" }

      """, [])

    outcome.expectExit(0)
  }

  @Test("The folder of a failed case stays where that is wished, and is reported")
  func keptFolder() throws {
    let text = """
      scenarios:
        - { name: bad, target: { command: "echo kept > file; exit 1" } }
        - { name: good, target: { command: "echo kept > file" } }

      """
    func folders(_ options: [String]) throws -> Int {
      let place = "\(folder.path)/\(options.count)\(options.joined())"
      try #require(mkdir(place, 0o700) == 0)
      let outcome = try run(text, options, prefix: ["env", "TMPDIR=\(place)"])
      let kept = TemporaryFolder.names(place)
      #expect(kept.count == (options.isEmpty ? 0 : 1), "\(kept)")
      guard let name = kept.first else { return 0 }
      let cases = TemporaryFolder.names("\(place)/\(name)")
      if !cases.isEmpty {
        #expect(outcome.output.contains("directory: \(place)/\(name)/case-1"), "\(outcome.text)")
        #expect(TemporaryFolder.read("\(place)/\(name)/case-1/work/file") == "kept\n")
      }
      _ = try BuiltRunner.command(["rm", "-rf", place])
      return cases.count
    }

    #expect(try folders(["--keep-workdir"]) == 1)
    #expect(try folders(["--keep-workdir=all"]) == 2)
    #expect(try folders(["--keep-workdir", "all"]) == 2)
    #expect(try folders(["--keep-workdir", "failed"]) == 1)
    #expect(try folders([]) == 0)
  }

  @Test("A command that runs nothing goes on where it is asked what runs")
  func askedForNothing() throws {
    let script = """
      import json, os, signal, subprocess, sys
      server = subprocess.Popen([sys.argv[1], "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
      def ask(number):
          text = json.dumps({"jsonrpc": "2.0", "id": number, "method": "initialize" if number == 1 else "shutdown",
                             "params": {"capabilities": {}} if number == 1 else None}).encode()
          server.stdin.write(b"Content-Length: %d\\r\\n\\r\\n%s" % (len(text), text))
          server.stdin.flush()
          length = int(server.stdout.readline().split(b":")[1])
          server.stdout.readline()
          return json.loads(server.stdout.read(length))["id"]
      answers = [ask(1)]
      os.kill(server.pid, signal.SIGUSR1)
      answers.append(ask(2))
      server.stdin.close()
      print(answers, server.wait())
      """
    let outcome = try BuiltRunner.command(["python3", "-c", script, BuiltRunner.executable])
    #expect(outcome.output == "[1, 2] 0\n", "\(outcome.text)")
  }
}
