internal import Glibc

/// An open for reading of a file in whose place an anonymous one would do as well.
struct PlainOpening {
  /// Flags with which an anonymous file does as well: O_CLOEXEC, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW,
  /// O_NOATIME, O_LARGEFILE, and O_RDONLY, which is 0.
  static let harmlessFlags = UInt32(
    O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | noAccessTime | largeFile)
  private static let noAccessTime: Int32 = 0o1000000
  // For 64-bit programs libc's O_LARGEFILE is 0; the kernel's is this.
  private static let largeFile: Int32 = 0o100000

  /// True if the descriptor closes at exec.
  let closesAtExec: Bool
  /// The address of the path.
  let path: UInt64

  /// Reads a call; `nil` if it opens in another way.
  init?(_ registers: Registers, _ memory: TargetMemory) {
    let flags: UInt64
    switch registers.systemCall {
    case SystemCallNumber.open:
      path = registers[argument: 0]
      flags = registers[argument: 1] & UInt64(UInt32.max)
    case SystemCallNumber.openat:
      path = registers[argument: 1]
      flags = registers[argument: 2] & UInt64(UInt32.max)
    default:
      path = registers[argument: 1]
      // openat2(2): `struct open_how` begins with them.
      guard let first = memory.read(UInt64.self, at: registers[argument: 2]) else { return nil }
      flags = first
    }
    guard flags & ~UInt64(Self.harmlessFlags) == 0 else { return nil }
    closesAtExec = flags & UInt64(O_CLOEXEC) != 0
  }
}
