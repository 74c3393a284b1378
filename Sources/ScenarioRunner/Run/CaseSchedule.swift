internal import ScenarioPlan

/// Decides which case runs next: knows the waiting and the running cases, and those that must not
/// run beside each other.
///
/// The first in order that may run is taken. A case that wants to be alone is passed over for as
/// long as others run, and so are cases that share a name with one that runs; as there are only so
/// many, each has its turn in the end. Whenever nothing runs, the first that waits may: none can
/// wait for ever.
struct CaseSchedule {
  /// The exclusive resources of one case.
  struct Entry: Sendable, Hashable {
    /// Its place in the plan.
    var index: Int
    /// Names that no two cases that run at once share.
    var exclusive: [String] = []
    /// True if nothing else runs meanwhile.
    var isAlone = false
  }

  /// The next action of a worker.
  enum Next: Hashable {
    /// Run the case of this index.
    case run(Int)
    /// Ask again when a case has ended.
    case wait
    /// End: no case waits any more.
    case over
  }

  /// The cases that wait, in order, behind `first`.
  private var waiting: [Entry]
  private var first = 0
  private var running: [Int: Entry] = [:]
  private var takenNames: Set<String> = []
  private var isTakenAlone = false

  /// Creates a schedule of cases that wait in this order.
  init(_ entries: [Entry]) {
    waiting = entries
  }

  /// The number of cases that run.
  var runningCount: Int { running.count }

  /// Takes the next case that may run now.
  mutating func next() -> Next {
    guard first < waiting.count else { return .over }
    guard !isTakenAlone else { return .wait }
    for place in first..<waiting.count where mayRun(waiting[place]) {
      let entry = waiting[place]
      take(at: place)
      running[entry.index] = entry
      takenNames.formUnion(entry.exclusive)
      isTakenAlone = entry.isAlone
      return .run(entry.index)
    }
    return .wait
  }

  /// A case has ended.
  mutating func finish(_ index: Int) {
    guard let entry = running.removeValue(forKey: index) else { return }
    takenNames.subtract(entry.exclusive)
    if entry.isAlone { isTakenAlone = false }
  }

  /// Begins no more cases.
  mutating func close() {
    waiting = []
    first = 0
  }

  private func mayRun(_ entry: Entry) -> Bool {
    if entry.isAlone { return running.isEmpty }
    return takenNames.isDisjoint(with: entry.exclusive)
  }

  /// Removes an entry; at the front, where it nearly always is, nothing is moved.
  private mutating func take(at place: Int) {
    guard place > first else {
      first += 1
      if first > 1_024, first * 2 > waiting.count {
        waiting.removeFirst(first)
        first = 0
      }
      return
    }
    waiting.remove(at: place)
  }
}

extension CaseSchedule.Entry {
  /// Creates the entry of a planned case.
  init(_ plannedCase: PlannedCase, index: Int) {
    self.init(
      index: index, exclusive: plannedCase.execution?.exclusive ?? [],
      isAlone: plannedCase.execution?.isAlone ?? false)
  }
}
