internal import CSupervisor
internal import Glibc
internal import ScenarioModel

extension SupervisorLoop {
  // MARK: - Launching

  /// Starts the target; `result` learns when its program runs, or why it does not.
  func launch(_ request: LaunchRequest, _ result: Rendezvous<LaunchError?>) {
    do throws(LaunchError) {
      try checkProgram(request.path)
      let streams = try LaunchStreams(request.input)
      let started = startChild(request, streams)
      guard started.process >= 0 else {
        streams.closeAll()
        throw LaunchError(stage: started.stage, errorNumber: started.error_number)
      }
      let identifier = ThreadIdentifier(started.process)
      let process = TargetProcess(identifier, arguments: request.arguments)
      process.threads = [identifier]
      processes[identifier] = process
      tracees[identifier] = Tracee(identifier, of: process)
      pendingLaunch = PendingLaunch(
        process: identifier, errorPipe: started.error_pipe, memory: started.memory,
        result: result)
      target = streams.target(process: identifier, input: request.input)
    } catch {
      result.leave(error)
    }
  }

  private func startChild(
    _ request: LaunchRequest, _ streams: LaunchStreams
  ) -> scenario_launch_result {
    let instructions = filter?.instructions ?? []
    return instructions.withUnsafeBufferPointer { program in
      withCStrings(request.arguments) { arguments in
        withCStrings(request.environment) { environment in
          request.path.withCString { path in
            request.directory.withCString { directory in
              var launch = scenario_launch_request(
                path: path, arguments: arguments, environment: environment, directory: directory,
                standard_input: streams.childInput, standard_output: streams.childOutput,
                standard_error: streams.childError,
                filter: instructions.isEmpty ? nil : program.baseAddress,
                filter_length: UInt16(program.count))
              return scenario_launch(&launch, scenario_trace_options())
            }
          }
        }
      }
    }
  }

  /// Refuses what this machine's supervisor cannot hold, with a better reason than the kernel's.
  private func checkProgram(_ path: String) throws(LaunchError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      // A program may be executable and not readable; then the kernel decides.
      if errno == EACCES, access(path, X_OK) == 0 { return }
      throw .cannotExecute(errorNumber: errno)
    }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: 20)
    guard read(descriptor, &header, 20) == 20, header[..<4] == [0x7f, 0x45, 0x4c, 0x46] else {
      return
    }
    let machine = UInt16(header[18]) | UInt16(header[19]) << 8
    guard header[4] == 2 else {
      throw .foreignProgram("is a 32-bit program")
    }
    guard machine == Architecture.elfMachine else {
      throw .foreignProgram("is not a program for \(Architecture.name)")
    }
  }

  /// The launch's process runs its program (`status` is nil), or has ended.
  func finishLaunch(of process: ThreadIdentifier, status: ExitStatus?) {
    guard let launch = pendingLaunch, launch.process == process else { return }
    pendingLaunch = nil
    defer {
      close(launch.errorPipe)
      scenario_launch_release(launch.memory)
    }
    guard status != nil else {
      launch.result.leave(nil)
      return
    }
    var errorNumber: Int32 = 0
    let stage = scenario_launch_report(launch.errorPipe, &errorNumber)
    target = nil
    launch.result.leave(LaunchError(stage: stage, errorNumber: errorNumber))
  }

  // MARK: - Clocks

  func apply(_ change: ClockChange) {
    let real = RealClock.monotonic()
    switch change {
    case .travel(let instant): clock.travel(to: resolve(instant, real), real: real)
    case .jump(let length): clock.jump(by: length, real: real)
    case .freeze(let instant): clock.freeze(at: instant.map { resolve($0, real) }, real: real)
    case .returnToPresent: clock.returnToPresent(real: real)
    case .beginBlock: blockStack.append(clock.displacement(real: real))
    case .endBlock:
      if let displacement = blockStack.popLast() { clock.restore(displacement, real: real) }
    }
    publishClock()
  }

  private func resolve(_ instant: InstantExpression, _ real: Nanoseconds) -> WallInstant {
    switch instant {
    case .absolute(let instant): instant
    case .shift(let length): clock.wall(real: real) + length
    }
  }

  func schedule(after delay: Nanoseconds, _ body: @escaping @Sendable () -> Void) {
    nextCompanion += 1
    companions[nextCompanion] = body
    let instant = clock.monotonic(real: RealClock.monotonic()) + delay
    _ = timeline.file(.monotonic(instant), for: .companion(nextCompanion))
  }
}

/// A launch whose program does not run yet.
struct PendingLaunch {
  var process: ThreadIdentifier
  var errorPipe: Int32
  var memory: OpaquePointer?
  var result: Rendezvous<LaunchError?>
}

extension LaunchError {
  fileprivate init(stage: scenario_launch_stage, errorNumber: Int32) {
    switch stage {
    case SCENARIO_LAUNCH_TRACE: self = .tracingForbidden(errorNumber: errorNumber)
    case SCENARIO_LAUNCH_FILTER, SCENARIO_LAUNCH_PRIVILEGES:
      self = .filterForbidden(errorNumber: errorNumber)
    case SCENARIO_LAUNCH_EXEC: self = .cannotExecute(errorNumber: errorNumber)
    case SCENARIO_LAUNCH_DIRECTORY: self = .failed(operation: "chdir", errorNumber: errorNumber)
    case SCENARIO_LAUNCH_STREAMS: self = .failed(operation: "dup2", errorNumber: errorNumber)
    case SCENARIO_LAUNCH_FORK: self = .failed(operation: "fork", errorNumber: errorNumber)
    case SCENARIO_LAUNCH_PIPE: self = .failed(operation: "pipe2", errorNumber: errorNumber)
    default: self = .failed(operation: "starting the program", errorNumber: errorNumber)
    }
  }
}

/// The pipes of a target: the child's ends and the runner's.
private struct LaunchStreams {
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

/// Calls `body` with a null-terminated array of C strings.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let pointers = strings.map { strdup($0) } + [nil]
  defer { for pointer in pointers { free(pointer) } }
  return pointers.withUnsafeBufferPointer { buffer in
    // The array is never empty, so it has a first element.
    withExtendedLifetime(pointers) { body(buffer.baseAddress.unsafelyUnwrapped) }
  }
}

extension LaunchedTarget {
  /// A stream by its name.
  func captured(_ stream: StandardStream) -> CapturedStream {
    switch stream {
    case .output: output
    case .error: errorOutput
    }
  }
}
