package import Foundations

/// Who let virtual time pass while one operation lasted: the most frequent waits, in bounded space.
///
/// When a new wait finds no room, it takes the place and the count of the least frequent one (Metwally,
/// Agrawal and El Abbadi's "space saving"): whoever waits more often than one in `capacity` is certainly
/// in the list.
struct WakeHistogram {
  /// What is counted together.
  struct Wait: Hashable {
    /// The program's name.
    var program: String
    /// What it did: a system call's number.
    var systemCall: Int
    /// How long it was to last.
    var length: Nanoseconds

    /// The number that stands for spinning on the clock.
    static let spinning = -1
  }

  private struct Slot {
    var wait: Wait
    var count: Int
    /// How much of the count belongs to others, at most.
    var error: Int
  }

  /// How many different waits are told apart.
  static let capacity = 64

  private var slots: [Slot] = []
  /// How many waits ended.
  private(set) var count = 0
  /// When counting began, in virtual time.
  let start: Nanoseconds
  /// How many of them there were since something got on.
  private(set) var countWithoutProgress = 0

  /// Begins to count.
  init(start: Nanoseconds) {
    self.start = start
    slots.reserveCapacity(Self.capacity)
  }

  /// Counts a wait that has ended because virtual time got there.
  mutating func add(_ wait: Wait) {
    count += 1
    countWithoutProgress += 1
    if let index = slots.firstIndex(where: { $0.wait == wait }) {
      slots[index].count += 1
    } else if slots.count < Self.capacity {
      slots.append(Slot(wait: wait, count: 1, error: 0))
    } else if let index = slots.indices.min(by: { slots[$0].count < slots[$1].count }) {
      let least = slots[index].count
      slots[index] = Slot(wait: wait, count: least + 1, error: least)
    }
  }

  /// Something else than time has got on.
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
          length: slot.wait.length, count: slot.count - slot.error)
      }, count: count, elapsed: now - start)
  }
}

/// Who let virtual time pass while something was waited for.
package struct WaiterReport: Sendable, Hashable {
  /// Waits of one length by one program.
  package struct Waiter: Sendable, Hashable {
    /// The program's name without its folder.
    package var program: String
    /// The call; `nil` for a program that spins on the clock.
    package var systemCall: String?
    /// How long each was to last.
    package var length: Nanoseconds
    /// How many there were, at least.
    package var count: Int
  }

  /// The most frequent ones, the most frequent first; three at most.
  package var waiters: [Waiter]
  /// How many waits ended.
  package var count: Int
  /// How far virtual time moved.
  package var elapsed: Nanoseconds
  /// How many programs were started since it moved last.
  package var startedPrograms = 0
}
