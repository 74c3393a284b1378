import Glibc
import Testing

@Suite("Running again what failed")
struct RerunTests {
  private static func text(_ first: String, _ second: String) -> String {
    """
    version: 2
    target: { command: [echo, "${{ seed }}"] }
    seed: 7
    scenarios:
      - { name: one, expect: { stdout: "\(first)" } }
      - { name: two, expect: { stdout: "\(second)" } }
      - { name: three, expect: { exit: 0 } }

    """
  }

  @Test("Failures are outstanding until each has passed: 1, then 5, then 0")
  func convergence() throws {
    let project = try ProjectFolder()
    let none = try project.scenario(["rerun"])
    #expect(none.exitCode == 4 && none.errorOutput.contains("no run is recorded"), "\(none.text)")
    try project.write(Self.text("a", "b"), to: "checks/a.yaml")
    try project.scenario(["run", "checks", "--seed", "9"]).expectExit(1)

    let again = try project.scenario(["rerun"])
    #expect(again.exitCode == 1 && again.output.contains("0 passed, 2 failed"), "\(again.text)")
    #expect(again.output.contains("--seed 9"), "\(again.text)")
    try project.write(Self.text("9", "b"), to: "checks/a.yaml")
    let part = try project.scenario(["rerun", "--case", "one"])
    part.expectExit(5)
    #expect(part.output.contains("1 earlier failure is outstanding"))
    #expect(part.errorOutput.contains("W024") && part.errorOutput.contains("\"one\""))
    try project.write(Self.text("9", "9"), to: "checks/a.yaml")
    let rest = try project.scenario(["rerun", "latest"])
    #expect(rest.exitCode == 0 && rest.output.contains("1 passed"), "\(rest.text)")
    let done = try project.scenario(["rerun"])
    #expect(done.exitCode == 0 && done.output.contains("nothing is outstanding"), "\(done.text)")
  }

  @Test("What failed at a date is outstanding at that date, for rerun, --last-failed and events")
  func dates() throws {
    let project = try ProjectFolder()
    func write(_ end: Int) throws {
      try project.write(
        """
        version: 2
        name: works
        target: { command: 'test "$(date +%s)" -lt \(end)' }
        clock: { at: 2027-01-01T09:00:00Z, flow: held }

        """, to: "checks/a.yaml")
    }
    try write(1_806_195_600)
    let dates = ["--dates", "2027-03-27,2027-03-29,2027-03-30"]
    let first = try project.scenario(["run", "checks", "--report", "jsonl=events.jsonl"] + dates)
    #expect(first.exitCode == 1 && first.output.contains("1 passed, 2 failed"), "\(first.text)")
    // That it passes at its own date takes nothing back.
    try project.scenario(["run", "checks"]).expectExit(0)

    for command in [["rerun"], ["run", "checks", "--last-failed"], ["rerun", "events.jsonl"]] {
      let again = try project.scenario(command)
      #expect(again.exitCode == 1 && again.output.contains("0 passed, 2 failed"), "\(again.text)")
      #expect(again.output.contains("works @2027-03-29T09:00:00Z"), "\(again.text)")
      #expect(again.output.contains("works @2027-03-30T09:00:00Z"), "\(again.text)")
      #expect(!again.output.contains("works @2027-03-27"), "\(again.text)")
    }
    try write(1_806_393_600)
    let part = try project.scenario(["rerun"])
    #expect(part.exitCode == 1 && part.output.contains("1 passed, 1 failed"), "\(part.text)")
    try write(2_000_000_000)
    let rest = try project.scenario(["rerun"])
    #expect(rest.exitCode == 0 && rest.output.contains("1 passed, 0 failed"), "\(rest.text)")
    let done = try project.scenario(["rerun"])
    #expect(done.output.contains("nothing is outstanding"), "\(done.text)")
  }

  @Test("Who only looks forgets nothing: a file that was away for a while is outstanding still")
  func looking() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("a", "7"), to: "checks/a.yaml")
    try project.scenario(["run", "checks"]).expectExit(1)
    let text = try #require(project.read("checks/a.yaml"))
    _ = try BuiltRunner.command(["mv", "\(project.path)/checks/a.yaml", "\(project.path)/away"])
    for command in [["list"], ["plan"]] {
      let look = try project.scenario(command + ["--last-failed"])
      #expect(look.exitCode == 4 || look.exitCode == 0, "\(look.text)")
      #expect(look.errorOutput.contains("no longer exist"), "\(look.text)")
    }
    let away = try project.scenario(["rerun"])
    away.expectExit(5)
    #expect(away.output.contains("1 earlier failure is outstanding"), "\(away.text)")
    try project.write(text, to: "checks/a.yaml")

    let back = try project.scenario(["rerun"])
    #expect(back.exitCode == 1 && back.output.contains("0 passed, 1 failed"), "\(back.text)")
  }

  @Test("A case that was renamed is forgotten by a run of all, and by no other")
  func renamed() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("a", "7"), to: "checks/a.yaml")
    try project.scenario(["run", "checks"]).expectExit(1)
    try project.write(
      Self.text("7", "7").replacing("name: one", with: "name: first"), to: "checks/a.yaml")

    for arguments in [["rerun"], ["rerun"]] {
      try project.scenario(arguments).expectExit(5)
    }
    try project.scenario(["run", "checks", "-k", "two"]).expectExit(0)
    try project.scenario(["rerun"]).expectExit(5)
    try project.scenario(["run", "checks"]).expectExit(0)
    let done = try project.scenario(["rerun"])
    #expect(done.exitCode == 0 && done.output.contains("nothing is outstanding"), "\(done.text)")
  }

  @Test("What fails when it is repeated is the case that is outstanding", arguments: [true, false])
  func repetition(isRecorded: Bool) throws {
    let project = try ProjectFolder()
    try project.write(
      """
      version: 2
      scenarios:
        - { name: steady, target: { command: ["true"] } }
        - name: worn
          target: { command: [sh, -c, 'test $(wc -c < "$COUNT") -ne 2; s=$?; printf x >> "$COUNT"; exit $s'], env: { COUNT: "\(project.path)/count" } }

      """, to: "checks/a.yaml")
    try project.write("x", to: "count")
    try project.scenario(
      ["run", "checks", "--repeat", "3", "-j", "1", "--report", "jsonl=e.jsonl"]
    ).expectExit(1)

    let again = try project.scenario(["rerun"] + (isRecorded ? [] : ["e.jsonl"]))
    #expect(again.exitCode == 0 && again.output.contains("1 passed"), "\(again.text)")
    #expect(!again.errorOutput.contains("no longer exist"), "\(again.text)")
  }

  @Test("What a run did not get to is outstanding")
  func missed() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("a", "7"), to: "checks/a.yaml")
    try project.scenario(["run", "checks", "-x", "-j", "1"]).expectExit(1)
    try project.write(Self.text("7", "7"), to: "checks/a.yaml")

    let part = try project.scenario(["rerun", "--case", "one"])
    part.expectExit(5)
    #expect(part.output.contains("2 earlier failures"), "\(part.text)")
    let rest = try project.scenario(["rerun"])
    #expect(rest.exitCode == 0 && rest.output.contains("2 passed"), "\(rest.text)")
    #expect(try project.scenario(["rerun"]).output.contains("nothing is outstanding"))
  }

  @Test("What a run found that was killed is outstanding, and so is what it did not get to")
  func killed() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("a", "7"), to: "checks/a.yaml")
    try project.scenario(["run", "checks"]).expectExit(1)
    try project.write(Self.text("7", "b"), to: "checks/a.yaml")
    try project.write(
      """
      version: 2
      name: up
      target: { command: [sh, -c, 'echo up > \(project.path)/up; exec sleep 1000'] }

      """, to: "checks/b.yaml")

    let runner = try BuiltRunner.start(
      ["run", "checks", "-j", "1", "--order", "file"], prefix: ["env", "-C", project.path])
    try runner.await("got to its last case") { project.read("up") != nil }
    #expect(kill(runner.process, SIGKILL) == 0)
    #expect(runner.wait().exitCode == 128 + SIGKILL)

    try project.write(
      "version: 2\nname: up\ntarget: { command: ['true'] }\n", to: "checks/b.yaml")
    let again = try project.scenario(["rerun"])
    again.expectExit(1)
    #expect(again.errorOutput.contains("the last run was interrupted"), "\(again.text)")
    #expect(again.output.contains("3 passed, 1 failed"), "\(again.text)")
    try project.write(Self.text("7", "7"), to: "checks/a.yaml")
    try project.scenario(["rerun"]).expectExit(0)
    #expect(try project.scenario(["rerun"]).output.contains("nothing is outstanding"))
  }

  @Test(
    "The failures of a run elsewhere come from its events, and files that changed since are reported"
  )
  func stream() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("a", "7"), to: "checks/a.yaml")
    try project.scenario(["run", "checks", "--report", "jsonl=ci.jsonl"]).expectExit(1)

    let same = try project.scenario(["rerun", "ci.jsonl"])
    #expect(same.exitCode == 1 && same.output.contains("0 passed, 1 failed"), "\(same.text)")
    #expect(!same.errorOutput.contains("W024"), "\(same.text)")
    try project.write(Self.text("7", "7"), to: "checks/a.yaml")
    let mended = try project.scenario(["rerun", "ci.jsonl"])
    #expect(mended.exitCode == 0 && mended.output.contains("1 passed"), "\(mended.text)")
    #expect(
      mended.errorOutput.contains("the plan differs from that of the recorded run"),
      "\(mended.text)")
    try project.write("no events\n", to: "other.jsonl")
    let other = try project.scenario(["rerun", "other.jsonl"])
    #expect(
      other.exitCode == 2 && other.errorOutput.contains("contains no events"), "\(other.text)")
    try project.scenario(["rerun", "missing.jsonl"]).expectExit(2)
  }
}
