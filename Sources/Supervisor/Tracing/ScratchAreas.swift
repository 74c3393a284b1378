/// The parts of a process's injected image that calls borrow for what they need in its memory.
struct ScratchAreas: Sendable {
  private var slotsInUse: Set<Int> = []
  private var lastExecArea = 0

  /// Takes a free slot; the first one if all are in use, which takes more threads in one kind of
  /// call at the same time than there are slots.
  mutating func takeSlot() -> Int {
    let slot = (0..<InjectedImage.slotCount).first { !slotsInUse.contains($0) } ?? 0
    slotsInUse.insert(slot)
    return slot
  }

  /// Releases a slot.
  mutating func releaseSlot(_ slot: Int) { slotsInUse.remove(slot) }

  /// Takes the number of an area for the environment of a program; they are used in turn, because children of vfork(2)
  /// share them.
  mutating func takeExecArea() -> Int {
    lastExecArea = (lastExecArea + 1) % InjectedImage.execAreaCount
    return lastExecArea
  }
}
