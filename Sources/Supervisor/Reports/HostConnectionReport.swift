package import Foundations

/// The result of a call by which a process on one host connects to another host.
package struct HostConnectionReport: Sendable, Hashable {
  /// The answer.
  package enum Answer: Sendable, Hashable {
    /// The connection is there.
    case established
    /// There is no answer yet.
    case pending
    /// There will be none, for a reason that an errno names.
    case failed(Int32)
  }

  /// Its number among the connections between hosts, from 1.
  package var number: Int
  /// The process.
  package var process: Int32
  /// The process's number in start order, from 1.
  package var processOrdinal: Int
  /// The number of the process's host, from 0.
  package var from: Int
  /// The number of the other one.
  package var to: Int
  /// The requested port.
  package var port: UInt16
  /// The duration of the call, in virtual time.
  package var length: Nanoseconds
  /// The answer.
  package var answer: Answer
}
