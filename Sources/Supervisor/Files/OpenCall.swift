internal import FaultEngine
internal import Glibc

/// A call that opens what a path names: open(2), openat(2) or openat2(2).
struct OpenCall {
  /// The system calls that are of this kind.
  static let numbers: Set<Int> = [
    SystemCallNumber.open, SystemCallNumber.openat, SystemCallNumber.openat2,
  ]
  /// The rules by which all of them are seen.
  static let filterRules = Dictionary(
    uniqueKeysWithValues: numbers.map { ($0, FilterRule.trace) })

  /// The number of the argument that points to the path.
  let pathArgument: Int
  /// The flags: O_CREAT, O_CLOEXEC and others.
  let flags: UInt64

  /// Reads a call; `nil` if it is another one, or its memory cannot be read.
  init?(_ registers: Registers, _ memory: TargetMemory) {
    switch registers.systemCall {
    case SystemCallNumber.open:
      pathArgument = 0
      flags = registers[argument: 1] & UInt64(UInt32.max)
    case SystemCallNumber.openat:
      pathArgument = 1
      flags = registers[argument: 2] & UInt64(UInt32.max)
    case SystemCallNumber.openat2:
      pathArgument = 1
      // `struct open_how` begins with them.
      guard let first = memory.read(UInt64.self, at: registers[argument: 2]) else { return nil }
      flags = first
    default: return nil
    }
  }

  /// True if the file is opened for reading alone.
  var isForReading: Bool { flags & UInt64(O_ACCMODE) == UInt64(O_RDONLY) }
}
