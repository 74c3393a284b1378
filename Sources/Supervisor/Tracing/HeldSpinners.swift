internal import Foundations

/// A spinner that is held in the stop at a call's entry until there is something new for it to see.
struct HeldSpinner {
  /// The registers at the entry.
  var entry: Registers
  /// True if it waits for the clock to move; others wait for what other threads do.
  var readsClock: Bool
  /// The instant at which it was held, of one of many programs that each read the clock: others have
  /// nothing to show to it.
  var newcomerSince: UInt64?

  /// The thread's activity for reports.
  var activity: String {
    if newcomerSince != nil {
      return "busy-waits on a frozen clock, like many programs before it"
    }
    if readsClock { return "busy-waits on a frozen clock" }
    let name = SystemCallTable.current.name(of: entry.systemCall)
    return "calls \(name) repeatedly, and nothing changes"
  }
}

/// The spinners that are held, and what happened since they last looked.
struct HeldSpinners {
  /// The state of the tree when nothing but spinners had anything to do.
  ///
  /// Two equal views mean that a spinner which polled between them has seen all there was to see.
  struct View: Equatable {
    /// The instant of virtual time.
    var clockGeneration: UInt64
    /// The number of stops, without those of spinners.
    var stopCount: UInt64
    /// The numbers of times that the threads which are not watched have run.
    var runCounts: [UInt64]
  }

  /// The largest number of turns that spinners get one after the other at one instant: the bound
  /// for those that do something between, which the others must be shown.
  static let turnLimit = 1_000
  /// The largest number of rounds of turns for spinners that may wait for each other.
  static let roundLimit = 8

  /// The threads that are held; some may be gone.
  var threads: Set<ThreadIdentifier> = []
  /// The number of stops, without those of spinners.
  var stopCount: UInt64 = 0
  /// The view at the last turn of the spinners.
  var view: View?
  /// The number of turns at this instant.
  var turns = 0
  /// Since when, by the runner's clock, they have turned with nothing new to see.
  var idleSince: Nanoseconds?
  /// The time of the last turn, on the kernel's CLOCK_MONOTONIC, in nanoseconds.
  var lastTurn: Int64 = 0
}
