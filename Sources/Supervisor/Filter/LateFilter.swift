internal import CSupervisor

/// A second filter, which a process gets once there is need to see calls that are too many to be looked at without.
///
/// A filter cannot be taken away or changed (seccomp(2)), but one can be added, and holds for all threads of the
/// process, for its children and for later programs, as descriptors do.
enum LateFilter: CaseIterable {
  /// Calls that read, of a process that has opened a file of random numbers.
  case randomReads
  /// Calls that receive messages, of a process that has asked for the times at which they arrive.
  case packetTimes
  /// Calls that wake threads, of a process so many of whose threads wait for each other that it was dear to look at
  /// them.
  case futexWakes

  /// The instructions.
  var program: FilterProgram {
    switch self {
    case .randomReads: RandomReads.filter
    case .packetTimes: PacketTimes.filter
    case .futexWakes: FutexWakes.filter
    }
  }

  /// `SECCOMP_SET_MODE_FILTER` of seccomp(2).
  static let setFilter: UInt64 = 1
  /// `SECCOMP_FILTER_FLAG_TSYNC`, as threads share descriptors, and `…_SPEC_ALLOW`.
  static let flags: UInt64 = 1 | 4

  /// Writes `struct sock_fprog` and the filter behind it; false if that cannot be done.
  func write(to memory: TargetMemory, at address: UInt64) -> Bool {
    let instructions = program.instructions
    let header: (length: UInt64, filter: UInt64) = (UInt64(instructions.count), address &+ 16)
    return memory.write(header, at: address)
      && instructions.withUnsafeBytes { memory.write($0, at: address &+ 16) }
  }
}

extension TracerLoop {
  /// Lets a process get a filter in place of the call that a thread is about to make, which the thread makes after
  /// that; false if nothing was done, as the process has it already, or cannot get it.
  ///
  /// - Parameter failure: what cannot be held where the process does not get it.
  func addFilter(
    _ late: LateFilter, before registers: Registers, of tracee: Tracee, failure: String
  ) -> Bool {
    let process = tracee.process
    guard !process.lateFilters.contains(late) else { return false }
    guard let memory = process.memory, let image = process.image else {
      process.lateFilters.insert(late)
      reportOutOfReach(process, reason: failure)
      return false
    }
    let area = image.execArea(process.takeExecArea())
    guard late.write(to: memory, at: area) else { return false }
    var changed = registers
    changed.systemCall = SystemCallNumber.seccomp
    changed[argument: 0] = LateFilter.setFilter
    changed[argument: 1] = LateFilter.flags
    changed[argument: 2] = area
    complete(tracee, original: registers, with: changed) { [unowned self] registers in
      // Not before: another thread that needs it meanwhile must not go on unseen.
      process.lateFilters.insert(late)
      if registers.result != 0 { reportOutOfReach(process, reason: failure) }
      registers.restartSystemCall()
      registers.systemCall = -1
    }
    return true
  }
}
