extension TracerLoop {
  /// A thread is about to make another one, or a process: sees to it that the child is traced.
  func keepTraced(_ tracee: Tracee, _ registers: Registers) {
    guard let memory = tracee.process.memory,
      let flags = CloneFlags(registers, memory: memory)
    else { return resume(tracee) }
    if flags.announcesEndOfThread { quiescence.sleepWatch.lookAtAll() }
    guard flags.isUntraced else { return resume(tracee) }
    var changed = registers
    if let address = flags.address {
      guard memory.write(flags.traced, at: address) else { return resume(tracee) }
    } else {
      changed[argument: 0] = flags.traced
    }
    tracee.birth = flags
    complete(tracee, original: registers, with: changed) { [unowned self] _ in
      restoreFlags(of: tracee)
    }
  }

  /// Puts the flags back where the caller had them in memory.
  private func restoreFlags(of tracee: Tracee) {
    guard let flags = tracee.birth.take() else { return }
    if let address = flags.address {
      tracee.process.memory?.write(flags.original, at: address)
    }
  }

  /// A child has its first stop, in which it has its creator's registers and memory: both must look as if
  /// nobody had changed the call.
  func restoreBirth(of child: Tracee) {
    guard let flags = child.birth else { return }
    restoreFlags(of: child)
    guard flags.address == nil, var registers = try? Registers.read(from: child.identifier)
    else { return }
    registers[argument: 0] = flags.original
    try? registers.write(to: child.identifier)
  }
}
