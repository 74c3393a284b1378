import Foundations
import ScenarioPlan
import Synchronization
import Testing

@testable import Supervisor

/// A program under a supervisor that watches functions.
final class WatchedProgram {
  let program: SupervisedProgram
  private let asked: Asked

  private final class Asked: Sendable {
    let calls = Mutex<[FunctionCall]>([])
  }

  /// The calls that were asked about.
  var calls: [FunctionCall] { asked.calls.withLock { $0 } }

  init(
    _ points: [FunctionPoint], firstDue: UInt64? = 1,
    clock: PlannedClock? = .from2030(.auto),
    decide: @escaping @Sendable (FunctionCall) -> FunctionVerdict = {
      FunctionVerdict(.original, nextDue: $0.occurrence + 1)
    }
  ) throws {
    let asked = Asked()
    self.asked = asked
    program = try SupervisedProgram(
      clock: clock,
      functions: FunctionFaults(
        points: points, firstDue: points.map { _ in firstDue },
        decide: { call, _ in
          asked.calls.withLock { $0.append(call) }
          return decide(call)
        }))
  }

  /// Runs a program to its end; what it has written.
  func run(
    _ path: String, _ arguments: [String], environment: [String] = [],
    input: LaunchRequest.Input = .empty
  ) throws -> String {
    try program.start([path] + arguments, input: input, environment: environment)
    #expect(program.awaitExit().hasHappened)
    return program.output
  }

  /// Runs a program of Tests/Programs.
  func run(_ words: String...) throws -> String {
    try run(try CompiledProgram.path(words[0]), Array(words.dropFirst()))
  }

  func counts() -> [UInt64] { program.supervisor.functionAccount().map(\.calls) }
}

extension FunctionAction {
  /// The call is made, and its result mapped; nobody waits for one that never returns.
  static func edited(
    _ map: @escaping @Sendable (FunctionResult, CallerMemory) -> FunctionResult
  ) -> FunctionAction { .edit(ResultEdit(map)) }
}
