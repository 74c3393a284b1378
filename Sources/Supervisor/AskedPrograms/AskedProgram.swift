internal import CSupervisor
internal import Foundations
internal import Glibc
internal import Patterns

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
  /// The longest answer, in bytes.
  private let lengthLimit: Int
  private var isBroken = false
  private var buffered: [UInt8] = []

  /// Starts a program.
  ///
  /// - Parameter lengthLimit: the longest answer, in bytes.
  init(_ command: [String], lengthLimit: Int) throws(PatternError) {
    self.lengthLimit = lengthLimit
    var ends: [Int32] = [-1, -1, -1, -1]
    let error = ends.withUnsafeMutableBufferPointer { ends -> Int32 in
      guard let base = ends.baseAddress else { return ENOMEM }
      let error = scenario_open_pipe(base, base + 1)
      return error == 0 ? scenario_open_pipe(base + 2, base + 3) : error
    }
    guard error == 0 else {
      for end in ends where end >= 0 { Glibc.close(end) }
      throw PatternError(
        "cannot create a pipe: \(SystemText.error(error))", help: "close other programs")
    }
    let (childInput, childOutput) = (ends[0], ends[3])
    (input, output) = (ends[1], ends[2])
    // Who does not read is waited for no longer than who does not answer.
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
    let started = OneShot<Int32>()
    let ending = OneShot<Bool>()
    self.ending = ending
    do {
      thread = try SupervisorThread {
        let (process, error) = Self.spawn(command, childInput, childOutput)
        Glibc.close(childInput)
        Glibc.close(childOutput)
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
      throw PatternError(
        "\"\(command.first ?? "")\" cannot start: \(SystemText.error(failure))",
        help: Self.help(for: failure))
    }
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
    _ command: [String], _ input: Int32, _ output: Int32
  ) -> (Int32, Int32) {
    var process: pid_t = 0
    let error = withCStrings(command) { arguments in
      withCStrings(["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"]) { environment in
        var program = scenario_asked_program(
          arguments: arguments, environment: environment, standard_input: input,
          standard_output: output)
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
        help: "write one line for each line of standard input, and nothing else")
    }
    let deadline = RunnerClock.now() + Self.patience
    func goesOn() -> Bool { RunnerClock.now() < deadline && !isOver() }
    guard write(Array((question + "\n").utf8), while: goesOn), let answer = readLine(while: goesOn)
    else {
      isBroken = true
      throw PatternError(
        "the program did not answer \(question.excerpt(limit: 400))",
        help: "answer each line of standard input with a line, and flush the output")
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
      guard errno == EAGAIN || errno == EINTR else { return false }
      var descriptor = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
      _ = poll(&descriptor, 1, Self.lookInterval)
    }
    return true
  }

  private func readLine(while goesOn: () -> Bool) -> String? {
    var searched = 0
    while buffered.count < lengthLimit, goesOn() {
      if let end = buffered[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffered[..<end], as: UTF8.self)
        buffered.removeFirst(end + 1)
        return line
      }
      searched = buffered.count
      var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, Self.lookInterval) > 0 else { continue }
      let chunk = read()
      guard !chunk.isEmpty else { return nil }
      buffered += chunk
    }
    return nil
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
  }
}
