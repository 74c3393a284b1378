import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("A survey of the points at which faults could strike")
struct SurveyTests {
  private func survey(_ words: [String], _ list: String) throws -> SupervisedProgram {
    let program = try SupervisedProgram(chaos: try chaosEntries(list), surveys: true)
    try program.start(words)
    #expect(program.awaitExit().hasHappened)
    return program
  }

  @Test("Every call is seen, with what it is about, and none is changed")
  func calls() throws {
    let program = try survey(
      [try CompiledProgram.path("chaos_calls"), "crowd"],
      "  - { call: fsync, provide: original }")

    #expect(program.output == "failures=0\n")
    let points = program.points
    #expect(points.map(\.occurrence) == Array(1...1_000))
    #expect(Set(points.map(\.call)) == ["fsync"])
    #expect(points.allSatisfy { $0.program.hasSuffix("/chaos_calls") })
    #expect(Set(points.map(\.process)).count == 5)
    #expect(points.allSatisfy { $0.subject?.hasPrefix("/") == true })
  }

  @Test("Two runs see the same points, at the same places of the code")
  func repeated() throws {
    let list = "  - { call: [\"@alloc\"], provide: original }"
    let first = try survey(["/usr/bin/sort", "/etc/passwd"], list).points
    let second = try survey(["/usr/bin/sort", "/etc/passwd"], list).points

    #expect(first.count > 5)
    #expect(first == second)
    #expect(first.contains { $0.site?.hasPrefix("sort+0x") == true })
  }

  @Test("What the survey does not take is not seen")
  func others() throws {
    let program = try survey(
      ["/bin/sh", "-c", "echo hi"],
      "  - { call: write, where: { size: { greater_than: 100 } }, provide: original }")

    #expect(program.output == "hi\n")
    #expect(program.points == [])
  }
}
