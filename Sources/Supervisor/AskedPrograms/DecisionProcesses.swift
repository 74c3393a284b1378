internal import Patterns

/// The programs that decide for chaos entries: each is started when it is asked first, and kept running.
struct DecisionProcesses {
  private var programs: [[String]: AskedProgram] = [:]
  /// Why programs could not be started, which are not tried again.
  private var failures: [[String]: PatternError] = [:]

  /// Asks a program; waits for its answer.
  ///
  /// - Parameter isOver: whether the answer is no longer needed; evaluated from time to time.
  /// - Throws: `PatternError` if there is none.
  mutating func ask(
    _ command: [String], _ question: String, isOver: () -> Bool
  ) throws(PatternError) -> String {
    let program: AskedProgram
    if let known = programs[command] {
      program = known
    } else {
      if let failure = failures[command] { throw failure }
      do {
        program = try AskedProgram(command)
      } catch {
        failures[command] = error
        throw error
      }
      programs[command] = program
    }
    return try program.ask(question, isOver: isOver)
  }

  /// Ends all programs.
  mutating func close() {
    for program in programs.values { program.end() }
    programs = [:]
  }
}
