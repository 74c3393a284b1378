package import ScenarioPlan

/// A survey of every call that one of its chaos entries takes, before the call is made.
///
/// The provider of these entries is `original`: the target runs as if they were not there.
package struct FaultSurvey: Sendable {
  /// The reason why calls on a file are no points.
  package enum Preparation: Sendable, Hashable {
    /// A program reads it to begin: a library, a locale, what the loader and libc are configured by.
    case startup
    /// A program loads it, and what it allocates until its next call about something else belongs to that.
    case loading
  }

  /// The places of its entries.
  package var entries: Set<Int>
  /// Receives each call, on the supervisor's thread.
  package var sight: @Sendable (FaultPoint) -> Void
  /// The faults that are tried at the points that are seen; `nil` for none.
  package var branches: BranchPlan?
  /// Whether calls about a path only prepare what the program is there for, and are no points.
  ///
  /// `nil` where all calls are points. Asked on the supervisor's thread.
  package var preparation: (@Sendable (String) -> Preparation?)?

  /// Creates a survey.
  package init(entries: Set<Int>, sight: @escaping @Sendable (FaultPoint) -> Void) {
    self.entries = entries
    self.sight = sight
  }
}

/// The calls of a surveyed run so far.
struct SurveyState {
  private struct Caller: Hashable {
    var entry: Int
    var lineage: [UInt32]
  }

  private var process: ThreadIdentifier?
  private var counts: [Caller: Int] = [:]

  /// True if a process loads something, so that what it allocates is no point meanwhile.
  var isPaused: Bool { process != nil }

  /// Returns whether it is this process.
  func isPaused(for other: ThreadIdentifier) -> Bool { process == other }

  /// A process begins to load something; false if it was known.
  mutating func pause(for other: ThreadIdentifier) -> Bool {
    defer { process = other }
    return process != other
  }

  /// A process does something else; false if it had not loaded anything.
  mutating func goOn(for other: ThreadIdentifier) -> Bool {
    guard process == other else { return false }
    process = nil
    return true
  }

  /// Counts a call that a thread makes for an entry; which it is, from 1.
  mutating func count(_ entry: Int, by lineage: [UInt32]) -> Int {
    let caller = Caller(entry: entry, lineage: lineage)
    let count = counts[caller, default: 0] + 1
    counts[caller] = count
    return count
  }
}
