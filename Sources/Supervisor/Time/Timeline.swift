package import Foundations
internal import HeapModule

/// All waits for an instant: ordered by deadline, then by filing.
///
/// A deadline that may be late is served with the next one that may not, or when its slack is used
/// up, in order.
///
/// Cancelling is cheap: the entry is left in the heap and skipped when it comes up, or removed with
/// many others.
package struct Timeline<Owner: Hashable & Sendable>: Sendable {
  /// Names a filed deadline.
  package struct Ticket: Hashable, Sendable {
    let number: UInt64
  }

  /// A deadline that is due, or will be.
  package struct Item: Sendable {
    /// The party that waits.
    package var owner: Owner
    /// Its name.
    package var ticket: Ticket
    /// The instant at which the deadline is served, on the monotonic clock, by the present state of
    /// the wall clock.
    package var instant: Nanoseconds
  }

  private struct MonotonicEntry: Comparable {
    var instant: Nanoseconds
    var number: UInt64

    static func < (left: MonotonicEntry, right: MonotonicEntry) -> Bool {
      (left.instant, left.number) < (right.instant, right.number)
    }
  }

  private struct WallEntry: Comparable {
    var instant: WallInstant
    var number: UInt64

    static func < (left: WallEntry, right: WallEntry) -> Bool {
      (left.instant, left.number) < (right.instant, right.number)
    }
  }

  private let slack: Nanoseconds
  private var monotonicHeap = Heap<MonotonicEntry>()
  /// The deadlines that may be served late.
  private var lenientHeap = Heap<MonotonicEntry>()
  private var bootHeap = Heap<MonotonicEntry>()
  private var wallHeap = Heap<WallEntry>()
  /// The deadlines on targets' own wall clocks, each heap in the order in which its clock reaches
  /// them.
  private var ownWallHeaps: [WallNumber: Heap<WallEntry>] = [:]
  private var owners: [UInt64: Owner] = [:]
  private var nextNumber: UInt64 = 0

  /// Creates an empty timeline.
  ///
  /// - Parameter slack: how late deadlines may be kept that may be late.
  package init(slack: Nanoseconds = .zero) { self.slack = slack }

  /// The number of deadlines that are filed.
  package var count: Int { owners.count }

  /// Files a deadline.
  ///
  /// - Parameter mayBeLate: whether it may be kept later by the slack; one on another clock than the monotonic one may not.
  package mutating func file(
    _ deadline: Deadline, mayBeLate: Bool = false, for owner: Owner
  ) -> Ticket {
    let number = nextNumber
    nextNumber += 1
    owners[number] = owner
    switch deadline {
    case .monotonic(let instant) where mayBeLate:
      lenientHeap.insert(MonotonicEntry(instant: instant, number: number))
    case .monotonic(let instant):
      monotonicHeap.insert(MonotonicEntry(instant: instant, number: number))
    case .boot(let instant):
      bootHeap.insert(MonotonicEntry(instant: instant, number: number))
    case .wall(let instant, .scenario):
      wallHeap.insert(WallEntry(instant: instant, number: number))
    case .wall(let instant, let wall):
      ownWallHeaps[wall, default: Heap()].insert(WallEntry(instant: instant, number: number))
    }
    return Ticket(number: number)
  }

  /// Cancels a deadline; harmless if it was cancelled already.
  package mutating func cancel(_ ticket: Ticket?) {
    guard let ticket else { return }
    owners[ticket.number] = nil
    if owners.isEmpty {
      monotonicHeap = Heap()
      lenientHeap = Heap()
      bootHeap = Heap()
      wallHeap = Heap()
      ownWallHeaps = [:]
    } else if entryCount > 2 * owners.count + Self.leastSweep {
      sweep()
    }
  }

  /// The number of cancelled entries below which a sweep never pays.
  static var leastSweep: Int { 1_024 }

  /// The number of entries, the cancelled ones included.
  var entryCount: Int {
    monotonicHeap.count + lenientHeap.count + bootHeap.count + wallHeap.count
      + ownWallHeaps.values.reduce(0) { $0 + $1.count }
  }

  /// Removes the cancelled entries, which may outnumber the others as long as time does not get
  /// there.
  private mutating func sweep() {
    monotonicHeap = Heap(monotonicHeap.unordered.filter { owners[$0.number] != nil })
    lenientHeap = Heap(lenientHeap.unordered.filter { owners[$0.number] != nil })
    bootHeap = Heap(bootHeap.unordered.filter { owners[$0.number] != nil })
    wallHeap = Heap(wallHeap.unordered.filter { owners[$0.number] != nil })
    ownWallHeaps = ownWallHeaps.mapValues { heap in
      Heap(heap.unordered.filter { owners[$0.number] != nil })
    }
  }

  /// The deadline that is kept next.
  ///
  /// - Parameter now: the time on the monotonic clock.
  package mutating func earliest(on clock: VirtualClock, now: Nanoseconds) -> Item? {
    guard let exact = earliestExact(on: clock) else {
      return earliestLenient.map { keep($0, at: $0.instant + slack, now: now) }
    }
    guard let lenient = earliestLenient,
      (lenient.instant, lenient.ticket.number) < (exact.instant, exact.ticket.number)
    else { return exact }
    return keep(lenient, at: min(lenient.instant + slack, exact.instant), now: now)
  }

  /// Returns the instant at which the first deadline is due; the deadline may be served later.
  package mutating func firstDue(on clock: VirtualClock) -> Nanoseconds? {
    let exact = earliestExact(on: clock)?.instant
    return earliestLenient.map { min($0.instant, exact ?? .forever) } ?? exact
  }

  private func keep(_ item: Item, at instant: Nanoseconds, now: Nanoseconds) -> Item {
    var kept = item
    if item.instant > now { kept.instant = instant }
    return kept
  }

  private var earliestLenient: Item? {
    mutating get {
      while let entry = lenientHeap.min, owners[entry.number] == nil { lenientHeap.removeMin() }
      return lenientHeap.min.flatMap { entry in
        owners[entry.number].map {
          Item(owner: $0, ticket: Ticket(number: entry.number), instant: entry.instant)
        }
      }
    }
  }

  private mutating func earliestExact(on clock: VirtualClock) -> Item? {
    while let entry = monotonicHeap.min, owners[entry.number] == nil {
      monotonicHeap.removeMin()
    }
    while let entry = bootHeap.min, owners[entry.number] == nil {
      bootHeap.removeMin()
    }
    while let entry = wallHeap.min, owners[entry.number] == nil {
      wallHeap.removeMin()
    }
    var earliest = monotonicHeap.min.flatMap { item($0.number, .monotonic($0.instant), clock) }
    if let entry = bootHeap.min {
      earliest = Self.earlier(earliest, item(entry.number, .boot(entry.instant), clock))
    }
    if let entry = wallHeap.min {
      earliest = Self.earlier(earliest, item(entry.number, .wall(entry.instant), clock))
    }
    for wall in ownWallHeaps.keys {
      while let entry = ownWallHeaps[wall]?.min, owners[entry.number] == nil {
        ownWallHeaps[wall]?.removeMin()
      }
      guard let entry = ownWallHeaps[wall]?.min else { continue }
      earliest = Self.earlier(
        earliest, item(entry.number, .wall(entry.instant, of: wall), clock))
    }
    return earliest
  }

  private static func earlier(_ left: Item?, _ right: Item?) -> Item? {
    guard let left else { return right }
    guard let right else { return left }
    return (left.instant, left.ticket.number) <= (right.instant, right.ticket.number)
      ? left : right
  }

  private func item(_ number: UInt64, _ deadline: Deadline, _ clock: VirtualClock) -> Item? {
    owners[number].map {
      Item(owner: $0, ticket: Ticket(number: number), instant: deadline.instant(on: clock))
    }
  }
}
