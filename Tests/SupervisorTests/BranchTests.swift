import Foundations
import Glibc
import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("Branches at the points of a survey")
struct BranchTests {
  static let noMemory = BranchOrder(
    identifier: 1, provider: .error(ErrorNumber(name: "ENOMEM", code: ENOMEM)))
  static let nothing = BranchOrder(identifier: 2, provider: .original)

  /// What comes of a run, as verdicts see it.
  struct End: Equatable, CustomStringConvertible {
    var status: String
    var output: String
    var errors: String

    var description: String { "\(status) «\(output)» «\(errors)»" }
  }

  /// A run of its own with the fault at one point.
  private func rerun(_ words: [String], _ schedule: String, input: LaunchRequest.Input) throws
    -> End
  {
    let program = try SupervisedProgram(
      chaos: try chaosEntries(
        "  - { call: [\"@alloc\"], provide: { error: ENOMEM }, when: { \(schedule) } }"))
    try program.start(words, input: input)
    #expect(program.awaitExit().hasHappened)
    return End(
      status: String(describing: program.supervisor.exitStatus()), output: program.output,
      errors: program.errorOutput)
  }

  @Test(
    "At every point a branch ends as a run of its own does, and the trunk as if there were none",
    arguments: [
      (["/usr/bin/sort", "/etc/passwd"], 1), (["/bin/sed", "s/a/b/", "/etc/hostname"], 1),
      (["allocation", "3"], 1), (["allocation-static", "3"], 1),
      (["/bin/busybox", "sed", "s/a/b/", "/etc/hostname"], 1),
      (
        [
          "/usr/bin/sqlite3", ":memory:",
          "create table t(a); insert into t values(3); select * from t;",
        ], 25
      ),
    ])
  func allocations(_ command: [String], _ stride: Int) throws {
    let path =
      command[0].hasPrefix("/") ? command[0] : try CompiledProgram.path(command[0])
    let words = [path] + command.dropFirst()
    let run = try BranchedProgram()
    let trunk = try run.run(words, "  - { call: [\"@alloc\"], provide: original }") { _ in
      [Self.noMemory, Self.nothing]
    }
    let end = End(
      status: String(describing: trunk.supervisor.exitStatus()), output: trunk.output,
      errors: trunk.errorOutput)
    #expect(run.refusals == [])
    #expect(trunk.supervisor.exitStatus() == .exited(code: 0))

    // A static program without symbols allocates where nobody sees it.
    #expect(!run.outcomes.isEmpty || command[0] == "/bin/busybox")
    for (index, outcome) in run.outcomes.enumerated() {
      guard case .ran(let result) = outcome.result else { continue }
      let branch = End(
        status: String(describing: result.status),
        output: String(
          decoding: Array(trunk.output.utf8.prefix(result.outputBefore)) + result.output.bytes,
          as: UTF8.self),
        errors: String(
          decoding: Array(trunk.errorOutput.utf8.prefix(result.errorOutputBefore))
            + result.errorOutput.bytes, as: UTF8.self))
      if outcome.order == Self.nothing {
        #expect(branch == end)
      } else if index / 2 % stride == 0 {
        #expect(result.faults.count == 1)
        let other = try rerun(words, "nth: \(outcome.point.occurrence)", input: .empty)
        #expect(branch == other, "point \(outcome.point.occurrence)")
      }
    }
  }

  @Test("Under virtual time branches see the same clocks, and the trunk's stand still meanwhile")
  func virtualTime() throws {
    let run = try BranchedProgram()
    let trunk = try run.run(
      [
        "/usr/bin/perl", "-e",
        "use Time::HiRes qw(time sleep); syswrite STDOUT, time . qq(\n);"
          + "sleep 5; syswrite STDOUT, time . qq(\n)",
      ],
      "  - { call: write, provide: original }", clock: .from2030(.auto)
    ) { _ in [Self.nothing] }
    #expect(trunk.output == "1893456000\n1893456005\n")
    #expect(run.refusals == [])
    #expect(run.results.map(\.passed) == [.seconds(5), .zero])
    #expect(
      run.results.map { String(decoding: $0.output.bytes, as: UTF8.self) } == [
        trunk.output, "1893456005\n",
      ])
    #expect(run.results.map(\.outputBefore) == [0, 11])
  }
}
