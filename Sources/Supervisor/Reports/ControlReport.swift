package import Foundations

/// Virtual time that has passed for what a program has computed.
package struct ComputingCharge: Sendable, Hashable {
  /// The program's name without its folder.
  package var program: String
  /// The length of the wait.
  package var length: Nanoseconds
}

/// The order in which threads have run, one at a time.
package struct OrderReport: Sendable, Hashable {
  /// The number of turns that were given.
  package internal(set) var turns: UInt64
  /// The digest of the history of turns.
  package internal(set) var digest: UInt64
  /// The reasons why another run may not be the same.
  package internal(set) var doubts: [String]
}

/// The waits and processes that the supervisor held, and those that escaped it.
package struct ControlReport: Sendable, Hashable {
  /// The number of timed waits that were held.
  package internal(set) var waits = 0
  /// The number of kinds of wait, by process and call, that passed in real time.
  package internal(set) var escapedWaits = 0
  /// The number of programs that could not be held.
  package internal(set) var processesOutOfReach = 0
  /// The number of times that virtual time was moved.
  package internal(set) var moves = 0
  /// The total by which it was moved.
  package internal(set) var moved = Nanoseconds.zero
  /// The programs for whose computing time has passed, and how much; the first ones.
  package private(set) var charges: [ComputingCharge] = []

  /// The programs that have read the processor's time stamp counter, which shows the machine's
  /// time; the first ones.
  package private(set) var counterReaders: [String] = []

  /// The order in which threads have run; `nil` where the kernel has decided it.
  package internal(set) var order: OrderReport?

  /// The largest number of programs that are named.
  private static let nameLimit = 8

  /// A program has read the counter.
  mutating func recordCounterReader(_ program: String) {
    guard counterReaders.count < Self.nameLimit, !counterReaders.contains(program) else { return }
    counterReaders.append(program)
  }

  /// Time has passed for what a program has computed.
  mutating func recordCharge(_ length: Nanoseconds, to program: String) {
    if let place = charges.firstIndex(where: { $0.program == program }) {
      charges[place].length += length
    } else if charges.count < Self.nameLimit {
      charges.append(ComputingCharge(program: program, length: length))
    }
  }

  /// Creates a report of nothing.
  package init() {}
}
