import Foundations
import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import ScenarioSyntax
import Testing

@testable import Supervisor

/// A program run to its end with chaos entries that a test writes out.
enum ChaosRun {
  /// What the program wrote, and the program.
  static func output(
    _ words: [String], _ list: String
  ) throws -> (output: String, program: SupervisedProgram) {
    let text = "version: 2\ntarget: { command: [/bin/true] }\nchaos:\n" + list
    let file = try #require(ScenarioFile.parse(text: text, path: "test.yaml").file)
    let (plan, diagnostics) = Planner.plan(
      files: [file], options: PlannerOptions(fileExists: { _ in true }))
    #expect(diagnostics.map(\.message) == [])
    let entries = try #require(plan?.cases.first?.chaos)
    let program = try SupervisedProgram(chaos: entries)
    let path = words[0].hasPrefix("/") ? words[0] : try CompiledProgram.path(words[0])
    try program.start([path] + words.dropFirst())
    #expect(program.awaitExit().hasHappened)
    return (program.output, program)
  }
}

@Suite("Chaos in several messages of one call")
struct ChaosMessageTests {
  @Test(
    "sendmmsg sends less, other bytes or nothing, and its structures are as before",
    arguments: [
      ("original", "result=3 error=0 lengths=4,4,4,", "abcd,efgh,ijkl,"),
      ("{ short: 7 }", "result=2 error=0 lengths=4,3,", "abcd,efg,"),
      ("{ short: 4 }", "result=1 error=0 lengths=4,", "abcd,"),
      ("{ short: 1 }", "result=1 error=0 lengths=1,", "a,"),
      ("{ short: 99 }", "result=3 error=0 lengths=4,4,4,", "abcd,efgh,ijkl,"),
      ("{ corrupt: { truncate: 6 } }", "result=3 error=0 lengths=4,4,4,", "abcd,ef,"),
      ("{ corrupt: { zero: 2, offset: 3 } }", "result=3 error=0 lengths=4,4,4,", "abc.,.fgh,ijkl,"),
      ("lie", "result=3 error=0 lengths=4,4,4,", ""),
      ("{ error: ENOBUFS }", "result=-1 error=105 lengths=", ""),
    ])
  func sending(provide: String, told: String, arrived: String) throws {
    let (output, _) = try ChaosRun.output(
      ["chaos_messages", "send"], "  - { call: sendmmsg, provide: \(provide) }")

    #expect(output == "\(told) same=1 own=ab,cd,ef,gh,ij,kl, arrived=\(arrived)\n")
  }

  @Test(
    "recvmmsg receives less or other bytes, and its structures are as before",
    arguments: [
      ("original", "result=3 error=0 lengths=4,4,4,", "abcd,efgh,ijkl,"),
      ("{ short: 6 }", "result=2 error=0 lengths=4,2,", "abcd,ef,"),
      ("{ corrupt: { truncate: 5 } }", "result=2 error=0 lengths=4,1,", "abcd,e,"),
      ("{ corrupt: { zero: 2, offset: 3 } }", "result=3 error=0 lengths=4,4,4,", "abc.,.fgh,ijkl,"),
    ])
  func receiving(provide: String, told: String, text: String) throws {
    let (output, _) = try ChaosRun.output(
      ["chaos_messages", "receive"], "  - { call: recv, provide: \(provide) }")

    #expect(output == "\(told) same=1 text=\(text)\n")
  }
}

@Suite("Computed bytes")
struct ComputedByteTests {
  @Test(
    "Each byte is computed from itself and its place, and the caller's own are as before",
    arguments: [
      ("byte - 32", "abcd,efgh,ijkl,".uppercased()), ("index < 6 ? byte : 0x2a", "abcd,ef**,****,"),
      ("byte", "abcd,efgh,ijkl,"),
    ])
  func sending(expression: String, arrived: String) throws {
    let (output, _) = try ChaosRun.output(
      ["chaos_messages", "send"],
      "  - { call: send, provide: { compute: { bytes: '\(expression)' } } }")

    #expect(output.hasSuffix(" same=1 own=ab,cd,ef,gh,ij,kl, arrived=\(arrived)\n"))
  }

  @Test("What was read is computed as far as it came")
  func reading() throws {
    let messages = try ChaosRun.output(
      ["chaos_messages", "receive"],
      "  - { call: recv, provide: { compute: { bytes: byte - 32 } } }")
    let file = try ChaosRun.output(
      ["chaos_calls", "registers"],
      "  - { call: pread, provide: { compute: { bytes: byte + 1, result: result - 1 } } }")

    #expect(messages.output.hasSuffix(" text=ABCD,EFGH,IJKL,\n"))
    #expect(file.output == "result=9 size=64 same=1 text=123456789:\n")
  }
}
