import Glibc
import Testing

/// Programs that do not do the same in each run, so that runs without faults agree by chance.
@Suite("Explorations of programs that change by themselves")
struct ExploreControlTests {
  /// A case whose script knows how many runs came before: `$n`, from 0 on. Trials run side by side, so each adds a line.
  private static func counted(
    _ script: String, _ explore: String = "call: fsync, errors: [EIO], times: once",
    _ rest: String = "", _ options: [String] = ["--engine", "rerun"]
  ) throws -> Explored {
    let explored = try Explored("name: t\ntarget: { command: [\"true\"] }", ["--points", "fsync"])
    let count = "\(explored.folder.path)/count"
    explored.folder.write(
      "echo run >> \(count); mapfile runs < \(count); n=$((${#runs[@]} - 1))\n\(script)\n",
      to: "s.sh")
    explored.folder.write(
      """
      version: 2
      name: script
      target: { command: [bash, \(explored.folder.path)/s.sh] }
      timeout: 60s
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      entropy: seeded
      \(rest)explore: { \(explore) }

      """, to: "case.yaml")
    explored.outcome = try explored.explore(options)
    return explored
  }

  /// Words of a script: its first three runs, which are those without faults, are early.
  private static let isLate = "[ $n -ge 3 ]"

  @Test(
    "What changes behind the first runs is no fault's doing, and nothing is written"
  )
  func late() throws {
    let explored = try Self.counted(
      "\(Self.isLate) && echo late > out || echo early > out; sync out 2> /dev/null; sync out 2> /dev/null; exit 0"
    )
    let output = explored.outcome.output
    #expect(explored.outcome.exitCode == 0, "\(explored.outcome.text)")
    #expect(output.contains("0 distinct findings"), "\(explored.outcome.text)")
    #expect(
      output.contains(
        "not compared, because it differs between runs without faults: the file work/out (line 1)"),
      "\(explored.outcome.text)")
    #expect(explored.reproducers.isEmpty, "\(explored.outcome.text)")
  }

  @Test("What differs in every other run is not compared either", arguments: ["auto", "rerun"])
  func alternating(engine: String) throws {
    let explored = try Self.counted(
      """
      \(Self.isLate) && echo $((n % 2)) > out || echo 0 > out
      for i in 1 2 3 4; do sync out 2> /dev/null; done; exit 0
      """, "call: fsync, errors: [EIO], times: once", "", ["--engine", engine])
    #expect(explored.outcome.exitCode == 0, "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("0 distinct findings"), "\(explored.outcome.text)")
    #expect(explored.reproducers.isEmpty, "\(explored.outcome.text)")
  }

  @Test("A file of which each run changes another line costs few runs, and is not compared")
  func anotherLineEachTime() throws {
    let explored = try Self.counted(
      """
      for i in $(seq 100); do [ $i = $n ] && echo $n$n || echo same; done > out
      sync out 2> /dev/null; sync out 2> /dev/null; exit 0
      """)

    #expect(explored.outcome.exitCode == 0, "\(explored.outcome.text)")
    #expect(explored.reproducers.isEmpty)
    #expect(explored.outcome.text.contains("the content of work/out"), "\(explored.outcome.text)")
    let runs = (TemporaryFolder.read("\(explored.folder.path)/count") ?? "").split(separator: "\n")
    #expect((3...30).contains(runs.count), "\(explored.outcome.text)")
  }

  @Test("A real mistake beside it is found, by a scenario that passes without the fault")
  func beside() throws {
    let explored = try Self.counted(
      "\(Self.isLate) && echo late > out || echo early > out; echo a > kept; sync out 2> /dev/null || echo b > kept; exit 0"
    )
    #expect(explored.outcome.exitCode == 1, "\(explored.outcome.text)")
    #expect(
      explored.outcome.output.contains("confirmed by a separate run"), "\(explored.outcome.text)")
    #expect(explored.reproducers.count == 1, "\(explored.outcome.text)")
    let name = try #require(explored.reproducers.first)
    let text = explored.text(of: name)
    #expect(text.contains("kept:") && !text.contains("      out:"), "\(text)")
    try BuiltRunner.run(["run", "\(explored.saved)/\(name)"]).expectExit(1)
    explored.folder.write(
      text.replacing("provide:\n      error: \"EIO\"", with: "provide: original").replacing(
        "folder: \"..\"", with: "folder: \".\""),
      to: "plain.yaml")
    let plain = try BuiltRunner.run(["run", "\(explored.folder.path)/plain.yaml"])
    plain.expectExit(0)
  }

  @Test("A program that crashes without a fault as well has not crashed by it")
  func crash() throws {
    let explored = try Self.counted(
      "sync . 2> /dev/null; sync . 2> /dev/null; \(Self.isLate) && kill -SEGV $$; exit 0")
    #expect(explored.outcome.exitCode == 3, "\(explored.outcome.text)")
    #expect(
      explored.outcome.output.contains("a run without the fault shows the same"),
      "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("0 distinct findings"), "\(explored.outcome.text)")
    #expect(explored.reproducers.isEmpty, "\(explored.outcome.text)")
  }

  @Test("An exploration that goes on does not compare what an earlier one has seen to differ")
  func resumed() throws {
    let script =
      "[ $n -lt 4 ] && echo $n > out || echo late > out; echo a > kept; sync out || exit 1; sync out || exit 1"
    let words = "not compared, because it differs between runs without faults: the file work/out"
    let explored = try Self.counted(
      script, "call: fsync, errors: [EIO], times: once, budget: { runs: 1 }")
    #expect(explored.outcome.output.contains(words), "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("1 of 2 faults tried"), "\(explored.outcome.text)")

    let rest = try explored.explore(["--engine", "rerun", "--budget-runs", "5"])
    #expect(rest.output.contains("2 of 2 faults tried"), "\(rest.text)")
    #expect(rest.output.contains(words), "\(rest.text)")

    let fresh = try explored.explore(["--engine", "rerun", "--fresh"])
    #expect(!fresh.output.contains(words), "\(fresh.text)")
  }

  @Test("Steps behind the run that fail without a fault as well are an error")
  func checks() throws {
    let steps =
      "call: fsync, errors: [EIO], times: once, steps: [ { run: [], expect: { exit: CODE } } ]"
    let script = "sync . 2> /dev/null; exit 0"
    let explored = try Self.counted(
      script, steps.replacing("CODE", with: "7"), "steps: [ { run: [] } ]\n")
    #expect(explored.outcome.exitCode == 3, "\(explored.outcome.text)")
    #expect(
      explored.outcome.output.contains("the steps of `explore` fail without a fault as well"),
      "\(explored.outcome.text)")
    let sound = try Self.counted(
      script, steps.replacing("CODE", with: "0"), "steps: [ { run: [] } ]\n")
    #expect(sound.outcome.exitCode == 0, "\(sound.outcome.text)")
  }
}
