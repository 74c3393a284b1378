import Foundations
import Testing

@testable import Supervisor

/// Runs a program of Tests/Programs that waits, under a clock that begins at 2030-01-01T00:00:00Z.
enum WaitProgram {
  /// The program's output, once it has ended.
  static func output(
    _ words: [String], flow: ClockFlow = .auto, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let program = try SupervisedProgram(clock: .from2030(flow))
    try program.start([try CompiledProgram.path(words[0])] + words.dropFirst())
    let result = program.awaitExit()
    #expect(result.hasHappened, "\(result)", sourceLocation: sourceLocation)
    return program.output
  }
}
