internal import Foundations
package import Patterns
internal import Synchronization

/// Programs that answer questions, a line for a line: each is started when it is asked first, and kept running.
///
/// They run outside of the target's world, as those of chaos entries do. Each gets its questions one after the other, on
/// a thread of its own; the programs of two commands answer side by side.
package final class AnsweringPrograms: Sendable {
  private let programs = Mutex<[[String]: AnsweringProgram]?>([:])

  /// Creates the programs of a case, of which none runs yet.
  package init() {}

  /// Asks a program; calls back on any thread, unless the programs are closed before.
  ///
  /// - Parameters:
  ///   - command: the program, a path or a name in PATH, and its arguments.
  ///   - question: the question, without line feeds.
  package func ask(
    _ command: [String], _ question: String,
    completion: @escaping @Sendable (Result<String, PatternError>) -> Void
  ) {
    let program = programs.withLock { programs -> AnsweringProgram? in
      guard let known = programs?[command] else {
        let new = AnsweringProgram(command)
        programs?[command] = new
        return programs == nil ? nil : new
      }
      return known
    }
    program?.ask(question, completion)
  }

  /// What the programs have written to standard error until now, in order of their commands: the end of it, and whether
  /// something stands before that.
  package func errors() -> [(command: [String], end: [UInt8], isCut: Bool)] {
    let all = programs.withLock { $0 ?? [:] }
    return all.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { command, program in
      let (end, isCut) = program.errors.text()
      return (command, end, isCut)
    }
  }

  /// Ends all programs, and waits for that; the callers are not called back any more.
  package func close() {
    let all = programs.withLock { programs in
      defer { programs = nil }
      return programs ?? [:]
    }
    for program in all.values { program.close() }
  }
}

/// One of the programs, and the questions that wait for it.
private final class AnsweringProgram: Sendable {
  private struct Question: Sendable {
    var line: String
    var completion: @Sendable (Result<String, PatternError>) -> Void
  }

  private struct State {
    var questions: [Question] = []
    /// The thread that asks, or has asked last; it must be joined.
    var thread: SupervisorThread?
    var isAsking = false
    var isClosed = false
  }

  let command: [String]
  /// What the program writes to standard error.
  let errors = ProgramErrors()
  private let state = Mutex(State())
  /// The program; only the thread that asks, and then who closes, uses it.
  private let program: Mutex<AskedPrograms>

  init(_ command: [String]) {
    self.command = command
    program = Mutex(AskedPrograms(.reply, errors: errors))
  }

  func ask(
    _ line: String, _ completion: @escaping @Sendable (Result<String, PatternError>) -> Void
  ) {
    let failure = state.withLock { state -> PatternError? in
      guard !state.isClosed else { return nil }
      state.questions.append(Question(line: line, completion: completion))
      guard !state.isAsking else { return nil }
      // It has nothing left to do.
      state.thread?.join()
      state.thread = nil
      do {
        state.thread = try SupervisorThread { self.askAll() }
        state.isAsking = true
        return nil
      } catch {
        state.questions.removeLast()
        return PatternError("cannot create a thread", help: "close other programs")
      }
    }
    if let failure { completion(.failure(failure)) }
  }

  private func askAll() {
    while let question = next() {
      let answer = answer(to: question.line)
      guard !state.withLock({ $0.isClosed }) else { return }
      question.completion(answer)
    }
  }

  private func next() -> Question? {
    state.withLock { state in
      guard !state.isClosed, !state.questions.isEmpty else {
        state.isAsking = false
        return nil
      }
      return state.questions.removeFirst()
    }
  }

  private func answer(to line: String) -> Result<String, PatternError> {
    program.withLock { [command] program in
      do throws(PatternError) {
        return .success(
          try program.ask(command, line) { self.state.withLock { $0.isClosed } })
      } catch {
        return .failure(error)
      }
    }
  }

  func close() {
    let thread = state.withLock { state in
      state.isClosed = true
      state.questions = []
      defer { state.thread = nil }
      return state.thread
    }
    thread?.join()
    program.withLock { $0.close() }
  }
}
