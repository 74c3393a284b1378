package import Foundations

/// What became of the call by which a process on one host asked another host for a connection.
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
  /// The process's number in the order of births, from 1.
  package var processOrdinal: Int
  /// The number of the process's host, from 0.
  package var from: Int
  /// The number of the other one.
  package var to: Int
  /// The port that it asked for.
  package var port: UInt16
  /// How long the call took, in virtual time.
  package var length: Nanoseconds
  /// The answer.
  package var answer: Answer
}
