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
