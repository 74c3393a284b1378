internal import CSupervisor
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

/// The services that the start of targets needs of the tracing loop.
protocol LaunchKernel: ProgramKernel {
  /// The pseudo-terminals of the target.
  var terminals: Terminals { get }
  /// True if the run of the target is being ended.
  var isStopping: Bool { get }

  /// Adds the first process of a target.
  func addFirst(_ process: TargetProcess)
}

/// Starts targets.
final class Launcher {
  private unowned let kernel: any LaunchKernel
  private let configuration: SupervisorConfiguration
  /// The filter of every process; `nil` where none is needed.
  let filter: FilterProgram?
  /// Calls that are refused to every process from outside.
  let refusedCalls: RefusedCalls
  /// Prepares programs that begin.
  let programs: ProgramStarter
  private let leakDetectors: LeakDetectors
  /// The targets that have been started.
  let targets = LaunchedTargets()
  /// Launches whose programs do not run yet; one, unless a target is being started again.
  private var pending: [PendingLaunch] = []
  /// The only processor that targets run on; negative where they run on any.
  private var processor: Int32 = -1
  /// True if any target has been started.
  private(set) var hasLaunched = false

  /// - Parameters:
  ///   - kernel: who traces the targets.
  ///   - configuration: their world.
  ///   - filter: the filter of every process.
  ///   - refusedCalls: calls that are refused to every process from outside.
  ///   - template: what is mapped into programs; `nil` where nothing is.
  init(
    kernel: any LaunchKernel, _ configuration: SupervisorConfiguration, filter: FilterProgram?,
    refusedCalls: RefusedCalls, template: InjectedImage.Template?
  ) {
    self.kernel = kernel
    self.configuration = configuration
    self.filter = filter
    self.refusedCalls = refusedCalls
    programs = ProgramStarter(
      kernel: kernel, template: template, isVirtual: configuration.clock != nil)
    leakDetectors =
      kernel.interceptors.find(LeakDetectors.self) ?? LeakDetectors(kernel: kernel)
  }

  /// Creates the launcher of a branch of another one's target.
  convenience init(
    kernel: any LaunchKernel, _ configuration: SupervisorConfiguration, copying trunk: Launcher
  ) {
    self.init(
      kernel: kernel, configuration, filter: trunk.filter, refusedCalls: trunk.refusedCalls,
      template: trunk.programs.template)
  }

  /// True if a launch is on its way.
  var isLaunching: Bool { !pending.isEmpty }

  /// Starts a target; `result` gets nothing when its program runs, or the error for which it does
  /// not.
  ///
  /// No caller waits for a restart.
  func launch(
    _ request: LaunchRequest, as number: TargetNumber, isRestart: Bool = false,
    _ result: OneShot<LaunchError?>
  ) {
    if !hasLaunched { kernel.faults.begin() }
    hasLaunched = true
    do throws(LaunchError) {
      try checkProgram(request.path)
      let streams = try LaunchStreams(request)
      if request.terminal != nil || request.streams?.isTerminal ?? false {
        kernel.terminals.beginUse()
      }
      kernel.interceptors.find(FileContainment.self)?.expectCoverage(from: request.environment)
      var quiet = request
      quiet.environment = leakDetectors.quietEnvironment(of: request)
      let started = startChild(quiet, streams)
      guard started.process >= 0 else {
        streams.closeAll()
        throw LaunchError(stage: started.stage, errorNumber: started.error_number)
      }
      let identifier = ThreadIdentifier(started.process)
      let process = TargetProcess(
        identifier, arguments: request.arguments, memories: kernel.tree.memories)
      process.ordinal = kernel.tree.nextOrdinal()
      process.birth = kernel.clock.boot(real: RealClock.monotonic())
      process.target = number
      kernel.addFirst(process)
      if quiet.environment != request.environment {
        leakDetectors.reportQuiet(request.path, in: process)
      }
      pending.append(
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
    // Where threads take turns, none is to be in the kernel beside another one either.
    if configuration.takesTurns, processor < 0 { processor = scenario_processor() }
    let processor = processor
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
                keeps_mask: configuration.keepsFileModeMask,
                is_seeded: configuration.entropy.isSeeded, processor: processor,
                has_terminal: request.terminal != nil || request.streams?.isTerminal ?? false)
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
  func finish(_ process: ThreadIdentifier, status: ExitStatus?) {
    guard !pending.isEmpty,
      let place = pending.firstIndex(where: { $0.process == process })
    else { return }
    let launch = pending.remove(at: place)
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
      return kernel.faults.processes.recordLostRestart(
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

  /// Reports a process that ended before its own code ran, because its limits are too small.
  func recordEndBeforeEntry(of process: TargetProcess) {
    guard let limits = configuration.limits, !process.hasEntered,
      !kernel.faults.processes.isDoomed(process),
      !kernel.isStopping, targets.begun(by: process.identifier) != nil,
      !pending.contains(where: { $0.process == process.identifier })
    else { return }
    kernel.report(
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
  /// True if the target ran before, and no caller waits for the result.
  var isRestart = false
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
