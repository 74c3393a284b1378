/// The way in which a process ended.
package enum ExitStatus: Sendable, Hashable {
  /// The process exited by itself, with this code.
  case exited(code: Int32)
  /// A signal ended the process.
  case signaled(number: Int32)
}
