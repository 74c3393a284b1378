package import Foundations

/// An event that the supervisor saw or caused.
package enum SupervisorEvent: Sendable {
  /// A process runs a program, which these variables point to the certificate authorities to trust.
  case processStarted(process: Int32, arguments: [String], trustVariables: [String])
  /// A process has ended.
  case processEnded(process: Int32, ExitStatus)
  /// Virtual time moved by this much.
  case clockMoved(by: Nanoseconds, reason: ClockMoveReason)
  /// The target set the scenario's wall clock, or tried to: `error` is the errno's name then.
  case clockSet(process: Int32, by: Nanoseconds, systemCall: String, error: String?)
  /// A chaos entry changed a call.
  case faultInjected(InjectedFault)
  /// A program that decides for a chaos entry has not decided.
  case chaosUndecided(entry: String, reason: String)
  /// An entry has let the machine crash, and what that leaves of files is not known.
  case crashUnknown(entry: String, reason: String)
  /// A file that a process has changed keeps the machine's time, and perhaps others do; reported
  /// once.
  case fileNotStamped(process: Int32, path: String?, errorNumber: Int32)
  /// A process does something that the supervisor cannot control.
  case outOfReach(process: Int32, reason: String)
  /// A file outside of the target's bounds was changed, or kept from it; reported once for each
  /// path.
  case changedOutside(process: Int32, OutsideAccount.Change, isRefused: Bool)
  /// A wait passes in real time; reported once per process and call. `length` is `nil` if it is not
  /// known.
  case waitEscaped(
    process: Int32, program: String, systemCall: String, length: Nanoseconds?, reason: String)
  /// The target has ended before its own first instruction, for want of what limits allow.
  case limitsTooSmall(process: Int32, program: String, limits: String)
  /// A limit has let a call fail, for the first time in its process.
  case limitStruck(process: Int32, LimitAccount)
  /// A port that a target has bound is the case's own.
  case portMoved(process: Int32, PortMove)
  /// A notice to the author, reported once.
  case notice(process: Int32, text: String)
}
