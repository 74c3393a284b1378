internal import CSupervisor
internal import Foundations
internal import Glibc

/// A recvmmsg(2) whose time is up.
///
/// The kernel looks at the timeout of recvmmsg after each datagram only (recvmmsg(2), BUGS): a call whose
/// time is up waits on until one more has come. So the call is made without a timeout and, when its time
/// is up, ended and made again for one datagram.
struct UnfinishedReceipt {
  /// The registers at the call's entry.
  var entry: Registers
  /// How many datagrams have come.
  var received: Int

  /// The timeout's place.
  var timeout: UInt64 { entry[argument: 4] }
}

extension TracerLoop {
  /// Makes a call whose time is up go on to one more datagram; false if it has all it wants, or is no
  /// such call.
  func continueReceipt(
    _ active: Tracee.ActiveWait, of tracee: Tracee, _ current: Registers
  ) -> Bool {
    let entry = active.wait.entry
    guard active.isDue, case .datagrams = active.wait.kind, let image = tracee.process.image
    else { return false }
    guard TimedWait.isInterruption(current.result) || current.result > 0 else { return false }
    let received = max(0, current.result)
    let waitsForOne = entry[argument: 3] & Self.waitForOne != 0
    guard received < Int(UInt32(truncatingIfNeeded: entry[argument: 2])),
      received == 0
        || !waitsForOne
          && clearInterruption(
            ofSocket: Int32(truncatingIfNeeded: entry[argument: 0]), of: tracee)
    else { return false }
    var registers = entry
    registers.result = received
    replaceTimes(in: registers, of: tracee)
    registers.prepareCall(
      SystemCallNumber.recvmmsg,
      at: entry.instructionPointer &- UInt64(Architecture.systemCallInstruction.count),
      arguments: [
        entry[argument: 0], entry[argument: 1] &+ PacketTimes.messageLength &* UInt64(received), 1,
        entry[argument: 3], image.farFuture, 0,
      ])
    tracee.unfinishedReceipt = UnfinishedReceipt(entry: entry, received: received)
    tracee.socketLook?.wait?.goesOn = true
    finish(tracee, with: registers)
    return true
  }

  /// MSG_WAITFORONE of recvmmsg(2): wait for the first datagram only.
  private static let waitForOne: UInt64 = 0x10000

  /// Takes the interruption back that recvmmsg leaves on its socket for the next call, where datagrams
  /// had come before; true if there was one.
  @discardableResult
  func clearInterruption(ofSocket descriptor: Int32, of tracee: Tracee) -> Bool {
    let copy = copyDescriptor(descriptor, of: tracee)
    guard copy >= 0 else { return false }
    defer { close(copy) }
    var error: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(copy, SOL_SOCKET, SO_ERROR, &error, &length) == 0
      && TimedWait.isInterruption(-Int(error))
  }

  /// A thread stands at the entry of the call for its last datagram.
  func receiveLast(for tracee: Tracee, _ registers: Registers) {
    guard let receipt = tracee.unfinishedReceipt.take() else { return resume(tracee) }
    var changed = registers
    changed[argument: 4] = 0
    complete(tracee, original: receipt.entry, with: changed) { [unowned self] registers in
      let result = registers.result
      guard result == 1 else {
        registers.result = receipt.received > 0 ? receipt.received : result
        return
      }
      let zero = TimeValue(Nanoseconds.zero)
      let isWritten = tracee.process.memory?.writeAsKernel(zero, at: receipt.timeout) ?? true
      registers.result = isWritten ? receipt.received + 1 : -KernelError.badAddress
      replaceTimes(in: registers, of: tracee)
    }
  }

  /// A handler runs before the call for the last datagram is made: it ends as an interrupted one does.
  func interrupt(_ receipt: UnfinishedReceipt, of tracee: Tracee) {
    var registers = receipt.entry
    registers.result = receipt.received > 0 ? receipt.received : -KernelError.restartSystemCall
    try? registers.write(to: tracee.identifier)
  }
}
