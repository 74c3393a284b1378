internal import Patterns

/// Programs that are asked a line for a line: each is started when it is asked first, and kept running.
struct AskedPrograms {
  private let form: AnswerForm
  /// Keeps what the programs write to standard error; `nil` keeps it for each on its own.
  private let errors: ProgramErrors?
  private var programs: [[String]: AskedProgram] = [:]
  /// Why programs could not be started, which are not tried again.
  private var failures: [[String]: PatternError] = [:]

  /// Creates the holder of programs, of which none runs yet.
  ///
  /// - Parameters:
  ///   - form: what their answers are.
  ///   - errors: keeps what they write to standard error; `nil` keeps it for each on its own.
  init(_ form: AnswerForm = .decision, errors: ProgramErrors? = nil) {
    self.form = form
    self.errors = errors
  }

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
        program = try AskedProgram(command, form, errors: errors ?? ProgramErrors())
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
