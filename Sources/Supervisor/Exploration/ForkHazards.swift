internal import Glibc

/// The resources that a process shares with others, or would not hand on to a child of fork(2),
/// from the calls by which it got them.
struct ForkHazards {
  /// The reason why a child would not have the same memory; gone with the program.
  private(set) var memory: String?
  /// The other reason why a child would not be the same.
  private(set) var lasting: String?
  /// True if it has ever locked a file.
  private(set) var hasLocked = false
  /// True if it has ever set a timer of the kernel's.
  private(set) var hasTimers = false

  /// The process runs a new program.
  mutating func dropAddressSpace() {
    memory = nil
  }

  /// Records a call that is about to be made.
  mutating func record(
    _ effect: BranchCalls.Effect, _ registers: Registers, of process: ThreadIdentifier,
    _ space: @autoclosure () -> TargetMemory?
  ) {
    switch effect {
    case .mapping:
      if memory == nil, Self.isShared(registers, process) {
        memory = "the program shares writable memory"
      }
    case .advice:
      // MADV_DONTFORK and MADV_WIPEONFORK of `asm-generic/mman-common.h`.
      memory =
        memory ?? "the program excludes memory from its children (MADV_DONTFORK or MADV_WIPEONFORK)"
    case .sharing(let what), .filter(let what):
      lasting = lasting ?? what
    case .timer:
      if Self.startsTimer(registers, space()) { hasTimers = true }
    case .lock:
      hasLocked = true
    default:
      break
    }
  }

  /// mmap(2) with MAP_SHARED: whether anything can be written there, now or after mprotect(2).
  private static func isShared(_ registers: Registers, _ process: ThreadIdentifier) -> Bool {
    guard registers[argument: 3] & UInt64(MAP_SHARED) != 0 else { return false }
    if registers[argument: 3] & UInt64(MAP_ANONYMOUS) != 0 { return true }
    if registers[argument: 2] & UInt64(PROT_WRITE) != 0 { return true }
    let number = Int32(truncatingIfNeeded: registers[argument: 4])
    let text = SmallFile.read("/proc/\(process.number)/fdinfo/\(number)") ?? ""
    guard let flags = DescriptorInformation(text)?.flags else { return true }
    return flags & O_ACCMODE != O_RDONLY
  }

  /// alarm(2) and setitimer(2) with nothing but zeros stop a timer; timer_create(2) makes one.
  private static func startsTimer(_ registers: Registers, _ space: TargetMemory?) -> Bool {
    switch registers.systemCall {
    case SystemCallNumber.alarm:
      return UInt32(truncatingIfNeeded: registers[argument: 0]) != 0
    case SystemCallNumber.setitimer:
      let place = registers[argument: 1]
      guard place != 0, let space else { return false }
      // struct itimerval: the interval, then the value.
      return space.read(Int64.self, at: place &+ 16) != 0
        || space.read(Int64.self, at: place &+ 24) != 0
    default:
      return true
    }
  }
}
