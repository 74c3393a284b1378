import Foundations
import Glibc
import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("What branches do, and what is left of it")
struct BranchEffectTests {
  private static let failure = BranchOrder(
    identifier: 7, provider: .error(ErrorNumber(name: "EIO", code: EIO)))
  private static let survey = "  - { call: fsync, provide: original }"

  private func run(
    _ words: [String], of program: String = "branches", clock: PlannedClock? = nil,
    input: LaunchRequest.Input = .empty,
    realLimit: Nanoseconds = .seconds(10), virtualLimit: Nanoseconds = .seconds(3_600),
    _ orders: [BranchOrder] = [failure]
  ) throws -> BranchedProgram {
    let run = try BranchedProgram()
    try run.run(
      [try CompiledProgram.path(program)] + words, Self.survey, clock: clock, input: input,
      realLimit: realLimit, virtualLimit: virtualLimit
    ) { _ in orders }
    return run
  }

  private func text(_ bytes: [UInt8]?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: - Files

  @Test(
    "Files, positions, flags, times and locks are put back, and told",
    arguments: ["branches", "branches-static", "branches-musl"])
  func files(_ program: String) throws {
    let run = try run(["files"], of: program, [Self.failure, Self.failure])

    #expect(run.refusals == [])
    #expect(run.outcomes.allSatisfy { $0.disturbance == nil })
    #expect(run.program?.output == "whole\n")
    #expect(run.results.count == 2)
    for result in run.results {
      #expect(result.status == .exited(code: 3))
      #expect(text(result.output.bytes) == "branched\n")
      let files = Dictionary(
        uniqueKeysWithValues: result.files.map { file in
          (String(file.path.dropFirst(run.folder.count + 1)), file)
        })
      #expect(files["kept"]?.change == .changed)
      #expect(text(files["kept"]?.contents) == "KEPT\n")
      #expect(files["kept"]?.permissions == 0o600)
      #expect(files["short"]?.digest == ContentDigest.of(Array("a l".utf8)))
      #expect(files["directory/elsewhere"]?.change == .made)
      #expect(text(files["new/file"]?.contents) == "new\n")
      #expect(files["sync"]?.change == BranchFile.Change.none)
      #expect(
        result.removed.map { $0.dropFirst(run.folder.count + 1) } == [
          "folder", "folder/inner", "gone", "link", "moved",
        ])
    }
    #expect(
      FolderList.names(in: run.folder) == [
        "folder", "gone", "kept", "link", "log", "moved", "short", "sync",
      ])
  }

  @Test("What lies in standard input is there again for the trunk, and for each branch")
  func input() throws {
    let run = try run(
      ["input"], input: .bytes(Array("abcdefgh".utf8)), [Self.failure, Self.failure])

    #expect(run.refusals == [])
    #expect(run.program?.output == "a+bcdefgh\n")
    #expect(run.results.map { text($0.output.bytes) } == ["a+bcde\n", "a+bcde\n"])
  }

  // MARK: - Ends

  @Test("A crash is reported, of the first process and of another")
  func crashes() throws {
    let first = try run(["then", "crash"])
    #expect(first.results.first?.status == .signaled(number: SIGSEGV))
    #expect(first.results.first?.crashes.map(\.signal) == [SIGSEGV])
    #expect(first.program?.output == "calm\n")

    let other = try run(["then", "crashing-child"])
    #expect(other.results.first?.status == .exited(code: 6))
    #expect(other.results.first?.crashes.map(\.signal) == [SIGABRT])
    #expect(other.results.first?.crashes.map(\.process) == [2])

    let none = try run(["then", "crash"], [BranchOrder(identifier: 1, provider: .original)])
    #expect(none.results.first?.crashes == [])
    #expect(none.results.first?.status == .exited(code: 0))
  }

  @Test("A branch that waits for ever, or computes for ever, comes to an end; the trunk goes on")
  func hangs() throws {
    let stuck = try run(["then", "pause"], clock: .from2030(.auto))
    guard case .stuck(let situations)? = stuck.results.first?.ending else {
      Issue.record("\(stuck.outcomes)")
      return
    }
    #expect(situations.map(\.activity) == ["sleeps in pause for a signal"])
    #expect(text(stuck.results.first?.output.bytes) == "pause\n")
    #expect(stuck.results.first?.status == nil)
    #expect(stuck.program?.output == "calm\n")

    let loop = try run(["then", "loop"], realLimit: .milliseconds(200))
    guard case .outOfRealTime? = loop.results.first?.ending else {
      Issue.record("\(loop.outcomes)")
      return
    }
    #expect(loop.program?.output == "calm\n")

    let sleep = try run(["then", "sleep"], clock: .from2030(.auto))
    guard case .outOfVirtualTime? = sleep.results.first?.ending else {
      Issue.record("\(sleep.outcomes)")
      return
    }
    let nap = try run(["then", "nap"], clock: .from2030(.auto))
    #expect(nap.results.first?.ending == .exited)
    #expect(nap.results.first?.passed == .seconds(60))
    #expect(nap.program?.supervisor.snapshot().control.moved == .zero)
  }

  @Test("Processes that are left behind are reported and ended")
  func daemons() throws {
    let run = try run(["then", "daemon"])

    #expect(run.results.first?.status == .exited(code: 5))
    #expect(run.results.first?.remainders == [.init(process: 2, program: "branches")])
    #expect(run.program?.output == "calm\n")
    let ended = run.program?.events.filter { event in
      if case .processEnded = event { return true }
      return false
    }
    #expect(ended?.count == 1)
  }

  @Test("The trunk is never signalled, nor does it see a child")
  func signals() throws {
    let group = try run(["then", "group"])
    #expect(group.results.first?.status == .signaled(number: SIGTERM))
    #expect(group.program?.output == "calm\n")

    let old = try run(["then", "signal"])
    #expect(old.results.isEmpty)
    #expect(old.refusals.first?.contains("not its own") == true)
    #expect(old.program?.output == "calm\n")
  }

  // MARK: - Refusals

  @Test(
    "Where a fork would not be the same, there is none",
    arguments: [
      ("threads", "threads"), ("child", "2 processes"), ("zombie", "has children"),
      ("socket", "a socket"), ("pipe", "a pipe"), ("shared", "shares writable memory"),
      ("alarm", "timers"),
      ("lock", "a lock"), ("pending", "a signal"), ("foreign", "writes \"/tmp/branches-foreign"),
    ])
  func refusals(_ scene: String, _ reason: String) throws {
    let run = try run(["with", scene])

    #expect(run.results.isEmpty)
    #expect(run.refusals.count == 1)
    #expect(run.refusals.first?.contains(reason) == true, "\(run.refusals)")
    #expect(run.program?.output == "\(scene) went well\n")
  }

  @Test(
    "A branch that would change what is not watched is not believed, and changes nothing",
    arguments: [
      ("write-outside", "\"/tmp/branches-outside\""), ("remove-outside", "branches-foreign-2"),
      ("connect", "communicates with another process"),
    ])
  func outside(_ scene: String, _ reason: String) throws {
    unlink("/tmp/branches-outside")
    let run = try run(["then", scene])

    #expect(run.results.isEmpty)
    #expect(run.refusals.first?.contains(reason) == true, "\(run.refusals)")
    #expect(run.program?.output == "calm\n")
    #expect(access("/tmp/branches-outside", F_OK) != 0)
  }

  // MARK: - Many

  @Test("From there on means every later call, once means one")
  func onwards() throws {
    let sequence = PlannedProvider.sequence([
      .original, .original, .error(ErrorNumber(name: "EIO", code: EIO)),
    ])
    let run = try run(
      ["many", "5"],
      [
        BranchOrder(identifier: 1, provider: sequence, isOnwards: true),
        BranchOrder(identifier: 2, provider: sequence),
      ])

    #expect(run.refusals == [])
    #expect(run.outcomes.map(\.order.identifier) == [1, 2, 1, 2, 1, 2, 1, 2, 1, 2])
    let outputs = run.results.map { text($0.output.bytes) }
    #expect(
      outputs == [
        "failed at 3\n", "done\n", "failed at 4\n", "done\n", "failed at 5\n", "done\n", "done\n",
        "done\n", "done\n", "done\n",
      ])
  }

  @Test("A thousand points leave nobody behind")
  func thousand() throws {
    let folder = try BranchedProgram()
    let program = try folder.run(
      [try CompiledProgram.path("branches"), "many", "1000"], Self.survey
    ) { _ in [Self.failure] }

    #expect(folder.refusals == [])
    #expect(folder.results.count == 1_000)
    #expect(folder.results.allSatisfy { $0.status == .exited(code: 1) })
    #expect(text(folder.results.last?.output.bytes) == "failed at 1000\n")
    #expect(program.output == "done\n")
    #expect(program.points.count == 1_000)
    // Its processes are known by the folder in which they run, as those of others run elsewhere.
    #expect(folder.processes() == [])
  }

  // MARK: - The end of the trunk

  @Test("A program of Go has threads: it is not branched, and goes on")
  func go() throws {
    let run = try BranchedProgram()
    let program = try run.run(
      [try CompiledProgram.path("tickers"), "3s", "1s"],
      "  - { call: [\"@write\", \"@alloc\"], provide: original }",
      clock: .from2030(.auto)
    ) { _ in [Self.failure] }

    #expect(program.supervisor.exitStatus() == .exited(code: 0))
    #expect(run.outcomes.count == program.points.count && !run.outcomes.isEmpty)
    // Until its runtime has made threads it is like any other.
    #expect(run.refusals.contains { $0.contains("threads") || $0.contains("begin") })
    #expect(run.outcomes.allSatisfy { $0.disturbance == nil })
  }

  @Test("Who stops or cancels in the middle of a branch ends it", arguments: [true, false])
  func stopping(_ isStopped: Bool) throws {
    let folder = try BranchedProgram()
    let program = try folder.start(
      [try CompiledProgram.path("branches"), "then", "loop"], Self.survey, realLimit: .seconds(600)
    ) { _ in [Self.failure] }
    // The branch has begun once it has written.
    #expect(folder.hasBegun())
    #expect(!folder.processes().isEmpty)
    if isStopped {
      program.stop()
    } else {
      program.supervisor.cancel()
      let end = RunnerClock.now() + .seconds(100)
      guard case .cancelled = program.supervisor.awaitExit(deadline: end) else {
        Issue.record("the wait was not cancelled")
        return
      }
      program.stop()
    }
    // A branch that its own bound had ended would have told how.
    #expect(folder.outcomes.isEmpty)
  }

  @Test("A program that waits for what never comes is stuck also where its time is the machine's")
  func stuckInRealTime() throws {
    let run = try run(["then", "pause"])
    guard case .stuck? = run.results.first?.ending else {
      Issue.record("\(run.outcomes)")
      return
    }
    #expect(run.program?.output == "calm\n")
  }
}
