import Glibc
import Testing

@Suite("What explorations find")
struct ExploreFindingTests {
  private static let quiet = "\(BuiltRunner.root)/.build/programs/quiet"

  private static func scenario(_ what: String, _ explore: String = "call: fsync, times: once")
    -> String
  {
    """
    name: quiet
    target: { command: [\(quiet), \(what)] }
    explore: { \(explore) }
    """
  }

  @Test(
    "Whatever differs silently, the scenario that is written fails by that alone",
    arguments: [
      ("binary", "sha256:"), ("large", "sha256:"), ("home", "$HOME/state:"),
      ("mode", "mode: \"0640\""),
      ("link", "equals: \"a\""), ("folder", "kind: \"folder\""), ("path", "matches:"),
    ], ["auto", "rerun"])
  func difference(_ kind: (what: String, words: String), engine: String) throws {
    let explored = try Explored(Self.scenario(kind.what), ["--engine", engine])
    #expect(explored.outcome.exitCode == 1, "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("1 distinct finding"), "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("verdict: silent difference\n"))
    #expect(explored.outcome.output.contains("confirmed by a separate run"))
    let text = explored.text(of: try #require(explored.reproducers.first))
    #expect(text.contains(kind.words), "\(text)")

    explored.folder.write(
      text.replacing("- \(kind.what)\n", with: "- \(kind.what)\n    - mended\n")
        .replacing("folder: \"..\"", with: "folder: \".\""), to: "mended.yaml")
    let mended = try BuiltRunner.run(["run", "\(explored.folder.path)/mended.yaml"])
    mended.expectExit(0)
  }

  @Test(
    "What holds the path of the case's folders is the same in a fork and in a run of its own",
    arguments: [("link-before", ", 1 of them by forks"), ("large-before", " in 5 runs, under")])
  func ownPath(what: String, engine: String) throws {
    let explored = try Explored(
      """
      name: quiet
      target: { command: [\(Self.quiet), \(what)], files: { conf: "at ${{ dir }}/x" } }
      explore: { call: fsync, times: once }
      """)
    #expect(explored.outcome.exitCode == 0, "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains(engine), "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("\n  fsync        1      1          0     1      0 "))
  }

  @Test("Watching prctl leaves to the kernel what is asked of it")
  func prctl() throws {
    let explored = try Explored(Self.scenario("name", "call: prctl, errors: EPERM, times: once"))
    #expect(
      explored.outcome.output.contains("silent difference where prctl fails with EPERM"),
      "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("    - 0\n    + -1\n"), "\(explored.outcome.text)")
  }

  @Test("Who waits for itself fails, and is not only undecided")
  func stuck() throws {
    let explored = try Explored(Self.scenario("stuck"))
    #expect(explored.outcome.output.contains("verdict: hang\n"), "\(explored.outcome.text)")
    let name = try #require(explored.reproducers.first)
    let run = try BuiltRunner.run(["run", "\(explored.saved)/\(name)"])
    run.expectExit(1)
    #expect(run.output.contains("tolerated: all threads are blocked"), "\(run.text)")
    // Without `tolerated` the scenario, not the program, may be what is wrong.
    explored.folder.write(
      explored.text(of: name).replacing("folder: \"..\"", with: "folder: \".\"")
        .replacing("  tolerated: {}\n", with: "  exit: 0\n"), to: "plain.yaml")
    let plain = try BuiltRunner.run(["run", "\(explored.folder.path)/plain.yaml"])
    plain.expectExit(3)
  }

  @Test("A place of the code is one, however many files it writes")
  func sites() throws {
    let all = try Explored(Self.scenario("sites", "call: write, times: once, errors: EIO"))
    #expect(all.outcome.output.contains("\n  write        4 "), "\(all.outcome.text)")
    let sites = try Explored(
      Self.scenario("sites", "call: write, times: once, errors: EIO, each: site"))
    #expect(sites.outcome.output.contains("\n  write        2 "), "\(sites.outcome.text)")
  }

  @Test("What is left behind is judged where the run ends, before the steps behind it clean up")
  func leakBesideThen() throws {
    let explored = try Explored(
      """
      name: quiet
      target: { command: [\(Self.quiet), stale] }
      steps: [ { run: [] } ]
      explore:
        call: fsync
        times: once
        steps: [ { run: [clean], expect: { exit: { between: [0, 1] } } } ]
      """)
    #expect(explored.outcome.output.contains("verdict: leak\n"), "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("confirmed by a separate run"))
    let name = try #require(explored.reproducers.first)
    try BuiltRunner.run(["run", "\(explored.saved)/\(name)"]).expectExit(1)
  }

  // MARK: - Going on

  private static func script(_ explored: Explored, _ text: String) {
    explored.folder.write(text, to: "work.sh")
  }

  private static func scripted(_ budget: String) throws -> Explored {
    let explored = try Explored("name: t\ntarget: { command: [\"true\"] }", ["--points", "fsync"])
    explored.folder.write(text(explored, budget), to: "case.yaml")
    script(explored, "echo a > out; sync out; sync out; sync out\n")
    return explored
  }

  private static func text(_ explored: Explored, _ budget: String) -> String {
    """
    version: 2
    name: work
    target: { command: [sh, \(explored.folder.path)/work.sh] }
    explore: { call: fsync, times: once, budget: \(budget), errors: EIO }

    """
  }

  @Test("A changed budget, or a moved line, keeps what was won")
  func changedBudget() throws {
    let explored = try Self.scripted("{ runs: 1 }")
    let first = try explored.explore(["--engine", "rerun"])
    #expect(first.output.contains("1 of 3 faults tried"), "\(first.text)")
    explored.folder.write(
      "# A line more.\n" + Self.text(explored, "{ runs: 12, timeout: 60s }"), to: "case.yaml")
    let second = try explored.explore(["--engine", "rerun"])
    #expect(second.output.contains("3 of 3 faults tried in 5 runs"), "\(second.text)")
    #expect(!second.output.contains("faults are tried again"), "\(second.text)")
  }

  @Test("A changed script is another program, though nothing of the scenario has changed")
  func changedScript() throws {
    let explored = try Self.scripted("{ runs: 1 }")
    #expect(try explored.explore(["--engine", "rerun"]).output.contains("1 of 3 faults tried"))
    Self.script(explored, "echo b > out; sync out; sync out; sync out\n")
    let second = try explored.explore(["--engine", "rerun"])
    #expect(second.output.contains("all faults are tried again"), "\(second.text)")
    #expect(second.output.contains("1 of 3 faults tried"), "\(second.text)")
  }

  // MARK: - The folder

  @Test("Scenarios of mistakes that are mended go, those of others and changed ones stay")
  func mended() throws {
    let explored = try Explored(Self.scenario("binary", "call: fsync"))
    let names = explored.reproducers
    #expect(names.count == 1)
    let name = try #require(names.first)
    let text = explored.text(of: name)
    explored.folder.write(text + "# mine\n", to: "__explored__/changed.yaml")
    explored.folder.write("version: 2\n", to: "__explored__/foreign.yaml")
    explored.folder.write(
      "version: 2\n" + Self.scenario("binary, mended", "call: fsync") + "\n", to: "case.yaml")
    let other = try explored.explore(["--points", "@rename"])
    #expect(!other.output.contains("removed"), "\(other.text)")
    let outcome = try explored.explore([])
    outcome.expectExit(0)
    #expect(outcome.output.contains("no longer found, and removed"), "\(outcome.text)")
    #expect(explored.reproducers.sorted() == ["changed.yaml", "foreign.yaml"])
  }

  @Test("A folder that cannot be written to is refused before anything runs")
  func unwritable() throws {
    let explored = try Explored(Self.scenario("binary"), ["--save", "/proc/none/found"])
    #expect(explored.outcome.exitCode == 3, "\(explored.outcome.text)")
    #expect(explored.outcome.errorOutput.contains("cannot write to \"/proc/none/found\""))
    #expect(!explored.outcome.output.contains("faults tried"), "\(explored.outcome.text)")
    let file = try explored.explore(["--save", explored.path])
    file.expectExit(3)
  }

  @Test("Findings of several folders stand side by side in one")
  func severalFolders() throws {
    let folder = try TemporaryFolder()
    for name in ["one", "two"] {
      mkdir("\(folder.path)/\(name)", 0o700)
      folder.write("version: 2\n" + Self.scenario("binary") + "\n", to: "\(name)/case.yaml")
    }
    let outcome = try BuiltRunner.run([
      "explore", "-j1", "\(folder.path)/one", "\(folder.path)/two", "--save",
      "\(folder.path)/found",
    ])
    outcome.expectExit(1)
    let names = TemporaryFolder.names("\(folder.path)/found").sorted()
    #expect(names.count == 2)
    for (name, parent) in zip(names, ["one", "two"]) { #expect(name.hasPrefix("\(parent)-case")) }
    for name in names {
      try BuiltRunner.run(["run", "\(folder.path)/found/\(name)"]).expectExit(1)
      unlink("\(folder.path)/found/\(name)")
    }
    rmdir("\(folder.path)/found")
    for name in ["one", "two"] {
      unlink("\(folder.path)/\(name)/case.yaml")
      rmdir("\(folder.path)/\(name)")
    }
  }
}
