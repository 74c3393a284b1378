import Glibc
import Testing

@Suite("No result is lost")
struct LostResultTests {
  private static let two = """
    version: 2
    target: { command: [echo, hi] }
    scenarios:
      - { name: one, expect: { stdout: no } }
      - { name: two, expect: { stdout: hi } }
      - { name: three, expect: { stdout: hi } }

    """

  @Test(
    "What is read is not written over, whatever it is called",
    arguments: ["a.yaml", "./checks/../a.yaml", "link.yaml", "hard.yaml"])
  func inputs(name: String) throws {
    let project = try ProjectFolder()
    try project.write("", to: "checks/empty")
    try project.write(Self.two, to: "a.yaml")
    try #require(symlink("a.yaml", "\(project.path)/link.yaml") == 0)
    try #require(Glibc.link("\(project.path)/a.yaml", "\(project.path)/hard.yaml") == 0)
    for format in ["junit", "jsonl", "html"] {
      let outcome = try project.scenario(["run", "a.yaml", "--report", "\(format)=\(name)"])
      outcome.expectExit(2)
      #expect(outcome.errorOutput.contains("overwritten"), "\(outcome.text)")
    }
    let plan = try project.scenario(["plan", "a.yaml", "-o", name])
    #expect(plan.exitCode == 2 && plan.errorOutput.contains("overwritten"), "\(plan.text)")

    #expect(project.read("a.yaml") == Self.two)
    // Somewhere else is no matter, also where there is something.
    try project.write("old", to: "r.xml")
    try project.scenario(["run", "a.yaml", "--report", "junit=r.xml"]).expectExit(1)
    #expect(project.read("r.xml")?.contains("<testsuite") ?? false)
  }

  @Test("The plan, the settings and the events that are read are not written over either")
  func moreInputs() throws {
    let project = try ProjectFolder()
    try project.write(Self.two, to: "a.yaml")
    try project.scenario(["plan", "a.yaml", "-o", "p.json"]).expectExit(0)
    try project.scenario(["run", "a.yaml", "--report", "jsonl=e.jsonl"]).expectExit(1)
    for arguments in [
      ["run", "--plan", "p.json", "--report", "junit=p.json"],
      ["run", "a.yaml", "--report", "junit=scenario.yml"],
      ["report", "convert", "e.jsonl", "--report", "jsonl=e.jsonl"],
      ["rerun", "e.jsonl", "--report", "jsonl=e.jsonl"],
    ] {
      let outcome = try project.scenario(arguments)
      #expect(outcome.exitCode == 2, "\(arguments): \(outcome.text)")
      #expect(outcome.errorOutput.contains("overwritten"), "\(arguments): \(outcome.text)")
    }
    // A plan that is compared with may be replaced by the new one.
    try project.scenario(["plan", "a.yaml", "--against", "p.json", "-o", "p.json"]).expectExit(0)
  }

  @Test("Two runs with one event stream: the second is refused before it runs anything")
  func oneStream() throws {
    let project = try ProjectFolder()
    try project.write(
      """
      version: 2
      target: { command: [sh, -c, 'mkfifo \(project.path)/go; echo up >> \(project.path)/ran; read x < \(project.path)/go'] }

      """, to: "slow.yaml")
    let report = ["--report", "jsonl=\(project.path)/e.jsonl"]
    let first = try BuiltRunner.start(["run", "\(project.path)/slow.yaml"] + report)
    try first.await("run its target") { project.read("ran") != nil }
    let second = try project.scenario(["run", "slow.yaml"] + report)
    _ = try BuiltRunner.command(["sh", "-c", "echo x > \(project.path)/go"])
    #expect(first.wait().exitCode == 0)

    second.expectExit(3)
    #expect(second.errorOutput.contains("is being written by another run"), "\(second.text)")
    #expect(project.read("ran") == "up\n")
    try project.scenario(["report", "show", "e.jsonl"]).expectExit(0)
  }

  @Test("A stream without its end is no success, and one without a beginning is refused")
  func truncated() throws {
    let project = try ProjectFolder()
    try project.write(Self.two.replacing("stdout: no", with: "stdout: hi"), to: "a.yaml")
    try project.scenario(["run", "a.yaml", "--report", "jsonl=e.jsonl"]).expectExit(0)
    let whole = try #require(project.read("e.jsonl"))
    let lines = whole.split(separator: "\n")
    let firstEnd = try #require(lines.firstIndex { $0.contains("caseFinished") })
    try project.write(
      lines[...firstEnd].joined(separator: "\n") + "\n", to: "cut.jsonl")
    try project.write("", to: "empty.jsonl")
    try project.write(lines[1...].joined(separator: "\n") + "\n", to: "late.jsonl")
    try project.write(whole + whole, to: "double.jsonl")
    func convert(_ name: String) throws -> BuiltRunner.Outcome {
      try project.scenario(["report", "convert", name, "--report", "junit=\(name).xml"])
    }

    let good = try convert("e.jsonl")
    good.expectExit(0)
    let cut = try convert("cut.jsonl")
    cut.expectExit(3)
    #expect(project.read("cut.jsonl.xml")?.contains("1 of 3 cases ended") ?? false)
    let show = try project.scenario(["report", "show", "cut.jsonl"])
    #expect(show.exitCode == 3 && show.output.contains("1 of 3 cases ended"), "\(show.text)")
    for name in ["empty.jsonl", "late.jsonl", "double.jsonl"] {
      let outcome = try convert(name)
      #expect(outcome.exitCode == 2, "\(name): \(outcome.text)")
      #expect(project.read("\(name).xml") == nil)
      try project.scenario(["report", "show", name]).expectExit(2)
    }
  }

  @Test("A run that failed is reported with its exit code, however often")
  func failure() throws {
    let project = try ProjectFolder()
    try project.write(Self.two, to: "a.yaml")
    try project.scenario(["run", "a.yaml", "--report", "jsonl=e.jsonl"]).expectExit(1)
    try project.scenario(["report", "show", "e.jsonl"]).expectExit(1)
    try project.scenario(["report", "convert", "e.jsonl", "--report", "tap=t"]).expectExit(1)
  }

  @Test("What the run did not get to stands in every report, with the reason")
  func unreached() throws {
    let project = try ProjectFolder()
    try project.write(Self.two, to: "a.yaml")
    let reports = ["junit=r.xml", "tap=r.tap", "ctrf=r.json", "jsonl=r.jsonl"]
    let outcome = try project.scenario(
      ["run", "a.yaml", "-x", "-j", "1"] + reports.flatMap { ["--report", $0] })

    outcome.expectExit(1)
    #expect(outcome.output.contains("0 passed, 1 failed, 2 not run"), "\(outcome.text)")
    #expect(!outcome.output.contains("SKIP"), "\(outcome.text)")
    let reason = "not run: the run stopped after a failure"
    let junit = try #require(project.read("r.xml"))
    #expect(junit.contains("tests=\"3\"") && junit.contains("skipped=\"2\""), "\(junit)")
    for name in ["r.xml", "r.tap", "r.json", "r.jsonl"] {
      let text = try #require(project.read(name))
      #expect(text.split(separator: reason).count == 3, "\(name): \(text)")
    }
    let all = try project.scenario(["run", "a.yaml", "--report", "junit=all.xml"])
    #expect(all.exitCode == 1 && !all.output.contains("not run"), "\(all.text)")
    #expect(project.read("all.xml")?.contains("skipped=\"0\"") ?? false)
  }

  @Test(
    "A run that cannot be recorded says why, and one that can says nothing",
    arguments: [
      (["true"], nil), (["touch", ".scenario"], "Not a directory"),
      (["ln", "-s", "nowhere/at/all", ".scenario"], "No such file or directory"),
    ])
  func unrecorded(preparation: [String], reason: String?) throws {
    let project = try ProjectFolder()
    _ = try BuiltRunner.command(["env", "-C", project.path] + preparation)
    try project.write(
      "version: 2\ntarget: { command: ['false'] }\nexpect: { exit: 0 }\n", to: "a.yaml")

    let outcome = try project.scenario(["run", "a.yaml"])
    outcome.expectExit(1)
    let told = reason.map { "the run could not be recorded: \($0)\n" } ?? ""
    #expect(
      outcome.text.contains("could not be recorded") == (reason != nil)
        && (told.isEmpty || outcome.text.contains(told)), "\(outcome.text)")
    #expect(!outcome.text.contains("nor the runs before it"), "\(outcome.text)")
  }

  @Test(
    "On a full disk every result that is lost is told of, also where all cases pass",
    arguments: [true, false])
  func fullDisk(isFull: Bool) throws {
    let trial = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    guard try BuiltRunner.command(trial).exitCode == 0 else {
      print("skipped: nothing can be mounted here")
      return
    }
    let project = try ProjectFolder()
    try project.write("version: 2\ntarget: { command: ['true'] }\n", to: "a.yaml")
    let script = """
      mkdir disk && mount -t tmpfs -o size=256k tmpfs disk && cp a.yaml disk && cd disk || exit 99
      echo 'version: 1' > scenario.yml
      \(isFull ? "cat /dev/zero > zero 2> /dev/null" : ":")
      for report in '' junit=r tap=r ctrf=r html=r jsonl=r har=r; do
        "$@" run a.yaml ${report:+--report "$report"}; echo "report '$report': exit $?"; rm -f r
      done
      rm -f zero; "$@" run a.yaml > /dev/null 2>&1; cat .scenario/.gitignore
      test -s .scenario/last-run.json && echo recorded
      test -s .scenario/timings.json && mkdir .scenario/away && mv .scenario/timings.json .scenario/away
      mkdir .scenario/timings.json; "$@" run a.yaml
      """
    let run = try BuiltRunner.command(
      [
        "unshare", "--mount", "env", "-C", project.path, "bash", "-c", script, "bash",
        BuiltRunner.executable,
      ])
    let text = run.text

    #expect(text.contains("report '': exit 0\n"), "\(text)")
    for format in ["junit", "tap", "ctrf", "html", "jsonl", "har"] {
      #expect(text.contains("report '\(format)=r': exit \(isFull ? 3 : 0)\n"), "\(text)")
    }
    #expect(
      text.split(separator: "the run could not be recorded").count == (isFull ? 8 : 1), "\(text)")
    // What could be written only in part is written once there is room.
    #expect(text.contains("last-run.json*\n") && text.contains("recorded\n"), "\(text)")
    #expect(
      text.split(separator: "the durations of the cases could not be recorded").count == 2,
      "\(text)")
  }

  @Test(
    "A case that fails on a full disk says that it is full, and no other case does",
    arguments: [("head -c 3000000 /dev/zero > f", "1m", true), ("false", "8m", false)])
  func fullCaseFolder(command: String, size: String, isFull: Bool) throws {
    let trial = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    guard try BuiltRunner.command(trial).exitCode == 0 else {
      print("skipped: nothing can be mounted here")
      return
    }
    let project = try ProjectFolder()
    try project.write("version: 2\ntarget: { command: '\(command)' }\n", to: "a.yaml")
    let script = """
      mkdir disk && mount -t tmpfs -o size=\(size) tmpfs disk || exit 99
      export TMPDIR=$PWD/disk; exec "$@" run a.yaml
      """
    let run = try BuiltRunner.command(
      [
        "unshare", "--mount", "env", "-C", project.path, "bash", "-c", script, "bash",
        BuiltRunner.executable,
      ])

    run.expectExit(1)
    let note = "the file system of the case's folder, \"\(project.path)/disk/"
    #expect(run.text.contains(note) == isFull, "\(run.text)")
    #expect(run.text.contains("is full: 0 bytes free") == isFull, "\(run.text)")
    #expect(run.text.contains("help: make room there, or set TMPDIR to") == isFull, "\(run.text)")
  }

  @Test("Where a full disk takes the record of earlier runs, the warning says so")
  func lostRecord() throws {
    let trial = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    guard try BuiltRunner.command(trial).exitCode == 0 else {
      print("skipped: nothing can be mounted here")
      return
    }
    let project = try ProjectFolder()
    try project.write(
      "version: 2\ntarget: { command: ['false'] }\nexpect: { exit: 0 }\n", to: "a.yaml")
    let script = """
      mkdir disk && mount -t tmpfs -o size=256k tmpfs disk && cp a.yaml disk && cd disk || exit 99
      echo 'version: 1' > scenario.yml
      "$@" run a.yaml > /dev/null 2>&1; test -s .scenario/last-run.json && echo recorded
      cat /dev/zero > zero 2> /dev/null
      "$@" run a.yaml; "$@" rerun; echo "rerun: $?"
      """
    let run = try BuiltRunner.command(
      [
        "unshare", "--mount", "env", "-C", project.path, "bash", "-c", script, "bash",
        BuiltRunner.executable,
      ])
    let text = run.text

    #expect(text.contains("recorded\n"), "\(text)")
    #expect(
      text.contains("cannot use it, nor the runs before it, whose record was removed"), "\(text)")
    #expect(text.contains("rerun: 4\n"), "\(text)")
  }

  @Test("A limit of file sizes fails the report, and does not end the run")
  func fileSizes() throws {
    let project = try ProjectFolder()
    try project.write("version: 2\ntarget: { command: ['true'] }\n", to: "a.yaml")

    let outcome = try BuiltRunner.run(
      ["run", "a.yaml", "--report", "jsonl=e.jsonl"],
      prefix: ["bash", "-c", "cd \(project.path); ulimit -f 1; exec \"$@\"", "bash"])
    outcome.expectExit(3)
    #expect(outcome.text.contains("1 passed"), "\(outcome.text)")
    #expect(outcome.text.contains("error[E111]"), "\(outcome.text)")
  }
}
