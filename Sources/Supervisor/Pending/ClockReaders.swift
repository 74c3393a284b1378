/// Which of the threads that compute look at the clock meanwhile.
///
/// One that has read the clock between two looks, while the clock stood, goes on computing until a time has come, or may.
/// From then on one read at each instant is enough.
struct ClockReaders {
  /// At which instant, as its clocks' generation, was looked last; `nil` before the first look.
  private var instant: UInt64?
  /// How often each had read the clock by then, in numbers that change with each time.
  private var counts: [ThreadIdentifier: UInt64] = [:]
  /// Those that look at the clock.
  private var known: Set<ThreadIdentifier> = []

  /// Whether there are none.
  var isEmpty: Bool { known.isEmpty }

  /// Looks at threads.
  ///
  /// - Parameters:
  ///   - threads: all that compute, each with a number that changes when it reads the clock at this instant; nought if
  ///     it has not.
  ///   - instant: the clocks' generation.
  /// - Returns: the first that has read the clock since the look before; `nil` if none has.
  mutating func look(
    at threads: [(thread: ThreadIdentifier, reads: UInt64)], instant: UInt64
  ) -> ThreadIdentifier? {
    let isSame = self.instant == instant
    var reader: ThreadIdentifier?
    var stillKnown: Set<ThreadIdentifier> = []
    for (thread, reads) in threads {
      let isKnown = known.contains(thread)
      let hasRead = isSame ? counts[thread].map { $0 != reads } ?? false : isKnown && reads > 0
      if hasRead || isKnown { stillKnown.insert(thread) }
      if hasRead, reader == nil { reader = thread }
    }
    known = stillKnown
    counts = Dictionary(threads.map { ($0.thread, $0.reads) }) { $1 }
    self.instant = instant
    return reader
  }

  /// Everything sleeps.
  mutating func forget() {
    if instant != nil { self = ClockReaders() }
  }
}
