/// How a process ended.
package enum ExitStatus: Sendable, Hashable {
  /// By itself, with this code.
  case exited(code: Int32)
  /// By a signal.
  case signaled(number: Int32)
}
