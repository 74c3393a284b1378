import ScenarioPlan
import Synchronization
import Testing

@testable import Supervisor

@Suite("What a point on a function sees and does")
struct FunctionActionTests {
  /// What getenv was asked, and from where.
  private final class Seen: Sendable {
    let texts = Mutex<[String]>([])
  }

  /// Runs a program that prints the variable FIRST, while getenv is answered otherwise.
  private func run(
    seen: Seen = Seen(),
    _ action: @escaping @Sendable (FunctionCall, CallerMemory) -> FunctionAction
  ) throws -> (output: String, exit: String) {
    let program = try SupervisedProgram(
      functions: FunctionFaults(
        points: [FunctionPoint(names: ["getenv"], place: .library("libc"))], firstDue: [1],
        decide: { call, memory in
          seen.texts.withLock {
            $0.append(memory.place(of: call.caller)?.file ?? "?")
            $0.append(memory.memory.readText(at: call.arguments[0]) ?? "?")
          }
          return FunctionVerdict(action(call, memory), nextDue: call.occurrence + 1)
        }))
    try program.start(
      [try CompiledProgram.path("functions"), "variable"],
      environment: ["FIRST=one", "SECOND=second"])
    #expect(program.awaitExit().hasHappened)
    return (program.output, program.supervisor.exitStatus().map { "\($0)" } ?? "none")
  }

  @Test("It sees the arguments, what they point to, and where the call comes from")
  func sight() throws {
    let seen = Seen()

    #expect(try run(seen: seen) { _, _ in .original }.output == "one\n")
    #expect(seen.texts.withLock { $0 } == [try CompiledProgram.path("functions"), "FIRST"])
  }

  @Test("It answers with a text, or with nothing")
  func texts() throws {
    #expect(try run { _, _ in .text("a text") }.output == "a text\n")
    #expect(try run { _, _ in .result(FunctionResult()) }.output == "none\n")
  }

  @Test("It makes the call with another argument")
  func arguments() throws {
    let changed = try run { call, _ in .arguments([0: call.arguments[0] + 6], then: .original) }

    #expect(changed.output == "second\n")
  }

  @Test("It changes what the result points to")
  func buffers() throws {
    let edited = try run { _, _ in
      .edited { result, memory in
        #expect(memory.bytes(3, at: result.integer) == Array("one".utf8))
        _ = Array("O".utf8).withUnsafeBytes {
          memory.memory.writeAsKernel($0, at: result.integer)
        }
        return result
      }
    }

    #expect(edited.output == "One\n")
  }

  @Test("It ends the process, with a code or by a signal")
  func ends() throws {
    let ended = try run { _, _ in .exit(7) }
    #expect(ended.output == "")
    #expect(ended.exit == "exited(code: 7)")
    #expect(try run { _, _ in .signal(9, then: .original) }.exit == "signaled(number: 9)")
  }
}
