internal import CSupervisor
internal import ScenarioPlan

extension LaunchError {
  init(stage: scenario_launch_stage, errorNumber: Int32) {
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
  /// The reason why a program does not run, in words that follow a colon.
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
