internal import Glibc

/// The targets that have been started, by their numbers: of each its last start.
final class LaunchedTargets {
  private var slots: [LaunchedTarget?] = []

  /// A target; `nil` if it was never started.
  subscript(number: TargetNumber) -> LaunchedTarget? {
    get { slots.indices.contains(number.index) ? slots[number.index] : nil }
    set {
      while slots.count <= number.index { slots.append(nil) }
      slots[number.index] = newValue
    }
  }

  /// The targets that were started, in the order of their numbers.
  var all: some Sequence<LaunchedTarget> { slots.lazy.compactMap { $0 } }

  /// The same with their numbers.
  var numbered: some Sequence<(TargetNumber, LaunchedTarget)> {
    slots.enumerated().lazy.compactMap { index, target in target.map { (TargetNumber(index), $0) } }
  }

  /// The number of targets that were started.
  var count: Int { slots.count { $0 != nil } }

  /// True if there are some, and the first process of each has ended.
  var haveEnded: Bool { count > 0 && all.allSatisfy { $0.status != nil } }

  /// The target whose first process this is.
  func begun(by process: ThreadIdentifier) -> LaunchedTarget? {
    for case let target? in slots where target.process == process { return target }
    return nil
  }

  /// Moves what can be moved without waiting between the targets and the runner; true if anything was.
  func transfer() -> Bool {
    guard canTransfer else { return false }
    var progressed = false
    for case let target? in slots where target.transfer() { progressed = true }
    return progressed
  }

  /// True if there may be something to move: as a rule one call says that there is not.
  private var canTransfer: Bool {
    withUnsafeTemporaryAllocation(
      of: pollfd.self, capacity: slots.count * LaunchedTarget.streamCount
    ) { buffer in
      var count = 0
      for case let target? in slots {
        // Only a read shows that the terminal has been opened again.
        if target.output.isHungUp { return true }
        target.addStreams(to: buffer, &count)
      }
      return count > 0 && poll(buffer.baseAddress, nfds_t(count), 0) != 0
    }
  }

  /// Removes all of them.
  func removeAll() {
    slots = []
  }
}
