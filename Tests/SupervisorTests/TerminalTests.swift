import Foundations
import Testing

@testable import Supervisor

@Suite("Pseudo-terminals")
struct TerminalTests {
  private func run(_ words: [String]) throws -> String {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start([try CompiledProgram.path("terminal")] + words)
    #expect(program.awaitExit().hasHappened)
    return program.output
  }

  @Test("No wait runs out while a word is under way to the other end, or back")
  func answers() throws {
    #expect(try run(["1000"]).hasPrefix("answers=1000 timeouts=0 "))
  }

  @Test("A word that nobody answers is waited for as long as the program says")
  func silence() throws {
    #expect(try run(["3", "silent"]) == "answers=0 timeouts=3 elapsed_ns=15000000000\n")
  }
}
