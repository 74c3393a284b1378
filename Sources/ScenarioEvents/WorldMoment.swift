package import Foundations

/// One of the last events in an environment before a failure, in words.
package struct WorldMoment: Sendable, Hashable, Codable {
  /// The kind of event.
  package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A step began.
    case step
    /// A process was born, or runs a program.
    case start
    /// A process has ended.
    case end
    /// A signal reached a process.
    case signal
    /// Virtual time moved, or a clock was set.
    case clock
    /// A timed wait was over.
    case wait
    /// The mock server received a request.
    case request
    /// A connection between hosts has another state, or hosts were cut off from each other.
    case connection
    /// A chaos entry changed a call.
    case fault
    /// A limit of the target let a call fail.
    case limit
    /// The target wrote something.
    case output
    /// A wait or a process escaped control.
    case escape
  }

  /// The kind of event.
  package var kind: Kind
  /// Time since the scenario's start: virtual, or real where the clock is real; of several, the last one's.
  package var elapsed: Nanoseconds
  /// The number of the process in the order of births, from 1; `nil` where there is none, or it is not known.
  package var process: Int?
  /// The name of the program that it runs, without its folder.
  package var program: String?
  /// The event in one line; an ellipsis for what was left out.
  package var text: String
  /// The number of times that it happened, one behind the other; `nil` for once.
  package var count: Int?

  /// Creates a moment.
  package init(
    kind: Kind, elapsed: Nanoseconds, process: Int? = nil, program: String? = nil, text: String,
    count: Int? = nil
  ) {
    self.kind = kind
    self.elapsed = elapsed
    self.process = process
    self.program = program
    self.text = text
    self.count = count
  }
}

/// A signal that has reached a process.
package struct SignalDelivery: Sendable, Hashable, Codable {
  /// The process's number in the order of births, from 1.
  package var processOrdinal: Int
  /// The signal's name without SIG, or its number.
  package var signal: String

  /// Creates a description.
  package init(processOrdinal: Int, signal: String) {
    self.processOrdinal = processOrdinal
    self.signal = signal
  }
}
