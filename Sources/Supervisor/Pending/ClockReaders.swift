/// Detects processes that read the clock while threads compute: they may wait for a time to come
/// without a call that says so.
///
/// One that has read the clock between two looks, while the clock stood, goes on until a time has
/// come, or may. From then on one read at each instant is enough.
struct ClockReaders {
  /// The instant of the last look, as its clocks' generation; `nil` before the first look.
  private var instant: UInt64?
  /// The clock reads of each by then, as numbers that change with each read.
  private var counts: [ThreadIdentifier: UInt64] = [:]
  /// The processes that read the clock.
  private var known: Set<ThreadIdentifier> = []
  /// True if one of those has read it at this instant.
  private(set) var haveRead = false

  /// True if there are none.
  var isEmpty: Bool { known.isEmpty }

  /// Checks processes for reads of the clock.
  ///
  /// - Parameters:
  ///   - processes: all of them, each with a number that changes when it reads the clock at this
  ///     instant; 0 if it has not.
  ///   - instant: the clocks' generation.
  mutating func look(
    at processes: [(process: ThreadIdentifier, reads: UInt64)], instant: UInt64
  ) {
    let isSame = self.instant == instant
    if !isSame { haveRead = false }
    var stillKnown: Set<ThreadIdentifier> = []
    for (process, reads) in processes {
      let isKnown = known.contains(process)
      let hasRead = isSame ? counts[process].map { $0 != reads } ?? false : isKnown && reads > 0
      if hasRead || isKnown { stillKnown.insert(process) }
      if hasRead { haveRead = true }
    }
    known = stillKnown
    counts = Dictionary(processes.map { ($0.process, $0.reads) }) { $1 }
    self.instant = instant
  }

  /// Forgets all readers, as everything sleeps.
  mutating func forget() {
    if instant != nil { self = ClockReaders() }
  }
}
