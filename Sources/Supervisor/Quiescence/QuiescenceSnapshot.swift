/// A thread that the end of another one may wake.
///
/// A thread that ends alone, and leaves its descriptors to others of its process, wakes those who wait for a futex
/// (futex(2), CLONE_CHILD_CLEARTID of clone(2)), and nobody else: it need not be looked at those who wait for
/// descriptors, of whom there may be thousands.
struct Onlooker {
  /// The thread.
  let thread: Tracee
  /// The number of times that it had been given a processor, where it is in no watched call.
  let runs: UInt64
}

/// The state of the tree since everything was last seen asleep.
///
/// A look at every thread costs as much as there are threads. Where only one thread has run since,
/// and has made no call that could wake another, all others still sleep.
struct QuiescenceSnapshot {
  /// The thread that was woken since; `nil` if none was.
  var runner: Tracee?
  /// The number of times that each external participant had been given a processor.
  var externalRuns: [UInt64]
  /// The waiters that the end of a thread may wake.
  var onlookers: [Onlooker] = []
  /// The thread that makes its last call, and whose end is not yet reported.
  var leaver: Tracee?
  /// True if a thread has made its last call since the onlookers were seen asleep.
  var mayHaveWokenOnlookers = false

  /// The result of a look.
  enum Look {
    case asleep
    case awake
    /// Unknown: every thread must be examined.
    case unknown
  }
}
