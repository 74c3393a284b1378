internal import CSupervisor
internal import Glibc

/// The pipes of a target: the child's ends and the runner's.
struct LaunchStreams {
  let childInput: Int32
  let childOutput: Int32
  let childError: Int32
  private let input: Int32
  private let output: Int32
  private let error: Int32

  init(_ mode: LaunchRequest.Input) throws(LaunchError) {
    var opened: [Int32] = []
    func pipe() throws(LaunchError) -> (read: Int32, write: Int32) {
      var ends: (read: Int32, write: Int32) = (-1, -1)
      let error = scenario_open_pipe(&ends.read, &ends.write)
      guard error == 0 else {
        for descriptor in opened { close(descriptor) }
        throw .failed(operation: "pipe2", errorNumber: error)
      }
      opened += [ends.read, ends.write]
      return ends
    }
    let outputPipe = try pipe()
    let errorPipe = try pipe()
    switch mode {
    case .empty:
      childInput = open("/dev/null", O_RDONLY | O_CLOEXEC)
      input = -1
    case .bytes, .open:
      let inputPipe = try pipe()
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
  func target(process: ThreadIdentifier, input mode: LaunchRequest.Input) -> LaunchedTarget {
    closeChildEnds()
    var bytes: [UInt8] = []
    var closes = true
    switch mode {
    case .empty: break
    case .bytes(let given): bytes = given
    case .open: closes = false
    }
    return LaunchedTarget(
      process: process, input: input, pendingInput: bytes, closesInput: closes, output: output,
      errorOutput: error)
  }

  func closeAll() {
    closeChildEnds()
    for descriptor in [input, output, error] where descriptor >= 0 { close(descriptor) }
  }

  private func closeChildEnds() {
    for descriptor in [childInput, childOutput, childError] where descriptor >= 0 {
      close(descriptor)
    }
  }
}
