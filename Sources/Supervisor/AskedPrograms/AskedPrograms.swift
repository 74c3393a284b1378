internal import Patterns

/// Programs that are asked a line for a line: each is started when it is asked first, and kept running.
struct AskedPrograms {
  private let lengthLimit: Int
  private var programs: [[String]: AskedProgram] = [:]
  /// Why programs could not be started, which are not tried again.
  private var failures: [[String]: PatternError] = [:]

  /// Creates the holder of programs, of which none runs yet.
  ///
  /// - Parameter lengthLimit: the longest answer, in bytes.
  init(lengthLimit: Int = 1 << 16) { self.lengthLimit = lengthLimit }

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
        program = try AskedProgram(command, lengthLimit: lengthLimit)
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
