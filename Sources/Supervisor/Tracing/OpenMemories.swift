internal import DequeModule

/// The programs whose memory is open: there may be more of them than descriptors.
///
/// Those not used for the longest are closed for those that are (second chance).
final class OpenMemories {
  private struct Entry {
    weak var memory: ProgramMemory?
  }

  private let limit: Int
  private var entries: Deque<Entry> = []

  /// - Parameter limit: how many may be open.
  init(limit: Int = DescriptorShortage.limit / 8) {
    self.limit = max(1, limit)
  }

  /// Opens the memory of a program's process; `nil` if the process is gone.
  func open(_ process: ThreadIdentifier, for owner: ProgramMemory) -> TargetMemory? {
    // The ones in use are passed over once, and some cannot be closed.
    var attempts = 2 * entries.count
    while entries.count >= limit, attempts > 0 {
      closeOne()
      attempts -= 1
    }
    var memory = TargetMemory(of: process)
    while memory == nil, attempts > 0, DescriptorShortage.errorNumber(among: 1) != nil {
      closeOne()
      attempts -= 1
      memory = TargetMemory(of: process)
    }
    if memory != nil { entries.append(Entry(memory: owner)) }
    return memory
  }

  /// Closes all.
  func closeAll() {
    // The ones in use are passed over once.
    for _ in 0..<2 * entries.count { closeOne() }
  }

  private func closeOne() {
    guard let entry = entries.popFirst(), let memory = entry.memory else { return }
    if !memory.closeUnlessUsed() { entries.append(entry) }
  }
}
