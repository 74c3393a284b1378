/// Room in a target for the address of one call.
///
/// It is the supervisor's own memory there, if the process has any. Otherwise it is a part of the thread's stack below the
/// red zone (System V ABI for AMD64, section 3.2.2), which nobody uses while the thread is in a call: a signal's handler
/// begins only behind the call's exit. What was there is put back, as small stacks may have somebody's data below them.
struct AddressRoom {
  /// Enough for the structure of a message and its name.
  private static let size = 96
  private static let redZone: UInt64 = 128

  /// Where it is.
  let place: UInt64
  private let tracee: Tracee
  private let memory: TargetMemory
  private let slot: Int?
  private let original: [UInt8]

  init(of tracee: Tracee, _ registers: Registers, _ memory: TargetMemory) {
    self.tracee = tracee
    self.memory = memory
    if let image = tracee.process.image {
      let slot = tracee.process.program.scratch.takeSlot()
      self.slot = slot
      place = image.slot(slot)
      original = []
    } else {
      slot = nil
      place = (registers.stackPointer &- Self.redZone &- UInt64(Self.size)) & ~15
      original = memory.readBytes(Self.size, at: place)
    }
  }

  /// Gives it back, at the exit of the call.
  func release() {
    if let slot { return tracee.process.program.scratch.releaseSlot(slot) }
    original.withUnsafeBytes { _ = memory.write($0, at: place) }
  }
}
