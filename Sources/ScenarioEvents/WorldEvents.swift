package import Foundations

// Events for timelines only: they exist where a report asks for them.

/// A process was born.
package struct ProcessBirth: Sendable, Hashable, Codable {
  /// Its number in the order of births, from 1.
  package var ordinal: Int
  /// The number of the process that made it; `nil` for one that a step has started.
  package var parent: Int?
  /// The name of the program that it runs at first, without its folder.
  package var program: String
  /// The host that it is on; `nil` if on none.
  package var host: String?
  /// The name of its target; `nil` where the case has one target only.
  package var target: String?

  /// Creates a description.
  package init(
    ordinal: Int, parent: Int?, program: String, host: String? = nil, target: String? = nil
  ) {
    self.ordinal = ordinal
    self.parent = parent
    self.program = program
    self.host = host
    self.target = target
  }
}

/// A timed wait of one thread, reported when it is over.
package struct WaitSpan: Sendable, Hashable, Codable {
  /// The reason why a wait was over.
  package enum End: String, Sendable, Hashable, Codable {
    /// Its time was up.
    case due
    /// The wait's event came before its time was up.
    case woken
    /// A signal interrupted it.
    case interrupted
    /// Its thread ended, or its process was killed.
    case gone
  }

  /// The process's number in the order of births, from 1.
  package var processOrdinal: Int
  /// The thread's number within its process, from 1.
  package var threadOrdinal: Int
  /// The call.
  package var systemCall: String
  /// Virtual time since the scenario's start when it began.
  package var from: Nanoseconds
  /// Virtual time since the scenario's start when it was over.
  package var to: Nanoseconds
  /// The length that was asked for, in virtual time.
  package var requested: Nanoseconds
  /// Real time that it took.
  package var realLength: Nanoseconds
  /// The reason why it was over.
  package var end: End

  /// Creates a description.
  package init(
    processOrdinal: Int, threadOrdinal: Int, systemCall: String, from: Nanoseconds,
    to: Nanoseconds, requested: Nanoseconds, realLength: Nanoseconds, end: End
  ) {
    self.processOrdinal = processOrdinal
    self.threadOrdinal = threadOrdinal
    self.systemCall = systemCall
    self.from = from
    self.to = to
    self.requested = requested
    self.realLength = realLength
    self.end = end
  }
}

/// A piece of the target's output, as it was read.
package struct OutputPiece: Sendable, Hashable, Codable {
  /// `stdout` or `stderr`.
  package var stream: String
  /// Its beginning, invalid UTF-8 repaired.
  package var text: String
  /// The number of bytes that were written.
  package var byteCount: Int
  /// The number of the process that wrote it; `nil` where several may have.
  package var processOrdinal: Int?

  /// Creates a description.
  package init(stream: String, text: String, byteCount: Int, processOrdinal: Int? = nil) {
    self.stream = stream
    self.text = text
    self.byteCount = byteCount
    self.processOrdinal = processOrdinal
  }
}

/// Counts the events of a case that were not reported one by one.
package struct DroppedEvents: Sendable, Hashable, Codable {
  /// The number of further waits.
  package var waits: Int
  /// The sum of their lengths, in virtual time.
  package var waited: Nanoseconds
  /// The number of further pieces of output.
  package var pieces: Int
  /// The number of bytes that they had.
  package var bytes: Int
  /// The number of further births.
  package var births: Int
  /// The number of further signals; `nil` for none.
  package var signals: Int?
  /// The number of further states of connections between hosts; `nil` for none.
  package var connections: Int?
  /// The number of further messages and pieces of bodies; `nil` for none.
  package var messages: Int?

  /// Creates an account; all zero at first.
  package init(
    waits: Int = 0, waited: Nanoseconds = .zero, pieces: Int = 0, bytes: Int = 0, births: Int = 0
  ) {
    self.waits = waits
    self.waited = waited
    self.pieces = pieces
    self.bytes = bytes
    self.births = births
  }

  /// True if all was reported.
  package var isEmpty: Bool { self == DroppedEvents() }
}
