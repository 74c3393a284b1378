/// The reason why the target could not be started.
package enum LaunchError: Error, Sendable, Hashable {
  /// The file is not a program for this machine.
  case foreignProgram(String)
  /// ptrace(2) is not allowed here.
  case tracingForbidden(errorNumber: Int32)
  /// seccomp(2) is not allowed here.
  case filterForbidden(errorNumber: Int32)
  /// The program needs more than these limits allow.
  case limitsTooSmall(String)
  /// execve(2) failed.
  case cannotExecute(errorNumber: Int32)
  /// Another operation failed.
  case failed(operation: String, errorNumber: Int32)
}
