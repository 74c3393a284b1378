internal import Foundations

/// Looks now and then whether any thread of a target has run, while its clock flows by itself.
///
/// There no event tells that everything sleeps, and real time brings much that nobody sees coming: it takes
/// some looks until it counts.
struct StandstillWatch {
  /// The real time from one look to the next.
  private static let interval = Nanoseconds.seconds(1)
  /// The number of looks, one after the other, between which nothing may have run.
  private static let lookCount = 3

  /// The number of times that each thread had been given a processor, at the last look.
  private var runCounts: [ThreadIdentifier: UInt64] = [:]
  /// The number of looks that have found no difference.
  private var stillLooks = 0
  private var nextLook = Nanoseconds.zero

  /// Looks, if it is time to, and returns whether no thread has run for a while.
  ///
  /// - Parameter real: the runner's clock.
  mutating func lasts(among tracees: [ThreadIdentifier: Tracee], real: Nanoseconds) -> Bool {
    guard real >= nextLook else { return false }
    nextLook = real + Self.interval
    let former = runCounts
    runCounts = tracees.mapValues { $0.sampler.runCount() }
    // A kernel that does not count says nought.
    guard !runCounts.isEmpty, runCounts == former, !runCounts.values.contains(0) else {
      stillLooks = 0
      return false
    }
    stillLooks += 1
    return stillLooks >= Self.lookCount
  }
}
