package import Foundations

/// The waits that made virtual time pass during one operation: the most frequent ones, in bounded
/// space.
///
/// When a new wait finds no room, it takes the place and the count of the least frequent one
/// (Metwally, Agrawal and El Abbadi's "space saving"): a wait more frequent than one in `capacity`
/// is certainly in the list.
struct WakeHistogram {
  /// The properties by which waits are counted together.
  struct Wait: Hashable {
    /// The program's name.
    var program: String
    /// The number of the system call that waits.
    var systemCall: Int
    /// The requested length of the wait.
    var length: Nanoseconds

    /// The number that means spinning on the clock.
    static let spinning = -1
  }

  /// The process whose wait has ended.
  struct Sleeper {
    /// The process's number in start order, from 1.
    var ordinal: Int
    /// The process that has started it; `nil` if that is not known.
    var starter: Starter?
  }

  /// A process that has started others.
  struct Starter: Hashable {
    /// Its number in start order, from 1.
    var ordinal: Int
    /// The name of its program.
    var program: String
  }

  private struct Slot {
    var wait: Wait
    var count: Int
    /// The largest part of the count that may belong to other waits.
    var error: Int
    /// The number of processes that waited so, each of them started behind the one before.
    private(set) var processes = 0
    /// The process that has started them all; `nil` if there are several.
    private(set) var starter: Starter?
    /// The last one's number in start order.
    private var newest = 0

    init(_ wait: Wait, replacing count: Int = 0, by sleeper: Sleeper?) {
      self.wait = wait
      self.count = count + 1
      error = count
      note(sleeper)
    }

    /// Records who has waited; a process that waits again counts once.
    mutating func note(_ sleeper: Sleeper?) {
      guard let sleeper, sleeper.ordinal > newest else { return }
      starter = processes == 0 || starter == sleeper.starter ? sleeper.starter : nil
      newest = sleeper.ordinal
      processes += 1
    }
  }

  /// The number of different waits that are counted apart.
  static let capacity = 64

  private var slots: [Slot] = []
  /// The number of waits that ended.
  private(set) var count = 0
  /// The virtual time at which counting began.
  let start: Nanoseconds
  /// The number of them that ended since the last progress.
  private(set) var countWithoutProgress = 0

  /// Creates a histogram that begins to count now.
  init(start: Nanoseconds) {
    self.start = start
    slots.reserveCapacity(Self.capacity)
  }

  /// Counts a wait that has ended because virtual time got there.
  mutating func add(_ wait: Wait, by sleeper: Sleeper? = nil) {
    count += 1
    countWithoutProgress += 1
    if let index = slots.firstIndex(where: { $0.wait == wait }) {
      slots[index].count += 1
      slots[index].note(sleeper)
    } else if slots.count < Self.capacity {
      slots.append(Slot(wait, by: sleeper))
    } else if let index = slots.indices.min(by: { slots[$0].count < slots[$1].count }) {
      slots[index] = Slot(wait, replacing: slots[index].count, by: sleeper)
    }
  }

  /// Records progress other than the passing of time.
  mutating func recordProgress() {
    countWithoutProgress = 0
  }

  /// The most frequent waits.
  func report(now: Nanoseconds) -> WaiterReport {
    let frequent = slots.sorted { ($0.count - $0.error) > ($1.count - $1.error) }.prefix(3)
    return WaiterReport(
      waiters: frequent.map { slot in
        WaiterReport.Waiter(
          program: slot.wait.program,
          systemCall: slot.wait.systemCall == Wait.spinning
            ? nil : SystemCallTable.current.name(of: slot.wait.systemCall),
          length: slot.wait.length, count: slot.count - slot.error, processes: slot.processes,
          starter: slot.starter?.program)
      }, count: count, elapsed: now - start)
  }
}

/// The waits that made virtual time pass during an operation.
package struct WaiterReport: Sendable, Hashable {
  /// Waits of one length by one program.
  package struct Waiter: Sendable, Hashable {
    /// The program's name without its folder.
    package var program: String
    /// The call; `nil` for a program that spins on the clock.
    package var systemCall: String?
    /// The requested length of each.
    package var length: Nanoseconds
    /// The least number of them.
    package var count: Int
    /// The number of processes that waited so, each of them started behind the one before.
    package var processes = 0
    /// The name of the program whose one process has started these; `nil` if there are several, or none is known.
    package var starter: String?
  }

  /// The most frequent ones, the most frequent first; three at most.
  package var waiters: [Waiter]
  /// The number of waits that ended.
  package var count: Int
  /// The distance that virtual time moved.
  package var elapsed: Nanoseconds
  /// The number of programs that were started since it moved last.
  package var startedPrograms = 0
  /// The real time since the last wait ended; meaningless if none has.
  package var realSinceLast = Nanoseconds.zero
}
