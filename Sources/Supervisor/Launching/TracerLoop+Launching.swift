internal import CSupervisor
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

extension TracerLoop {
  /// Starts a target; `result` learns when its program runs, or why it does not.
  ///
  /// A restart is one that nobody waits for.
  func launch(
    _ request: LaunchRequest, as number: TargetNumber, isRestart: Bool = false,
    _ result: OneShot<LaunchError?>
  ) {
    if !hasLaunched { faults.begin() }
    hasLaunched = true
    do throws(LaunchError) {
      try checkProgram(request.path)
      let streams = try LaunchStreams(request)
      if request.terminal != nil { recordTerminal() }
      interceptors.find(FileContainment.self)?.expectCoverage(from: request.environment)
      var quiet = request
      quiet.environment = quietEnvironment(of: request)
      let started = startChild(quiet, streams)
      guard started.process >= 0 else {
        streams.closeAll()
        throw LaunchError(stage: started.stage, errorNumber: started.error_number)
      }
      let identifier = ThreadIdentifier(started.process)
      let process = TargetProcess(identifier, arguments: request.arguments)
      process.ordinal = tree.nextOrdinal()
      process.birth = clock.boot(real: RealClock.monotonic())
      process.target = number
      process.threads = [identifier]
      tree.add(process)
      let tracee = Tracee(identifier, of: process)
      tree.add(tracee)
      quiescence.sleepWatch.add(tracee)
      reportBirth(of: process, from: nil)
      configuration.census.record(tracees.count)
      if quiet.environment != request.environment {
        recordQuietLeakDetector(of: request.path, in: process)
      }
      pendingLaunches.append(
        PendingLaunch(
          target: number, process: identifier, errorPipe: started.error_pipe,
          memory: started.memory, result: result, isRestart: isRestart))
      let target = streams.target(
        process: identifier, request, outputFolder: configuration.directory ?? "/tmp")
      target.request = request
      target.ordinal = process.ordinal
      targets[number] = target
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
                filter_length: UInt16(program.count),
                memory_limit: UInt64(configuration.limits?.memory ?? 0),
                file_limit: UInt64(configuration.limits?.files ?? 0),
                is_seeded: configuration.entropy.isSeeded,
                has_terminal: request.terminal != nil)
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
    guard !pendingLaunches.isEmpty,
      let place = pendingLaunches.firstIndex(where: { $0.process == process })
    else { return }
    let launch = pendingLaunches.remove(at: place)
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
    if launch.isRestart {
      // Who waits for the target waits for what was started before, too: that is over.
      return faults.processes.recordLostRestart(
        of: launch.target, LaunchError(stage: stage, errorNumber: errorNumber), status)
    }
    targets[launch.target] = nil
    // The program did not fit, which the kernel finds when there is no way back.
    if stage == SCENARIO_LAUNCH_DONE, let limits = configuration.limits {
      launch.result.leave(.limitsTooSmall(limits.summary))
      return
    }
    launch.result.leave(LaunchError(stage: stage, errorNumber: errorNumber))
  }

  /// A process has ended: reports if the target has not even come to its own code, for want of what limits allow.
  func recordEndBeforeEntry(of process: TargetProcess) {
    guard let limits = configuration.limits, !process.hasEntered, !process.isDoomed, !isStopping,
      targets.begun(by: process.identifier) != nil,
      !pendingLaunches.contains(where: { $0.process == process.identifier })
    else { return }
    report(
      .limitsTooSmall(
        process: process.identifier.number, program: process.programName, limits: limits.summary))
  }
}

/// A launch whose program does not run yet.
struct PendingLaunch {
  var target: TargetNumber
  var process: ThreadIdentifier
  var errorPipe: Int32
  var memory: OpaquePointer?
  var result: OneShot<LaunchError?>
  /// Whether the target ran before, and nobody waits for the result.
  var isRestart = false
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
    case SCENARIO_LAUNCH_TERMINAL: self = .failed(operation: "TIOCSCTTY", errorNumber: errorNumber)
    case SCENARIO_LAUNCH_PIPE: self = .failed(operation: "pipe2", errorNumber: errorNumber)
    default: self = .failed(operation: "starting the program", errorNumber: errorNumber)
    }
  }
}

extension LaunchError {
  /// Why a program does not run, in words that stand behind a colon.
  var reason: String {
    switch self {
    case .foreignProgram(let reason): "its file \(reason)"
    case .limitsTooSmall(let limits): "it needs more than \(limits)"
    case .tracingForbidden(let number): "ptrace fails with \(Self.text(number))"
    case .filterForbidden(let number): "seccomp fails with \(Self.text(number))"
    case .cannotExecute(let number): "execve fails with \(Self.text(number))"
    case .failed(let operation, let number): "\(operation) fails with \(Self.text(number))"
    }
  }

  private static func text(_ number: Int32) -> String {
    ErrorNumber.numbered(number)?.name ?? "error \(number)"
  }
}

/// Calls `body` with a null-terminated array of C strings.
func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let pointers = strings.map { strdup($0) } + [nil]
  defer { for pointer in pointers { free(pointer) } }
  return pointers.withUnsafeBufferPointer { buffer in
    // The array is never empty, so it has a first element.
    withExtendedLifetime(pointers) { body(buffer.baseAddress.unsafelyUnwrapped) }
  }
}
