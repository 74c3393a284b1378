package import Foundations

/// An observation that the supervisor makes often, and reports only to a listener.
package enum TraceRecord: Sendable {
  /// The reason why a wait was over.
  package enum WaitEnd: Sendable {
    /// Its time was up.
    case due
    /// The event that the wait was for came before its deadline.
    case woken
    /// A signal interrupted it.
    case interrupted
    /// Its thread ended.
    case gone
  }

  /// A process of the tree of a target was born; `parent` is the number of the one that made it, in the order of births,
  /// and `target` that of the target.
  case born(process: Int32, ordinal: Int, parent: Int?, program: String, target: Int)
  /// A timed wait was over, which was to last `requested` and lasted, in virtual and in real time, this long.
  case waited(
    WaitDescription, processOrdinal: Int, threadOrdinal: Int, requested: Nanoseconds,
    length: Nanoseconds, realLength: Nanoseconds, WaitEnd)
  /// The target wrote so many bytes, which begin like this; `process` is `nil` where several may have.
  case wrote(
    StandardStream, beginning: [UInt8], count: Int, process: (number: Int32, ordinal: Int)?)
  /// A signal was delivered to a process.
  case signalled(process: Int32, ordinal: Int, signal: Int32)
  /// A process has requested a connection to another host; with the result.
  case connected(HostConnectionReport)
}
