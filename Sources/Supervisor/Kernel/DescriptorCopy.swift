internal import CSupervisor
internal import Glibc

extension TraceKernel {
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
    var copy = scenario_copy_descriptor(
      process.program.addressSpace.processDescriptor(), descriptor)
    if copy < 0, DescriptorShortage.errorNumber(among: 2) != nil {
      process.program.addressSpace.closeOthers()
      copy = scenario_copy_descriptor(process.program.addressSpace.processDescriptor(), descriptor)
    }
    guard copy < 0, identifier != process.identifier else { return copy }
    // A first thread that has ended has no descriptors any more; the others may.
    let thread = scenario_open_thread(identifier.number)
    guard thread >= 0 else { return copy }
    defer { close(thread) }
    return scenario_copy_descriptor(thread, descriptor)
  }
}
