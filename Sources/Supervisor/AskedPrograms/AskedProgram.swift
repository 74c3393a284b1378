internal import CSupervisor
internal import Foundations
internal import Glibc
internal import Patterns

/// What a program answers.
struct AnswerForm: Sendable {
  /// The longest answer, in bytes.
  var lengthLimit: Int
  /// What the program must do.
  var help: String
  /// True if messages quote what it writes to standard error.
  var quotesErrors: Bool

  /// Decisions about calls.
  static let decision = AnswerForm(
    lengthLimit: 1 << 16, help: "write one line for each line of standard input",
    quotesErrors: true)
  /// Replies to requests.
  static let reply = AnswerForm(
    lengthLimit: 64 << 20,
    help:
      #"print one line of JSON for each line of standard input, such as {"status": 200, "json": {}}"#,
    quotesErrors: false)
}

/// A program that reads a line of JSON for each question and answers with one.
///
/// A thread of its own starts it and ends it: the supervisor's thread would take its end for one of the target's.
final class AskedProgram {
  /// The longest time for an answer, of real time.
  private static let patience = Nanoseconds.seconds(10)
  /// The interval, in milliseconds, at which it is checked whether the answer is still awaited.
  private static let lookInterval: Int32 = 50

  private let thread: SupervisorThread
  private let ending: OneShot<Bool>
  private let input: Int32
  private let output: Int32
  /// What the program writes to standard error.
  private let errors: ProgramErrors
  /// The reading end of the pipe that it writes that to.
  private let errorOutput: Int32
  private let form: AnswerForm
  private var isBroken = false
  private var hasEnded = false
  /// True once the program has closed its standard error.
  private var hasClosedErrors = false
  private var buffered: [UInt8] = []

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - form: what its answers are.
  ///   - errors: keeps what it writes to standard error.
  init(_ command: [String], _ form: AnswerForm, errors: ProgramErrors) throws(PatternError) {
    self.form = form
    self.errors = errors
    var ends: [Int32] = [-1, -1, -1, -1, -1, -1]
    let error = ends.withUnsafeMutableBufferPointer { ends -> Int32 in
      guard let base = ends.baseAddress else { return ENOMEM }
      for first in [0, 2, 4] {
        let error = scenario_open_pipe(base + first, base + first + 1)
        guard error == 0 else { return error }
      }
      return 0
    }
    guard error == 0 else {
      for end in ends where end >= 0 { Glibc.close(end) }
      throw PatternError(
        "cannot create a pipe: \(SystemText.error(error))", help: "close other programs")
    }
    let (childInput, childOutput, childErrors) = (ends[0], ends[3], ends[5])
    (input, output, errorOutput) = (ends[1], ends[2], ends[4])
    // Who does not read is waited for no longer than who does not answer.
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
    _ = fcntl(errorOutput, F_SETFL, O_NONBLOCK)
    let started = OneShot<Int32>()
    let ending = OneShot<Bool>()
    self.ending = ending
    do {
      thread = try SupervisorThread {
        let (process, error) = Self.spawn(command, childInput, childOutput, childErrors)
        Glibc.close(childInput)
        Glibc.close(childOutput)
        Glibc.close(childErrors)
        started.leave(error)
        guard error == 0 else { return }
        // Nobody gets the number of the program, and of its process group, before it is waited for.
        _ = ending.value()
        kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
      }
    } catch {
      for end in ends { Glibc.close(end) }
      throw PatternError("cannot create a thread", help: "close other programs")
    }
    let failure = started.value()
    guard failure == 0 else {
      thread.join()
      Glibc.close(input)
      Glibc.close(output)
      Glibc.close(errorOutput)
      throw PatternError(
        "\"\(command.first ?? "")\" cannot start: \(SystemText.error(failure))",
        help: Self.help(for: failure))
    }
    errors.open(errorOutput)
  }

  private static func help(for error: Int32) -> String {
    switch error {
    case ENOENT: "name a program in a folder of PATH, or its path"
    case EACCES: "make it executable (chmod +x), or name a program that is"
    case EAGAIN, EMFILE, ENFILE, ENOMEM: "close other programs"
    default: "name a program that exists and can be executed"
    }
  }

  private static func spawn(
    _ command: [String], _ input: Int32, _ output: Int32, _ errors: Int32
  ) -> (Int32, Int32) {
    var process: pid_t = 0
    let error = withCStrings(command) { arguments in
      withCStrings(["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"]) { environment in
        var program = scenario_asked_program(
          arguments: arguments, environment: environment, standard_input: input,
          standard_output: output, standard_error: errors)
        return scenario_start_asked_program(&program, &process)
      }
    }
    return (process, error)
  }

  /// Asks the program; waits for its answer.
  ///
  /// - Parameter isOver: whether the answer is no longer needed; evaluated from time to time.
  /// - Throws: `PatternError` if there is none.
  func ask(_ question: String, isOver: () -> Bool) throws(PatternError) -> String {
    guard !isBroken else {
      throw PatternError("the program already failed", help: "see its first failure")
    }
    // What it says unasked would be taken for its next answer.
    guard buffered.isEmpty, !isReadable else {
      isBroken = true
      throw PatternError(
        "the program has written what nobody asked for: \(unasked)",
        help: "\(form.help), and nothing else")
    }
    let deadline = RunnerClock.now() + Self.patience
    func goesOn() -> Bool { RunnerClock.now() < deadline && !isOver() }
    guard write(Array((question + "\n").utf8), while: goesOn), let answer = readLine(while: goesOn)
    else {
      isBroken = true
      errors.read()
      let manner = hasEnded ? "ended without an answer to" : "did not answer"
      let error = form.quotesErrors ? errors.lastLine : nil
      throw PatternError(
        "the program \(manner) \(question.excerpt(limit: 400))"
          + (error.map { "; its last line of standard error is \($0.excerpt(limit: 200))" } ?? ""),
        help: "\(form.help), and flush the output")
    }
    return answer
  }

  /// True if there is output that was not read.
  private var isReadable: Bool {
    var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0 && descriptor.revents & Int16(POLLIN) != 0
  }

  /// The beginning of what the program has written unasked.
  private var unasked: String {
    let text = String(decoding: buffered.isEmpty ? read() : buffered, as: UTF8.self)
    return String(text.prefix { $0 != "\n" }).excerpt(limit: 200)
  }

  /// Writes a question; false if the program does not read it.
  private func write(_ line: [UInt8], while goesOn: () -> Bool) -> Bool {
    var rest = line[...]
    while !rest.isEmpty {
      guard goesOn() else { return false }
      let written = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
      if written > 0 {
        rest = rest.dropFirst(written)
        continue
      }
      guard errno == EAGAIN || errno == EINTR else {
        hasEnded = errno == EPIPE
        return false
      }
      _ = isReady(input, POLLOUT)
    }
    return true
  }

  private func readLine(while goesOn: () -> Bool) -> String? {
    var searched = 0
    while buffered.count < form.lengthLimit, goesOn() {
      if let end = buffered[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffered[..<end], as: UTF8.self)
        buffered.removeFirst(end + 1)
        return line
      }
      searched = buffered.count
      guard isReady(output, POLLIN) else { continue }
      let chunk = read()
      guard !chunk.isEmpty else {
        hasEnded = true
        return nil
      }
      buffered += chunk
    }
    return nil
  }

  /// Waits for a while until a descriptor is ready, and reads what comes by standard error meanwhile.
  private func isReady(_ descriptor: Int32, _ event: Int32) -> Bool {
    var descriptors = [
      pollfd(fd: descriptor, events: Int16(event), revents: 0),
      pollfd(fd: hasClosedErrors ? -1 : errorOutput, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&descriptors, 2, Self.lookInterval) > 0 else { return false }
    if descriptors[1].revents != 0 {
      errors.read()
      hasClosedErrors = descriptors[1].revents & Int16(POLLIN) == 0
    }
    return descriptors[0].revents != 0
  }

  /// Reads what is there.
  private func read() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      count = max(0, Glibc.read(output, buffer.baseAddress, 65_536))
    }
  }

  func end() {
    Glibc.close(input)
    Glibc.close(output)
    ending.leave(true)
    thread.join()
    errors.close()
  }
}
