package import Foundations

/// What the supervisor held, and what escaped it.
package struct ControlReport: Sendable, Hashable {
  /// How many timed waits were held.
  package internal(set) var waits = 0
  /// How many kinds of wait, by process and call, passed in real time.
  package internal(set) var escapedWaits = 0
  /// How many programs could not be held.
  package internal(set) var processesOutOfReach = 0
  /// How often virtual time was moved.
  package internal(set) var moves = 0
  /// By how much in all.
  package internal(set) var moved = Nanoseconds.zero

  /// The programs that have read the processor's time stamp counter, which tells the machine's time; the first ones.
  package private(set) var counterReaders: [String] = []

  /// How many of them are named.
  private static let readerLimit = 8

  /// A program has read the counter.
  mutating func recordCounterReader(_ program: String) {
    guard counterReaders.count < Self.readerLimit, !counterReaders.contains(program) else { return }
    counterReaders.append(program)
  }

  /// Nothing has happened.
  package init() {}
}
