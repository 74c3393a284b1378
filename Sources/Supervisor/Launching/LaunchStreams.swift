internal import CSupervisor
internal import Foundations
internal import Glibc

/// The pipes of a target, or its terminal: the child's ends and the runner's.
struct LaunchStreams {
  let childInput: Int32
  let childOutput: Int32
  let childError: Int32
  private let input: Int32
  private let output: Int32
  private let error: Int32

  init(_ request: LaunchRequest) throws(LaunchError) {
    if let given = request.streams {
      self.init(given)
    } else if let size = request.terminal {
      try self.init(terminal: size)
    } else {
      try self.init(pipes: request.input)
    }
  }

  /// Creates the streams that a caller has given, of which the runner has no end.
  private init(_ given: LaunchRequest.Streams) {
    childInput = fcntl(given.input, F_DUPFD_CLOEXEC, 0)
    childOutput = fcntl(given.output, F_DUPFD_CLOEXEC, 0)
    childError = fcntl(given.error, F_DUPFD_CLOEXEC, 0)
    (input, output, error) = (-1, -1, -1)
  }

  /// Opens one terminal for all three streams.
  private init(terminal size: TerminalSize) throws(LaunchError) {
    var ends: (runner: Int32, program: Int32) = (-1, -1)
    let failure = scenario_open_terminal(size.columns, size.rows, &ends.runner, &ends.program)
    guard failure == 0 else { throw .failed(operation: "posix_openpt", errorNumber: failure) }
    childInput = ends.program
    childOutput = ends.program
    childError = ends.program
    input = ends.runner
    output = fcntl(ends.runner, F_DUPFD_CLOEXEC, 0)
    error = -1
    guard output >= 0 else {
      let number = errno
      close(ends.runner)
      close(ends.program)
      throw .failed(operation: "fcntl", errorNumber: number)
    }
  }

  private init(pipes mode: LaunchRequest.Input) throws(LaunchError) {
    var pipes = PipeOpening()
    let outputPipe = try pipes.open()
    let errorPipe = try pipes.open()
    switch mode {
    case .empty:
      childInput = try pipes.openNothing()
      input = -1
    case .descriptor(let descriptor):
      childInput = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      input = -1
    case .bytes, .open:
      let inputPipe = try pipes.open()
      childInput = inputPipe.read
      input = inputPipe.write
    }
    childOutput = outputPipe.write
    childError = errorPipe.write
    output = outputPipe.read
    error = errorPipe.read
    for descriptor in [input, output, error] where descriptor >= 0 {
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }
  }

  /// Keeps the runner's ends and closes the child's.
  func target(
    process: ThreadIdentifier, _ request: LaunchRequest, outputFolder: String
  ) -> LaunchedTarget {
    closeChildEnds()
    var bytes: [UInt8] = []
    var closes = request.terminal == nil
    switch request.input {
    case .empty, .descriptor: break
    case .bytes(let given): bytes = given
    case .open: closes = false
    }
    return LaunchedTarget(
      process: process, input: input, pendingInput: bytes, closesInput: closes, output: output,
      errorOutput: error, outputFolder: outputFolder, terminal: request.terminal)
  }

  func closeAll() {
    closeChildEnds()
    for descriptor in [input, output, error] where descriptor >= 0 { close(descriptor) }
  }

  private func closeChildEnds() {
    // The three are one where they are a terminal.
    for descriptor in Set([childInput, childOutput, childError]) where descriptor >= 0 {
      close(descriptor)
    }
  }
}
