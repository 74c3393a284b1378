extension ExitCode {
  /// The reason why it is not 0, in a few words; `nil` for success.
  package var reason: String? {
    switch self {
    case .passed: nil
    case .failed: "an expectation failed"
    case .invalidInput: "the input is invalid"
    case .undecided: "an error prevented a result"
    case .nothingSelected: "nothing was selected"
    case .outstanding: "earlier failures are outstanding"
    case .planDiffers: "the plan differs"
    case .internalError: "a bug in scenario"
    case .timedOut: "the run took longer than its limit"
    case .hungUp: "stopped by SIGHUP"
    case .interrupted: "stopped by SIGINT"
    case .quit: "stopped by SIGQUIT"
    case .terminated: "stopped by SIGTERM"
    }
  }
}
