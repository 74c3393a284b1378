/// Makes the threads and processes traced that the target makes.
final class CloneWatch: Interceptor {
  private unowned let kernel: any TraceKernel
  /// The original flags of changed calls, by their callers and by the children that they make, of
  /// these until their first stops.
  private var changed: [ThreadIdentifier: CloneFlags] = [:]

  let calls: Set<Int>? = [
    SystemCallNumber.clone, SystemCallNumber.clone3, SystemCallNumber.fork, SystemCallNumber.vfork,
  ]
  let filterRules: [Int: FilterRule]

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - isAsking: true if the calls are to be seen; false if they are changed where they are seen anyway.
  init(kernel: any TraceKernel, isAsking: Bool) {
    self.kernel = kernel
    filterRules = isAsking ? CloneFlags.filterRules : [:]
  }

  func threadStarted(_ thread: ThreadIdentifier, by maker: ThreadIdentifier) {
    if let flags = changed[maker] { changed[thread] = flags }
  }

  func threadEnded(_ thread: ThreadIdentifier) { changed[thread] = nil }

  func programStarted(in process: ThreadIdentifier) { changed[process] = nil }

  /// A thread is about to make another one, or a process: sees to it that the child is traced.
  func enter(_ call: InterceptedCall) -> CallDisposition {
    let tracee = call.tracee
    guard let memory = tracee.process.memory,
      let flags = CloneFlags(call.registers, memory: memory)
    else { return .proceed }
    if flags.announcesEndOfThread { kernel.lookAtAllSleepers() }
    guard flags.isUntraced else { return .proceed }
    var registers = call.registers
    if let address = flags.address {
      guard memory.write(flags.traced, at: address) else { return .proceed }
    } else {
      registers[argument: 0] = flags.traced
    }
    changed[tracee.identifier] = flags
    return .make(registers) { [unowned self] _ in restoreFlags(of: tracee) }
  }

  /// Puts the flags back where the caller had them in memory.
  private func restoreFlags(of tracee: Tracee) {
    guard let flags = changed.removeValue(forKey: tracee.identifier) else { return }
    if let address = flags.address {
      tracee.process.memory?.write(flags.original, at: address)
    }
  }

  /// Restores the flags in a child at its first stop, in which it has its creator's registers and
  /// memory: both must look as if the call had not been changed.
  func restoreBirth(of child: Tracee) {
    guard let flags = changed[child.identifier] else { return }
    restoreFlags(of: child)
    guard flags.address == nil, var registers = try? Registers.read(from: child.identifier)
    else { return }
    registers[argument: 0] = flags.original
    try? registers.write(to: child.identifier)
  }
}
