internal import CSupervisor
internal import Glibc

extension TracerLoop {
  /// A thread sets an option of a socket.
  func setSocketOption(for tracee: Tracee, _ registers: Registers) {
    if answerPathOption(of: tracee, registers) { return }
    guard registers.isAmong(SocketTimeout.options) else { return resume(tracee) }
    sockets.setTimeout(for: tracee, registers)
  }

  /// A thread asks for an option of a socket.
  func readSocketOption(for tracee: Tracee, _ registers: Registers) {
    if registers.isAmong(ConnectionTimes.options) {
      connectionTimes.report(to: tracee, registers)
    } else if registers.isAmong(SocketTimeout.options) {
      sockets.readTimeout(for: tracee, registers)
    } else {
      resume(tracee)
    }
  }

  /// A copy of a descriptor of the target's, which is to be closed; negative if there is none.
  func copyDescriptor(_ descriptor: Int32, of tracee: Tracee) -> Int32 {
    guard DescriptorTransfer.isNeeded else { return tracee.copyDescriptor(descriptor) }
    let others = tracee.process.threads.sorted().filter { $0 != tracee.identifier }
    return tracee.transferDescriptor(descriptor, among: others.compactMap { tracees[$0] })
  }
}

extension Tracee {
  /// A copy of a descriptor, to be closed by the caller; negative if it is not open.
  func copyDescriptor(_ descriptor: Int32) -> Int32 {
    if DescriptorTransfer.isNeeded { return transferDescriptor(descriptor, among: []) }
    let copy = scenario_copy_descriptor(process.processDescriptor(), descriptor)
    guard copy < 0, identifier != process.identifier else { return copy }
    // A first thread that has ended has no descriptors any more; the others may.
    let thread = scenario_open_thread(identifier.number)
    guard thread >= 0 else { return copy }
    defer { close(thread) }
    return scenario_copy_descriptor(thread, descriptor)
  }
}
