extension ExitCode {
  /// The reason why it is not 0, in a few words; `nil` for success.
  package var reason: String? {
    switch self {
    case .passed: nil
    case .failed: "an expectation was false"
    case .invalidInput: "the input is invalid"
    case .undecided: "something could not be decided"
    case .nothingSelected: "nothing was selected"
    case .outstanding: "earlier failures are outstanding"
    case .planDiffers: "the plan is another one"
    case .internalError: "a bug in scenario"
    case .timedOut: "the run took longer than it may"
    case .hungUp: "stopped by SIGHUP"
    case .interrupted: "stopped by SIGINT"
    case .quit: "stopped by SIGQUIT"
    case .terminated: "stopped by SIGTERM"
    }
  }
}
